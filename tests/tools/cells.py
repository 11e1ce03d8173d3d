"""Reads files of many cells, each of which begins with a line "# %% name" or "# %% name: about".

A sample program of the interview may leave out its imports if they are the usual ones, and it may be written
as a change of another program: "# %% name < base: about". Then each line says how it differs from the base:

    ~ old => new        replaces a part of a line; it must occur once
    - old               removes consecutive lines, which must occur once
    + new               inserts lines in their place, or below the lines above
      line              keeps a line, to place new lines below it

An empty line separates two changes. The base is a whole program: NAME in the same file, or FOLDER/NAME in the
file of the same name in tests/answers/FOLDER.
"""

import re
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
CHANGE = re.compile(r"^~ (?P<part>.+?) => (?P<other>.*)|^(?:[- ](?: .*)?\n)*(?:\+(?: .*)?\n)*", re.M)


def read_cells(path):
    """Yield (name, about, source) of every sample program in the file, with all changes applied."""
    for name, base, about, text in entries(path):
        yield name, about, with_imports(apply_changes(base_of(path, base), text) if base else text)


def plain_cells(path):
    """Yield (name, about, text) of every cell as it is in the file."""
    for name, _, about, text in entries(path):
        yield name, about, text


def entries(path):
    """Yield (name, base, about, text) of every cell as it is in the file."""
    for cell in re.split(r"^# %% ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        title, _, text = cell.partition("\n")
        head = HEAD.fullmatch(title)
        yield head["name"].strip(), head["base"], (head["about"] or "").strip(), text.rstrip() + "\n"


def base_of(path, base):
    """The text of the whole program that a cell is based on."""
    folder, _, name = base.rpartition("/")
    home = ANSWERS / folder / path.name if folder else path
    return next(text for its_name, its_base, _, text in entries(home) if its_name == name and not its_base)


def apply_changes(base, text):
    """The base with the changes that `text` describes."""
    edits = []  # (start, end, new text), as offsets in the base
    base = f"\n{base}"
    for old, new in changes(text):
        if base.count(old) != 1:
            raise ValueError(f"its base has this {base.count(old)} times, not once:\n{old}")
        edits.append((base.index(old), base.index(old) + len(old), new))
    for begin, end, new in sorted(edits, reverse=True):
        base = base[:begin] + new + base[end:]
    return base[1:]


def changes(text):
    """Yield (old text, new text) of each change: part of a line, or whole lines."""
    for match in CHANGE.finditer(text):
        lines = match[0].splitlines()
        if match["part"]:
            yield match["part"], match["other"]
        elif lines:
            old, new = ([line[2:] for line in lines if line[0] in signs] for signs in ("- ", "+ "))
            yield tuple("\n".join(["", *part, ""]) if part else "\n" for part in (old, new))
        elif text[match.start() : match.start() + 1].strip():
            raise ValueError(f"a change begins with ~, -, + or two spaces:\n{text[match.start() :]}")


def with_imports(text):
    """The source with the usual imports that it uses below its first comments, unless it imports anything."""
    if re.search(r"^[ \t]*(import|from) ", text, re.M):
        return text
    top = re.match(r"(#.*\n)*", text).end()
    imports = [line for name, line in USUAL.items() if re.search(rf"(?<![\w.]){name}\.", text[top:])]
    return text[:top] + "\n".join([*imports, "", ""] if imports else []) + text[top:]
