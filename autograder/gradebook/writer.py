"""Opens a course's gradebook and pages for one grader; a submission is written completely or not at all."""

import contextlib
import shutil
from functools import cached_property
from pathlib import Path

from nbgrader.api import Assignment, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory

from autograder.grading.graded import GradedSubmission
from autograder.notes import LOOK, Note
from autograder.refused import LessonRefused, Refused
from autograder.releases import store
from autograder.tables import first_of

from .class_files import ClassFiles
from .course import assignments, open_gradebook, refuse_database_errors, settings
from .lessons import enter
from .page import bytes_of_page, feedback_path, memory_in, memory_of, page_folder, write_page
from .record import late_plugin_of, record
from .standing import Score, is_in_gradebook, scores_of, students_of
from .submitted import TIME_UNKNOWN, exchange_zone

try:
    import fcntl
except ImportError:  # Windows has no such lock, and no sandbox either
    fcntl = None

LOCK = ".grading.lock"
NEW_PAGE = ".autograded.new"  # folder where a page is written before it is moved to its place
OLD_PAGE = ".before"  # subfolder of it for the replaced page, until the gradebook is written
EARLIER = "an earlier file was handed in at {:%Y-%m-%d %H:%M:%S} UTC"
GRADER, NO_VERSION = "version {}, seed {}", "of before 2026-11-28"
OTHER_CASES = (
    "{0}: what decides points has changed ({1}) since others of this class were graded ({2}), and equal "
    "answers could get different points, so nothing of this lesson is graded. `grade "
    "--regrade --lesson {0}{3}` grades it again for everybody: it shows old and new scores, "
    "then asks. Or go back to that version and seed."
)
THE_SEED = "the seed of the hidden cases"
FILES_GONE = (
    "{}: what decides points has changed, so everybody has to be graded again, but there is no file of {} in "
    "submitted/ any more. Collect it again (the page in autograded/ shows what it held), or, if the student "
    "has left the course, run `nbgrader db student remove ID --force`; then grade again."
)
RELEASE_QUESTION = (
    "It was made from the release {0}, which {1}. If you handed that release out, accept it for this class: "
    "write the line {2},{0} into releases.csv, below a first line lesson,release. If not, have today's "
    "lesson handed in."
)
NO_PAGE = "The grader cannot store this result ({}): a person has to grade it; please report it."
BUSY = "Another grader is running in this course: wait until it has finished."


