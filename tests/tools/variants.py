"""Answers by many authors, one file per exercise: right ones, which must all pass, and in
tests/answers/held_back wrong ones that the exercises' authors did not see, which must all be refused.

No case and no mistake is made for one of them: they show what a check says to an answer that its author did
not think of.
"""

from dataclasses import dataclass
from functools import cache

from course_utils.observe.trial import quiet

from .cells import ANSWERS as HERE
from .cells import read_cells


@dataclass
class Variant:
    exercise: str
    name: str
    about: str
    source: str

    def __str__(self):
        return f"{self.exercise}-{self.name}"

    def make(self):
        """Return the object that the cell defines."""
        space = {"__name__": "answer"}
        with quiet():
            exec(compile(self.source, f"<{self}>", "exec"), space)
        return space[self.exercise]


@cache
def variants(folder):
    """Return every cell of every file in tests/answers/<folder>."""
    paths = sorted((HERE / folder).glob("*.py"))
    return [Variant(path.stem, *cell) for path in paths for cell in read_cells(path)]
