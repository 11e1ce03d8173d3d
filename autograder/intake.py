"""Bytes of a submission -> its lesson and the steps that a score needs; or a sentence that says why not."""
import json
import re
from collections import Counter
from dataclasses import dataclass, field

from .released import bare, definitions, is_setup, lessons

SIZE_LIMIT = 20_000_000
TEST_CALL = re.compile(r"""^\s*(?:check|grade)\(\s*["'](\w+)["']\s*,\s*(\w+)\s*\)""", re.M)


class Rejected(Exception):
    """The submission cannot be graded; the message says why and what to do."""


@dataclass
class Submission:
    """steps: {"run": source} and {"observe": exercise, "replace": {}} in order. answers: {grade_id: text} for a person."""

    lesson: object
    steps: list
    answers: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)


def take_in(data):
    """A notebook's bytes -> Submission; raises Rejected."""
    cells = cells_of(parse(data))
    lesson = which_lesson(cells)
    notes = []
    steps, observed = [{"run": lesson.setup}], set()
    places = test_places(cells, lesson, notes)
    for number, cell in enumerate(cells):
        if number in places:
            steps.append({"observe": places[number], "replace": {}})
            observed.add(places[number])
        elif cell["type"] == "code" and needed(cell, lesson):
            steps.append({"run": cell["source"]})
    missing = [name for name in lesson.exercises if name not in observed]
    steps += [{"observe": name, "replace": {}} for name in missing]
    if missing:
        notes.append(f"The test cells of {', '.join(missing)} are missing: they were looked at after the last cell.")
    answers = {cell["grade_id"]: cell["source"] for cell in cells if cell["grade_id"] in lesson.by_hand}
    return Submission(lesson, steps, answers, notes)


def parse(data):
    """The notebook as plain JSON."""
    if not data.strip():
        raise Rejected("The file is empty: hand in the notebook again, after saving it.")
    if len(data) > SIZE_LIMIT:
        raise Rejected(f"The file has {len(data) / 1e6:.0f} MB, more than {SIZE_LIMIT / 1e6:.0f}: clear the outputs and hand it in again.")
    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Rejected("The file is not UTF-8 text, so it is not a notebook: hand in the .ipynb file itself.") from None
    except (ValueError, RecursionError) as error:
        raise Rejected(f"The file is not valid JSON ({error.args[0] if error.args else error}): the upload may be cut off. Hand it in again.") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise Rejected("The file is JSON but not a notebook of format 4: save it in Jupyter or Colab and hand it in again.")
    return notebook


def cells_of(notebook):
    """Each cell as {"type", "source", "grade_id"}; whatever has another form is left out."""
    cells = []
    for cell in notebook["cells"]:
        if not isinstance(cell, dict):
            continue
        source, metadata = cell.get("source", ""), cell.get("metadata")
        source = "".join(part for part in source if isinstance(part, str)) if isinstance(source, list) else source
        if isinstance(source, str):
            cells.append({"type": cell.get("cell_type"), "source": source.replace("\r\n", "\n"), "grade_id": grade_id(metadata)})
    return cells


def grade_id(metadata):
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    return name if isinstance(name, str) else ""


def which_lesson(cells):
    """The lesson whose exercises are found most often, by grade id or by definition."""
    votes = Counter()
    for lesson in lessons().values():
        own = {*lesson.exercises, *lesson.by_hand}
        ids = {cell["grade_id"].removeprefix("test_") for cell in cells} & own
        defined = set().union(*(definitions(cell["source"]) for cell in cells if cell["type"] == "code"), set()) & own
        votes[lesson.name] = 2 * len(ids) + len(defined)
    best = max(votes, key=votes.get, default=None)
    if best is None or not votes[best]:
        known = ", ".join(lessons())
        raise Rejected(f"This is a notebook, but not of a lesson of this course ({known}): was the right file handed in?")
    return lessons()[best]


def test_places(cells, lesson, notes):
    """{cell number: exercise}: where each exercise is looked at. By grade id, else by its call of check."""
    places = {}
    for number, cell in enumerate(cells):
        if cell["type"] != "code":
            continue
        name = cell["grade_id"].removeprefix("test_") if cell["grade_id"].startswith("test_") else called(cell["source"])
        if name in lesson.exercises:
            places.setdefault(name, []).append(number)
    for name, numbers in places.items():
        if len(numbers) > 1:
            notes.append(f"There are {len(numbers)} test cells of {name}: the last one counts.")
    return {numbers[-1]: name for name, numbers in places.items()}


def called(source):
    """The exercise of a cell that is nothing but its test: check("x", x).points"""
    found = TEST_CALL.findall(source)
    return found[0][0] if len(found) == 1 and found[0][0] == found[0][1] and len(bare(source).splitlines()) <= 4 else None


def needed(cell, lesson):
    """A solution cell or a cell of the student's own; not set-up, tests, written answers or demonstrations."""
    if is_setup(cell["source"], lesson) or cell["grade_id"] in lesson.by_hand or not cell["source"].strip():
        return False
    if cell["grade_id"].startswith("test_") or called(cell["source"]) in lesson.exercises:
        return False
    return bare(cell["source"]) not in lesson.demonstrations
