"""A submission -> a Result for each exercise; what builds on a wrong answer is tried once more with a right one."""
import re
import time

from .borrow import source_of
from .exercises import load
from .intake.plain_tests import plain_result, shown_name
from .intake.released import lessons
from .judge import judge
from .worker.observing import ALL_SECONDS, LOST, observe_steps
from .worker.wire import OUT_OF_TIME, pack

SECOND_LOOK = 1 / 3  # of the time is kept for what the notebook's other cells left no time for
LONGEST_OWN = 100_000  # characters: an answer that is sent along
QUOTED = re.compile(r"""["'](\w+)["']""")


def score_submission(submission, seed, worker):
    """-> ({exercise: Result}, what the cells that were run ended with: [sentence])."""
    end = time.monotonic() + ALL_SECONDS
    wanted = {name: load(name) for name in submission.lesson.exercises}
    cases = {name: {"contract": exercise.contract, "cases": untold(exercise.cases(seed))} for name, exercise in wanted.items()}
    plain = {shown_name(grade_id): points for grade_id, (points, _) in submission.lesson.plain.items()}
    job = {"steps": submission.steps, "exercises": cases | dict.fromkeys(plain, {}), "points": submission.lesson.exercises, **sent_along(submission)}
    seen = observe_steps(worker, job, end - SECOND_LOOK * ALL_SECONDS)
    results = {name: judge(exercise, seed, seen.exercises[name]) for name, exercise in wanted.items()}
    for name in worth_a_second_look(results, seen, submission.solutions):
        alone = observe_steps(worker, {**job, "steps": submission.alone(name)}, end).exercises[name]
        if differ(alone, seen.exercises[name]):
            results[name] = better_of(results[name], judge(wanted[name], seed, alone))
    for name, others in to_try_again(wanted, results).items():
        again = judge(wanted[name], seed, look_again(worker, job, name, others, seen, end))
        if again.points >= results[name].points and again.status != "not_started":
            results[name] = with_note(again, others)
    results |= {name: plain_result(name, points, seen.exercises[name]) for name, points in plain.items()}
    return results, [seen.errors[n] for n in sorted(seen.errors) if seen.errors[n]]


def untold(cases):
    """The cases as a submission may see them: where some calls must raise an error, nothing says which."""
    told = any(call.raises for case in cases for call in case.calls)
    return [case.untold() if told and not case.device else case for case in cases]


def worth_a_second_look(results, seen, solutions):
    """Exercises that another cell may have spoilt: wrong, not there although a cell defines them, or lost in another way
    than by never coming to an end."""
    there = {name for name, result in results.items() if result.status != "not_started"} | {name for name in solutions if seen.exercises[name] is None}
    tried = [name for name, result in results.items() if name in there and not result.passed]
    return [name for name in tried if seen.exercises[name] != LOST[OUT_OF_TIME]]


def differ(one, other):
    """Was something else seen? (As bytes: NaN equals itself there.)"""
    if not isinstance(one, list) or not isinstance(other, list):
        return one != other
    return pack([o.as_plain() for o in one]) != pack([o.as_plain() for o in other])


def better_of(first, second):
    return second if second.points > first.points else first


def to_try_again(wanted, results):
    """{wrong exercise: [wrong ones that it builds on]}. One that seems not started may only call one that is not."""
    wrong = [name for name, result in results.items() if not result.passed]
    found = {name: [other for other in wanted[name].uses if other in wrong and source_of(other)] for name in wrong}
    return {name: others for name, others in found.items() if others}


def look_again(worker, job, name, others, seen, end):
    """The observations of one exercise, with right ones in the place of those that it builds on.

    In a process that sees no other exercise: the right ones that are sent along are answers to those.
    """
    right = {other: source_of(other) for other in others}
    steps = [{**step, "replace": right} if step.get("observe") == name else step for step in job["steps"]]
    skip = {n for n, step in enumerate(steps) if ("observe" in step and step["observe"] != name) or ("run" in step and n in seen.lost)}
    again = {**job, "steps": steps, "library": {**job["library"], **right}, "given": list(right)}
    return observe_steps(worker, again, end, skip).exercises[name]


def with_note(result, others):
    """Say what an exercise builds on that is wrong itself."""
    they_are = "which is not right yet: begin there. Graded here with a right one in its place."
    if len(others) > 1:
        they_are = "which are not right yet: begin there. Graded here with right ones in their place."
    result.note = f"It builds on {' and '.join(others)}, {they_are}"
    return result


def sent_along(submission):
    """What the notebook may ask for with yours, in a call, a loop or under another name: of the exercises whose names stand
    in it in quotes, "library", right ones of those of earlier lessons; "own", the student's cells for those of this one."""
    order = list(lessons())
    earlier = order[: order.index(submission.lesson.name)]
    known = {name for lesson in earlier for name in lessons()[lesson].exercises}
    asked = sorted(set(QUOTED.findall("\n".join(step.get("run", "") for step in submission.steps))))
    library = {name: source for name in asked if name in known and (source := source_of(name))}
    own = {name: own_text(submission, name) for name in asked if name in submission.solutions}
    return {"library": library, "own": {name: text for name, text in own.items() if 0 < len(text) <= LONGEST_OWN}}


def own_text(submission, name):
    """The student's cells that make it, without those that only ask for it: softmax = yours("softmax")."""
    asks = re.compile(rf"""\byours\b.{{0,200}}["']{name}["']""")
    return "\n\n".join(cell.source for cell in submission.cells_for(name) if not asks.search(cell.source))
