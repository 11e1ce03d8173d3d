"""Why a step was lost: what the wire or the keeper calls it -> a sentence."""

from autograder.sandbox.shared.limits import Limits
from autograder.sandbox.shared.report import CLOSED, NO_MESSAGE, OUT_OF_TIME, TOO_LARGE

TOO_SLOW = f"it did not finish within time (an endless loop? A cell has {Limits.step_seconds} seconds)"
LOST = {
    OUT_OF_TIME: TOO_SLOW,
    "time": TOO_SLOW,
    "memory": "it used more memory than the grader gives",
    CLOSED: "the process died (out of memory, os._exit, or a crash)",
    TOO_LARGE: "it returned more than the grader takes",
    NO_MESSAGE: "it sent what is no message",
}
GIVEN_UP = "the notebook was given up after too many lost processes"
NO_TIME = "the rest of the notebook left no time for it"
