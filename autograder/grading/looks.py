"""Grade a submission's exercises in up to two looks: in the whole notebook, then, if wrong, on their own."""

import re
import time
from functools import cache

from autograder.exercises import load
from autograder.releases.store import lessons
from autograder.sandbox.host.observe_steps import observe_steps
from autograder.sandbox.shared.job import SUBMISSION_SECONDS, Job, RunCell
from autograder.submission.remarks import STAND_INS
from course_utils.model.observation import says_unwritten
from course_utils.model.result import Result
from course_utils.source import ONE_THREAD, definition, names_in, quoted_in, statements

from .judge import answer_key, judge, unwritten_result, zero_result

FILE = re.compile(r"<(ipython-input-[^>]*|unknown)>, ")  # IPython's or ast's name for a cell
TEST_NOT_STARTED = "Not started yet."
FIRST = 2 / 3  # part of the time that the first look may take, to leave some for the second one
LONGEST_OWN = 100_000  # characters of a student's definition that is sent along
NOT_PROTECTED = "An ordinary test cell: its points are not protected against cheating."
BUILDS_ON = "It builds on {}, {} not right: start there. Graded here with {} in {} place."


def look_twice(submission, seed, worker):
    """Return ({exercise: Result}, {cell number: Failure, the error that the cell ended with})."""
    start = time.monotonic()
    exercises = {name: load(name) for name in submission.lesson.exercises}
    with ONE_THREAD:  # as in judge; done now for the first submission, while the sandbox is starting
        for exercise in exercises.values():
            answer_key(exercise, seed)
    job = first_job(submission, exercises, seed)
    first_look, results = look_and_judge(worker, job, exercises, seed, start + FIRST * SUBMISSION_SECONDS)
    for name in submission.definitions:
        if not was_observed(first_look, name) and not submission.is_written(name):
            results[name] = unwritten_result(exercises[name])
    wrong = [name for name, result in results.items() if not result.passed and submission.is_written(name)]
    for name, end in with_deadlines(wrong, start + SUBMISSION_SECONDS):
        stand_ins = stand_in_sources(exercises[name].uses, results)
        job_alone, used = second_job(submission, job, name, stand_ins)
        second_look, second = look_and_judge(worker, job_alone, {name: exercises[name]}, seed, end)
        if was_observed(second_look, name):
            results[name] = better(results[name], second[name], used, not was_observed(first_look, name))
    cells = [getattr(step, "cell", None) for step in job.steps]
    ended_with = {cells[n]: error for n, error in sorted(first_look.errors.items()) if error and cells[n]}
    for name, result in results.items():
        error = ended_with.get(submission.cell_written_for(name))
        if result.status == "not_started" and error and not is_stub_error(error):
            ended = without_file(error)
            text = f"{name} is not defined: its cell ended with {ended}."
            results[name] = zero_result(exercises[name], "error", text, ended=ended)
    for test in submission.tests:
        name, (points, _) = test.exercise_id, submission.lesson.plain[test.grade_id]
        results[name] = of_plain_test(name, points, first_look.exercises[name])
    return results, ended_with


def look_and_judge(worker, job, exercises, seed, end):
    """Run the job until time.monotonic() reaches `end`; return (what was observed, {exercise: Result})."""
    observations = observe_steps(worker, job, end)
    return observations, {
        name: judge(exercise, seed, observations.exercises[name]) for name, exercise in exercises.items()
    }


def was_observed(observations, name):
    return isinstance(observations.exercises[name], list)


def without_file(error):
    """Return a Failure as text, without IPython's name for the cell."""
    return FILE.sub("", str(error))


def is_stub_error(error):
    """Is this the error that an unwritten stub raises?"""
    return says_unwritten(error.type, error.message)


def better(first, second, stand_ins, unobserved=False):
    """Return the Result that counts, of the first or the second look.

    stand_ins: exercises that stand-ins replaced in the second look. unobserved: the first look observed
    nothing. The second look counts

    - if it gives more points;
    - with equal points, if it had stand-ins, because it then shows only the answer's own mistake, or if the
      first look observed nothing; but not if only the second look ended with an error, because a stand-in may
      have been called in another way;
    - never, if its outcome is the same as that of the first one, or "not started".
    """
    same = outcome(first) == outcome(second)
    new_error = second.status == "error" and first.status != "error"
    wins_ties = bool(stand_ins or unobserved) and not new_error
    more = second.points > first.points or (second.points == first.points and wins_ties)
    counts = more and second.status != "not_started" and not same
    return with_note(second, stand_ins) if counts else first


