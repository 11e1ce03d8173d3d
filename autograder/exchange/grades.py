"""A lesson's scores and the rows of an LMS's file -> the texts that go into its cells, and who gets none."""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from autograder.gradebook.class_table import status
from autograder.refused import Refused

from .people import People, Person
from .sheet import cell, value_of

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
UNFINISHED = "needs a person"
NOTHING = {  # {status: why no score is entered}
    "not handed in": ABSENT, "not graded": UNGRADED, "rejected": WAITING, UNFINISHED: WAITING,
    "excused": EXCUSED,
}  # fmt: skip


@dataclass
class Rules:
    """How scores become texts. scale: None: the instructor did not say. unfinished: also those that wait."""

    digits: int = 2
    absent: str = EMPTY
    scale: bool | None = None
    unfinished: bool = False


@dataclass
class Column:
    """A column to fill. most: the points that the LMS gives, None where it does not say. points: of the
    lesson. own_words: in whose place no grade is put."""

    number: int
    most: float | None
    points: float
    own_words: tuple = ()


@dataclass
class Filled:
    """values: {row: text}. students: {id: Person as in the file}. changed: [(student, old, new)]. without:
    {why: [who gets nothing]}."""

    values: dict = field(default_factory=dict)
    students: dict = field(default_factory=dict)
    changed: list = field(default_factory=list)
    same: int = 0
    without: dict = field(default_factory=dict)

    def leave(self, why, name):
        self.without.setdefault(why, []).append(name)

    def enter(self, row, student, old, new):
        if value_of(old) is not None and value_of(old) == value_of(new):
            self.same += 1
            return
        self.values[row] = new
        if old not in ("", "-"):
            self.changed.append((student, old, new))


def fill(sheet, column, outcomes, rules):
    """Filled: what goes into each row."""
    if column.most not in (None, column.points) and rules.scale is None:
        raise Refused(OTHER_MOST.format(outcomes[0].lesson, column.points, column.most))
    filled, by_student, comma = Filled(), {o.student: o for o in outcomes}, sheet.has_comma()
    people = [line.person() for line in sheet.lines]
    matches = People(map(person_of, outcomes)).find_each(person.claim for person in people)
    for line, person, match in zip(sheet.lines, people, matches, strict=True):
        if match.how not in SURE:
            filled.leave(STRANGERS, person.name or person.participant or person.lms_id)
            continue
        outcome, old = by_student[match.person.id], cell(sheet.rows[line.number], column.number)
        filled.students[outcome.student] = person
        why = EXCUSED if old.lower() in column.own_words else why_nothing(outcome, rules)
        if not why:
            text = number(score_of(outcome, rules, column), rules.digits, comma)
            filled.enter(line.number, outcome.student, old, text)
            continue
        filled.leave(why, outcome.student)
        if why == ABSENT and rules.absent == ZERO and not old:
            filled.values[line.number] = "0"
    for outcome in outcomes:
        if outcome.student not in filled.students and outcome.score is not None:
            filled.leave(MISSING, outcome.student)
    return filled


def person_of(outcome):
    about = outcome.about
    texts = (about.first_name, about.last_name, about.email, about.lms_user_id)
    return Person(outcome.student, *(text or "" for text in texts))


def why_nothing(outcome, rules):
    """None where the score is entered."""
    what = status(outcome)
    return None if rules.unfinished and what == UNFINISHED else NOTHING.get(what)


def score_of(outcome, rules, column):
    score = outcome.score.final
    if column.most is None:
        return score
    if rules.scale:  # its own release may give other points
        score = score * column.most / (outcome.score.max_score or column.points)
    if round(score, 6) > column.most:
        raise Refused(TOO_MANY.format(outcome.student, score, column.most))
    return score


def number(score, digits, comma=False):
    """Rounded as people do, half up; without zeros at the end."""
    exact = Decimal(repr(float(score))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = format(exact.normalize() + 0, "f")
    return text.replace(".", ",") if comma else text
