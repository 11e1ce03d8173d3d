"""Inside the worker: run a submission's steps one by one, and send what each showed."""
import contextlib
import sys
import types

from course_utils.observe.probe import observe

from .shell import make_shell, run_cell


def run(job, send):
    """job: {"steps": [...], "exercises": {name: {"contract", "cases"}}, "library": {name: source}}.

    A step is {"run": source} or {"observe": name, "replace": {name: source}}. Before each step its number is sent, so
    that the other side knows which one was lost.
    """
    shell = make_shell()
    offer(shell, job["library"])
    for number, step in enumerate(job["steps"]):
        send({"at": number})
        if "run" in step:
            send({"ran": number, "error": run_cell(shell, step["run"])})
        else:
            exercise = job["exercises"][step["observe"]]
            send({"observed": step["observe"], "seen": look(shell.user_ns, step, exercise)})
    send({"done": True})


def look(space, step, exercise):
    """The exercise's observations, as plain data; None when the notebook does not define it."""
    name = step["observe"]
    if name not in space:
        return None
    with replaced(space, {other: define(other, source) for other, source in step["replace"].items()}):
        return [observe(space[name], case, exercise["contract"]).as_plain() for case in exercise["cases"]]


def define(name, source):
    """The object that a source text defines."""
    module = types.ModuleType(f"given_{name}")
    exec(compile(source, f"<{name}>", "exec"), vars(module))
    return vars(module)[name]


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


def offer(shell, library):
    """`yours(name)` gives the notebook's own object, or one of the library that the grader sent along."""
    import course_utils

    def yours(name):
        return shell.user_ns[name] if name in shell.user_ns else define(name, library[name])

    course_utils.yours = yours
    sys.modules["course_utils.yours"].yours = yours
