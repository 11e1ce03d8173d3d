"""Count the Python of each room and compare it with budgets.toml: `python -m tools.lines`."""

import argparse
import ast
import io
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUDGETS = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text(encoding="utf-8"))
MOST = BUDGETS.pop("most")
ROOMS = {room: entry for rooms in BUDGETS.values() for room, entry in rooms.items()}
PLACES = {Path(folder): room for room, entry in ROOMS.items() for folder in entry["folders"]}
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
HEADER = f"{'lines':>8}{'aim':>8}{'statements':>12}{'tokens':>9}"


def main():
    """Print lines, statements and tokens of each room; files are counted as they are formatted."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--against", type=Path, help="a checkout of older code, printed first")
    if against := parser.parse_args().against:
        show(f"{against}", counts_of(against))
    show("now", counts_of(ROOT))


def counts_of(root):
    """Return {room: Counter of lines, statements and tokens}."""
    counts = {room: Counter() for room in ROOMS}
    for top in sorted({place.parts[0] for place in PLACES}):
        for path in (root / top).rglob("*.py"):
            counts[room_of(path.relative_to(root))].update(measures(path.read_text(encoding="utf-8")))
    return counts


def room_of(path):
    return next(PLACES[place] for place in (path, *path.parents) if place in PLACES)


def measures(source):
    """Count statements and tokens as well as lines, so that dense code shows."""
    return {"lines": source.count("\n"), "statements": statements(source), "tokens": tokens(source)}


def statements(source):
    """Count statements; 0 for cells of notebooks that are not plain Python."""
    try:
        return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))
    except SyntaxError:
        return 0


def tokens(source):
    try:
        return sum(t.type not in LAYOUT for t in tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, tokenize.TokenError):
        return 0


def too_large(counts):
    """Return "machinery lines of maximum" if it has more lines than budgets.toml allows."""
    sums = {part: sum(counts[room]["lines"] for room in BUDGETS[part]) for part in MOST}
    return [f"{part} {lines} of {MOST[part]}" for part, lines in sums.items() if lines > MOST[part]]


def show(title, counts):
    for kind, rooms in BUDGETS.items():
        print(f"\n{f'{title}: {kind}':38}{HEADER}")
        for room, entry in rooms.items():
            print(row(room, counts[room], entry["aim"]))
        total = sum((counts[room] for room in rooms), Counter())
        print(row("together", total, sum(entry["aim"] for entry in rooms.values())))


def row(name, count, aim):
    return f"{name:38}{count['lines']:8}{aim:8}{count['statements']:12}{count['tokens']:9}"


if __name__ == "__main__":
    main()
