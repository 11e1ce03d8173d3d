"""Doubtful rows -> collect.csv, which the instructor fills in, and back."""

import csv
import os
from datetime import UTC, datetime
from pathlib import Path

from autograder.gradebook.database import Refused
from autograder.releases import store
from autograder.report.spreadsheet import safe

from .csv_text import Table
from .names import exact
from .people import Person
from .plan import BAD
from .roster import may_be_id

FILE = "collect.csv"
COLUMNS = ("file", "why", "likely", "student", "lesson")
LEAVE_OUT, NEW = "-", "new:"
LEFT = "left out, as you decided"
NOT_OURS = "{} is not a list that collect wrote: its columns are {}."
NO_STUDENT = '{}, line {}: {!r} is no known id. Write one of the ids, "new: ID" for a new student, or "-".'
NO_LESSON = "{}, line {}: {!r} is no lesson: write one of {}."


def write_open(rows, folder):
    """Write collect.csv; an older one with other contents is kept under another name."""
    path = Path(folder) / FILE
    new = path.with_name(f".{FILE}.new")
    with open(new, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for row in rows:
            likely = "; ".join(f"{p.id} ({p.name})" if p.name else p.id for p in row.candidates)
            said = "" if row.versions or not row.student else row.student
            likely = likely or said
            table.writerow([safe(text) for text in (row.key, row.doubt, likely, "", row.lesson)])
    if path.exists() and path.read_bytes() != new.read_bytes():
        os.replace(path, path.with_name(f"collect_{datetime.now(UTC):%Y-%m-%d_%H.%M.%S}.csv"))
    os.replace(new, path)
    return path


def read_decisions(path, people):
    """{the file's key: (Person or None, lesson)} of a collect.csv; None: the file is left out."""
    table = Table.at(Path(path))
    heading, *rows = table.texts()
    if not set(COLUMNS) <= {text.strip() for text in heading}:
        raise Refused(NOT_OURS.format(table.name, ", ".join(COLUMNS)))
    at = {name: [text.strip() for text in heading].index(name) for name in COLUMNS}
    found = {}
    for number, row in enumerate(rows, 2):
        texts = {name: row[at[name]].strip() if at[name] < len(row) else "" for name in COLUMNS}
        if texts["student"]:
            found[texts["file"]] = decision(texts, people, f"{table.name}", number)
    return found


def decision(texts, people, name, number):
    student, lesson = texts["student"], texts["lesson"]
    if lesson and lesson not in store.lessons():
        raise Refused(NO_LESSON.format(name, number, lesson, ", ".join(store.lessons())))
    if student == LEAVE_OUT:
        return None, lesson
    if student.lower().startswith(NEW) and may_be_id(student[len(NEW) :].strip()):
        return person_called(student[len(NEW) :].strip(), people), lesson
    known = people.ids.get(exact(student), [])
    if len(known) != 1:
        raise Refused(NO_STUDENT.format(name, number, student))
    return known[0], lesson


def person_called(student, people):
    """The known person of this id, or a new one."""
    return next(iter(people.ids.get(exact(student), [])), None) or Person(student)


def apply(rows, decisions, left_out=()):
    """Enter into the rows what the instructor decided -> [key] of decisions that are of no row.

    left_out: {(file's label, sha)} of earlier runs; a decision of now on the same file comes first.
    """
    unused = set(decisions)
    for row in rows:
        # a key that a spreadsheet could take for a formula was made harmless in the list
        key = next((key for key in (row.key, safe(row.key)) if key in decisions), None)
        if key is not None:
            unused.discard(key)
            enter(row, *decisions[key])
        elif (row.file.label, row.sha) in left_out:
            enter(row, None, row.lesson)
    return sorted(unused)


def enter(row, person, lesson):
    if person is None:
        row.state, row.note, row.doubt = BAD, LEFT, ""
        return
    row.person, row.student, row.how, row.decided = person, person.id, "you", True
    row.lesson = lesson or row.lesson
    row.doubt = "" if row.lesson else row.doubt
    if row.claim.kind == "Canvas" and not person.lms_id:
        person.lms_id = row.claim.lms_id or ""
