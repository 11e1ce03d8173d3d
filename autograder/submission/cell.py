"""Cell: one cell of a submission, what can be read from its source alone, and its role in the lesson."""

import re
from dataclasses import dataclass, field, replace
from functools import cached_property

from autograder.notes import INFO, Note
from autograder.releases.release import bare
from course_utils.source import LONGEST, meaning, names_in, statements

TEST_CALL = re.compile(r"""^[ \t]*(?:check|grade)\(\s{0,9}["'](\w+)["']\s{0,9},\s{0,9}(\w+)\s{0,9}\)""", re.M)
FENCE = re.compile(r"\A\s*```\w*\n(.*)\n```\s*\Z", re.S)
MOST_TRIED = 60  # text cells that are searched for a solution
LONGEST_TEST, MOST_LINES = 1000, 4  # most characters and lines of a cell that only tests
# roles of cells: only the student's OWN cells, and the lesson's DEMONSTRATIONS that these need, are run;
# a TEST only marks where an exercise is observed
OWN, DEMONSTRATION, TEST, NOT_RUN = "own", "demonstration", "test", "not run"
IN_A_TEXT = (
    "Cell {} is a text cell, with a definition of {} among other words: it was not graded. Make it a code "
    "cell that holds only the code."
)


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


# ---- roles in the lesson


def with_roles(cells, lesson, notes):
    """Return the cells, with role, writes and still_stub set for this lesson."""
    cells = with_texts_as_code(cells, lesson, notes)
    for cell in cells:
        cell.role = role_of(cell, lesson)
        if cell.role == OWN:
            stubs = {name: stub for name, stub in lesson.stubs.items() if name in cell.defines}
            cell.still_stub = {
                n for n, s in stubs.items() if s.text == cell.text or s.meaning == cell.meaning
            }
            cell.writes = {n for n in lesson.exercises.keys() & cell.defines if writes(cell, n, lesson)}
    return cells


def with_texts_as_code(cells, lesson, notes):
    """Turn text cells back into code if they hold a solution that no code cell defines, and name those that
    hold one among other words."""
    missing = set(lesson.exercises) - {name for cell in cells if cell.type == "code" for name in cell.defines}
    cells = list(cells)
    texts = [n for n, c in enumerate(cells) if c.type != "code" and any(name in c.source for name in missing)]
    for number in texts[:MOST_TRIED]:
        cell = cells[number]
        source = FENCE.sub(r"\1", cell.source) if len(cell.source) < LONGEST else cell.source
        as_code = replace(cell, type="code", source=source)
        names = sorted(missing & as_code.defines)
        if names:
            cells[number] = as_code
            subject = f"Cell {cell.number} with {' and '.join(names)}"
            notes.append(Note(INFO, f"{subject} was not a code cell: treated as one."))
        elif cell.text not in lesson.texts:
            among = [
                name for name in missing if re.search(rf"^\s*(?:def|class)\s+{name}\b", cell.source, re.M)
            ]
            notes += [Note(INFO, IN_A_TEXT.format(cell.number, name)) for name in sorted(among)]
    return cells


def role_of(cell, lesson):
    if cell.type != "code" or not cell.source.strip() or lesson.is_setup(cell.source):
        return NOT_RUN
    if cell.grade_id in lesson.by_hand or cell.grade_id in lesson.plain:
        return NOT_RUN
    if cell.text in lesson.demonstrations or cell.meaning in lesson.meanings:
        return DEMONSTRATION
    return TEST if cell.tests in lesson.exercises and not cell.defines else OWN


def writes(cell, name, lesson):
    """Does the cell define this exercise in another way than the released stub does?"""
    definitions = [statement for statement in cell.statements if name in statement.bound]
    return not all(lesson.is_unwritten(name, statement) for statement in definitions)
