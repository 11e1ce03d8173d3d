"""A CSV file's bytes -> its cells and their places, so that a cell can be filled and all else stays."""

import csv
import io
import re
from dataclasses import dataclass

from autograder.gradebook.database import Refused
from autograder.submission.files import read_regular_file, shown

ENCODINGS = "utf-8", "cp1252", "latin-1"
MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
SEPARATORS = ",;\t|"
NO_FILE = "{}: {}"
NO_TABLE = "{} is no CSV file with a heading and rows: export it again, as CSV and not as a spreadsheet."
BROKEN = "{} is a damaged CSV file, in which quotes do not match: export it again."


@dataclass
class Cell:
    """text: its value. begin, end: where it stands in the file's text, quotes included."""

    text: str
    begin: int
    end: int


class Table:
    """The text of a CSV file and its rows of cells."""

    def __init__(self, data, name):
        self.name = shown(name)
        self.text, self.encoding = decoded(data)
        first = self.text.lstrip("\ufeff").splitlines()[:1]
        if not first or not first[0].strip() or "\0" in self.text:
            raise Refused(NO_TABLE.format(self.name))
        self.separator = max(SEPARATORS, key=unquoted(first[0]).count)
        self.rows = [row for row in cells(self.text, self.separator) if row]
        if self.texts() != read_by_csv(self.text, self.separator):
            raise Refused(BROKEN.format(self.name))

    @classmethod
    def at(cls, path):
        data, reason = read_regular_file(path)
        if reason:
            raise Refused(NO_FILE.format(shown(path), reason))
        return cls(data, path)

    def texts(self):
        return [[cell.text for cell in row] for row in self.rows]

    def filled(self, values):
        """The file's bytes with other texts in some cells: {(row, column): text}."""
        parts, at = [], 0
        places = {(row, column): self.rows[row][column] for row, column in values}
        for place, cell in sorted(places.items(), key=lambda item: item[1].begin):
            parts += [self.text[at : cell.begin], self.written(values[place], cell)]
            at = cell.end
        return "".join([*parts, self.text[at:]]).encode(self.encoding)

    def written(self, text, cell):
        """In quotes where the old one was, or where it needs them."""
        needs = any(letter in text for letter in f'{self.separator}"\r\n')
        if needs or self.text[cell.begin : cell.end].startswith('"'):
            return '"' + text.replace('"', '""') + '"'
        return text


def decoded(data):
    """(text, encoding): encoded again, the text gives the same bytes, a byte order mark included."""
    for encoding in [MARKS.get(data[:2]), *ENCODINGS]:
        try:
            text = data.decode(encoding) if encoding else ""
        except UnicodeDecodeError:
            continue
        if encoding and text.encode(encoding) == data:
            return text, encoding
    raise AssertionError("latin-1 decodes everything")


def unquoted(line):
    return re.sub(r'"[^"]*"', "", line)


def cells(text, separator):
    """[[Cell]] of each line, up to what is no CSV. A line end within quotes belongs to its cell."""
    end = re.escape(separator) + r"\r\n"
    plain = re.compile(rf'"(?P<quoted>(?:[^"]|"")*)"|(?P<plain>(?:[^"{end}][^{end}]*)?)')
    at, row, rows = int(text.startswith("\ufeff")), [], []
    while True:
        found = plain.match(text, at)
        quoted = found["quoted"]
        row.append(Cell(found[0] if quoted is None else quoted.replace('""', '"'), *found.span()))
        at = found.end()
        if text[at : at + 1] == separator:
            at += 1
            continue
        rows.append([] if is_empty(row) else row)
        if text[at : at + 1] not in ("\r", "\n"):
            return rows
        row, at = [], at + (2 if text[at : at + 2] == "\r\n" else 1)


def is_empty(row):
    return len(row) == 1 and row[0].begin == row[0].end


def read_by_csv(text, separator):
    """What Python's csv reads: the cells are trusted only where both agree."""
    lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
    try:
        return [row for row in csv.reader(lines, delimiter=separator) if row]
    except csv.Error:
        return None
