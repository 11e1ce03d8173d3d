"""Read the cells of a file that claims to be a notebook; raise Rejected with the reason if it is none."""

import json
import re
from dataclasses import dataclass, field
from functools import cached_property

from autograder.notes import INFO, Note, clean, quoted
from autograder.releases.release import bare
from course_utils.source import meaning, names_in, statements

from .files import SIZE_LIMIT

MOST_CELLS, MOST_CODE = 2000, 1_000_000
# lists and objects: figures of 20 MB may have nearly a million; ten million would take a gigabyte of memory
MOST_PARTS = 1_500_000
# a text matches even without its closing quote, so the search never goes back
STRING_OR_PART = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]', re.S)
DIGITS = 20  # longer integers have no meaning here
TOO_MANY_DIGITS = "Exceeds the limit"  # how Python's error for an integer of thousands of digits begins
RELEASE = re.compile(r"[0-9a-f]{4,64}")
MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
# roles of cells: only the student's OWN cells, and the lesson's DEMONSTRATIONS that these need, are run;
# a TEST only marks where an exercise is observed
OWN, DEMONSTRATION, TEST, NOT_RUN = "own", "demonstration", "test", "not run"
TEST_CALL = re.compile(r"""^[ \t]*(?:check|grade)\(\s{0,9}["'](\w+)["']\s{0,9},\s{0,9}(\w+)\s{0,9}\)""", re.M)
LONGEST_TEST, MOST_LINES = 1000, 4  # most characters and lines of a cell that only tests
EMPTY = "The file is empty: hand in the notebook again, after saving it."
NO_TEXT = "The file is not UTF-8 text, so it is not a notebook: hand in the .ipynb file itself."
DOWNLOAD = "download the notebook itself (in Colab: File, Download, .ipynb)"
OTHER_FILES = {  # {beginning: (what it is, what to do)}; no line of a notebook begins like this
    rb"\A\s*(?i:<!doctype html|<html)": ("a web page", DOWNLOAD),
    rb"\A\s*https?://": ("a link", DOWNLOAD),
    rb"^<{7} ": ("two versions that Git could not merge (<<<<<<<)", "keep one of them, save it in Jupyter"),
    rb"\A%PDF": ("a PDF", "look for the .ipynb file"),
    rb"\A(?:PK\x03\x04|Rar!|7z\xbc\xaf|\x1f\x8b)": ("an archive", "take the .ipynb file out of it"),
}
OTHER_FILE = "The file is {}, not a notebook: {}, and hand that in."
OTHER_ENCODING = (
    "The file looks like a notebook, but is not UTF-8 text from byte {} on: another program saved it in an "
    "encoding such as cp1252. Save it in Jupyter or Colab, and hand it in again."
)
NO_NOTEBOOK_TEXT = "The file begins with {}, so it is not a notebook: hand in the .ipynb file itself."
CUT_OFF = "The file is not complete JSON: it ends in the middle. The upload was cut off: hand it in again."
NO_JSON = "The file is not valid JSON ({}): save it in Jupyter or Colab, and hand it in again."
TOO_MUCH = "The file holds more than {}: clear the outputs, take data out of the cells, and hand it in again."
NESTED = "The file is nested deeper than any notebook: save it in Jupyter or Colab and hand it in again."
NO_NOTEBOOK = (
    "The file is JSON, but not a notebook of format 4: save it in Jupyter or Colab and hand it in again."
)
OTHER_FORMAT = "The notebook has format {}: save it as format 4, in Jupyter or Colab, and hand it in again."


@dataclass(eq=False)  # two cells with the same source are not the same cell
class Cell:
    """number: its position in the file, from 1. grade_id: "" if there is none.

    role: see above. writes: exercises that it defines in another way than the released stub does.
    still_stub: exercises whose stub it is, unchanged.
    """

    number: int
    type: str
    source: str
    grade_id: str = ""
    role: str = NOT_RUN
    writes: set = field(default_factory=set)
    still_stub: set = field(default_factory=set)

    @cached_property
    def text(self):
        """The source without the white space that editors change."""
        return bare(self.source)

    @cached_property
    def meaning(self):
        return meaning(self.source)

    @cached_property
    def names(self):
        return names_in(self.source)

    @cached_property
    def statements(self):
        return statements(self.source)

    @property
    def defines(self):
        return self.names.bound

    @property
    def uses(self):
        return self.names.used

    @property
    def exercise_id(self):
        """The exercise in the grade id of a solution cell or its test cell."""
        return self.grade_id.removeprefix("test_")

    @cached_property
    def tests(self):
        """The exercise that it tests, by its grade id or by its only call, check("x", x).points; or None."""
        if self.grade_id.startswith("test_"):
            return self.exercise_id
        short = self.type == "code" and len(self.source) < LONGEST_TEST
        calls = TEST_CALL.findall(self.source) if short else []
        is_test = len(calls) == 1 and calls[0][0] == calls[0][1] and len(self.text.splitlines()) <= MOST_LINES
        return calls[0][0] if is_test else None