def outcome(result):
    return result.points, result.mistake, result.message


def with_note(result, stand_ins):
    """Add a note to the Result on the wrong exercises that it builds on, and return it."""
    if stand_ins:
        is_single = len(stand_ins) == 1
        words = ("which is", "a right one", "its") if is_single else ("which are", "right ones", "their")
        result.note = BUILDS_ON.format(" and ".join(stand_ins), *words)
    return result


def with_deadlines(items, end):
    """Yield each item with the time when it must be over: an equal share of the time that is left, if any."""
    for number, item in enumerate(items):
        now = time.monotonic()
        if now < end:
            yield item, now + (end - now) / (len(items) - number)


def of_plain_test(name, points, observations):
    """Return the Result of an instructor's own test cell. observations: a list, or a Failure."""
    more = {"max_points": points, "note": NOT_PROTECTED}
    if isinstance(observations, list):
        text = "The test runs without an error."
        return Result(name, True, text, points=points, status="passed", **more)
    if is_stub_error(observations):
        return Result(name, False, TEST_NOT_STARTED, status="not_started", unwritten=True, **more)
    ended = without_file(observations)
    return Result(name, False, f"The test ended with {ended}", status="error", ended=ended, **more)


# ---- the jobs for a worker


def first_job(submission, exercises, seed):
    """Return the Job of the whole notebook, with the seed's cases of the exercises, {name: Exercise}.

    For names that are quoted in it, as in yours("softmax"), the Job also has sources: of stand-ins for
    exercises of earlier lessons, unless they hold an answer to this lesson, and of the student's own
    definitions for exercises of this lesson.
    """
    lesson, steps = submission.lesson, submission.first_look()
    order = list(lessons())
    earlier = {name for other in order[: order.index(lesson.name)] for name in lessons()[other].exercises}
    names = sorted(quoted_in("\n".join(step.source for step in steps if isinstance(step, RunCell))))
    stand_ins = {name: source for name in names if name in earlier and (source := stand_in_source(name))}
    own = {name: submission.own_source(name) for name in names if name in lesson.exercises}
    return Job(
        steps,
        {
            name: [exercise.contract, without_expectations(answer_key(exercise, seed).sheet.cases)]
            for name, exercise in exercises.items()
        },
        {n: text for n, text in stand_ins.items() if not names_in(text).bound & lesson.exercises.keys()},
        {name: source for name, source in own.items() if 0 < len(source) <= LONGEST_OWN},
        lesson.exercises,
    )


def second_job(submission, job, name, stand_ins):
    """Return (the Job of one exercise on its own, the names of the stand-ins that are used in it).

    Its process observes no other exercise, because the stand-ins would be answers to those.
    """
    steps, stand_ins_used = submission.second_look(name, stand_ins)
    own = {other: source for other, source in job.own.items() if other not in stand_ins}
    library = {**job.library, **{other: stand_ins[other] for other in stand_ins_used}}
    return Job(steps, {name: job.exercises[name]}, library, own, job.points), stand_ins_used


def without_expectations(cases):
    """Return the cases as a submission may see them: they do not say which calls must raise an error."""
    some_raise = any(call.raises for case in cases for call in case.calls)
    return [case.without_expected_errors() if some_raise and not case.device else case for case in cases]


def stand_in_sources(uses, results):
    """Return {exercise: source of its stand-in} for those of `uses` that are wrong."""
    wrong = [name for name in uses if name in results and not results[name].passed]
    return {name: source for name in wrong if (source := stand_in_source(name))}


@cache
def stand_in_source(name):
    """Return the source of an exercise's stand-in in course_utils, with all that it needs; or None."""
    texts = definition(name, statements(STAND_INS.read_text(encoding="utf-8")))
    return "\n\n".join(texts) + "\n" if texts else None
