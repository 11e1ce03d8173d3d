"""A replacement for the grader in a worker: one submission kills the worker, as when memory runs out."""

import os
import signal

from autograder.gradebook.grade import grade_submitted

KILLS = b"kills its worker"


def grade_or_die(submitted, seed, no_sandbox):
    if KILLS in (submitted.data or b""):
        os.kill(os.getpid(), signal.SIGKILL)
    return grade_submitted(submitted, seed, no_sandbox)
