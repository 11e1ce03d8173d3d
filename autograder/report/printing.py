"""Tables in a terminal; in a pipe each row stays on one line, however long it is."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDE = 100_000  # characters


def print_table(columns, rows):
    """Texts of students' making are printed as they are: no markup in them counts."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    print_all(table, rows)


def print_rows(rows):
    """A table without a head."""
    print_all(Table.grid(padding=(0, 2)), rows)


def print_all(table, rows):
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    console.print(table)
