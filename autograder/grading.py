"""grade one object; grade one notebook: intake, worker, judge."""
import difflib
import re

from course_utils.check import is_stand_in
from course_utils.observe.probe import observe
from course_utils.result import Result

from .borrow import source_of
from .exercise import new_seed
from .exercises import load, names
from .intake import Rejected, take_in
from .judge import judge
from .worker.observing import observe_steps
from .worker.plain import PlainWorker
from .worker.runner import define, replaced

BORROWED = re.compile(r"""yours\(\s*["'](\w+)["']\s*\)""")


def grade(name, obj, seed=None):
    """Assess `obj` on hidden cases drawn from `seed`; see autograder.grade."""
    if name not in names():
        near = difflib.get_close_matches(str(name), names(), 1, 0.4)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        return Result(str(name), False, f"There is no exercise called {name!r}.{meant}", "unknown_exercise")
    exercise = load(name)
    seed = new_seed() if seed is None else seed
    if is_stand_in(obj):
        return Result(name, False, "This is the course's stand-in, not an answer.", "stand_in", 0.0, exercise.points)
    result = judge(exercise, seed, look(exercise, seed, obj))
    space = getattr(obj, "__globals__", None) or getattr(getattr(obj, "__init__", None), "__globals__", {})
    wanting = [] if result.passed else [u for u in exercise.uses if u in space and not is_right(u, space[u], seed)]
    if not wanting:
        return result
    with replaced(space, {u: define(u, source_of(u)) for u in wanting}):
        return with_note(judge(exercise, seed, look(exercise, seed, obj)), wanting)


def look(exercise, seed, obj):
    return [observe(obj, case, exercise.contract) for case in exercise.cases(seed)]


def is_right(name, obj, seed):
    return judge(load(name), seed, look(load(name), seed, obj)).passed


def with_note(result, others):
    """Say what an exercise builds on that is wrong itself."""
    result.note = f"It builds on {' and '.join(others)}, which is not right yet: begin there. Graded here with a right one in its place."
    return result


def grade_notebook(data, seed=None, worker=None):
    """Grade a notebook's bytes -> one plain dict, whatever the bytes are.

    The dict: lesson, status ("graded", "needs_review", "rejected"), score, max_score, exercises {name: {points,
    max_points, passed, mistake, message}}, notes [sentence], seed.
    """
    seed = new_seed() if seed is None else seed
    try:
        submission = take_in(data)
    except Rejected as reason:
        return {"lesson": None, "status": "rejected", "score": None, "max_score": None, "exercises": {}, "notes": [str(reason)], "seed": seed}
    results, errors = grade_submission(submission, seed, worker or PlainWorker())
    notes = [*submission.notes, *(f"A cell of the notebook ended with {e}" for e in dict.fromkeys(filter(None, errors.values())))]
    notes += [f"{r.name}: {r.note}" for r in results.values() if r.note]
    by_hand = submission.lesson.by_hand
    if by_hand:
        notes.append(f"{len(by_hand)} written {'answers wait' if len(by_hand) > 1 else 'answer waits'} for a person ({', '.join(by_hand)}).")
    return {
        "lesson": submission.lesson.name,
        "status": "needs_review" if by_hand else "graded",
        "score": round(sum(r.points for r in results.values()), 6),
        "max_score": sum(submission.lesson.exercises.values()),
        "exercises": {name: entry(r) for name, r in results.items()},
        "notes": notes,
        "seed": seed,
    }


def entry(result):
    return {key: getattr(result, key) for key in ("points", "max_points", "passed", "mistake", "message")}


def grade_submission(submission, seed, worker):
    """-> ({exercise: Result}, errors of the cells that were run)."""
    wanted = {name: load(name) for name in submission.lesson.exercises}
    sent = {name: {"contract": ex.contract, "cases": ex.cases(seed)} for name, ex in wanted.items()}
    library = library_for(submission)
    seen, errors = observe_steps(worker, submission.steps, sent, library)
    results = {name: judge(ex, seed, seen[name]) for name, ex in wanted.items()}
    failed = {name for name, r in results.items() if not r.passed}
    tried = {name for name in failed if results[name].status != "not_started"}
    again = {name: [u for u in wanted[name].uses if u in failed] for name in tried}
    again = {name: others for name, others in again.items() if others}
    if again:
        steps = [with_stand_ins(step, again) for step in submission.steps if "run" in step or step["observe"] in again]
        seen, _ = observe_steps(worker, steps, sent, library)
        for name, others in again.items():
            better = judge(wanted[name], seed, seen[name])
            if better.points >= results[name].points:
                results[name] = with_note(better, others)
    return results, errors


def with_stand_ins(step, again):
    if "run" in step:
        return step
    return {**step, "replace": {other: source_of(other) for other in again[step["observe"]]}}


def library_for(submission):
    """Stand-ins for exercises of other lessons that the notebook asks for with yours("...")."""
    text = "\n".join(step.get("run", "") for step in submission.steps)
    asked = set(BORROWED.findall(text)) - set(submission.lesson.exercises)
    return {name: source for name in sorted(asked) if name in names() and (source := source_of(name))}
