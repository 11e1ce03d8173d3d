"""Runs on a cluster's worker, and refuses to grade if the client's machine would grade differently."""

import pickle
import socket

from autograder.sandbox.host.reasons import GO_ON
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.warm_process import SandboxUnavailable

from .machine import this_machine, why_unfit

REFUSAL = "The worker {} on {} {}."
NO_SANDBOX = "has no sandbox. {}"


class WorkerRefused(Exception):
    """This worker must not grade: the message is a sentence that says which worker, why, and what to do."""


class ActionFailed(Exception):
    """The action raised an error, which the message names."""


def parcel(action, *arguments):
    """Pack a call for a worker as (function, bytes); function(bytes) returns the result as bytes.

    Dask unpickles the functions it is sent in its own processes, and a worker that lacks one of their modules
    dies. This function belongs to no module: cloudpickle, which Dask uses, sends its code and no name to
    import. The task itself unpickles the bytes, so a missing module is only the task's error.
    """
    return make_opener(), pickle.dumps((action, arguments))


def make_opener():
    def open_and_call(packed):
        import pickle
        import socket

        try:
            action, arguments = pickle.loads(packed)
        except ImportError as error:
            raise type(error)(f"{error}, on {socket.gethostname()}") from None
        return pickle.dumps(action(*arguments))

    return open_and_call


def run_here(wanted, action, item):
    """Return action(item); or WorkerRefused if this machine is not like `wanted` or has no sandbox, or
    ActionFailed if the action raises."""
    try:
        if why := why_unfit(wanted, this_machine()):
            return refusal(why)
        sandbox().ready()
        return action(item)
    except SandboxUnavailable as error:
        return refusal(NO_SANDBOX.format(str(error).removesuffix(GO_ON).strip().removesuffix(".")))
    except Exception as error:
        return ActionFailed(f"{type(error).__name__}: {error}")


def refusal(why):
    from distributed import get_worker  # installed only with the extra "scale"

    return WorkerRefused(REFUSAL.format(get_worker().address, socket.gethostname(), why))
