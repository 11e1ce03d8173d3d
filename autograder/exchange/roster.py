"""A CSV file and nbgrader's gradebook -> [Person]: who is in the class."""

import os
from collections import Counter
from pathlib import Path

from nbgrader.api import Student

from autograder.csv_file import CsvFile
from autograder.gradebook.course import open_gradebook
from autograder.gradebook.database import exists
from autograder.gradebook.submitted import is_name, listing
from autograder.refused import Refused

from . import systems
from .headings import cell, columns_of, number_in
from .names import exact, keys_of, words
from .people import Person

NO_PEOPLE = (
    "{}: there is no column of ids, mail addresses or names. Give a CSV file with the headings id, "
    "first_name, last_name, email, or the export of Canvas' gradebook, of Moodle's participants, or of "
    "Moodle's grading worksheet."
)
NO_ID = "{}, line {}: there is no id and no mail address. Add one in a column with the heading id."
BAD_ID = '{}, line {}: {!r} cannot be an id: it is too long, begins with a dot, or holds one of / " < \\.'
TWICE = "{}: the id {} occurs twice, for {} and for {}."
# which column becomes the student's id, the first that all rows have
IDS = "id", "username", "login", "sis", "number", "mail", "lms"
OTHER_IDS = IDS[:-2]


def read_roster(path, ids=()):
    """[Person] of a roster; known: ids in use already, which decide what the ids are taken from."""
    table = CsvFile(path)
    columns = columns_of(table.rows)
    if not columns.keys() & {"id", "username", "login", "mail", "name", "last"}:
        raise Refused(NO_PEOPLE.format(table.name))
    lines = [
        (n, cells_of(row, columns)) for n, row in enumerate(table.rows[1:], 2) if is_person(row, columns)
    ]
    source = source_of_ids([cells for _, cells in lines], ids)
    people = {}
    for number, cells in lines:
        person = person_of(cells, source)
        if not person.id:
            raise Refused(NO_ID.format(table.name, number))
        if not may_be_id(person.id):
            raise Refused(BAD_ID.format(table.name, number, person.id))
        other = people.setdefault(exact(person.id), person)
        if other is not person and other.name != person.name:
            raise Refused(TWICE.format(table.name, person.id, other.name, person.name))
    return list(people.values())


def is_person(row, columns):
    return any(text.strip() for text in row) and all(lms.is_student(row, columns) for lms in systems())


def cells_of(row, columns):
    """{meaning: text} of a row."""
    cells = {meaning: cell(row, column) for meaning, column in columns.items()}
    if cells.get("name") and not cells.get("last"):
        last, comma, first = cells["name"].partition(",")
        if not comma:
            first, _, last = cells["name"].rpartition(" ")
        cells |= {"first": first.strip(), "last": last.strip()}
    if not cells.get("mail") and "@" in cells.get("login", ""):
        cells["mail"] = cells["login"]
    return cells


def source_of_ids(lines, ids):
    """The column whose texts become ids: that of the known ids, else the first that all rows have."""
    ids = {exact(text) for text in ids}
    full = [meaning for meaning in IDS if lines and all(cells.get(meaning) for cells in lines)]
    matches = {meaning: sum(exact(cells[meaning]) in ids for cells in lines) for meaning in full}
    return max(full, key=matches.get) if any(matches.values()) else next(iter(full), None)


def person_of(cells, source):
    ids = [cells.get(meaning, "") for meaning in ([source] if source else IDS)]
    about = [cells.get(meaning, "") for meaning in ("first", "last", "mail", "lms")]
    participants = {number_in(cells.get("participant", ""))} - {""}
    others = {cells.get(meaning, "") for meaning in OTHER_IDS} - {""}
    return Person(next(filter(None, ids), ""), *about, participants, others)


def may_be_id(text):
    """Does nbgrader, and a folder, take this as a student's id?"""
    return bool(text) and is_name(text) and "/" not in text and not text.startswith((".", "__MACOSX"))


def known_people(coursedir):
    """[Person] of the gradebook and of the folders in submitted/."""
    people = {}
    if exists(coursedir.db_url):
        with open_gradebook(coursedir) as gradebook:
            for row in gradebook.db.query(Student):
                texts = (row.first_name, row.last_name, row.email, row.lms_user_id)
                people[row.id] = Person(row.id, *(text or "" for text in texts))
    for folder in listing(Path(coursedir.root) / coursedir.submitted_directory):
        if folder.is_dir() and not os.path.islink(folder):
            people.setdefault(folder.name, Person(folder.name))
    return list(people.values())


def merged(roster, ids):
    """The roster's people, then those whom only the gradebook knows. Who is in both, by id, number, mail
    address or the name under which somebody was collected, has the gradebook's id."""
    by_key, left = {}, {person.id: person for person in ids}
    for person in ids:
        for key in [*keys_of_person(person), *(name_keys(person.id) if not person.name else [])]:
            by_key.setdefault(key, person)
    names = Counter(key for person in roster for key in name_keys(person.name))
    for person in roster:
        own_name = [key for key in name_keys(person.name) if names[key] == 1]
        same = next((by_key[key] for key in [*keys_of_person(person), *own_name] if key in by_key), None)
        if same and left.pop(same.id, None):
            person.others.add(person.id)
            person.id = same.id
            person.lms_id, person.mail = person.lms_id or same.lms_id, person.mail or same.mail
            if not person.name:
                person.first, person.last = same.first, same.last
    return [*roster, *left.values()]


def name_keys(name):
    return [("name", min(keys_of(name, exact), default=""))] if len(words(name)) > 1 else []


def keys_of_person(person):
    """What no two people share, in the order in which it is trusted."""
    keys = [("id", exact(text)) for text in (person.id, *sorted(person.others)) if text]
    return keys + [pair for pair in (("lms", person.lms_id), ("mail", exact(person.mail))) if pair[1]]
