"""Publish the exercises as course_utils/answers/*.json: the numbers and sentences of `check`."""

import json
from dataclasses import replace
from pathlib import Path

from autograder.exercises import earlier_names, load, names
from autograder.forms import sheets as form_sheets
from autograder.releases.release import grade_id, marks

from .lesson import current, lesson_sources, write_all
from .parallel import on_all_cores


def publish_all(root, lesson=None):
    """Write every exercise's sheet and lessons.json; remove the sheets of exercises that no longer exist.

    lesson: write only the sheets of its exercises, and remove nothing.
    """
    order = lesson_order(root)
    exercises = order[lesson] if lesson else [*names(), *earlier_names()]
    texts = dict(zip(exercises, on_all_cores(sheet_text, exercises), strict=True))
    texts["lessons"] = json.dumps(order, indent=1) + "\n"
    answers = Path(root) / "course_utils" / "answers"
    write_all(answers, texts, whole=not lesson)
    if not lesson:
        write_all(answers / "interview", {name: sheet.to_json() for name, sheet in form_sheets().items()})


def sheet_text(name):
    exercise = load(name)
    return replace(exercise.sheet(), drawn=exercise.fingerprint_of_draws()).to_json()


def lesson_order(root):
    """{lesson: its exercises, in order}, from the grade_ids of the lessons' solution cells."""
    exercises = {*names()}

    def written_in(py):
        cells = [cell for cell in current(py).cells if marks(cell).get("solution")]
        return [grade_id(cell) for cell in cells if grade_id(cell) in exercises]

    return {py.stem: written_in(py) for py in lesson_sources(root)}
