"""Grade a class: read what is new in submitted/, map it over an executor, write each result as it comes."""

import functools
import itertools
import shlex
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field

from autograder.grading.graded import GradedSubmission
from autograder.releases import store
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.submission.files import shown

from .course import seed_of
from .database import LessonRefused, Refused
from .executors import WorkersDied, cores, map_ahead
from .page import memory_of
from .scores import About, scores_of, students_of
from .submitted import find_all
from .term.submissions import choose, places, read_folders
from .writer import Writer

LOST = (
    "The grader lost the process that graded this, twice: run it again. If it happens again, the machine has "
    "too little memory, or this submission is to be graded by a person."
)
DIED = (
    "{} workers of the cluster died one after another while they graded this, with nothing beside it: "
    "a person has to grade it. It is tried again when it is handed in anew, or with --again."
)
NEW_STUDENT = (
    "{0} was not in the gradebook and was added: if that is a misspelt name, rename the folder and remove "
    "{0} with `nbgrader db student remove {1}`."
)
UNKNOWN_STUDENT = "The gradebook knows no student {0}: `nbgrader db student add {1}`, or rename the folder."
NO_LESSON = "{} is no lesson of this course: give its folder's name, such as 01_masks."
NOTHING = (
    "There is nothing to grade in {}: the grader looks for STUDENT/LESSON/LESSON.ipynb. "
    "For loose files: .venv/bin/python -m autograder grade PATH."
)
NOT_GRADED_YET = "It was handed in, and is not graded yet."
EXCUSED = "Excused: {}"
BROKEN = "The grader itself failed here ({}: {}), which says nothing about the submission: please report it."


@dataclass
class Outcome:
    """What became of one submission.

    state: "new"; "unchanged" (graded before); "absent" (nothing was handed in); "left" (not graded now:
    `notes` say why). memory: what its page remembers (see page.memory_of). score: a Score, None
    without one. excused: it counts neither for nor against the student. about: the student, as the gradebook
    knows them.
    """

    student: str
    lesson: str
    state: str
    notes: list = field(default_factory=list)
    memory: dict = field(default_factory=dict)
    score: object = None
    excused: bool = False
    about: About = field(default_factory=About)


def grade_class(
    root,
    executor,
    *,
    lessons=(),
    students=(),
    again=False,
    seed=None,
    no_sandbox=False,
    ahead=None,
    step=lambda done, total: None,
):
    """Grade what is new in submitted/ -> [Outcome], one for each student and lesson, missing ones included.

    executor: any concurrent.futures.Executor, or a Cluster. students: grade only these, and their groups.
    again: also what was graded before. ahead: how many submissions an Executor works on at a time. seed: of
    the hidden cases, the same for everybody; by default the one that this gradebook's submissions were graded
    with before. step(done, total) is called as it goes. Raises Refused with one sentence; what was graded is
    kept.
    """
    with Writer(root) as writer:
        submitted = writer.root / writer.coursedir.submitted_directory
        unknown = [lesson for lesson in lessons if lesson not in store.lessons()]
        if unknown:
            raise Refused(NO_LESSON.format(unknown[0]))
        found, left_out = find_all(submitted, lessons)
        if not found and not left_out:
            raise Refused(NOTHING.format(submitted))
        outcomes = [Outcome(place, "", "left", [reason]) for place, reason in left_out]
        groups = writer.term.groups
        found, others = choose(found, students, groups, submitted)
        outcomes += [as_it_stands(writer, student, lesson) for student, lesson, _ in others]
        total = len(places(found, groups)) + len(outcomes)
        new = new_ones(writer, found, again, outcomes)
        grade = functools.partial(grade_one, seed=seed_of(writer.root, seed), no_sandbox=no_sandbox)
        for one, result in run_all(executor, grade, new, ahead):
            outcomes += [write_result(writer, copy, result) for copy in (one, *one.also)]
            step(len(outcomes), total)
        outcomes += absent(writer, outcomes)
        return with_scores(writer, outcomes)


def run_all(executor, action, items, ahead):
    if isinstance(executor, Executor):
        return map_ahead(executor, action, items, ahead or cores())
    return executor.map_ahead(action, items)


def grade_one(submitted, seed, no_sandbox):
    """What runs in the executor: plain data in, plain data out."""
    from .grade import grade_submitted  # it imports torch, which the process that writes does not need

    return grade_submitted(submitted, seed, no_sandbox)


