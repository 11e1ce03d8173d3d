"""[Outcome] of a lesson and a template's rows -> the texts that go into its cells, and who gets none."""

from collections import Counter
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from autograder.gradebook.class_table import has_score, status
from autograder.gradebook.database import Refused

from .naming import Claim

EMPTY, ZERO = "empty", "zero"
OTHER_MOST = (
    "{} gives {:g} points and the LMS's column {:g}: add --scale to convert the points, or --no-scale to "
    "enter them as they are."
)
TOO_MANY = "{} has {:g} points, more than the {:g} of the LMS's column: add --scale."
SURE = "id", "mail", "name"  # how a row's student is known: not by a part of the name
KEPT_WORDS = ("ex", "n/a")  # excused, and not assigned to this student: Canvas' own words


@dataclass
class Rules:
    """How scores become texts. scale: None: the instructor did not say. unfinished: also those that wait."""

    digits: int = 2
    absent: str = EMPTY
    scale: bool | None = None
    unfinished: bool = False


@dataclass
class Line:
    """A student's row of a template. row: its number in the file. name: as the LMS writes it."""

    row: int
    name: str
    claim: Claim
    grade: str
    student: str = ""


@dataclass
class Filled:
    """values: {row: text}. changed: [(student, old, new)]. The others: who got nothing, by the reason."""

    values: dict = field(default_factory=dict)
    changed: list = field(default_factory=list)
    same: list = field(default_factory=list)
    absent: list = field(default_factory=list)
    ungraded: list = field(default_factory=list)
    waiting: list = field(default_factory=list)
    excused: list = field(default_factory=list)
    strangers: list = field(default_factory=list)
    missing: list = field(default_factory=list)


def fill(lines, outcomes, people, rules, most, points, comma):
    """Filled: what goes into each line.

    most: points of the LMS's column, None where it says none. points: of the lesson.
    """
    if most is not None and most != points and rules.scale is None:
        raise Refused(OTHER_MOST.format(outcomes[0].lesson, points, most))
    filled, by_student = Filled(), {outcome.student: outcome for outcome in outcomes}
    for line in lines:
        match = people.find(line.claim)
        line.student = match.person.id if match.person and match.how in SURE else ""
    twice = Counter(line.student for line in lines)
    for line in lines:
        if not line.student or twice[line.student] > 1:
            filled.strangers.append(line.name)
            line.student = ""
        else:
            fill_line(filled, line, by_student[line.student], rules, most, points, comma)
    there = {line.student for line in lines}
    filled.missing = [o.student for o in outcomes if o.student not in there and o.score is not None]
    return filled


def fill_line(filled, line, outcome, rules, most, points, comma):
    old = line.grade.strip()
    if old.lower() in KEPT_WORDS or outcome.excused:
        filled.excused.append(line.student)
    elif status(outcome) == "not handed in":
        filled.absent.append(line.student)
        if rules.absent == ZERO and not old:
            filled.values[line.row] = "0"
    elif status(outcome) == "not graded":
        filled.ungraded.append(line.student)
    elif not has_score(outcome) or (status(outcome) == "needs a person" and not rules.unfinished):
        filled.waiting.append(line.student)
    else:
        score = outcome.score.final
        if rules.scale and most is not None:
            score = (
                score * most / (outcome.score.max_score or points)
            )  # its own release may give other points
        if most is not None and round(score, 6) > most:
            raise Refused(TOO_MANY.format(line.student, score, most))
        enter(filled, line, number(score, rules.digits, comma))


def enter(filled, line, new):
    if same_number(line.grade, new):
        filled.same.append(line.student)
        return
    filled.values[line.row] = new
    if line.grade.strip() not in ("", "-"):
        filled.changed.append((line.student, line.grade.strip(), new))


def number(score, digits, comma=False):
    """Rounded as people do, half up; without zeros at the end."""
    exact = Decimal(repr(float(score))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = format(exact.normalize() + 0, "f")
    return text.replace(".", ",") if comma else text


def same_number(old, new):
    return value_of(old) is not None and value_of(old) == value_of(new)


def value_of(text):
    """The number that a cell holds, with a point or a comma; None where it holds none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
