"""Grade notebooks that lie in files: one entry for each, always."""
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from .grading import grade_notebook
from .intake import SIZE_LIMIT


def grade_paths(paths, seed=None):
    """One entry for every notebook in the paths; a path without notebooks is one rejected entry."""
    found = [entry for path in paths for entry in notebooks_in(Path(path))]
    return [grade_path(path, reason, seed) for path, reason in track(found, "Grading", console=Console(stderr=True), transient=True)]


def notebooks_in(path):
    """[(path, None)] for what can be read, [(path, reason)] for what cannot."""
    if path.is_dir():
        inside = sorted(p for p in path.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
        return [(p, None) for p in inside] or [(path, "There is no notebook (*.ipynb) in this folder: give the folder that holds the submissions.")]
    if not path.exists():
        return [(path, "There is no such file or folder: look at the spelling.")]
    return [(path, None)]


def grade_path(path, reason, seed):
    if reason is None:
        data, reason = read(path)
    if reason is not None:
        return {"submission": str(path), "lesson": None, "status": "rejected", "score": None, "max_score": None, "exercises": {}, "notes": [reason], "seed": seed}
    return {"submission": str(path), **grade_notebook(data, seed)}


def read(path):
    """(bytes, None) or (None, why not). No link is followed, no device opened, no more read than the limit."""
    if path.is_symlink() or not path.is_file():
        return None, "This is not a regular file: hand in the notebook itself."
    try:
        with path.open("rb") as file:
            return file.read(SIZE_LIMIT + 1), None
    except OSError as error:
        return None, f"The file cannot be read ({error.strerror})."


def show_table(entries):
    """Scores, and the mistakes that were recognised."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("submission", "lesson", "status", "score", "what to know"):
        table.add_column(column, overflow="fold")
    for entry in entries:
        score = "-" if entry["score"] is None else f"{entry['score']:g} of {entry['max_score']:g}"
        table.add_row(entry["submission"], entry["lesson"] or "-", entry["status"], score, what_to_know(entry))
    Console().print(table)


def what_to_know(entry):
    named = [f"{name}: {e['mistake']}" for name, e in entry["exercises"].items() if e["mistake"]]
    return "; ".join(named) or "; ".join(entry["notes"][:1])