class Writer:
    """Opens the gradebook of the course in `root`; raises Refused if that or any writing fails."""

    def __init__(self, root, config=None):
        self.memories, self.scores = {}, {}  # as they were when first read
        self.config = config or settings(root)
        self.coursedir = CourseDirectory(config=self.config)
        self.root = Path(self.coursedir.root)
        self.late_plugin = late_plugin_of(self.config)
        self.files, self.zone = ClassFiles(self.root), exchange_zone(self.config)
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
        """Enter a lesson's current release into the gradebook, and keep a copy of the release. Raises
        LessonRefused if that is not possible."""
        if why := store.refusal(lesson):
            raise LessonRefused(why)
        try:
            enter(self.gradebook, lesson, store.current(lesson).skeleton())
        finally:
            self.gradebook.db.rollback()
        store.keep(lesson)

    def refuse_other_cases(self, lesson, seed, may_change=False, at_hand=()):
        """Raise LessonRefused if submissions of this class were graded by other cases than today's; if they
        may all be graded again, only if one of them is not at hand. at_hand: {(student, lesson)}."""
        otherwise = self.graded_otherwise(lesson, seed)
        gone = [student for student in otherwise if (student, lesson) not in at_hand]
        if may_change and gone:
            raise LessonRefused(FILES_GONE.format(lesson, first_of(gone)))
        if otherwise and not may_change:
            names = dict.fromkeys(name for names in otherwise.values() for name in names)
            memories = (self.memory(student, lesson) for student in otherwise)
            graders = {GRADER.format(m.get("version", NO_VERSION), m.get("seed")) for m in memories}
            option, graders = f" --seed {seed}" if THE_SEED in names else "", " and ".join(sorted(graders))
            raise LessonRefused(OTHER_CASES.format(lesson, ", ".join(names), graders, option))

    def graded_otherwise(self, lesson, seed):
        """Return {student: [exercise]} of what was graded by other cases or rules than today's."""
        otherwise = {}
        for student, memory in self.memories_of(lesson).items():
            before, today = memory.get("measured_by", {}), store.measures(lesson, memory["exercises"])
            changed = [name for name in today if today[name] != before.get(name)]
            changed += [THE_SEED] if memory.get("seed") != seed else []
            if changed:
                otherwise[student] = changed
        return otherwise

    def memories_of(self, lesson):
        """Return {student: memory} of the lesson's submissions that the grader's cases measured."""
        students = [student for student, of_lesson in self.recorded if of_lesson == lesson]
        memories = {student: self.memory(student, lesson) for student in students}
        return {student: memory for student, memory in memories.items() if memory.get("exercises")}

    def release_question(self, lesson, release_id):
        """Return the question about a release with other exercises than today's lesson, or ""."""
        release = store.find(lesson, release_id) if release_id else None
        fewer, more = store.other_parts(release) if release else ([], [])
        if not fewer + more or (lesson, release_id) in self.files.releases:
            return ""
        parts = [
            f"{verb} {', '.join(names)}" for verb, names in (("lacks", fewer), ("also has", more)) if names
        ]
        return RELEASE_QUESTION.format(release_id, " and ".join(parts), lesson)

    def record(self, submitted, graded, page=None):
        """Enter a result into the gradebook, without a commit. page: where the one before is now."""
        memory = self.memory(submitted.student, submitted.lesson)
        same_file = submitted.was_graded(memory, page or self.page(submitted))
        record(self.gradebook, graded, submitted, self.late_plugin, self.files, same_file)

    def write(self, submitted, graded):
        """Write a result into the gradebook and its page into `autograded`, replacing an older one; return
        the page's summary. A result that makes no page is rejected, so that one never stops the class.

        If the grader is killed in between, there is no page, so the submission counts as ungraded.
        """
        place = submitted.student, submitted.lesson
        new = Path(self.coursedir.format_path(NEW_PAGE, *place))
        old = self.root / NEW_PAGE / OLD_PAGE
        page = self.page(submitted)
        shutil.rmtree(self.root / NEW_PAGE, ignore_errors=True)
        memory, time_before = self.memory(*place), self.recorded.get(place)
        if not (submitted.time or submitted.unknown_time):
            before = TIME_UNKNOWN.format(EARLIER.format(time_before)) if time_before else ""
            submitted.unknown_time = before or memory.get("unknown_time", "")
            submitted.notes += [Note(LOOK, submitted.unknown_time)] if submitted.unknown_time else []
        own = 664 if self.coursedir.groupshared else 444  # the default permissions of nbgrader's Autograde
        try:
            page_bytes = bytes_of_page(graded, submitted)
        except Exception as error:  # texts that cannot be stored
            graded = GradedSubmission.rejected(NO_PAGE.format(type(error).__name__), graded.seed)
            page_bytes = bytes_of_page(graded, submitted)
        write_page(page_bytes, submitted, new, int(str(self.config.Autograde.get("permissions", own)), 8))
        exists = page.exists()
        if exists:
            page.rename(old)
        try:
            self.record(submitted, graded, old)
            self.gradebook.db.commit()
        except BaseException:
            if exists:
                old.rename(page)
            raise
        self.gradebook.db.expunge_all()
        feedback_path(self.root, *place).unlink(missing_ok=True)  # until grade_class writes the new one
        page.parent.mkdir(parents=True, exist_ok=True)
        new.rename(page)
        return memory_of(graded, submitted)

    def page(self, submitted):
        return page_folder(self.coursedir, submitted.student, submitted.lesson)

    def memory(self, student, lesson):
        """The summary of the last grading in the page, as it was when first read, if the gradebook has that
        grading too; else {}."""
        place = student, lesson
        if place not in self.memories:
            memory = memory_in(self.coursedir, *place) if place in self.recorded else {}
            if lesson not in self.scores:
                self.scores[lesson] = scores_of(self.gradebook, lesson)
            score = self.scores[lesson].get(student, Score())
            self.memories[place] = memory if is_in_gradebook(memory, score) else {}
        return self.memories[place]

    @cached_property
    def recorded(self):
        """{(student, lesson): hand-in time} of the submissions in the gradebook when it was opened."""
        columns = SubmittedAssignment.student_id, assignments.name, SubmittedAssignment.timestamp
        return {tuple(place): time for *place, time in self.gradebook.db.query(*columns).join(Assignment)}

    def students(self):
        """The set of students in the gradebook."""
        return {*students_of(self.gradebook)}


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
