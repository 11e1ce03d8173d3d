"""What runs in a worker of the cluster: nothing, unless the worker grades as the client would."""

import socket

from autograder.sandbox.host.reasons import GO_ON
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.warm_process import SandboxUnavailable

from .machine import this_machine

REFUSAL = "The worker {} on {} {}."
NO_SANDBOX = "has no sandbox. {}"


class WorkerRefused(Exception):
    """This worker must not grade: the message is a sentence that says which worker, why, and what to do."""


class ActionFailed(Exception):
    """The action raised an error, which the message names."""


def run_here(wanted, action, item):
    """action(item); else, as a value, WorkerRefused when this is no machine as `wanted`, or ActionFailed."""
    if refusal := why_not(wanted):  # asked each time, as a worker may join when the class is half graded
        return refusal
    try:
        return action(item)
    except SandboxUnavailable as error:
        return without_sandbox(error)
    except Exception as error:
        return ActionFailed(f"{type(error).__name__}: {error}")


def why_not(wanted):
    """WorkerRefused, as a value; None when this is a machine as `wanted`, with a sandbox that works."""
    if lacks := wanted.lacks(this_machine()):
        return refused(lacks)
    try:
        sandbox().ready()
    except SandboxUnavailable as error:
        return without_sandbox(error)


def without_sandbox(error):
    why = str(error).removesuffix(GO_ON).strip().removesuffix(".")
    return refused(NO_SANDBOX.format(why))


def refused(why):
    from distributed import get_worker  # installed by the extra "scale" alone

    return WorkerRefused(REFUSAL.format(get_worker().address, socket.gethostname(), why))
