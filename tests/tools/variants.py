"""Answers in other hands' styles: tests/answers/right (all right) and tests/answers/held_back (all wrong), one file an exercise."""

import re
from dataclasses import dataclass
from pathlib import Path

from course_utils.observe.trial import quiet

HERE = Path(__file__).parents[1] / "answers"


@dataclass
class Variant:
    exercise: str
    name: str
    about: str
    source: str

    def __str__(self):
        return f"{self.exercise}-{self.name}"

    def make(self):
        """The object that the cell defines."""
        space = {"__name__": "answer"}
        with quiet():
            exec(compile(self.source, f"<{self}>", "exec"), space)
        return space[self.exercise]


def variants(folder):
    """Every cell of every file in tests/<folder>."""
    return [v for path in sorted((HERE / folder).glob("*.py")) for v in cells(path)]


def cells(path):
    for cell in re.split(r"^# %% ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, source = cell.partition("\n")
        name, _, about = head.partition(":")
        yield Variant(path.stem, name.strip(), about.strip(), source)
