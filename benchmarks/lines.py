"""How much code there is: lines (formatted) and statements by folder: `python -m benchmarks.lines --against
FOLDER`."""

import ast
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated

import typer

ROOT = Path(__file__).resolve().parents[1]
TOP = ("course_utils", "autograder", "tests", "benchmarks")
ANSWERS = (
    "tests/answers",
    "tests/right",
    "tests/held_back",
    "tests/corpus/cells",
)  # data in code, counted apart


def main(
    against: Annotated[Path | None, typer.Option(help="A checkout of other code, to print beside.")] = None,
    depth: Annotated[int, typer.Option(help="How many levels of folders are shown.")] = 1,
):
    """Lines are counted as ruff formats them at 110, statements in the syntax tree, so that density shows."""
    counts = [counted(root, depth) for root in ([against] if against else []) + [ROOT]]
    heads = ["before", "now"] if against else ["now"]
    print(f"{'':32}" + "".join(f"{head + ': files':>15}{'lines':>8}{'statements':>12}" for head in heads))
    for folder in sorted({folder for count in counts for folder in count}):
        print(f"{folder:32}" + "".join("{:15}{:8}{:12}".format(*count[folder]) for count in counts))


def counted(root, depth):
    """{folder: (files, lines, statements)}, for each folder together with all that is in it."""
    files, lines, statements = Counter(), Counter(), Counter()
    for path, source in formatted(root):
        for folder in folders(path, depth):
            files[folder] += 1
            lines[folder] += source.count("\n")
            statements[folder] += statements_in(source)
    found = {folder: (files[folder], lines[folder], statements[folder]) for folder in files}
    return defaultdict(lambda: (0, 0, 0), found)


def statements_in(source):
    """None, where cells of notebooks are no plain Python."""
    try:
        return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))
    except SyntaxError:
        return 0


def folders(path, depth):
    """The folders that a file is counted in: its parents, down to `depth` levels."""
    if any(map(path.is_relative_to, ANSWERS)):
        return ["tests/answers"]
    return [str(Path(*path.parts[:n])) for n in range(1, min(depth, len(path.parts) - 1) + 1)]


def formatted(root):
    """Yield (path, source) of all Python files, as ruff formats them."""
    with tempfile.TemporaryDirectory() as place:
        for name in TOP:
            shutil.copytree(root / name, Path(place, name), ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run(
            [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "110", "-q", place],
            check=False,
        )
        for path in sorted(Path(place).rglob("*.py")):
            yield path.relative_to(place), path.read_text(encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
