"""Grade notebook files. Each gets an entry, even if it cannot be graded."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import track

from autograder.authoring.seeds import new_seed
from autograder.submission.files import notebooks_in, printable, read_regular_file

from .graded import GradedSubmission
from .notebook import grade_notebook


def grade_paths(paths, seed=None, worker=None, jobs=1):
    """Return [(path as text, GradedSubmission)] for all notebooks in the paths; a path without notebooks gets
    a rejected one.

    seed: the seed of the hidden cases, the same for all notebooks; by default a new one.
    """
    seed = seed or new_seed()

    def grade(data, reason):
        return GradedSubmission.rejected(reason, seed) if reason else grade_notebook(data, seed, worker)

    return each(paths, grade, jobs, "Grading")


def each(paths, action, jobs=1, title=""):
    """Return [(path, action(bytes, reason why there are none))] for all notebooks, with a progress bar."""

    def act(item):
        path, reason = item
        return printable(path), action(*((None, reason) if reason else read_regular_file(path)))

    notebooks = [entry for path in paths for entry in notebooks_in(Path(path))]
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(act, notebooks)
        return list(track(results, title, len(notebooks), console=Console(stderr=True), transient=True))


def entries(graded):
    """Return the content of the JSON file for the list that grade_paths returns."""
    return [{"submission": name, **submission.as_dict()} for name, submission in graded]
