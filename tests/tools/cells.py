"""Reads files of many cells, each of which begins with a line "# %% name" or "# %% name: about"."""

import re
from pathlib import Path

ANSWERS = Path(__file__).resolve().parents[1] / "answers"


def plain_cells(path):
    """Yield (name, about, text) of every cell in the file."""
    for cell in re.split(r"^# %% ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        title, _, text = cell.partition("\n")
        name, _, about = title.partition(":")
        yield name.strip(), about.strip(), text.rstrip() + "\n"
