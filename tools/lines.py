"""How much Python each room has, beside its budget in budgets.toml: `python -m tools.lines`."""

import ast
import io
import tokenize
import tomllib
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

ROOT = Path(__file__).resolve().parents[1]
BUDGETS = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text(encoding="utf-8"))
ROOMS = {room: entry for rooms in BUDGETS.values() for room, entry in rooms.items()}
PLACES = {Path(folder): room for room, entry in ROOMS.items() for folder in entry["folders"]}
HELD, SPARE = ("machinery", "tests"), 1.1  # which rooms may be how many times their budgets
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
HEADS = f"{'lines':>8}{'budget':>8}{'statements':>12}{'tokens':>9}"


def main(
    against: Annotated[Path | None, typer.Option(help="A checkout of older code, printed first.")] = None,
    enforce: Annotated[bool, typer.Option(help="Fail when a room, content apart, is 10 % over.")] = False,
):
    """Print lines, statements and tokens of each room; files are counted as they are formatted."""
    if against:
        show(f"{against}", counts_of(against))
    counts = counts_of(ROOT)
    show("now", counts)
    over = over_budget(counts)
    if over:
        typer.echo(f"\nMore than 10 % over budget: {'; '.join(over)}")
    raise typer.Exit(bool(enforce and over))


def counts_of(root):
    """{room: Counter of lines, statements and tokens}."""
    counts = {room: Counter() for room in ROOMS}
    for top in sorted({place.parts[0] for place in PLACES}):
        for path in (root / top).rglob("*.py"):
            counts[room_of(path.relative_to(root))].update(measures(path.read_text(encoding="utf-8")))
    return counts


def room_of(path):
    return next(PLACES[place] for place in (path, *path.parents) if place in PLACES)


def measures(source):
    """Statements and tokens as well as lines, so that density shows."""
    return {"lines": source.count("\n"), "statements": statements(source), "tokens": tokens(source)}


def statements(source):
    """0 where cells of notebooks are no plain Python."""
    try:
        return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))
    except SyntaxError:
        return 0


def tokens(source):
    try:
        return sum(t.type not in LAYOUT for t in tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, tokenize.TokenError):
        return 0


def over_budget(counts):
    """A few words for each room, content apart, that is more than 10 % over its budget."""
    budgets = {room: entry["lines"] for kind in HELD for room, entry in BUDGETS[kind].items()}
    lines = {room: counts[room]["lines"] for room in budgets}
    return [
        f"{room} {lines[room]} of {budgets[room]}" for room in budgets if lines[room] > SPARE * budgets[room]
    ]


def show(title, counts):
    for kind, rooms in BUDGETS.items():
        typer.echo(f"\n{f'{title}: {kind}':38}{HEADS}")
        for room, entry in rooms.items():
            typer.echo(row(room, counts[room], entry["lines"]))
        total = sum((counts[room] for room in rooms), Counter())
        typer.echo(row("together", total, sum(entry["lines"] for entry in rooms.values())))


def row(name, count, budget):
    return f"{name:38}{count['lines']:8}{budget:8}{count['statements']:12}{count['tokens']:9}"


if __name__ == "__main__":
    typer.run(main)
