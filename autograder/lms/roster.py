"""A CSV file and nbgrader's gradebook -> [Person]: who is in the class."""

import os
from collections import Counter
from pathlib import Path

from nbgrader.api import Student

from autograder.gradebook.course import in_a_sentence, open_gradebook
from autograder.gradebook.database import Refused, exists
from autograder.gradebook.submitted import is_name, listing

from .csv_text import Table
from .headings import CANVAS_NUMBER, columns_of, participant_in
from .names import exact, in_any_order, words
from .people import Person

NO_PEOPLE = (
    "{}: there is no column of ids, mail addresses or names. Give a CSV file with the headings id, "
    "first_name, last_name, email, or the export of Canvas' gradebook, of Moodle's participants, or of "
    "Moodle's grading worksheet."
)
NO_ID = "{}, line {}: there is no id and no mail address. Add one in a column with the heading id."
BAD_ID = '{}, line {}: {!r} cannot be an id: it is too long, begins with a dot, or holds one of / " < \\.'
TWICE = "{}: the id {} stands there twice, for {} and for {}."
# which column becomes the student's id, the first that all rows have
IDS = "id", "username", "login", "sis", "number", "mail", "lms"
OTHER_IDS = "id", "username", "login", "sis", "number"


def read_roster(path, known=()):
    """[Person] of a roster; known: ids that are in use already, which decide what the ids are taken from."""
    table = Table.at(Path(path))
    rows = table.texts()
    columns = columns_of(rows)
    if not columns.keys() & {"id", "username", "login", "mail", "name", "last"}:
        raise Refused(NO_PEOPLE.format(table.name))
    lines = [
        (number, meaning_of(row, columns))
        for number, row in enumerate(rows[1:], 2)
        if is_student(row, columns)
    ]
    source = source_of_ids([line for _, line in lines], known)
    people = {}
    for number, line in lines:
        person = person_of(line, source)
        if not person.id:
            raise Refused(NO_ID.format(table.name, number))
        if not may_be_id(person.id):
            raise Refused(BAD_ID.format(table.name, number, person.id))
        other = people.setdefault(exact(person.id), person)
        if other is not person and other.name != person.name:
            raise Refused(TWICE.format(table.name, person.id, other.name, person.name))
    return list(people.values())


def is_student(row, columns):
    """Not an empty row, nor one of those that Canvas writes beside its students'."""
    first = row[0].strip()
    if not any(text.strip() for text in row) or "Points Possible" in first or first == "Student, Test":
        return False
    return CANVAS_NUMBER not in columns or bool(cell(row, columns[CANVAS_NUMBER]))


def cell(row, column):
    return row[column].strip() if column < len(row) else ""


def meaning_of(row, columns):
    """{meaning: text} of a row."""
    line = {meaning: cell(row, column) for meaning, column in columns.items()}
    if line.get("name") and not line.get("last"):
        line["first"], line["last"] = split_name(line["name"])
    if not line.get("mail") and "@" in line.get("login", ""):
        line["mail"] = line["login"]
    return line


def split_name(name):
    """(first, last): of Lovelace, Ada as of Ada Lovelace."""
    if "," in name:
        last, _, first = name.partition(",")
        return first.strip(), last.strip()
    first, _, last = name.rpartition(" ")
    return (first.strip(), last.strip()) if first else ("", last)


def source_of_ids(lines, known):
    """The meaning whose texts become ids: that of the known ids, else the first that all rows have."""
    known = {exact(text) for text in known}
    full = [meaning for meaning in IDS if lines and all(line.get(meaning) for line in lines)]
    used = {meaning: sum(exact(line[meaning]) in known for line in lines) for meaning in full}
    return max(full, key=used.get) if any(used.values()) else next(iter(full), None)


def person_of(line, source):
    ids = [line.get(source)] if source else [line.get(meaning) for meaning in IDS]
    others = {line.get(meaning, "") for meaning in OTHER_IDS} - {""}
    participant = participant_in(line.get("participant", ""))
    return Person(
        next(filter(None, ids), ""),
        line.get("first", ""),
        line.get("last", ""),
        line.get("mail", ""),
        line.get("lms", ""),
        {participant} - {""},
        others,
    )


def may_be_id(text):
    """Does nbgrader, and a folder, take this as a student's id?"""
    return bool(text) and is_name(text) and "/" not in text and not text.startswith((".", "__MACOSX"))


def known_people(coursedir):
    """[Person] of the gradebook and of the folders in submitted/."""
    people = {}
    if exists(coursedir.db_url):
        with in_a_sentence(coursedir.db_url), open_gradebook(coursedir) as gradebook:
            for row in gradebook.db.query(Student):
                texts = (row.first_name, row.last_name, row.email, row.lms_user_id)
                people[row.id] = Person(row.id, *(text or "" for text in texts))
    submitted = Path(coursedir.root) / coursedir.submitted_directory
    for folder in listing(submitted):
        if folder.is_dir() and not os.path.islink(folder):
            people.setdefault(folder.name, Person(folder.name))
    return list(people.values())


def merged(roster, known):
    """The roster's people, then those whom only the gradebook knows. Who is in both, by id, number or mail
    address, has the gradebook's id."""
    by_key, left = {}, {person.id: person for person in known}
    for person in known:
        for key in [*keys_of(person), *name_key(person.id if not person.name else "")]:
            by_key.setdefault(key, person)
    names = Counter(key for person in roster for key in name_key(person.name))
    for person in roster:
        own_name = [key for key in name_key(person.name) if names[key] == 1]
        same = next((by_key[key] for key in [*keys_of(person), *own_name] if key in by_key), None)
        if same and left.pop(same.id, None):
            person.others.add(person.id)
            person.id = same.id
            person.lms_id = person.lms_id or same.lms_id
            person.mail = person.mail or same.mail
            person.first, person.last = (
                (person.first, person.last) if person.name else (same.first, same.last)
            )
    return [*roster, *left.values()]


def name_key(name):
    """A whole name, where somebody was collected under it before there was a roster."""
    return [("name", in_any_order(name, exact))] if len(words(name)) > 1 else []


def keys_of(person):
    """What no two people share, in the order in which it is trusted."""
    ids = [("id", exact(text)) for text in (person.id, *sorted(person.others)) if text]
    number = [("lms", person.lms_id)] if person.lms_id else []
    return [*ids, *number, *([("mail", exact(person.mail))] if person.mail else [])]
