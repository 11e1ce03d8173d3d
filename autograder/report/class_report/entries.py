"""What is kept of a graded submission -> Entry: its points, and what became of each exercise."""

import re
from dataclasses import dataclass, field

from autograder.gradebook.record import rescaled
from autograder.grading.happened import ENDED, NOT_STARTED, WRONG
from autograder.sandbox.shared.losses import LOSSES

# what became of an exercise, from the best to the worst
STATES = RIGHT, MISTAKE, OTHER, ERROR, OPEN = (
    "right", "known mistake", "wrong otherwise", "error or limit", "not started",
)  # fmt: skip
SET_BY_HAND = "A score was set by hand before the last grading; check whether it still holds."
A_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Try:
    """One exercise of one submission.

    points: as the gradebook has them now; automatic: as the grader gave them, None where that is not kept.
    Both are out of max_points, also where the lesson's points changed after the grading. one_left: are all
    values right, and something else is missing? message: the sentence that the student read, "" where it is
    not kept. ended: the error or the limit that ended it.
    """

    state: str
    points: float
    max_points: float
    automatic: float | None = None
    mistake: str | None = None
    one_left: bool = False
    message: str = ""
    ended: str = ""

    @property
    def at_limit(self):
        return self.ended in LOSSES


@dataclass
class Entry:
    """One graded submission.

    rejected: could it not be graded? score, max_score: in the gradebook, late penalty taken off; None where
    it has none yet. open_points: sentences on why points wait for a person, as the gradebook has it.
    for_a_person, notes: sentences.
    record_kind: how much its page says: "all", "names" (of mistakes only) or "nothing". names: of the
    student.
    """

    student: str
    lesson: str
    rejected: bool = False
    score: float | None = None
    max_score: float | None = None
    tries: dict = field(default_factory=dict)
    open_points: list = field(default_factory=list)
    for_a_person: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    record_kind: str = "all"
    names: tuple = ()


def tries_in(entries):
    """[(Entry, exercise, Try)]"""
    return [(entry, name, attempt) for entry in entries for name, attempt in entry.tries.items()]


def group(pairs):
    """{key: [its values]}, in order."""
    groups = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def entry_of(outcome, worth):
    """outcome: a graded one. worth: {exercise: points} of the lesson."""
    memory, score, about = outcome.memory, outcome.score, outcome.about
    rejected, records = memory["status"] == "rejected", memory.get("exercises", {})
    has_page, waits = "submission" in memory, score.needs_manual_grade
    # of a page of an earlier version of the course there are no records, or of mistakes alone
    has_records = bool(records) and all("status" in record for record in records.values())
    record_kind = "all" if rejected or has_records else "names" if has_page else "nothing"
    names = filter(None, (outcome.student, about.first_name, about.last_name))
    return Entry(
        outcome.student,
        outcome.lesson,
        rejected,
        None if rejected and waits else score.final,
        score.max_score,
        {} if rejected else dict(tries_of(score, worth, memory, has_page)),
        (memory["waits"] or [SET_BY_HAND]) if waits else [],
        memory["for_a_person"],
        memory["notes"],
        record_kind,
        tuple(names),
    )


def tries_of(score, worth, memory, has_page):
    """(exercise, Try) of each that the gradebook has points of."""
    records = memory.get("exercises", {})
    for name in {**worth, **records}:
        test = f"test_{name}"
        if test not in score.cells or not (has_page or score.cells[test] is not None):
            continue
        most = score.worth.get(test, worth.get(name))
        happened = memory["happened"].get(name)
        yield name, try_of(score.cells[test] or 0.0, most, records.get(name, {}), happened)


def try_of(points, most, record, happened):
    """If a page has no records, the gradebook's points say what is right, and `happened` names the rest."""
    if "status" not in record:
        most = points if most is None else most
        state, about = state_by_points(happened, points, most)
        return Try(state, points, most, **about)
    most = record["max_points"] if most is None else most
    about = {key: record[key] for key in ("mistake", "message", "ended")}
    automatic = rescaled(record["points"], record["max_points"], most)
    return Try(state_of(record), points, most, automatic, one_left=record["status"] == "one_left", **about)


def state_of(record):
    if record["passed"]:
        return RIGHT
    if record["status"] == "not_started":
        return OPEN
    return MISTAKE if record["mistake"] else ERROR if record["status"] == "error" else OTHER


def state_by_points(text, points, most):
    """(state, what else is known) from a word or a sentence of `happened`; None: nothing is said."""
    if text is None:
        return (RIGHT if points == most else OTHER), {}
    if text in (NOT_STARTED, WRONG):
        return (OPEN if text == NOT_STARTED else OTHER), {}
    if A_NAME.fullmatch(text):
        return MISTAKE, {"mistake": text}
    return ERROR, {"ended": "" if text == ENDED else text}
