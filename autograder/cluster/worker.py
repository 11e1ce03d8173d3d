"""What runs in a worker of the cluster: nothing, unless the worker grades as the client would."""

import socket

from distributed import get_worker

from autograder.sandbox.host.reasons import GO_ON
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.warm_process import SandboxUnavailable

from .machine import this_machine

REFUSAL = "The worker {} on {} {}."
NO_SANDBOX = "has no sandbox. {}"


class WorkerRefused(Exception):
    """This worker must not grade: the message is a sentence that says which worker, why, and what to do."""


class ActionFailed(Exception):
    """The action raised: the message names the error."""


def run_here(wanted, action, item):
    """action(item), or ActionFailed as a value; WorkerRefused unless this is a machine as `wanted`."""
    must_fit(wanted)
    try:
        return action(item)
    except SandboxUnavailable as error:
        raise refused(error) from None
    except Exception as error:
        return ActionFailed(f"{type(error).__name__}: {error}")


def must_fit(wanted):
    """Asked before each submission too, as a worker may join when the class is half graded."""
    if lacks := wanted.lacks(this_machine()):
        raise WorkerRefused(sentence(lacks))
    try:
        sandbox().ready()
    except SandboxUnavailable as error:
        raise refused(error) from None


def refused(error):
    why = str(error).removesuffix(GO_ON).strip().removesuffix(".")
    return WorkerRefused(sentence(NO_SANDBOX.format(why)))


def sentence(why):
    return REFUSAL.format(get_worker().address, socket.gethostname(), why)
