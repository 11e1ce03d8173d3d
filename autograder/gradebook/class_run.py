"""Grade a class: read what is new in submitted/, map it over an executor, write each result as it comes."""

import functools
import shlex

from autograder.cluster import WorkersDied
from autograder.grading.graded import GradedSubmission
from autograder.refused import LessonRefused, Refused
from autograder.releases import store
from autograder.submission.files import shown

from .course import seed_of
from .groups import places, read_folders
from .page import memory_of
from .standing import Outcome, standing
from .submitted import find_all
from .threads import map_ahead
from .writer import Writer

DIED = (
    "{} cluster workers in a row died while grading this and nothing else: "
    "a person has to grade it. It is retried when it is handed in again, or with --regrade."
)
NEW_STUDENT = (
    "{0} was not in the gradebook and was added: if that is a misspelt name, rename the folder and remove "
    "{0} with `nbgrader db student remove {1}`."
)
UNKNOWN_STUDENT = "The gradebook knows no student {0}: `nbgrader db student add {1}`, or rename the folder."
NO_LESSON = "{} is no lesson of this course: give its folder's name, such as 01_masks."
NO_SUBMISSION = "There is no submission of {} to grade in {}: check the name of the student's folder there."
NOTHING = (
    "There is nothing to grade in {}: the grader looks for STUDENT/LESSON/LESSON.ipynb. "
    "For loose files: .venv/bin/python -m autograder grade PATH."
)
BROKEN = "The grader itself failed here ({}: {}), which says nothing about the submission: please report it."


def grade_class(
    root,
    executor,
    *,
    lessons=(),
    students=(),
    regrade=False,
    seed=None,
    no_sandbox=False,
    room=None,
    config=None,
    step=lambda done, total: None,
):
    """Grade what is new in submitted/ -> [Outcome], one for each student and lesson, missing ones included.

    executor: any concurrent.futures.Executor. room(): how many submissions it is handed at a time. students:
    grade only these, and their groups. regrade: also what was graded before. seed: of the hidden cases, the
    same for everybody; by default the one that this gradebook's submissions were graded with before. config:
    nbgrader's settings, by default those of the folder. step(done, total) is called as it goes. Raises
    Refused with one sentence; what was graded is kept.
    """
    with Writer(root, config) as writer:
        submitted = writer.root / writer.coursedir.submitted_directory
        unknown = [lesson for lesson in lessons if lesson not in store.lessons()]
        if unknown:
            raise Refused(NO_LESSON.format(unknown[0]))
        folders, left_out = find_all(submitted, lessons)
        if not folders and not left_out:
            raise Refused(NOTHING.format(submitted))
        folders = selected_work(folders, students, writer.files.groups, submitted)
        run, total = Run(writer, regrade), len(places(folders, writer.files.groups))
        grade = functools.partial(grade_one, seed=seed_of(writer.root, seed), no_sandbox=no_sandbox)
        for first, result in map_ahead(executor, grade, run.to_grade(folders), room):
            for copy in (first, *first.also):
                run.enter(write_result(writer, copy, result))
            step(len(run.outcomes), total)
        outcomes = standing(writer.coursedir, writer.gradebook, writer.files, run.outcomes)
        return [*(Outcome(place, "", "left", [reason]) for place, reason in left_out), *outcomes]


def selected_work(folders, students, groups, submitted):
    """The folders of these students and of their groups; Refused where a student has nothing."""
    if not students:
        return folders
    asked = [folder for folder in folders if set(groups.of(*folder[:2])) & set(students)]
    there = {student for student, _ in places(asked, groups)}
    for student in students:
        if student not in there:
            raise Refused(NO_SUBMISSION.format(student, submitted))
    return asked


def grade_one(submitted, seed, no_sandbox):
    """What runs in the executor: plain data in, plain data out."""
    from .grade import grade_submitted  # it imports torch, which the process that writes does not need

    return grade_submitted(submitted, seed, no_sandbox)


class Run:
    """outcomes: {(student, lesson): Outcome} of what this run graded or left."""

    def __init__(self, writer, regrade):
        self.writer, self.regrade, self.outcomes = writer, regrade, {}

    def enter(self, outcome):
        self.outcomes[outcome.student, outcome.lesson] = outcome

    def to_grade(self, folders):
        """Read folder by folder; what needs no grading, or can have none, becomes an outcome at once."""
        writer, groups = self.writer, self.writer.files.groups
        refused = refusals(writer, dict.fromkeys(lesson for _, lesson, _ in folders))
        students = writer.students()
        if not students and writer.may_enter:
            # all of a new course at once: when this run is stopped, the next one finds nobody new
            writer.enter_students({student for student, _ in places(folders, groups)})
        for files, why_not in read_folders(folders, groups):
            memories = [writer.memory(file.student, file.lesson) for file in files]
            same = [m.get("submission") == f.fingerprint for m, f in zip(memories, files, strict=True)]
            if all(same) and not self.regrade and not why_not:
                for file, memory in zip(files, memories, strict=True):
                    self.enter(Outcome(file.student, file.lesson, "unchanged", memory["notes"], memory))
                continue
            why_not = why_not or refused.get(files[0].lesson)
            permitted = [
                file for file in files if not self.leave(file, why_not or self.unknown(file, students))
            ]
            if permitted:
                first, *first.also = permitted
                yield first

    def leave(self, file, why_not):
        """Not graded, if there is a reason why not."""
        if why_not:
            self.enter(Outcome(file.student, file.lesson, "left", [why_not]))
        return why_not

    def unknown(self, file, students):
        """Why a student who is not in the gradebook cannot be graded; "" where new ones are entered."""
        name = file.student, shlex.quote(file.student)
        if file.student in students:
            return ""
        if not self.writer.may_enter:
            return UNKNOWN_STUDENT.format(*name)
        if students:
            file.for_a_person.append(NEW_STUDENT.format(*name))
        return ""


def refusals(writer, lessons):
    """{lesson: why it cannot be graded now}; all others are in the gradebook afterwards."""
    reasons = {}
    for lesson in lessons:
        try:
            writer.enter(lesson)
        except LessonRefused as reason:
            reasons[lesson] = str(reason)
    return reasons


def write_result(writer, submitted, result):
    """Write a result -> what became of it."""
    place = submitted.student, submitted.lesson
    if isinstance(result, Refused):  # there is no sandbox, or no cluster
        raise result
    if isinstance(result, WorkersDied):
        result = GradedSubmission.rejected(DIED.format(*result.args), seed_of(writer.root))
    if isinstance(result, Exception):
        sentence = BROKEN.format(type(result).__name__, shown(str(result))[:200])
        return Outcome(*place, "left", [sentence])
    if isinstance(result, BaseException):
        raise result
    if result.retry:
        return Outcome(*place, "left", result.notes)
    try:
        writer.write(submitted, result)
    except LessonRefused as reason:
        return Outcome(*place, "left", [str(reason)])
    memory = memory_of(result, submitted)
    return Outcome(*place, "new", memory["notes"], memory)
