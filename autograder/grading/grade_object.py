"""grade(name, obj) grades an object in this process, for test cells that unmodified nbgrader runs."""

import contextlib
import difflib
import inspect
import textwrap

from autograder.authoring.seeds import new_seed
from autograder.exercises import load, names, places
from autograder.sandbox.shared.stand_ins import define, with_signature_of
from autograder.submission.remarks import Names, note_on, statements_of
from course_utils.diagnose.visible import is_stand_in
from course_utils.model.result import Result
from course_utils.observe.probe import observe

from .judge import judge
from .looks import better, stand_in_source

_graded = {}  # {exercise: (the object that was graded last under this name, did it pass)}


def grade(name, obj, seed=None):
    """Grade `obj` on hidden cases drawn from `seed`; see autograder.grade.

    If the answer is wrong and builds on another exercise that was graded wrong in this process, it is graded
    again with a stand-in for that exercise, and the better result counts. An exercise is replaced only if its
    name in obj's module still holds the object that was graded; any other object of that name is a helper
    that belongs to the answer.
    """
    if name not in places():
        suggestions = difflib.get_close_matches(str(name), names(), 1, 0.4)
        near_name = f" Did you mean {suggestions[0]!r}?" if suggestions else ""
        return Result(
            str(name), False, f"There is no exercise called {name!r}.{near_name}", "unknown_exercise"
        )
    exercise = load(name)
    seed = new_seed() if seed is None else seed
    if is_stand_in(obj):
        text = "This is the course's stand-in, not an answer."
        return Result(name, False, text, "stand_in", 0.0, exercise.points)
    result = judge(exercise, seed, observations(exercise, seed, obj))
    space = globals_of(obj)
    wrong = [] if result.passed else [other for other in exercise.uses if was_graded_wrong(other, space)]
    if wrong:
        stand_ins = {n: with_signature_of(space[n], define(n, stand_in_source(n))) for n in wrong}
        with patched_globals(space, stand_ins):
            result = better(result, judge(exercise, seed, observations(exercise, seed, obj)), wrong)
    _graded[name] = obj, result.passed
    kinds = ("attention", "softmax") if name == "softmax" else ("attention",)
    code = statements_of(source_text(obj))
    uses = [use for kind in kinds for use in Names([code]).ready_made(code, kind)]
    notes = [result.note, *(note_on(*use) for use in uses)]
    result.note = " ".join(filter(None, notes))
    return result


def observations(exercise, seed, obj):
    return [observe(obj, case, exercise.contract) for case in exercise.cases(seed)]


def globals_of(obj):
    """Return the globals in which the student's own code looks up names; {} if there are none. obj: a
    function, also a decorated one, a class, or an instance that can be called."""
    kind = obj if isinstance(obj, type) else type(obj)
    with contextlib.suppress(ValueError):  # decorators that lead back to themselves
        obj = inspect.unwrap(obj)
    methods = [vars(base).get(name) for base in kind.__mro__ for name in ("__init__", "__call__")]
    for function in (obj, *methods):
        if space := getattr(function, "__globals__", None):
            return space
    return {}


def was_graded_wrong(name, space):
    """Do these globals still hold the object that was graded last for this exercise, was it wrong, and is
    there a stand-in for it?"""
    obj, passed = _graded.get(name, (None, True))
    return name in space and space[name] is obj and not passed and stand_in_source(name) is not None


@contextlib.contextmanager
def patched_globals(space, replacements):
    """Put the objects in `replacements`, {name: object}, into the globals `space` during a `with` block."""
    old_objects = {name: space[name] for name in replacements}
    space.update(replacements)
    try:
        yield
    finally:
        space.update(old_objects)


def source_text(obj):
    try:
        return textwrap.dedent(inspect.getsource(obj))
    except (OSError, TypeError):  # made without a file or a cell
        return ""
