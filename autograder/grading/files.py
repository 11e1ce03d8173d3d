"""Grade notebooks that lie in files: one entry for each, always."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import track

from autograder.authoring.seeds import new_seed
from autograder.submission.files import notebooks_in, read_regular_file, shown

from .graded import GradedSubmission
from .notebook import grade_notebook


def grade_paths(paths, seed=None, worker=None, jobs=1):
    """[(its path as text, GradedSubmission)] for every notebook in the paths; a path without notebooks is a
    rejected one.

    seed: of the hidden cases, the same for all of them; by default a new one.
    """
    seed = seed or new_seed()
    return each(paths, lambda path, reason: grade_path(path, reason, seed, worker), jobs, "Grading")


def each(paths, action, jobs=1, title=""):
    """action(path, reason) for every notebook that is found, in order, with a bar of progress."""
    notebooks = [entry for path in paths for entry in notebooks_in(Path(path))]
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda item: action(*item), notebooks)
        return list(track(results, title, len(notebooks), console=Console(stderr=True), transient=True))


def grade_path(path, reason, seed=None, worker=None):
    data, reason = (None, reason) if reason else read_regular_file(path)
    graded = GradedSubmission.rejected(reason, seed) if reason else grade_notebook(data, seed, worker)
    return shown(path), graded


def entries(graded):
    """What the JSON file holds of grade_paths' list."""
    return [{"submission": name, **submission.as_dict()} for name, submission in graded]
