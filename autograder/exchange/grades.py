"""Decides which text goes into each cell of an LMS's grade column, and lists who gets no score and why."""

from collections import defaultdict
from dataclasses import dataclass, field

from autograder.gradebook.class_table import status
from autograder.grading.graded import scaled
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import number

from . import sentences
from .lms import cell, value_of
from .people import People, person_of


@dataclass
class Column:
    """A lesson's column. texts: {row: new text}. people: {student: Person}. fates: {fate: [student]}."""

    lms: object
    sheet: object
    lesson: str
    number: int
    texts: dict = field(default_factory=dict)
    people: dict = field(default_factory=dict)
    fates: dict = field(default_factory=lambda: defaultdict(list))

    def fill(self, outcomes, scale, unfinished):
        """Fill in the scores. scale: None if not chosen. unfinished: also scores that wait for a person."""
        max_points, points = self.sheet.max_points(self.number), points_of(self.lesson)
        if max_points is None and scale:
            raise Refused(sentences.no_maximum.format(self.sheet.name))
        if max_points not in (None, points) and scale is None:
            raise Refused(sentences.other_most.format(self.lesson, points, max_points))
        nothing = sentences.not_entered | ({"needs a person": None} if unfinished else {})
        by_student, people = {outcome.student: outcome for outcome in outcomes}, self.sheet.people
        class_list = People(person_of(outcome.student, outcome.about) for outcome in outcomes)
        matches = class_list.find_each(people.values())
        for (row, person), (match, _) in zip(people.items(), matches, strict=True):
            if match is None:
                self.fates[sentences.strangers].append(person.label)
                continue
            outcome, old = by_student.pop(match.id), cell(self.sheet.rows[row], self.number)
            self.people[outcome.student] = person
            fate = nothing["excused"] if old.lower() in self.lms.own_words else nothing.get(status(outcome))
            if status(outcome) == "needs a person" and outcome.memory.get("release_question"):
                fate = nothing["rejected"]  # also with --unfinished
            if fate is None:
                score = score_of(outcome, scale, max_points, points)
                fate = self.enter(row, outcome, old, number(score, self.sheet.has_comma))
            self.fates[fate].append(outcome.student)
        for outcome in by_student.values():
            if outcome.score is not None:
                self.fates[sentences.not_in_file].append(outcome.student)

    def enter(self, row, outcome, old, new):
        """Enter a score into its cell, and return what happened."""
        if value_of(old) == value_of(new):
            return sentences.unchanged
        self.texts[row] = new
        if old not in ("", "-"):
            self.fates[sentences.changed_score].append(f"{outcome.student}: {old} became {new}")
        return sentences.entered


def points_of(lesson):
    """The maximum points of a lesson, including its written answers."""
    release = store.current(lesson)
    own = sum(points for points, _ in release.plain.values())
    return sum(release.exercises.values()) + sum(release.by_hand.values()) + own


def score_of(outcome, scale, max_points, points):
    """The score to enter. max_points: the LMS's maximum, None if unknown. points: the lesson's maximum."""
    score = outcome.score.final
    if scale and max_points is not None:  # an earlier release may have had another maximum
        score = scaled(score, outcome.score.max_score or points, max_points)
    if max_points is not None and round(score, 6) > max_points:
        raise Refused(sentences.too_many.format(outcome.student, score, max_points))
    return score
