"""Print rows as a table in the terminal, format them as CSV, and replace files atomically."""

import csv
import io
import os
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDE = 100_000  # characters in a line if the output is not a terminal, so that no line is wrapped
MAYBE_FORMULA = re.compile(r"(?:^|[;|\t\r\n])\s*(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])")


def print_table(columns, rows):
    """Print a table; columns: () for no heading. Markup in cells, which students may write, has no effect."""
    table = Table(box=None, pad_edge=False, header_style="bold", show_header=bool(columns))
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    console.print(table)


def safe(value):
    """Return the value; in a text, anything that a spreadsheet could read as a formula is escaped."""
    return MAYBE_FORMULA.sub(r"\g<0>'", value) if isinstance(value, str) else value


def as_csv(columns, rows):
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(columns)
    table.writerows([safe(cell) for cell in row] for row in rows)
    return text.getvalue()


def replace_file(path, content):
    """Write text or bytes to a file atomically: the old content stays until the new one is complete. If two
    processes write the same file at once, the later one wins."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    new.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
    os.replace(new, path)


def number(score, comma=False):
    """Format a score with at most two decimals, rounded half up, as all tables, pages and exports show it."""
    exact = Decimal(repr(float(score))).quantize(Decimal("0.01"), ROUND_HALF_UP)
    text = format(exact.normalize() + 0, "f")
    return text.replace(".", ",") if comma else text


def amount(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def first_of(names, most=10):
    """Return the first few names, joined for a sentence, with "..." if there are more."""
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "")
