"""Reads the students of a class from a CSV file of an LMS or a registrar, and from nbgrader's gradebook."""

import re
from pathlib import Path

from autograder.csv_file import CsvFile
from autograder.gradebook.submitted import is_name
from autograder.refused import Refused
from autograder.submission.files import printable

from . import read_toml, sentences, systems
from .lms import cell, value_of
from .people import People, Person, exact

MEANINGS = {meaning: set(map(exact, texts)) for meaning, texts in read_toml("headings.toml").items()}
LONGEST_FILE_NAME = 255  # bytes
OTHER_IDS = "id", "username", "login", "sis", "number"


class Sheet:
    """A CSV file of students. rows: [[text]], the heading first. columns: {meaning: column number}. students:
    {row number: row}. people: {row number: Person}. maxima: {column number: points}, where an LMS's `adapt`
    sets them. has_comma: do numbers have a decimal comma?"""

    def __init__(self, path):
        self.table = CsvFile(path)
        self.name, self.rows = self.table.name, self.table.rows
        self.heading = [text.strip() for text in self.rows[0]]
        texts = [exact(text) for text in self.heading]
        meanings = [(m, text) for m, headings in MEANINGS.items() for text in texts if text in headings]
        self.columns = {meaning: texts.index(text) for meaning, text in reversed(meanings)}
        self.students = {n: row for n, row in enumerate(self.rows) if n and any(map(str.strip, row))}
        self.maxima = {}
        for lms in systems():
            lms.adapt(self)
        self.people = {number: self.person(row) for number, row in self.students.items()}
        self.has_comma = any(re.fullmatch(r"\d+,\d+", text.strip()) for row in self.rows for text in row)

    def cell(self, row, meaning):
        return cell(row, self.columns[meaning]) if meaning in self.columns else ""

    def max_points(self, column):
        """The maximum points in the LMS, from a row of their own or a student's row; None if not given."""
        texts = [cell(row, column) for row in self.rows if exact(row[0]).strip() in MEANINGS["most"]]
        values = map(value_of, [*texts, *(self.cell(row, "most") for row in self.rows[1:])])
        return next((value for value in (self.maxima.get(column), *values) if value is not None), None)

    def person(self, row):
        """The Person in a row, with all ids in it; the caller chooses which one to use."""
        cells = {meaning: self.cell(row, meaning) for meaning in (*MEANINGS, "participant")}
        first, last, name = cells["first"], cells["last"], cells["name"]
        if name and first and not last and first not in name:
            last = name  # the headings Name and Vorname
        elif name and not last:
            last, _, first = name.partition(",") if "," in name else name.rpartition(" ")[::-1]
        mail = cells["mail"] or (cells["login"] if "@" in cells["login"] else "")
        participant = re.findall(r"\d*$", cells["participant"])[0]  # the digits of "Participant 123456"
        ids = {meaning: cells[meaning] for meaning in OTHER_IDS if cells[meaning]}
        return Person("", first.strip(), last.strip(), mail, cells["lms"], participant, ids)


def read_roster(path):
    """[Person], with ids from the first column that is filled in every row; raises Refused."""
    sheet, people = Sheet(path), {}
    if not sheet.columns.keys() & {"id", "username", "login", "mail", "name", "last"}:
        raise Refused(sentences.no_people.format(sheet.name))
    known, unknown = sheet.columns.keys(), set(range(len(sheet.heading))) - set(sheet.columns.values())
    if not (known & {"name"} or {"first", "last"} <= known) and (unknown or known & {"first", "last"}):
        raise Refused(sentences.no_names.format(sheet.name, ", ".join(sheet.heading)))
    kinds = {n: p.others | {"mail": p.mail, "lms": p.lms_id} for n, p in sheet.people.items()}
    full = [kind for kind in (*OTHER_IDS, "mail", "lms") if all(own.get(kind) for own in kinds.values())]
    for row, person in sheet.people.items():
        person.id = kinds[row][full[0]] if full else ""
        if not may_be_id(person.id):
            raise Refused(sentences.bad_id.format(sheet.name, row + 1, person.id))
        other = people.setdefault(exact(person.id), person)
        if other.name != person.name:
            raise Refused(sentences.twice.format(sheet.name, person.id, other.name, person.name))
        if person.mail not in ("", other.mail):  # a second row, with another address
            other.others[f"mail {row}"] = person.mail
    return list(people.values())


def may_be_id(text):
    """Can nbgrader and a folder name use this text as a student's id?"""
    fits = text and is_name(text) and len(text.encode()) <= LONGEST_FILE_NAME
    return bool(fits) and "/" not in text and not text.startswith((".", "__MACOSX"))


def merged(roster, people, name: str | Path = ""):
    """The roster's people, then those only in the gradebook; a person in both keeps the gradebook's id. Equal
    names alone count only if a submission was collected under that name; else Refused is raised, because
    somebody could be entered twice. name: the roster's."""
    matches = People(people).find_each(roster)
    for person, (same, how) in zip(roster, matches, strict=True):
        if same and (how != "name" or not same.name):
            person.others["roster"], person.id = person.id, same.id
            person.lms_id, person.mail = person.lms_id or same.lms_id, person.mail or same.mail
            if not person.name:
                person.first, person.last = same.first, same.last
        elif same:
            raise Refused(sentences.two_ids.format(printable(name), person.label, same.label))
    ids = {person.id for person in roster}
    return [*roster, *(person for person in people if person.id not in ids)]
