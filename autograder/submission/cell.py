"""Cell: one cell of a submission, and what its text says by itself."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from autograder.releases.release import bare
from course_utils.source import meaning, names_in, statements

TEST_CALL = re.compile(r"""^[ \t]*(?:check|grade)\(\s{0,9}["'](\w+)["']\s{0,9},\s{0,9}(\w+)\s{0,9}\)""", re.M)
LONGEST_TEST, MOST_LINES = 1000, 4  # characters and lines of a cell that only tests
# what a cell is for in its lesson: only the student's OWN cells, and DEMONSTRATIONS of the lesson that these
# need, are run; a TEST only says where an exercise is observed
OWN, DEMONSTRATION, TEST, NOT_RUN = "own", "demonstration", "test", "not run"


@dataclass(eq=False)  # two cells may say the same
class Cell:
    """number: its place in the file, from 1. grade_id: "" when there is none. points: the file's claim.

    In its lesson (roles.py): role. writes: exercises that it defines otherwise than they were given out.
    still_stub: names whose cell it still is, as it was given out.
    """

    number: int
    type: str
    source: str
    grade_id: str = ""
    points: object = None
    role: str = NOT_RUN
    writes: set = field(default_factory=set)
    still_stub: set = field(default_factory=set)

    @cached_property
    def text(self):
        """Its source, without the white space that editors change."""
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
    def named(self):
        """The exercise that its grade id names, of a solution cell and of its test cell."""
        return self.grade_id.removeprefix("test_")

    @cached_property
    def tests(self):
        """The exercise that it tests: by its grade id, else because it only says check("x", x).points."""
        if self.grade_id.startswith("test_"):
            return self.named
        short = self.type == "code" and len(self.source) < LONGEST_TEST
        calls = TEST_CALL.findall(self.source) if short else []
        alone = len(calls) == 1 and calls[0][0] == calls[0][1] and len(self.text.splitlines()) <= MOST_LINES
        return calls[0][0] if alone else None
