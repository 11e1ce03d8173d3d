"""The one writer of a course's gradebook: each result is written whole or not at all, and never twice."""

import contextlib
import functools
import json
import shutil
from pathlib import Path

from nbgrader import api
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import func
from sqlalchemy.exc import SQLAlchemyError

from .connection import OneGradebook, in_place_of_others
from .course import enter, find_programs, quiet, settings
from .database import Refused, check_course, trouble
from .recorder import STAGING, Recorder

try:
    import fcntl
except ImportError:  # Windows has no such lock, and no sandbox either
    fcntl = None

LOCK = ".grading.lock"


class Writer:
    """Opens the gradebook of the course in `root`; Refused, in a sentence, when that or any writing fails."""

    def __init__(self, root):
        find_programs()
        self.config = settings(root)
        self.coursedir = CourseDirectory(config=self.config)
        self.entered = set()

    def __enter__(self):
        self.leave = contextlib.ExitStack()
        with self.in_a_sentence():
            self.leave.enter_context(alone(Path(self.coursedir.root)))
            check_course(self.coursedir)
            self.gradebook = OneGradebook(self.coursedir.db_url, self.coursedir.course_id)
            self.leave.callback(self.gradebook.end)
            self.leave.callback(shutil.rmtree, Path(self.coursedir.root, STAGING), ignore_errors=True)
        return self

    def __exit__(self, *error):
        self.leave.close()

    @contextlib.contextmanager
    def in_a_sentence(self):
        try:
            yield
        except (SQLAlchemyError, api.InvalidEntry, OSError) as error:
            self.leave.close() if not hasattr(self, "gradebook") else None
            raise Refused(trouble(self.coursedir.db_url, error)) from None

    def write(self, handed, whole):
        """Put one result into the gradebook and its page into `autograded`, in the place of an older one."""
        with self.in_a_sentence():
            if handed.lesson not in self.entered:
                enter(handed.lesson, self.coursedir)
                self.entered.add(handed.lesson)
            recorder = Recorder(self.config, handed, whole)
            recorder.log = quiet()
            with (
                in_place_of_others(self.gradebook),
                recorder.in_step(),
                self.gradebook.transaction(),
                silent(api.app_log),
            ):
                recorder.start()
                recorder.withdraw()

    def last(self, student, lesson):
        """What the page remembers of the last grading, if that is in the gradebook too; else {}."""
        page = Path(
            self.coursedir.format_path(self.coursedir.autograded_directory, student, lesson),
            f"{lesson}.ipynb",
        )
        try:
            return (
                json.loads(page.read_text(encoding="utf-8"))["metadata"]["course"]["grading"]
                if (student, lesson) in self.recorded
                else {}
            )
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    @functools.cached_property
    def recorded(self):
        """{(student, lesson)} of the submissions in the gradebook when it was opened."""
        rows = self.gradebook.db.query(api.SubmittedAssignment.student_id, api.Assignment.name).join(
            api.Assignment
        )
        return {tuple(row) for row in rows}

    def students(self):
        """{student} that the gradebook knows."""
        return {row[0] for row in self.gradebook.db.query(api.Student.id)}

    def enter_students(self, students):
        with self.in_a_sentence(), self.gradebook.transaction() as book:
            for student in sorted(students):
                book.add_student(student)

    def scores(self, lesson):
        """{student: nbgrader's own dict of the submission, and "penalty"} as the gradebook has it, people's changes included."""
        columns = (
            api.SubmittedAssignment.student_id,
            func.sum(api.SubmittedNotebook.late_submission_penalty),
            func.max(api.Assignment.duedate),
        )
        late = (
            self.gradebook.db.query(*columns)
            .join(api.SubmittedNotebook)
            .join(api.Assignment)
            .filter(api.Assignment.name == lesson)
        )
        with self.in_a_sentence():
            more = {
                student: {"penalty": penalty or 0.0, "duedate": due}
                for student, penalty, due in late.group_by(columns[0])
            }
            return {
                row["student"]: row | more[row["student"]] for row in self.gradebook.submission_dicts(lesson)
            }


@contextlib.contextmanager
def alone(root):
    """One grader at a time: a second one is told to wait."""
    with open(root / LOCK, "w") as lock:
        if fcntl:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused(
                    "Another grader is at work in this course: wait until it has finished."
                ) from None
        yield


@contextlib.contextmanager
def silent(log):
    """nbgrader prints a traceback before it raises: the sentence says it better."""
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before
