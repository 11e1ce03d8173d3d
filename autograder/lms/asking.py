"""Doubtful rows -> decisions, asked for in the terminal."""

from .decisions import person_called
from .roster import may_be_id
from .table import say

LATER = "Enter: later"
NEW_ID = "  The new student's id: "


def ask_all(rows, people, read=input):
    """{the file's key: (Person or None, lesson)} of what was answered; Enter leaves a row open."""
    found, groups = {}, {}
    for row in rows:
        if row.versions:
            groups.setdefault((row.student, row.lesson), []).append(row)
        elif row.lesson:
            found |= answer(row, people, read)
    for group in groups.values():
        found |= version(group, read)
    return found


def answer(row, people, read):
    """Whose is this one?"""
    choices = row.candidates or ([row.person] if row.person else [])
    print(f"\n{row.file.label}  ({row.lesson})\n  {row.doubt}. Whose is it?")
    show([f"{p.id}  {p.name}".rstrip() for p in choices])
    said = read(f"  number, id, n: a new student, -: leave it out, {LATER}: ").strip()
    person = chosen(said, choices, people, read)
    return {row.key: (person, row.lesson)} if person or said == "-" else {}


def chosen(said, choices, people, read):
    if said.isdecimal() and 1 <= int(said) <= len(choices):
        return choices[int(said) - 1]
    if said.lower() == "n":
        said = read(NEW_ID).strip()
        return person_called(said, people) if may_be_id(said) else None
    known = [person for person in people.all if said and person.id == said]
    return known[0] if known else None


def version(group, read):
    """Which of these counts?"""
    print()
    say(f"{group[0].student}, {group[0].lesson}: {group[0].doubt}.")
    show([row.file.label for row in group])
    said = read(f"  The number of the one that counts, {LATER}: ").strip()
    if not (said.isdecimal() and 1 <= int(said) <= len(group)):
        return {}
    row = group[int(said) - 1]
    return {row.key: (row.person, row.lesson)}


def show(lines):
    for number, line in enumerate(lines, 1):
        print(f"  {number}  {line}")
