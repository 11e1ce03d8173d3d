"""One submission's result with all that its pages show: plain data, so that it can come from another process."""

from autograder.grading.graded import GradedSubmission
from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.unsandboxed import PlainWorker


def grade_whole(data, lesson=None, seed=None, worker=None):
    """grade_notebook's dict with what the pages show.

    lesson: the one that was asked for; a notebook of another one is rejected.
    """
    graded = grade_notebook(data, seed, worker)
    found = graded.lesson
    if lesson and found and lesson != found:
        reason = (
            f"This is {found}, but it was handed in as {lesson}: "
            f"hand in the right notebook, or move it to {found}."
        )
        graded = GradedSubmission.rejected(reason, graded.seed)
    return as_whole(graded)


def as_whole(graded):
    cards = {n: (e.card_html, e.card_text, e.message_html) for n, e in graded.exercises.items()}
    kept = {key: getattr(graded, key) for key in ("notes", "waits", "texts", "before", "after")}
    return graded.as_dict() | kept | {"cards": cards, "again": graded.retry}


def grade_handed_in(handed, seed=None, no_sandbox=False):
    """A submission as it lies there -> the whole of its result, with what there is to know of the files."""
    if handed.reason:
        whole = as_whole(GradedSubmission.rejected(handed.reason, seed))
    else:
        whole = grade_whole(handed.data, handed.lesson, seed, PlainWorker() if no_sandbox else sandbox())
    return whole | {
        "notes": [*handed.for_a_person, *handed.notes, *whole["notes"]],
        "for_a_person": handed.for_a_person,
        "fingerprint": handed.fingerprint,
    }
