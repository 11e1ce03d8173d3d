"""A course folder with a gradebook, and made-up results that need no grading."""

import copy
import json
import shutil
from functools import cache
from pathlib import Path

import nbgrader.api
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook.course import settings
from autograder.gradebook.submitted import read_student_folder
from autograder.gradebook.writer import Writer
from autograder.grading.graded import GradedExercise, GradedSubmission
from autograder.notes import WAIT, Note
from autograder.publish.lesson import follow
from autograder.publish.solutions import answers, grade_id
from autograder.releases import store
from autograder.releases.release import Release
from autograder.setup.sample_class import untouched
from course_utils.show.card import code_spans

ROOT = Path(__file__).resolve().parents[2]
LESSON, WRITTEN = "01_masks", "05_visualization"  # the second lesson has an answer that a person grades

# nbgrader runs alembic in a process for each new gradebook, and always gets the same answer
nbgrader.api.get_alembic_version = cache(nbgrader.api.get_alembic_version)


def new_course(folder, extra=""):
    """A folder with the course's nbgrader settings, and `extra` lines."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")
    (folder / "nbgrader_config.py").write_text(f"{settings}\n{extra}\n", encoding="utf-8")
    return folder


def gradebook(course):
    """nbgrader's Gradebook object for the course's gradebook."""
    return nbgrader.api.Gradebook(f"sqlite:///{course}/gradebook.db", "attention")


def buttons(course):
    """The API that formgrader's buttons call."""
    config = settings(course)
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def stock_course(root, lesson):
    """A folder in which unmodified nbgrader generates this lesson, with its hidden tests, and grades it."""
    config = new_course(root) / "nbgrader_config.py"
    making, _, grading = config.read_text(encoding="utf-8").partition("\n# Autograde")
    assert "autograder.gradebook.exporter" not in making
    assert "autograder.gradebook.exporter" in grading
    config.write_text(making, encoding="utf-8")
    unwanted = shutil.ignore_patterns("__pycache__", "*.ipynb")
    for place in ("course_utils", f"solutions/{lesson}"):
        shutil.copytree(ROOT / place, root / place, ignore=unwanted)
    shutil.copy(ROOT / "solutions" / "carries.toml", root / "solutions")
    follow(root / "solutions" / lesson / f"{lesson}.py")
    return root


def enter_all(course, *lessons):
    """Make a gradebook that holds these lessons and no students."""
    with Writer(course) as writer:
        for lesson in lessons:
            writer.enter(lesson)
    return course


def submit(course, student, lesson=LESSON, data=None, name=None):
    """Hand in the released notebook, or `data` if given, for a student."""
    folder = course / "submitted" / student / lesson
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (name or f"{lesson}.ipynb")
    path.write_bytes(notebook(lesson, {}) if data is None else data)
    return path


def submitted(course, student, lesson=LESSON):
    return read_student_folder(student, lesson, course / "submitted" / student / lesson)


def notebook(lesson, texts):
    """The released notebook as bytes, with `texts` ({grade_id: source}) in its cells."""
    new = untouched(lesson)
    for cell in new["cells"]:
        cell["source"] = texts.get(grade_id(cell), cell["source"])
    return json.dumps(new).encode()


def solved(lesson, **others):
    """Return the lesson's notebook with its own answers; others: {grade_id: another source}."""
    return notebook(lesson, answers(lesson) | others)


def copied_test(notebook):
    """The notebook with its first test cell duplicated, as people do by hand."""
    notebook = json.loads(notebook)
    cells = notebook["cells"]
    place = next(n for n, cell in enumerate(cells) if cell["metadata"].get("nbgrader", {}).get("grade"))
    cells.insert(place, cells[place] | {"id": "copy"})
    return json.dumps(notebook).encode()


def graded(lesson=LESSON, share=1.0, texts=None, message="As it should be.", notes=()):
    """A made-up result of the grader: every exercise gets this share of its points."""
    release = store.current(lesson)
    full = sum(release.exercises.values())
    return GradedSubmission(
        lesson=lesson,
        release=release.id,
        status="needs_review" if release.by_hand else "graded",
        score=share * full,
        max_score=full,
        exercises={n: exercise(n, points, share, message) for n, points in release.exercises.items()},
        notes=[*notes, *([Note(WAIT, "1 written answer waits.")] if release.by_hand else [])],
        seed=1,
        measured_by=store.measures(lesson, release.exercises),
        texts=texts or {},
    )


def with_points(release, version, points):
    """A later release of the same lesson, with other points for softmax."""
    record = copy.deepcopy(release.record)
    record["notebook"]["metadata"]["course"]["version"] = version
    for cell in record["notebook"]["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("grade_id") == "test_softmax":
            marks["points"] = points
    return Release.of(record)


def exercise(name, points, share, message):
    right = share == 1
    status, mistake = ("passed", None) if right else ("wrong", "scale_missing")
    card = {"card_html": f"<div>the card of {name}</div>", "card_text": name}
    message = {"message": message, "message_html": code_spans(message)}
    return GradedExercise(name, points * share, points, right, status, mistake, **message, **card)


def copy_of(course, folder):
    shutil.copytree(course, folder, dirs_exist_ok=True, symlinks=True)
    return folder
