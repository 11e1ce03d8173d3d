"""The headings of a CSV file -> what its columns hold; headings.toml has the words."""

import re
import tomllib
from pathlib import Path

from . import systems
from .names import exact

MEANINGS = {
    meaning: {exact(text) for text in texts}
    for meaning, texts in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}


def columns_of(rows):
    """{meaning: number of the column} of a table's rows, its heading first."""
    heading = [exact(text).strip() for text in rows[0]]
    columns = {}
    for meaning, texts in MEANINGS.items():
        places = [number for number, text in enumerate(heading) if text in texts]
        columns |= {meaning: places[0]} if places else {}
    for lms in systems():
        columns = lms.adapt(columns, rows)
    return columns


def number_in(text):
    """The number of a cell such as `Participant 123456`; "" where it ends with none."""
    return re.search(r"\d*$", text.strip())[0]


def cell(row, column):
    return row[column].strip() if column < len(row) else ""
