"""A lesson's scores and the rows of an LMS's file -> the texts that go into its cells, and who gets none."""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from autograder.gradebook.class_table import status
from autograder.refused import Refused

from .lms import cell, value_of
from .people import People, person_of

EMPTY, ZERO = "empty", "zero"
OTHER_MOST = (
    "{} gives {:g} points and the LMS's column {:g}: add --scale to convert the points, or --no-scale to "
    "enter them as they are."
)
TOO_MANY = "{} has {:g} points, more than the {:g} of the LMS's column: add --scale."
ABSENT, WAITING = "Handed nothing in", "Wait for a person, and keep what stands there"
UNGRADED = "Not graded yet, left as they are: run `make grade`, and export again"
EXCUSED = "Excused or not assigned, left as they are"
STRANGERS, MISSING = "In the file, and not in the gradebook", "In the gradebook, and not in the file"
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
    """A column to fill.

    most: the points that the LMS gives, None where it does not say. points: of the lesson. own_words: in
    whose place no grade is put. texts: {row: what is entered}. people: {student: Person as in the file}.
    changes: [sentence]. without: {why: [who gets nothing]}.
    """

    lesson: str
    number: int
    most: float | None
    points: float
    own_words: tuple = ()
    texts: dict = field(default_factory=dict)
    people: dict = field(default_factory=dict)
    same: int = 0
    changes: list = field(default_factory=list)
    without: dict = field(default_factory=dict)

    def fill(self, sheet, outcomes, rules):
        if self.most not in (None, self.points) and rules.scale is None:
            raise Refused(OTHER_MOST.format(self.lesson, self.points, self.most))
        by_student, comma = {outcome.student: outcome for outcome in outcomes}, sheet.has_comma()
        people = People(person_of(outcome.student, outcome.about) for outcome in outcomes)
        matches = people.find_each(person.claim for person in sheet.people.values())
        for (row, person), match in zip(sheet.people.items(), matches, strict=True):
            if not match.person:
                self.leave(STRANGERS, person.label)
                continue
            outcome, old = by_student[match.person.id], cell(sheet.rows[row], self.number)
            self.people[outcome.student] = person
            why = EXCUSED if old.lower() in self.own_words else why_nothing(outcome, rules)
            if not why:
                self.enter(row, outcome, old, number(self.score_of(outcome, rules), rules.digits, comma))
                continue
            self.leave(why, outcome.student)
            if why == ABSENT and rules.absent == ZERO and not old:
                self.texts[row] = "0"
        for outcome in outcomes:
            if outcome.student not in self.people and outcome.score is not None:
                self.leave(MISSING, outcome.student)

    def leave(self, why, name):
        self.without.setdefault(why, []).append(name)

    def enter(self, row, outcome, old, new):
        if value_of(old) is not None and value_of(old) == value_of(new):
            self.same += 1
            return
        self.texts[row] = new
        if old not in ("", "-"):
            self.changes.append(f"{outcome.student}: {old} became {new}")

    def score_of(self, outcome, rules):
        score, most = outcome.score.final, self.most
        if rules.scale and most is not None:  # its own release may give other points
            score = score * most / (outcome.score.max_score or self.points)
        if most is not None and round(score, 6) > most:
            raise Refused(TOO_MANY.format(outcome.student, score, most))
        return score


def why_nothing(outcome, rules):
    """None where the score is entered."""
    what = status(outcome)
    return None if rules.unfinished and what == UNFINISHED else NOTHING.get(what)


def number(score, digits, comma=False):
    """Rounded as people do, half up; without zeros at the end."""
    exact = Decimal(repr(float(score))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = format(exact.normalize() + 0, "f")
    return text.replace(".", ",") if comma else text
