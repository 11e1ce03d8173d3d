"""Grade a class: read what is new in submitted/, map it over an executor, write each result as it comes."""

import functools
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from pathlib import Path

from autograder.authoring.seeds import new_seed
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.submission.files import shown

from .database import Refused
from .executors import cores, map_ahead
from .rebuild import is_lesson, remembered
from .submitted import find_all, hand_in
from .writer import Writer

LOST = "The grader lost the process that graded this, twice: run it again. If it happens again, the machine has too little memory, or this submission is to be graded by a person."
NEW_STUDENT = "{0} was not in the gradebook and was added: if that is a misspelt name, rename the folder and remove {0} with `nbgrader db student remove {0}`."


@dataclass
class Outcome:
    """state: "new", "unchanged" (graded before), or "left" (not in the gradebook, for `notes` say why). about: what the
    grader remembers of it. score: nbgrader's own dict of the submission, None when it has none."""

    student: str
    lesson: str
    state: str
    notes: list = field(default_factory=list)
    about: dict = field(default_factory=dict)
    score: dict | None = None


def grade_class(
    root,
    executor,
    *,
    lessons=(),
    again=False,
    seed=None,
    no_sandbox=False,
    ahead=None,
    step=lambda done, total: None,
):
    """Grade what is new in submitted/ -> [Outcome] for everything that lies there.

    executor: any concurrent.futures.Executor. again: also what was graded before. ahead: how many submissions it works on
    at a time. seed: of the hidden cases, the same for everybody; by default a new one. step(done, total) is called as it
    goes. Raises Refused with one sentence; what was graded is kept.
    """
    with Writer(root) as writer:
        submitted = Path(writer.coursedir.root, writer.coursedir.submitted_directory)
        unknown = [lesson for lesson in lessons if not is_lesson(lesson)]
        if unknown:
            raise Refused(
                f"{unknown[0]} is no lesson of this course: give its folder's name, such as 01_masks."
            )
        found, left_out = find_all(submitted, lessons)
        if not found and not left_out:
            raise Refused(
                f"There is nothing to grade in {submitted}: the grader looks for STUDENT/LESSON/LESSON.ipynb. For loose files: .venv/bin/python -m autograder grade PATH."
            )
        outcomes = [Outcome(place, "", "left", [reason]) for place, reason in left_out]
        news = new_ones(writer, found, again, outcomes)
        grade = functools.partial(grade_one, seed=seed or new_seed(), no_sandbox=no_sandbox)
        for handed, result in map_ahead(executor, grade, news, ahead or cores()):
            outcomes.append(take(writer, handed, result))
            step(len(outcomes), len(found) + len(left_out))
        return with_scores(writer, outcomes)


def grade_one(handed, seed, no_sandbox):
    """What runs in the executor: plain data in, plain data out."""
    from .whole import grade_handed_in  # it imports torch, which the process that writes does not need

    return grade_handed_in(handed, seed, no_sandbox)


def new_ones(writer, found, again, outcomes):
    """Read them one by one; those that need no grading become outcomes at once."""
    known = writer.students()
    may_enter = writer.config.Autograde.get("create_student", True)
    if (
        not known and may_enter
    ):  # all of a new course at once: when this run is stopped, the next one finds nobody new
        writer.enter_students({student for student, *_ in found})
    for student, lesson, folder in found:
        handed, last = hand_in(student, lesson, folder), writer.last(student, lesson)
        if last.get("submission") == handed.fingerprint and not again:
            outcomes.append(Outcome(student, lesson, "unchanged", last["notes"], last))
        elif student not in known and not may_enter:
            outcomes.append(
                Outcome(
                    student,
                    lesson,
                    "left",
                    [
                        f"The gradebook knows no student {student}: `nbgrader db student add {student}`, or rename the folder."
                    ],
                )
            )
        else:
            handed.for_a_person += [NEW_STUDENT.format(student)] if known and student not in known else []
            yield handed


def take(writer, handed, result):
    """Write a result, and say what became of it."""
    if isinstance(result, SandboxUnavailable):
        raise Refused(str(result))
    if isinstance(result, Exception):
        return Outcome(
            handed.student,
            handed.lesson,
            "left",
            [LOST if isinstance(result, BrokenExecutor) else broken(result)],
        )
    if isinstance(result, BaseException):
        raise result
    if result["again"]:
        return Outcome(handed.student, handed.lesson, "left", result["notes"])
    writer.write(handed, result)
    return Outcome(handed.student, handed.lesson, "new", result["notes"], remembered(result))


def broken(error):
    return f"The grader itself failed here ({type(error).__name__}: {shown(str(error))[:200]}), which says nothing about the submission: please report it."


def with_scores(writer, outcomes):
    """In order, each with what the gradebook says of it now."""
    scores = {lesson: writer.scores(lesson) for lesson in {o.lesson for o in outcomes} - {""}}
    for outcome in outcomes:
        outcome.score = scores.get(outcome.lesson, {}).get(outcome.student)
    return sorted(outcomes, key=lambda o: (o.lesson, o.student))
