"""Tables in a terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_table(columns, rows):
    """Texts of students' making are printed as they are: no markup in them counts."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
