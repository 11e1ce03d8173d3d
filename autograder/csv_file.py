"""Read a CSV file from a spreadsheet or an LMS; return its rows, or its bytes with some cells changed."""

import csv
import io
import re

from .refused import Refused
from .submission.files import printable, read_regular_file

SEPARATORS = ",;\t|"
SEP_LINE = re.compile(r"sep=(.)\r?\n")  # Excel's line that names the separator
MOST_WRONG = 10  # wrong lines that the message lists
NO_TABLE = "{} is not a CSV file with a heading and rows: export it again as CSV, not as a spreadsheet."
BROKEN = "{} is a damaged CSV file ({}): export it again."
NO_COLUMN = "{} has no column {}: its first line has to name the columns {}."
TOO_LONG = "has {} cells, but the first line names {} columns: put quotes around a text with a separator"
NOTHING_APPLIED = "Nothing from {} is applied until all lines are correct."


class WrongLine(Exception):
    """A line is wrong. The message says why, without the line's number and without a full stop."""


class CsvFile:
    """A parsed CSV file. rows: [[text]], the heading first. `filled` keeps the file's own format."""

    def __init__(self, path):
        data, reason = read_regular_file(path)
        if data is None:
            raise Refused(f"{printable(path)}: {reason}")
        self.name, self.encoding = printable(path), encoding_of(data)
        text = data.decode(self.encoding, "replace")
        sep = SEP_LINE.match(text)
        self.sep_line, text = (sep[0], text[sep.end() :]) if sep else ("", text)
        heading = text.strip().splitlines()[:1]
        if not heading or "\0" in text:
            raise Refused(NO_TABLE.format(self.name))
        self.separator = sep[1] if sep else max(SEPARATORS, key=heading[0].count)
        self.line_end = "\r\n" if "\r\n" in text else "\n"
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.separator, strict=True)
        try:
            self.rows = [row for row in reader if row]
        except csv.Error as error:
            raise Refused(BROKEN.format(self.name, error)) from None

    def filled(self, values):
        """Return the file's bytes with some cells replaced. values: {(row, column): text}."""
        rows = [list(row) for row in self.rows]
        for (row, column), text in values.items():
            rows[row][column] = text
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self.separator, lineterminator=self.line_end).writerows(rows)
        return (self.sep_line + text.getvalue()).encode(self.encoding)


def encoding_of(data):
    """UTF-16 by its byte-order mark, else UTF-8 if valid, else Excel's cp1252; nothing is guessed."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"


def parsed_lines(path, columns, parse):
    """Return [parse({column: text})] for the lines of an instructor's CSV file; [] if there is no file.

    Columns may come in any order, and more columns are allowed. Raises Refused with a list of the wrong
    lines if `parse` raises WrongLine for any of them.
    """
    if not path.exists():
        return []
    table = CsvFile(path)
    heading, *rows = table.rows
    names, results, wrong = [cell.strip().lower() for cell in heading], [], []
    for column in columns:
        if column not in names:
            raise Refused(NO_COLUMN.format(path.name, column, ", ".join(columns)))
    for number, row in enumerate(rows, 2):
        cells = [cell.strip() for cell in row]
        try:
            if any(cells[len(names) :]):
                raise WrongLine(TOO_LONG.format(len(cells), len(names)))
            if any(cells):
                cells += [""] * (len(names) - len(cells))
                results.append(parse(dict(zip(names, cells, strict=False))))
        except WrongLine as reason:
            wrong.append(f"{path.name}, line {number}: {reason}.")
    if wrong:
        more = [f"{len(wrong) - MOST_WRONG} more lines are wrong."] if len(wrong) > MOST_WRONG else []
        raise Refused("\n".join([*wrong[:MOST_WRONG], *more, NOTHING_APPLIED.format(path.name)]))
    return results


def need(cells, *columns):
    """Return the texts of these columns; raise WrongLine if one is empty."""
    for column in columns:
        if not cells[column]:
            raise WrongLine(f"{column} is empty")
    return [cells[column] for column in columns]
