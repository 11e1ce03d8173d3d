"""Sources in files of many cells: each begins with a line "# %% name", or "# %% name: about"."""

import re


def read_cells(path):
    """Yield (name, about, source) of every cell of the file."""
    for cell in re.split(r"^# %% ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, source = cell.partition("\n")
        name, _, about = head.partition(":")
        yield name.strip(), about.strip(), source
