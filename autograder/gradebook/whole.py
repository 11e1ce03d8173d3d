"""One submission's result with all that its pages show: plain data, so that it can come from another process."""
import re

from course_utils.card import as_html, as_text, code_spans

from ..grading import GRADE_AGAIN, grade_closely, rejected
from ..worker.plain import PlainWorker
from ..worker.supervisor import sandbox

LONGEST = 50_000  # characters of one cell that a page shows
HIDDEN = "the grader's own cases"
MANY_EMPTY = re.compile(r"\n{20,}")


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
        return unreadable(rejected(f"This is {found}, but it was handed in as {lesson}: hand in the right notebook, or move it to {found}.", result["seed"]))
    cards = {name: (as_html(one, HIDDEN), as_text(one), code_spans(one.message)) for name, one in results.items()}
    waits = [result["notes"].pop()] if submission.lesson.by_hand else []  # it is the last one
    return result | written(submission) | {"cards": cards, "waits": waits, "again": False}


def unreadable(result):
    """The whole of a rejected submission."""
    again = result["notes"] == [GRADE_AGAIN]
    return result | {"texts": {}, "before": {}, "after": [], "cards": {}, "waits": result["notes"], "again": again}


def written(submission):
    """What the student wrote, and where it belongs."""
    lesson, texts, before, pending = submission.lesson, {}, {}, []
    for cell in submission.roles.own:
        homes = [grade_id for grade_id in lesson.stubs if grade_id in cell.defines]
        texts |= dict.fromkeys(homes, shown(cell.source))
        if homes:
            before[homes[0]] = before.get(homes[0], []) + pending
        pending = [] if homes else [*pending, shown(cell.source)]
    texts |= {grade_id: shown(text) for grade_id, text in submission.answers.items()}
    return {"texts": texts, "before": before, "after": pending}


def shown(text):
    """A text that any file and any page can hold, with a few of its empty lines where there are many: colouring them takes minutes."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    text = MANY_EMPTY.sub("\n" * 20, "\n".join(line if line.strip() else "" for line in text.splitlines()))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n# ... {len(text) - LONGEST} more characters are not shown."


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
