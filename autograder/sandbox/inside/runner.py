"""Inside the worker: run a submission's steps one by one, and send what each showed."""

import contextlib
import functools
import inspect
import random
import sys
import types
from itertools import zip_longest

import numpy as np

from course_utils.model.result import Result
from course_utils.observe.interface import accepted
from course_utils.observe.probe import observe

from .shell import describe, make_shell, run_cell

NO_STAND_IN = "{} is not written above this cell, and the grader has no stand-in for it"


def run(job, send, shell=None):
    """job: {"steps": [...], "exercises": {name: {"contract", "cases"}}, "library": {name: source}, "own": {name: source},
    "given": [name], "points": {name: number}}; the last three may be left out.

    A step is {"run": source}, {"give": {name: source}}, {"observe": name, "replace": {name: source}} or {"observe": name,
    "test": source}. Before each step its number is sent, so that the other side knows which one was lost.
    """
    shell = shell or make_shell()
    random.seed(0)  # what draws at random draws the same when it is graded again
    np.random.seed(0)  # noqa: NPY002  (what students use)
    offer(shell, job["library"], job.get("own", {}), job.get("given", ()), job.get("points", {}))
    for number, step in enumerate(job["steps"]):
        send({"at": number})
        if "run" in step:
            send({"ran": number, "error": run_cell(shell, step["run"])})
        elif "give" in step:
            for name, source in step["give"].items():
                give(shell.user_ns, name, source)
            send({"ran": number, "error": None})
        elif "test" in step:
            failed = run_cell(shell, step["test"])
            send({"observed": step["observe"], "seen": [], **({"failed": failed} if failed else {})})
        else:
            send_seen(
                send,
                step["observe"],
                lambda step=step: look(shell.user_ns, step, job["exercises"][step["observe"]]),
            )
    send({"done": True})


def send_seen(send, name, look_at):
    """What was seen, or why nothing could be."""
    try:
        send({"observed": name, "seen": look_at()})
    except (Exception, SystemExit) as error:  # results of kinds that cannot be looked at, or a patched Python
        send({"observed": name, "failed": describe(error)})


def look(space, step, exercise):
    """The exercise's observations, as plain data; None when the notebook does not define it."""
    name = step["observe"]
    if name not in space:
        return None
    with replaced(
        space,
        {
            other: called_as(space.get(other), define(other, source))
            for other, source in step["replace"].items()
        },
    ):
        return [observe(space[name], case, exercise["contract"]).as_plain() for case in exercise["cases"]]


def define(name, source):
    """The object that a source text defines."""
    module = types.ModuleType(f"given_{name}")
    exec(compile(source, f"<{name}>", "exec"), vars(module))
    return vars(module)[name]


def give(space, name, source):
    """Put the right one in the place of the student's own, also in the module that this one comes from."""
    own = space.get(name)
    home = getattr(own, "__globals__", space)
    right = space[name] = called_as(own, define(name, source))
    if home.get(name) is own:
        home[name] = right


def called_as(own, right):
    """The right function, which also takes the names that the student's own one has for its parameters, and leaves aside what
    that one takes beyond them."""
    own, names = accepted(own) or [], accepted(right) or []
    unmet = [name for name in names if name not in own]
    others = [name for name in own if name not in names]
    theirs, more = dict(zip(others, unmet, strict=False)), others[len(unmet) :]
    if isinstance(right, type) or not others:
        return right

    @functools.wraps(right)
    def call(*args, **named):
        places = zip_longest(args, own[: len(args)])
        placed = [value for value, name in places if name not in more]
        return right(
            *placed, **{theirs.get(name, name): value for name, value in named.items() if name not in more}
        )

    call.__signature__ = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in own]
    )
    return call


def made_of(cells, name, shell):
    """The object that these cells of the notebook define, beside what is there already and without a trace in it."""
    space = dict(shell.user_ns)
    exec(compile(shell.transform_cell(cells), f"<{name}>", "exec"), space)
    return space[name]


@contextlib.contextmanager
def replaced(space, others):
    """For a while, these names mean something else."""
    before = {name: space[name] for name in others if name in space}
    space.update(others)
    try:
        yield
    finally:
        for name in others:
            space.pop(name, None)
        space.update(before)


def offer(shell, library, own, given, points):
    """`yours(name)` gives the notebook's own object, or one of the library that the grader sent along (always, if it is
    `given`). Above the cell that defines it, it is made of the student's `own` text, as it is from the file that a check
    keeps. A check of the student's own says yes, and gives all points, so that the cell goes on: what counts is what the
    grader sees."""
    import course_utils

    def yours(name):
        if name in shell.user_ns and name not in given:
            return shell.user_ns[name]
        if name in own and name not in given:
            return made_of(own[name], name, shell)
        if name in library:
            return called_as(shell.user_ns.get(name), define(name, library[name]))
        raise LookupError(NO_STAND_IN.format(name))

    def check(name, obj=None):
        most = points.get(name, 0.0)
        return Result(str(name), True, "The grader looks at it.", None, most, most, "passed")

    def say_nothing(*names):
        return None

    for name, stand_in in {
        "yours": yours,
        "check": check,
        "hint": say_nothing,
        "progress": say_nothing,
    }.items():
        setattr(course_utils, name, stand_in)
        setattr(sys.modules[f"course_utils.{name}"], name, stand_in)
