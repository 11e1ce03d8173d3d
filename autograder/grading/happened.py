"""Say what went wrong in each exercise of a submission, in a word or a sentence."""

from autograder.notes import quoted

MARK = '"'
NOT_STARTED, ENDED, WRONG = "not started", "ended with an error", "wrong"


def happened(graded):
    """Return {exercise: what went wrong} for those that did not pass, in this order: not started, ended with
    an error or at a limit, a known mistake, wrong in another way.
    """
    wrong = sorted((e for e in graded.exercises.values() if not e.passed), key=rank)
    return {e.name: (NOT_STARTED, ended(e), e.mistake, WRONG)[rank(e)] for e in wrong}


def ended(exercise):
    """How it ended: the error's type, and its message, which the student may have written, as a quotation."""
    kind, colon, message = exercise.ended.partition(": ")
    return f"{kind}: {quoted(message.removeprefix(MARK).removesuffix(MARK))}" if colon else kind or ENDED


def rank(exercise):
    if exercise.status == "not_started":
        return 0
    return 1 if exercise.status == "error" or exercise.ended else 2 if exercise.mistake else 3


def summary(event):
    """Return the dict of happened(), or its pairs, as one line that groups exercises with the same text."""
    names = {}
    for name, text in dict(event).items():
        names.setdefault(text, []).append(name)
    return "; ".join(f"{', '.join(listed)}: {text}" for text, listed in names.items())
