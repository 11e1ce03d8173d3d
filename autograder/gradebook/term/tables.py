"""A CSV file of the course folder -> its lines; every wrong line is named in one sentence."""

import codecs
import csv
import io

from autograder.gradebook.database import Refused
from autograder.submission.files import shown

SEPARATORS = ",;\t"
MOST = 10  # wrong lines that are named
NOT_TEXT = "{} is not saved as UTF-8 text: save it as CSV UTF-8."
NOT_READ = "{} cannot be read ({})."
NO_COLUMN = "{} has no column {}: its first line has to name the columns {}."
TOO_LONG = "has {} cells, and the first line names {} columns: put a text with a separator in it into quotes"
NOTHING_APPLIED = "Nothing of {} is applied until every line of it is right."


def lines_of(path, columns):
    """[(line number, {column: text})]; none where there is no such file. Refused when it is no such table.

    Columns may stand in any order, and there may be others. Commas, semicolons or tabs separate them.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise Refused(NOT_TEXT.format(path.name)) from None
    except OSError as error:
        raise Refused(NOT_READ.format(path.name, error.strerror)) from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator_in(text))
    try:
        return list(read(reader, path.name, columns))
    except csv.Error as error:
        raise Refused(NOT_READ.format(path.name, f"line {reader.line_num}: {error}")) from None


def separator_in(text):
    return max(SEPARATORS, key=text.partition("\n")[0].count)


def separator_of(path):
    """What separates the cells of this file; a comma where there is none yet."""
    return separator_in(path.read_text(encoding="utf-8-sig")) if path.exists() else SEPARATORS[0]


def has_mark(path):
    """Does it begin with the mark that Excel puts before UTF-8?"""
    return path.exists() and path.read_bytes().startswith(codecs.BOM_UTF8)


def read(reader, name, columns):
    names = [cell.strip().lower() for cell in next(reader, [])]
    for column in columns:
        if column not in names:
            raise Refused(NO_COLUMN.format(name, column, ", ".join(columns)))
    for cells in reader:
        cells = [cell.strip() for cell in cells]
        if any(cells[len(names) :]):
            wrong = TOO_LONG.format(len(cells), len(names))
            raise Refused(f"{name}, line {reader.line_num}: {wrong}. {NOTHING_APPLIED.format(name)}")
        if any(cells):
            cells += [""] * (len(names) - len(cells))
            yield reader.line_num, dict(zip(names, cells, strict=False))


def parsed(path, columns, parse):
    """[parse(line number, cells)] of every line; where parse raises Wrong, Refused with all wrong lines."""
    found, wrong = [], []
    for number, cells in lines_of(path, columns):
        try:
            found.append(parse(number, cells))
        except Wrong as reason:
            wrong.append(f"{path.name}, line {number}: {reason}.")
    if wrong:
        more = [f"{len(wrong) - MOST} more lines are wrong."] if len(wrong) > MOST else []
        raise Refused("\n".join([*wrong[:MOST], *more, NOTHING_APPLIED.format(path.name)]))
    return found


class Wrong(Exception):
    """What is wrong with a line, without its number and without a full stop."""


def need(cells, *columns):
    """The texts of these columns; Wrong where one is empty."""
    for column in columns:
        if not cells[column]:
            raise Wrong(f"{column} is empty")
    return [cells[column] for column in columns]


def quoted(text):
    return f"{shown(text[:80])!r}"
