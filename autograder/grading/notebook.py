"""grade_notebook takes the bytes of a notebook and returns a GradedSubmission."""

import logging
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import track

from autograder.authoring.seeds import new_seed
from autograder.notes import DOUBT, INFO, REMARK, WAIT, Note, first_few
from autograder.refused import AuthorError
from autograder.releases.store import measures, refusal
from autograder.sandbox.host.supervisor import SandboxLost, sandbox
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.submission.files import notebooks_in, printable, read_regular_file
from autograder.submission.notebook_file import Rejected
from autograder.submission.read import submission_from

from .graded import DECIMALS, GradedExercise, GradedSubmission, in_points_of
from .looks import look_twice, without_file

SYNTAX_ERRORS = "SyntaxError", "IndentationError", "TabError"
READER = f", as Python {sys.version_info[0]}.{sys.version_info[1]} reads it"
OUR_FAULT = "The grader cannot grade this notebook ({}): that is a fault of the grader, please report it."
PAUSE = 1  # second before the next attempt: the machine may have lacked a resource for a moment
BELOW = "It is defined again below its test cell, where it does not count."
GRADE_AGAIN = (
    "The grader's own sandbox broke twice, which says nothing about this submission: grade it again."
)


def grade_notebook(data, seed=None, worker=None):
    """Grade a notebook's bytes; return a GradedSubmission, whatever the bytes are.

    The submission's code runs in `worker`, by default in the sandbox; raises SandboxUnavailable if that does
    not work on this machine.
    """
    torch.set_num_threads(1)  # small tensors: more threads only wait for each other
    seed = new_seed() if seed is None else seed
    for _ in range(2):
        try:
            return grade_submission(data, seed, worker or sandbox())
        except SandboxLost:
            time.sleep(PAUSE)
        except SandboxUnavailable:
            raise
        except Rejected as reason:
            return GradedSubmission.rejected(str(reason), seed)
        except AuthorError as reason:  # an edited lesson, a damaged release, an exercise that does not load
            return GradedSubmission.rejected(str(reason), seed, retry=True)
        except Exception as error:  # one submission never stops the next
            logging.getLogger(__name__).exception("a submission could not be graded")
            return GradedSubmission.rejected(OUR_FAULT.format(type(error).__name__), seed, retry=True)
    return GradedSubmission.rejected(GRADE_AGAIN, seed, retry=True)


def grade_submission(data, seed, worker):
    """Return the GradedSubmission of a notebook of the course; raise an exception if it cannot be graded."""
    submission = submission_from(data)
    lesson = submission.lesson
    if refused := refusal(lesson.name):
        raise AuthorError(refused)
    measured_by = measures(lesson.name, lesson.exercises)
    results, ended_with = look_twice(submission, seed, worker)
    results = {name: in_points_of(lesson, result) for name, result in results.items()}
    notes = all_notes(submission, results, ended_with)
    return GradedSubmission(
        lesson.name,
        lesson.id,
        status="needs_review" if any(note.kind in (WAIT, DOUBT) for note in notes) else "graded",
        score=round(sum(r.points for r in results.values()), DECIMALS),
        max_score=sum(lesson.exercises.values()) + sum(points for points, _ in lesson.plain.values()),
        exercises={name: GradedExercise.of(result) for name, result in results.items()},
        notes=notes,
        seed=seed,
        measured_by=measured_by,
        **submission.texts(),
    )


def all_notes(submission, results, ended_with):
    """Return Notes on repairs, on errors of cells, on single exercises, the remarks, and what waits for a
    person: exercises that have changed, and written answers."""
    lesson, sentences = submission.lesson, list(error_sentences(ended_with))
    unpaid = [name for name in submission.places if not results[name].passed]
    below = [f"{name}: {BELOW}" for name in unpaid if submission.is_written_below(name)]
    on_exercises = [f"{result.name}: {result.note}" for result in results.values() if result.note]
    answers = "written answers wait" if len(lesson.by_hand) > 1 else "written answer waits"
    by_hand = [f"{len(lesson.by_hand)} {answers} for a person ({', '.join(lesson.by_hand)})."]
    return [
        *(note for note in submission.notes if note.kind != REMARK),
        *first_few([Note(INFO, sentence) for sentence in sentences]),
        *(Note(INFO, sentence) for sentence in (*on_exercises, *below)),
        *first_few([note for note in submission.notes if note.kind == REMARK]),
        *(Note(WAIT, text) for text in (*lesson.by_person.values(), *(by_hand if lesson.by_hand else ()))),
    ]


def error_sentences(ended_with):
    """Yield a sentence for each error, with the cells that ended with it."""
    for error in dict.fromkeys(ended_with.values()):
        cells = [str(number) for number, other in ended_with.items() if other == error]
        subject = f"Cells {', '.join(cells[:-1])} and {cells[-1]}" if len(cells) > 1 else f"Cell {cells[0]}"
        reader = READER if error.type in SYNTAX_ERRORS else ""
        yield f"{subject} of the notebook (text cells count too) ended with {without_file(error)}{reader}"


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
