"""GradedSubmission: the result of grading a notebook, as texts and numbers; usable without torch."""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.notes import WAIT, Note, quoted, texts_of

CASES = "the grader's own cases"
DECIMALS = 6  # decimals of all points and scores


def scaled(points, most, new_most):
    """Convert points out of `most` into points out of `new_most`; None if that is impossible."""
    if points is None or most == new_most:
        return points
    return round(points * new_most / most, DECIMALS) if most else None


def in_points_of(release, result):
    """Convert a Result to the points of the release, which may differ from today's."""
    most = release.exercises.get(result.name, result.max_points)
    return replace(result, points=scaled(result.points, result.max_points, most), max_points=most)


@dataclass
class GradedExercise:
    """The result of one exercise.

    status: passed, one_left (see Result), wrong, not_started, error (it ended with an exception or at a
    limit: `ended` says which). unwritten: it is still the released stub. mistake: the name of a known
    mistake. note: further information. card_html, card_text: the card as `check` draws it; message_html: the
    message alone; tables_html: the student's values next to the wanted ones, "" if there are none to compare.
    """

    name: str
    points: float
    max_points: float
    passed: bool
    status: str = "wrong"
    mistake: str | None = None
    message: str = ""
    note: str = ""
    look_at: str = ""
    ended: str = ""
    card_html: str = ""
    card_text: str = ""
    message_html: str = ""
    tables_html: str = ""
    unwritten: bool = False

    @classmethod
    def of(cls, result):
        """Make it from a Result."""
        from course_utils.show.card import as_html, as_text, code_spans  # these import torch
        from course_utils.show.tables import both_html

        same = ("name", "passed", "status", "unwritten", "mistake", "message", "note", "look_at", "ended")
        return cls(
            **{key: getattr(result, key) for key in same},
            points=round(result.points, DECIMALS),
            max_points=round(result.max_points, DECIMALS),
            card_html=as_html(result, CASES),
            card_text=as_text(result, CASES),
            message_html=code_spans(result.message),
            tables_html=both_html(result.picture) if result.picture else "",
        )

    def as_dict(self):
        return {key: getattr(self, key) for key in ("points", "max_points", "passed", "mistake", "message")}


@dataclass
class GradedSubmission:
    """status: graded, needs_review (answers wait for a person) or rejected (then there is no score). release:
    the id of the release that it was graded by. exercises: {name: GradedExercise}. retry: the grader failed,
    not the submission. texts: {grade_id: what the student wrote there}. before: {grade_id: [text of each of
    their other code cells between the previous solution and this one]}; after: the texts below the last
    solution. measured_by: {exercise: fingerprint of what its points depend on} (store.measures)."""

    lesson: str | None = None
    release: str | None = None
    status: str = "graded"
    score: float | None = None
    max_score: float | None = None
    exercises: dict = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    seed: int | None = None
    retry: bool = False
    texts: dict = field(default_factory=dict)
    before: dict = field(default_factory=dict)
    after: list = field(default_factory=list)
    measured_by: dict = field(default_factory=dict)

    @classmethod
    def rejected(cls, reason, seed=None, retry=False):
        """Return the entry of a notebook that cannot be graded, with the sentence that says why."""
        return cls(status="rejected", notes=[Note(WAIT, reason)], seed=seed, retry=retry)

    def as_dict(self):
        """Return the entry for the JSON file, as plain data."""
        same = "lesson", "release", "status", "score", "max_score", "seed"
        exercises = {name: exercise.as_dict() for name, exercise in self.exercises.items()}
        about = {key: getattr(self, key) for key in same}
        return {**about, "exercises": exercises, "notes": texts_of(self.notes)}


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


def below(submissions):
    """Return each path relative to the folder that holds all of them."""
    paths = [Path(os.path.abspath(submission)) for submission in submissions]
    common = os.path.commonpath([path.parent for path in paths]) if paths else ""
    return [path.relative_to(common) for path in paths]


def labels(submissions):
    """Short names for a table: ada/01_masks for ada/01_masks/01_masks.ipynb; a single path stays as it is."""
    if len(submissions) < 2:
        return list(submissions)
    return [str(path.parent if path.stem == path.parent.name else path) for path in below(submissions)]