class Rejected(Exception):
    """The submission cannot be graded; the message says why and what to do."""


def read_notebook(data, notes):
    """Return the cells, the lesson and the release's id (or None each); add Notes on repairs to notes."""
    text = decode(data)
    notebook = parse(text)
    check_format(notebook)
    cells = [read_cell(number, cell, notes) for number, cell in enumerate(notebook["cells"], 1)]
    refuse_more(
        sum(len(cell.source) for cell in cells if cell.type != "markdown"), MOST_CODE, "characters of code"
    )
    course = dict_at(dict_at(notebook, "metadata"), "course")
    lesson, version = (text_in(course.get(key)) or None for key in ("lesson", "version"))
    return cells, lesson, version if version and RELEASE.fullmatch(version) else None


def refuse_more(number, most, subject):
    if number > most:
        raise Rejected(TOO_MUCH.format(f"{most:,} {subject}"))


def text_in(value):
    """Return the value if it is text, else ""."""
    return value if isinstance(value, str) else ""


def dict_at(entries, key):
    """Return the dict under this key; {} if there is none."""
    return entries[key] if isinstance(entries.get(key), dict) else {}


def decode(data):
    """Decode UTF-8, with or without a byte-order mark, or UTF-16 with one."""
    if not data.strip():
        raise Rejected(EMPTY)
    refuse_more(len(data) / 1e6, SIZE_LIMIT // 10**6, "MB")
    encoding = next((name for mark, name in MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        looks_right = data.lstrip().startswith(b"{")
        otherwise = OTHER_ENCODING.format(error.start) if looks_right else NO_TEXT
        raise Rejected(reason_in(data) or otherwise) from None


def reason_in(data):
    """Return the sentence for a file that begins as one of OTHER_FILES; None for any other."""
    kinds = (kind for beginning, kind in OTHER_FILES.items() if re.search(beginning, data, re.M))
    return next((OTHER_FILE.format(*kind) for kind in kinds), None)


def reason_why(text, error):
    """Return the sentence for text that is not JSON. error: json's own."""
    if kind := reason_in(text.encode("utf-8", "replace")):
        return kind
    if text.lstrip().startswith("{"):
        is_open = str(error).startswith("Unterminated string")
        at_end = is_open or getattr(error, "pos", 0) >= len(text.rstrip())
        return CUT_OFF if at_end else NO_JSON.format(error)
    beginning = clean(text.lstrip()[:60], 40).strip()
    return NO_NOTEBOOK_TEXT.format(quoted(beginning)) if beginning else NO_TEXT


def parse(text):
    """Parse JSON as leniently as notebook editors: NaN is accepted, and the last of two equal keys counts."""
    if text.count("[") + text.count("{") > MOST_PARTS:
        refuse_more(parts(text), MOST_PARTS, "lists and objects")
    try:
        try:
            return json.loads(text)
        except ValueError as error:
            if not str(error).startswith(TOO_MANY_DIGITS):
                raise
        return json.loads(text, parse_int=short_integer)  # takes ten times as long
    except RecursionError:
        raise Rejected(NESTED) from None
    except (ValueError, MemoryError) as error:
        raise Rejected(reason_why(text, error)) from None


def short_integer(digits):
    """Return the integer, or 0 for one that has too many digits to mean anything."""
    return int(digits) if len(digits) <= DIGITS else 0


def parts(text):
    """Count the lists and objects in JSON text; brackets inside its strings do not count."""
    return sum(match[0] in "[{" for match in STRING_OR_PART.finditer(text))


def check_format(notebook):
    """Accept a notebook of format 4, with any minor version; reject other formats and other JSON."""
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        is_old = isinstance(notebook, dict) and "worksheets" in notebook
        raise Rejected(OTHER_FORMAT.format(3) if is_old else NO_NOTEBOOK)
    version = notebook.get("nbformat")
    if isinstance(version, (int, float)) and not isinstance(version, bool) and version != 4:
        raise Rejected(OTHER_FORMAT.format(version))
    refuse_more(len(notebook["cells"]), MOST_CELLS, "cells")


def read_cell(number, cell, notes):
    """Return the Cell with the text parts of its source; an empty one without grade id if there are none."""
    cell = cell if isinstance(cell, dict) else {"source": cell}
    source = cell.get("source", cell.get("input", ""))
    parts = source if isinstance(source, list) else [source]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) < len(parts):
        notes.append(Note(INFO, f"Cell {number} contains something that is not text; it was ignored."))
    marks = {} if parts and not texts else dict_at(dict_at(cell, "metadata"), "nbgrader")
    lines = "".join(texts).replace("\r\n", "\n").replace("\r", "\n")  # from any system's line ends
    kind, grade_id = text_in(cell.get("cell_type")), text_in(marks.get("grade_id"))
    return Cell(number, kind, lines, grade_id)
