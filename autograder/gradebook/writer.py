"""Opens a course's gradebook and pages for one grader; a submission is written completely or not at all."""

import contextlib
import shutil
from functools import cached_property
from pathlib import Path

from nbgrader.api import Assignment, Student, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory

from autograder.refused import LessonRefused, Refused
from autograder.releases import store
from autograder.tables import replace_file

from .class_files import ClassFiles
from .course import open_gradebook, refuse_database_errors, settings
from .lessons import enter
from .page import feedback_path, write_page
from .record import late_plugin_of, record
from .standing import memory_in

try:
    import fcntl
except ImportError:  # Windows has no such lock, and no sandbox either
    fcntl = None

LOCK = ".grading.lock"
NEW_PAGE = ".autograded.new"  # folder where a page is written before it is moved to its place
OLD_PAGE = ".before"  # subfolder of it for the replaced page, until the gradebook is written
TIME_MISSING = (
    "An earlier file was handed in at {:%Y-%m-%d %H:%M:%S} UTC, and this one has no time, so it counts as on "
    "time: write its hand-in time into its timestamp.txt."
)
BUSY = "Another grader is running in this course: wait until it has finished."


class Writer:
    """Opens the gradebook of the course in `root`; raises Refused if that or any writing fails."""

    def __init__(self, root, config=None):
        self.config = config or settings(root)
        self.coursedir = CourseDirectory(config=self.config)
        self.root = Path(self.coursedir.root)
        self.late_plugin = late_plugin_of(self.config)
        self.files = ClassFiles(self.root)
        self.may_enter = self.config.Autograde.get("create_student", True)

    def __enter__(self):
        with contextlib.ExitStack() as leave:
            leave.enter_context(refuse_database_errors(self.coursedir.db_url))
            leave.enter_context(course_lock(self.root))
            self.gradebook = leave.enter_context(open_gradebook(self.coursedir))
            leave.callback(shutil.rmtree, self.root / NEW_PAGE, ignore_errors=True)
            self.leave = leave.pop_all()
        return self

    def __exit__(self, *error):
        return self.leave.__exit__(*error)

    def enter(self, lesson):
        """Enter a lesson's current release into the gradebook, and keep it as a release that was handed out.
        Raises LessonRefused if that is not possible."""
        if store.refusal(lesson):
            raise LessonRefused(store.refusal(lesson))
        try:
            enter(self.gradebook, lesson, store.current(lesson).skeleton())
        finally:
            self.gradebook.db.rollback()
        store.keep(lesson)

    def write(self, submitted, graded):
        """Write a result into the gradebook and its page into `autograded`, replacing an older one.

        If the grader is killed in between, there is no page, so the submission counts as ungraded.
        """
        place = submitted.student, submitted.lesson
        new, old = self.folder(NEW_PAGE, *place), self.root / NEW_PAGE / OLD_PAGE
        page = self.folder(self.coursedir.autograded_directory, *place)
        shutil.rmtree(self.root / NEW_PAGE, ignore_errors=True)
        same_file = self.memory(*place).get("submission") == submitted.fingerprint
        time_before = self.recorded.get(place)
        if time_before and submitted.time is None and not same_file:
            submitted.for_a_person.append(TIME_MISSING.format(time_before))
        own = 664 if self.coursedir.groupshared else 444  # the default permissions of nbgrader's Autograde
        write_page(graded, submitted, new, int(str(self.config.Autograde.get("permissions", own)), 8))
        exists = page.exists()
        if exists:
            page.rename(old)
        try:
            record(self.gradebook, graded, submitted, self.late_plugin, self.files, same_file)
        except BaseException:
            if exists:
                old.rename(page)
            raise
        self.gradebook.db.expunge_all()
        if graded.feedback_page:
            replace_file(feedback_path(self.root, *place), graded.feedback_page)
        page.parent.mkdir(parents=True, exist_ok=True)
        new.rename(page)

    def folder(self, step, student, lesson):
        return Path(self.coursedir.format_path(step, student, lesson))

    def memory(self, student, lesson):
        """The summary of the last grading in the page, if the gradebook has that grading too; else {}."""
        return memory_in(self.coursedir, student, lesson) if (student, lesson) in self.recorded else {}

    @cached_property
    def recorded(self):
        """{(student, lesson): hand-in time} of the submissions in the gradebook when it was opened."""
        columns = SubmittedAssignment.student_id, Assignment.name, SubmittedAssignment.timestamp
        return {tuple(place): time for *place, time in self.gradebook.db.query(*columns).join(Assignment)}

    def students(self):
        """The set of students in the gradebook."""
        return {row[0] for row in self.gradebook.db.query(Student.id)}

    def enter_students(self, students):
        self.gradebook.db.add_all(Student(id=student) for student in sorted(students))
        self.gradebook.db.commit()


@contextlib.contextmanager
def course_lock(root):
    """Hold the course's lock; raises Refused if another grader holds it."""
    with open(root / LOCK, "w") as lock:
        if fcntl:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused(BUSY) from None
        yield
