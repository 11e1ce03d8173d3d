"""What is kept of a graded submission -> Entry: its points, and what became of each exercise."""

import re
from dataclasses import dataclass, field

from autograder.gradebook.record import rescaled
from autograder.report.happened import ENDED, NOT_STARTED, WRONG
from autograder.sandbox.host.losses import GIVEN_UP, LOST, NO_TIME

# what became of an exercise, from the best to the worst
RIGHT, MISTAKE, OTHER, ERROR, OPEN = (
    "right",
    "known mistake",
    "wrong otherwise",
    "error or limit",
    "not started",
)
STATES = (RIGHT, MISTAKE, OTHER, ERROR, OPEN)
LIMITS = {*LOST.values(), GIVEN_UP, NO_TIME}
READY_MADE = re.compile(r"Ready-made \w+ \((\w+)\) is called")  # autograder.submission.ready_made.note_on
A_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Try:
    """One exercise of one submission.

    points: as the gradebook has them now; automatic: as the grader gave them, None where that is not kept.
    Both are out of max_points, also where the lesson's points changed after the grading. one_left: are all
    values right, and something else is missing? message: the sentence that the student read, "" where it is
    not kept. ended: the error or the limit that ended it. code: the cell that holds the graded definition.
    """

    state: str
    points: float
    max_points: float
    automatic: float | None = None
    mistake: str | None = None
    one_left: bool = False
    message: str = ""
    ended: str = ""
    code: str = ""

    @property
    def at_limit(self):
        return self.ended in LIMITS


@dataclass
class Entry:
    """One graded submission.

    rejected: could it not be graded? score, max_score: in the gradebook, late penalty taken off; None where
    it has none yet. needs_a_person: as the gradebook has it. waits, for_a_person, notes: sentences. kept: how
    much its page says: "all", "names" (of mistakes only) or "nothing".
    """

    student: str
    lesson: str
    rejected: bool = False
    score: float | None = None
    max_score: float | None = None
    tries: dict = field(default_factory=dict)
    needs_a_person: bool = False
    waits: list = field(default_factory=list)
    for_a_person: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    kept: str = "all"
    names: tuple = ()

    @property
    def graded(self):
        return not self.rejected and bool(self.tries)


def entry_of(student, lesson, memory, score, worth, codes=()):
    """memory: memory_of its page, {} where there is none. score: the gradebook's Score. worth:
    {exercise: points} of the lesson. codes: {exercise: the cell with its definition}."""
    rejected = memory.get("status") == "rejected"
    records, codes = memory.get("exercises", {}), dict(codes)
    points = {grade_id.removeprefix("test_"): p for grade_id, p in score.cells.items()}
    names = [name for name in {**worth, **records} if f"test_{name}" in score.cells]
    kept = "nothing" if not memory else "all" if rejected or has_records(records) else "names"
    tries = {
        name: try_of(
            points[name],
            score.worth.get(f"test_{name}", worth.get(name)),
            records.get(name, {}),
            memory,
            name,
            codes,
        )
        for name in names
        if not rejected and (memory or points[name] is not None)
    }
    return Entry(
        student,
        lesson,
        rejected,
        None if rejected and score.needs_manual_grade else score.final,
        score.max_score,
        tries,
        score.needs_manual_grade,
        memory.get("waits", []),
        memory.get("for_a_person", []),
        memory.get("notes", []),
        kept,
        tuple(filter(None, (student, score.first_name, score.last_name))),
    )


def has_records(records):
    """Of a page of an earlier version of the course there are none, or of mistakes alone."""
    return bool(records) and all("status" in record for record in records.values())


def try_of(points, worth, record, memory, name, codes):
    """Of a page without records, the gradebook's points say what is right, and `happened` names the rest."""
    if "status" in record:
        state = state_of(record)
        most = worth if worth is not None else record["max_points"]
        automatic = rescaled(record["points"], record["max_points"], most)
        about = {key: record[key] for key in ("mistake", "message", "ended")}
        about |= {"automatic": automatic, "one_left": record["status"] == "one_left"}
    else:
        most = worth if worth is not None else points or 0.0
        state, about = told(memory.get("happened", {}).get(name), points, most)
    return Try(state, points or 0.0, most, **about, code=codes.get(name, ""))


def state_of(record):
    if record["passed"]:
        return RIGHT
    if record["status"] == "not_started":
        return OPEN
    return MISTAKE if record["mistake"] else ERROR if record["status"] == "error" else OTHER


def told(text, points, most):
    """(state, what else is known) from a word or a sentence of `happened`; None: nothing is said."""
    if text is None:
        return (RIGHT if points == most else OTHER), {}
    if text in (NOT_STARTED, WRONG):
        return (OPEN if text == NOT_STARTED else OTHER), {}
    if A_NAME.fullmatch(text):
        return MISTAKE, {"mistake": text}
    return ERROR, {"ended": "" if text == ENDED else text}
