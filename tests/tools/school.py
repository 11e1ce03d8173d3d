"""A course folder with a gradebook, and results that nobody had to run for."""

import json
import shutil
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.gradebook.course import enter, settings
from autograder.gradebook.submitted import hand_in
from autograder.releases.released import lessons
from autograder.setup import sample_class as pretend
from course_utils.show.card import code_spans

ROOT = Path(__file__).resolve().parents[2]
LESSON, WRITTEN = "01_masks", "05_visualization"  # the second has an answer that a person reads


def new_course(folder, extra=""):
    """nbgrader's settings as the course has them, and `extra` lines."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")
    (folder / "nbgrader_config.py").write_text(f"{settings}\n{extra}\n", encoding="utf-8")
    return folder


def enter_all(course, *lessons):
    """A gradebook that knows these lessons, and nobody."""
    coursedir = CourseDirectory(config=settings(course))
    for lesson in lessons:
        enter(lesson, coursedir)
    return course


def submit(course, student, lesson=LESSON, data=None, name=None):
    """Hand in the released notebook, or these bytes."""
    folder = course / "submitted" / student / lesson
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (name or f"{lesson}.ipynb")
    path.write_bytes(json.dumps(pretend.untouched(lesson)).encode() if data is None else data)
    return path


def handed(course, student, lesson=LESSON):
    return hand_in(student, lesson, course / "submitted" / student / lesson)


def solved(lesson, **others):
    """The lesson's own answers in its notebook; others: {grade_id: another source}."""
    notebook = pretend.solved(lesson)
    for cell in notebook["cells"]:
        cell["source"] = others.get(pretend.grade_id(cell), cell["source"])
    return json.dumps(notebook).encode()


def whole(found, share=1.0, status="graded", texts=None, message="As it should be.", notes=()):
    """What the grader would say of a submission: every exercise gets this share of its points."""
    exercises = lessons()[found.lesson].exercises if status != "rejected" else {}
    each = {"passed": share == 1, "mistake": None if share == 1 else "scale_missing", "message": message}
    return {
        "lesson": found.lesson, "status": status, "seed": 1, "again": False, "texts": texts or {}, "before": {}, "after": [],
        "exercises": {name: each | {"points": points * share, "max_points": points} for name, points in exercises.items()},
        "cards": {name: (f"<div>the card of {name}</div>", name, code_spans(message)) for name in exercises},
        "notes": [*found.for_a_person, *found.notes, *notes], "for_a_person": found.for_a_person,
        "waits": list(notes) if status == "rejected" else ["1 written answer waits."] if status == "needs_review" else [], "fingerprint": found.fingerprint,
    }  # fmt: skip


def copy_of(course, folder):
    shutil.copytree(course, folder, dirs_exist_ok=True, symlinks=True)
    return folder
