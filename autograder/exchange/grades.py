"""The scores of a lesson and a template's lines -> the texts that go into its cells, and who gets none."""

from collections import Counter
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from autograder.gradebook.class_table import has_score, status
from autograder.refused import Refused

from .people import People, Person
from .template import value_of

EMPTY, ZERO = "empty", "zero"
OTHER_MOST = (
    "{} gives {:g} points and the LMS's column {:g}: add --scale to convert the points, or --no-scale to "
    "enter them as they are."
)
TOO_MANY = "{} has {:g} points, more than the {:g} of the LMS's column: add --scale."
SURE = "id", "mail", "name"  # how a row's student is known: not by a part of the name
ABSENT, UNGRADED, WAITING, EXCUSED, STRANGERS, MISSING = (
    "Handed nothing in",
    "Not graded yet, left as they are: run `make grade`, and export again",
    "Wait for a person, and keep what stands there",
    "Excused or not assigned, left as they are",
    "In the file, and not in the gradebook",
    "In the gradebook, and not in the file",
)


@dataclass
class Rules:
    """How scores become texts. scale: None: the instructor did not say. unfinished: also those that wait."""

    digits: int = 2
    absent: str = EMPTY
    scale: bool | None = None
    unfinished: bool = False


@dataclass
class Filled:
    """values: {row: text}. changed: [(student, old, new)]. without: {why: [who gets nothing]}."""

    values: dict = field(default_factory=dict)
    changed: list = field(default_factory=list)
    same: int = 0
    without: dict = field(default_factory=dict)

    def leave(self, why, name):
        self.without.setdefault(why, []).append(name)


def fill(lines, outcomes, rules, most, points, comma):
    """Filled: what goes into each line. most: points of the LMS's column, None where it says none. points: of
    the lesson."""
    if most is not None and most != points and rules.scale is None:
        raise Refused(OTHER_MOST.format(outcomes[0].lesson, points, most))
    filled, by_student = Filled(), {outcome.student: outcome for outcome in outcomes}
    find_students(lines, outcomes)
    for line in lines:
        if not line.student:
            filled.leave(STRANGERS, line.name)
            continue
        outcome = by_student[line.student]
        why = why_nothing(line, outcome, rules)
        if not why:
            enter(filled, line, text_of(outcome, rules, most, points, comma))
            continue
        filled.leave(why, line.student)
        if why == ABSENT and rules.absent == ZERO and not line.grade.strip():
            filled.values[line.row] = "0"
    there = {line.student for line in lines}
    for outcome in outcomes:
        if outcome.student not in there and outcome.score is not None:
            filled.leave(MISSING, outcome.student)
    return filled


def find_students(lines, outcomes):
    """Enter whose each line is; of two lines that look like one student neither is."""
    people = People(person_of(outcome) for outcome in outcomes)
    for line in lines:
        match = people.find(line.claim)
        line.student = match.person.id if match.person and match.how in SURE else ""
    counts = Counter(line.student for line in lines)
    for line in lines:
        line.student = line.student if counts[line.student] == 1 else ""


def person_of(outcome):
    about = outcome.about
    texts = (about.first_name, about.last_name, about.email, about.lms_user_id)
    return Person(outcome.student, *(text or "" for text in texts))


def why_nothing(line, outcome, rules):
    """ "" where the score is entered."""
    what = status(outcome)
    if line.is_settled or outcome.excused:
        return EXCUSED
    if what in ("not handed in", "not graded"):
        return ABSENT if what == "not handed in" else UNGRADED
    waits = not has_score(outcome) or (what == "needs a person" and not rules.unfinished)
    return WAITING if waits else ""


def text_of(outcome, rules, most, points, comma):
    score = outcome.score.final
    if rules.scale and most is not None:
        score = score * most / (outcome.score.max_score or points)  # its own release may give other points
    if most is not None and round(score, 6) > most:
        raise Refused(TOO_MANY.format(outcome.student, score, most))
    return number(score, rules.digits, comma)


def enter(filled, line, new):
    old = line.grade.strip()
    if value_of(old) is not None and value_of(old) == value_of(new):
        filled.same += 1
        return
    filled.values[line.row] = new
    if old not in ("", "-"):
        filled.changed.append((line.student, old, new))


def number(score, digits, comma=False):
    """Rounded as people do, half up; without zeros at the end."""
    exact = Decimal(repr(float(score))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = format(exact.normalize() + 0, "f")
    return text.replace(".", ",") if comma else text
