"""Run one job in this process: its steps one by one, each with an answer.

The process is the student's in the sandbox, or a plain one for --no-sandbox.
"""

import os
import random
import sys
import time

import numpy as np
import torch

from autograder.sandbox.shared import wire
from autograder.sandbox.shared.job import Job, ObserveExercise, RunCell, RunTest, UseStandIns
from autograder.sandbox.shared.stand_ins import define, with_signature_of
from course_utils.model.result import Result
from course_utils.observe.probe import observe
from course_utils.observe.trial import in_words

from .shell import make_shell, run_cell

LEARNER_HELPERS = "hint", "progress", "predict", "due", "save_progress", "load_progress"
HELPER_MODULES = {"save_progress": "practice.saved", "load_progress": "practice.saved"}
NO_STAND_IN = "{} is not written above this cell, and the grader has no stand-in for it"


def run(job, send, shell):
    """Run the job: send {} when ready, then {"at": number of the step, ...} with the answer to each step."""
    random.seed(0)  # so that code with random numbers gives the same when it is graded again
    np.random.seed(0)  # noqa: NPY002  (what students use)
    replace_helpers(shell, job)
    send({})
    for number, step in enumerate(job.steps):
        try:
            send({"at": number, **answer_to(step, job, shell)})
        except (Exception, SystemExit) as error:  # results that cannot be inspected, or a patched Python
            send({"at": number, "error": in_words(error)})


def answer_to(step, job, shell):
    """Run one step; return {"error": [type, message] or None}, {"seen": [observation] or None}, or both."""
    match step:
        case RunCell(source):
            return {"error": run_cell(shell, source)}
        case RunTest(_, source):
            return {"error": run_cell(shell, source), "seen": []}
        case ObserveExercise(name):
            return {"seen": observe_exercise(shell.user_ns, name, *job.exercises[name])}
        case UseStandIns(sources):
            for name, source in sources.items():
                shell.user_ns[name] = with_signature_of(shell.user_ns.get(name), define(name, source))
    return {"error": None}


def observe_exercise(space, name, contract, cases):
    """Return the exercise's observations as plain data; None if the notebook does not define it."""
    if name not in space:
        return None
    return [observe(space[name], case, contract).as_plain() for case in cases]


def replace_helpers(shell, job):
    """Replace the course's helpers by versions for the worker, which has no answers.

    `yours(name)` returns the notebook's own object. Above the cell that defines it, the object is made from
    the source of the student's definition (a learner's `yours` reads it from a file), or from a stand-in that
    the grader sent along. `check` always passes with all points, so that the cell goes on: only what the
    grader observes counts. Helpers that only learners need do nothing.
    """
    import course_utils

    def yours(name):
        if name in shell.user_ns:
            return shell.user_ns[name]
        if name in job.own:
            return build_object(job.own[name], name, shell)
        if name in job.library:
            return define(name, job.library[name])
        raise LookupError(NO_STAND_IN.format(name))

    def check(name, obj=None):
        most = job.points.get(name, 0.0)
        return Result(str(name), True, "The grader will check it.", None, most, most, "passed")

    helpers = {"yours": yours, "check": check} | dict.fromkeys(LEARNER_HELPERS, lambda *args, **options: None)
    for name, helper in helpers.items():
        setattr(course_utils, name, helper)
        setattr(sys.modules[f"course_utils.{HELPER_MODULES.get(name, name)}"], name, helper)


def build_object(source, name, shell):
    """Return the object that the source defines, using the notebook's names but changing none of them."""
    space = dict(shell.user_ns)
    exec(compile(source, f"<{name}>", "exec"), space)
    return space[name]


READ_JOB_SECONDS = 60


def run_job(fd, shell):
    """Read a job from the socket, run it, and send the answer to each step."""
    job = Job.from_plain(wire.read(fd, time.monotonic() + READ_JOB_SECONDS, wire.JOB))
    run(job, lambda message: wire.write(fd, message), shell)


def main():
    torch.set_num_threads(1)
    run_job(int(sys.argv[1]), make_shell())
    os._exit(0)


if __name__ == "__main__":
    main()