def new_ones(writer, found, again, outcomes):
    """Read the folders one by one; those that need no grading, or can have none, become outcomes at once."""
    refused = refusals(writer, dict.fromkeys(lesson for _, lesson, _ in found))
    known = writer.students()
    may_enter = writer.config.Autograde.get("create_student", True)
    if not known and may_enter:
        # all of a new course at once: when this run is stopped, the next one finds nobody new
        writer.enter_students({student for student, _ in places(found, writer.term.groups)})
    for submitted, why_not in read_folders(found, writer.term.groups):
        ones, lesson = [submitted, *submitted.also], submitted.lesson
        before = [] if again else [as_it_stands(writer, one.student, lesson) for one in ones]
        if before and not why_not and all(map(is_of, before, ones)):
            outcomes += before
        elif why_not or lesson in refused:
            outcomes += [Outcome(one.student, lesson, "left", [why_not or refused[lesson]]) for one in ones]
        else:
            yield from those_that_may(ones, known, may_enter, outcomes)


def is_of(outcome, submitted):
    """Was it this that was graded?"""
    return outcome.memory.get("submission") == submitted.fingerprint


def as_it_stands(writer, student, lesson):
    """What became of it when it was graded last."""
    memory = writer.memory(student, lesson)
    notes = memory.get("notes", [NOT_GRADED_YET])
    return Outcome(student, lesson, "unchanged" if memory else "left", notes, memory)


def those_that_may(ones, known, may_enter, outcomes):
    """Yield the first of a group's submissions, with the others in its `also`; leave out students whom the
    gradebook does not know, where it takes nobody new."""
    for one in ones:
        name = one.student, shlex.quote(one.student)
        if one.student not in known and not may_enter:
            outcomes.append(Outcome(one.student, one.lesson, "left", [UNKNOWN_STUDENT.format(*name)]))
        elif known and one.student not in known:
            one.for_a_person.append(NEW_STUDENT.format(*name))
    first, *others = [one for one in ones if may_enter or one.student in known] or [None]
    if first is not None:
        first.also = others
        yield first


def refusals(writer, lessons):
    """{lesson: why it cannot be graded now}; all others are in the gradebook afterwards."""
    found = {}
    for lesson in lessons:
        try:
            writer.enter(lesson)
        except LessonRefused as reason:
            found[lesson] = str(reason)
    return found


def write_result(writer, submitted, result):
    """Write a result -> what became of it."""
    place = submitted.student, submitted.lesson
    if isinstance(result, SandboxUnavailable):
        raise Refused(str(result))
    if isinstance(result, BrokenExecutor):
        return Outcome(*place, "left", [LOST])
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


def absent(writer, outcomes):
    """Who is in the gradebook and handed nothing in for a lesson that others handed in."""
    there = {(outcome.student, outcome.lesson) for outcome in outcomes}
    lessons = {outcome.lesson for outcome in outcomes} - {""}
    for student, lesson in set(itertools.product(writer.students(), lessons)) - there:
        memory = writer.memory(student, lesson)
        yield Outcome(student, lesson, "unchanged" if memory else "absent", memory.get("notes", []), memory)


def standing(writer):
    """[Outcome] of the whole class as it was graded last, in order; nothing is graded."""
    found, _ = find_all(writer.root / writer.coursedir.submitted_directory)
    there = {(student, lesson) for student, lesson, _ in found} | writer.recorded
    outcomes = [as_it_stands(writer, *place) for place in there if place[1] in store.lessons()]
    return with_scores(writer, outcomes + list(absent(writer, outcomes)))


def with_scores(writer, outcomes):
    """In order, each with what the gradebook says of it now."""
    lessons = {outcome.lesson for outcome in outcomes} - {""}
    scores = writer.patiently(lambda: {lesson: scores_of(writer.gradebook, lesson) for lesson in lessons})
    students = writer.patiently(lambda: students_of(writer.gradebook))
    for outcome in outcomes:
        outcome.score = scores.get(outcome.lesson, {}).get(outcome.student)
        outcome.about = students.get(outcome.student, outcome.about)
        excused = writer.term.excused(outcome.student, outcome.lesson)
        if excused:
            outcome.excused = True
            outcome.notes = [EXCUSED.format(excused.reason or "no reason is given"), *outcome.notes]
    return sorted(outcomes, key=lambda o: (o.lesson, o.student))
