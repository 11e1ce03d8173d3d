"""The reasons why a step was lost, as sentences, and the exception that carries one of them."""

from .limits import Limits

TOO_SLOW = f"it did not finish in time (an endless loop? A cell has {Limits.step_seconds} seconds)"
MEMORY = "it used more memory than the grader allows"
DIED = "the process died (out of memory, os._exit, or a crash)"
TOO_LARGE = "it returned more data than the grader accepts"
NO_MESSAGE = "it sent something that is not a message"
GIVEN_UP = "grading of the notebook stopped after too many lost processes"
NO_TIME = "the rest of the notebook left no time for it"
NO_SETUP = "no setup"  # how a keeper's report begins if the job never began: the grader's own fault


class Lost(Exception):
    """The other side is dead, too slow, or sends something that is not a message."""
