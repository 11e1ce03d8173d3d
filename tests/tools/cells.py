"""Sources in files of many cells: each begins with a line "# %% name", or "# %% name: about".

A sample program in tests/answers may leave out its imports, if they are the usual ones, and it may be written
as a change of another one: "# %% name < base: about". Then each line says what differs from the base:

    ~ old => new        a part of a line, which is there once, replaced
    - old               lines that are there once, below each other, are left out
    + new               lines that come in their place, or below the lines in front of them
      line              a line that stays, above new ones

An empty line parts two changes. The base is a whole program: NAME in the same file, or FOLDER/NAME, in the
file of the same name in tests/answers/FOLDER.
"""

import re
from itertools import pairwise
from pathlib import Path

ANSWERS = Path(__file__).resolve().parents[1] / "answers"
USUAL = {
    "math": "import math",
    "np": "import numpy as np",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
}
HEAD = re.compile(r"(?P<name>[^:<]+?)(?: < (?P<base>[\w/]+))?\s*(?::(?P<about>.*))?")
REPLACED = re.compile(r"~ (.+?) => (.*)")
EDIT = re.compile(r"[-+ ]( |$)")


class BadChange(ValueError):
    """A change that does not fit its base; says where."""


def read_cells(path):
    """Yield (name, about, source) of every sample program of the file, each one whole."""
    for name, base, about, lines, start in entries(path):
        place = f"{path}, {name}, line"
        if base:
            lines = changed(base_of(path, base, f"{place} {start - 1}"), lines, place, start)
        yield name, about, with_imports(lines)


def plain_cells(path):
    """The same of cells that are taken as they stand."""
    for name, _, about, lines, _ in entries(path):
        yield name, about, "\n".join(lines) + "\n"


def entries(path):
    """Yield (name, base, about, lines, number of the first line) of the cells as they are written."""
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("# %% ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        head = HEAD.fullmatch(lines[start].removeprefix("# %% "))
        if not head:
            raise BadChange(f"{path}, line {start + 1}: no name that can be read")
        about = (head["about"] or "").strip()
        yield head["name"].strip(), head["base"], about, stripped(lines[start + 1 : end]), start + 2


def stripped(lines):
    """Without empty lines at the end."""
    return "\n".join(lines).rstrip().split("\n")


def base_of(path, base, place):
    """The lines of the whole program that a cell is a change of."""
    folder, _, name = base.rpartition("/")
    home = ANSWERS / folder / path.name if folder else path
    for other, its_base, _, lines, _ in entries(home) if home.exists() else ():
        if other == name and not its_base:
            return lines
    raise BadChange(f"{place}: {base} is no whole program")


def changed(base, lines, place, start):
    """The base's lines with the changes that these lines are."""
    spots = []  # (from, to, the text in its place), as offsets in the base's text
    text = "\n".join(["", *base, ""])
    for number, old, new in changes(lines, place, start):
        if text.count(old) != 1:
            raise BadChange(f"{place} {number}: its base has this {text.count(old)} times, not once:\n{old}")
        spots.append((text.index(old), text.index(old) + len(old), new))
    spots.sort(reverse=True)
    for (later, *_), (_, end, _) in pairwise(spots):
        if end > later + (text[later] == "\n"):
            raise BadChange(f"{place} {start}: two changes of the same line")
    for begin, end, new in spots:
        text = text[:begin] + new + text[end:]
    return text[1:-1].split("\n")


def changes(lines, place, start):
    """Yield (number of its first line, old text, new text) of each change."""
    for number, block in blocks(lines, start):
        if match := REPLACED.fullmatch(block[0]):
            yield number, *match.groups()
        elif not all(EDIT.match(line) for line in block):
            raise BadChange(f"{place} {number}: a change begins with ~, -, + or two spaces")
        else:
            old, new = ([line[2:] for line in block if line[0] in signs] for signs in ("- ", "+ "))
            yield number, *("\n".join(["", *part, ""]) if part else "\n" for part in (old, new))


def blocks(lines, start):
    """Yield (number of its first line, lines) of each change: it ends in front of an empty line, of a
    replaced part, or of an old line below a new one."""
    block, first = [], start
    for number, line in enumerate(lines, start):
        ends = not line or line[0] == "~" or block and block[-1][0] in "~+" and line[0] != "+"
        if ends and block:
            yield first, block
        block, first = ([], first) if ends else (block, first)
        if line:
            first = first if block else number
            block.append(line)
    if block:
        yield first, block


def with_imports(lines):
    """The source; one that imports nothing gets the usual imports that it uses, below its first comments."""
    if any(line.lstrip().startswith(("import ", "from ")) for line in lines):
        return "\n".join(lines) + "\n"
    top = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    text = "\n".join(lines[top:])
    used = [line for name, line in USUAL.items() if re.search(rf"(?<![\w.]){name}\.", text)]
    return "\n".join([*lines[:top], *used, *([""] if used else []), text]) + "\n"
