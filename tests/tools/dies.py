"""Replaces the grader in a worker: one submission kills its process, as if memory had run out."""

import os
import signal

from autograder.gradebook.grade import grade_submitted

KILLS = b"kills its worker"


def grade_or_die(submitted, seed, no_sandbox):
    if KILLS in (submitted.data or b""):
        os.kill(os.getpid(), signal.SIGKILL)
    return grade_submitted(submitted, seed, no_sandbox)
