"""The name of a program comes in, its Program goes out, read from its file in `programs/`.

A file has two parts. Above the line `# ---- inputs` stands the program, as it is shown, with the bug. Its
docstring is the title and the task. A line that ends in `# right: CODE` is the bug, and CODE is the line
without it; `# also` marks a line that counts as the place of the bug too. Below stand INPUTS, and where they
are needed HOLDS, SIZES, SAME, MISTAKE, WHY and `tried`: the fields of a `Program`, which says what they are.
"""

import ast
from functools import cache
from pathlib import Path

from .program import Program
from .programs import LEVELS

FOLDER = Path(__file__).with_name("programs")
CUT = "\n# ---- inputs\n"
RIGHT, ALSO = "  # right: ", "  # also"


def names():
    """The names of all programs, easy ones first."""
    return [name[1:] for level in LEVELS.values() for name in level]


def level_of(name):
    return next(level for level, listed in LEVELS.items() if f".{name}" in listed)


def title_of(name):
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8").split('"""')[1].splitlines()[0].rstrip(".")


@cache
def load(name):
    """The Program of a name that is in LEVELS."""
    top, below = (FOLDER / f"{name}.py").read_text(encoding="utf-8").split(CUT)
    shown, bug, fixed, places = marks(top)
    said = {}
    exec(compile(below, f"{name}.py", "exec"), said)
    title, _, story = ast.get_docstring(ast.parse(top)).partition("\n")
    start = next(n for n, line in enumerate(shown) if n and '"""' in line) + 1  # below the docstring
    while not shown[start].strip():
        start += 1
    return Program(
        name=name,
        level=level_of(name),
        title=title.rstrip("."),
        story=" ".join(story.split()),
        lines=shown[start:],
        bug=bug - start if bug else 0,
        fixed=fixed,
        places=tuple(number - start for number in places),
        main=ast.parse(top).body[-1].name,
        **{key.lower(): said[key] for key in ("INPUTS", "HOLDS", "SAME", "MISTAKE", "WHY") if key in said},
        ranges=said.get("SIZES", {}),
        tried=said.get("tried"),
    )


def marks(top):
    """(the lines without marks, the number of the bug's line, its right text, numbers of all places)."""
    shown, bug, fixed, places = [], 0, "", []
    for number, line in enumerate(top.rstrip().splitlines(), 1):
        if RIGHT in line:
            line, _, fixed = line.partition(RIGHT)
            bug = number
            places.append(number)
        elif line.endswith(ALSO):
            line = line.removesuffix(ALSO)
            places.append(number)
        shown.append(line.rstrip())
    return shown, bug, fixed, places
