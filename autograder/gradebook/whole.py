"""One submission's result with all that its pages show: plain data, so that it can come from another process."""

from autograder.grading.notebook import GRADE_AGAIN, grade_closely, rejected
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.unsandboxed import PlainWorker
from course_utils.show.card import as_html, as_text, code_spans

LONGEST, ALL_OTHERS = (
    50_000,
    200_000,
)  # characters that a page shows of one cell, and of all that are no answers
HIDDEN = "the grader's own cases"


def grade_whole(data, lesson=None, seed=None, worker=None):
    """grade_notebook's dict, and besides: "texts" {grade_id: what the student wrote there}, "before" {grade_id: their
    other code before it}, "after": the rest, "cards" {exercise: (card, its text, the sentence in HTML)}, "waits" [what a person has to do], and
    "again": the grader broke, not they.

    lesson: the one that was asked for; a notebook of another one is rejected.
    """
    result, submission, results = grade_closely(data, seed, worker)
    if submission is None:
        return unreadable(result)
    found = submission.lesson.name
    if lesson not in (None, found):
        return unreadable(
            rejected(
                f"This is {found}, but it was handed in as {lesson}: hand in the right notebook, or move it to {found}.",
                result["seed"],
            )
        )
    cards = {
        name: (as_html(one, HIDDEN), as_text(one), code_spans(one.message)) for name, one in results.items()
    }
    waits = [result["notes"].pop()] if submission.lesson.by_hand else []  # it is the last one
    return result | written(submission) | {"cards": cards, "waits": waits, "again": False}


def unreadable(result):
    """The whole of a rejected submission."""
    again = result["notes"] == [GRADE_AGAIN]
    return result | {
        "texts": {},
        "before": {},
        "after": [],
        "cards": {},
        "waits": result["notes"],
        "again": again,
    }


def written(submission):
    """What the student wrote, and where it belongs."""
    lesson, texts, before, pending, left = submission.lesson, {}, {}, [], ALL_OTHERS
    for cell in submission.roles.own:
        homes = [grade_id for grade_id in lesson.stubs if grade_id in cell.defines]
        texts |= dict.fromkeys(homes, shown(cell.source))
        if homes:
            before[homes[0]] = before.get(homes[0], []) + pending
        pending = [] if homes else [*pending, shown(cell.source, left)]
        left -= 0 if homes else min(len(cell.source), LONGEST, left)
    texts |= {grade_id: shown(text) for grade_id, text in submission.answers.items()}
    return {"texts": texts, "before": before, "after": pending}


def shown(text, left=LONGEST):
    """A text that any file and any page can hold: no more of it than is left."""
    text, most = "\n".join(text.encode("utf-8", "replace").decode("utf-8").splitlines()), min(left, LONGEST)
    return (
        text
        if len(text) <= most
        else f"{text[:most]}\n# ... {len(text) - most} more characters are not shown."
    )


def grade_handed_in(handed, seed=None, no_sandbox=False):
    """A submission as it lies there -> the whole of its result, with what there is to know of the files."""
    if handed.reason:
        whole = unreadable(rejected(handed.reason, seed))
    else:
        whole = grade_whole(handed.data, handed.lesson, seed, PlainWorker() if no_sandbox else sandbox())
    return whole | {
        "notes": [*handed.for_a_person, *handed.notes, *whole["notes"]],
        "for_a_person": handed.for_a_person,
        "fingerprint": handed.fingerprint,
    }
