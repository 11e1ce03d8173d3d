"""What is sent to a worker of the cluster and runs there: nothing, unless it grades as the client would."""

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
    """(function, bytes): the function, called with the bytes, gives the result as bytes.

    Dask unpickles the functions that it is sent in its own processes, and a worker that lacks one of their
    modules dies of it. This function has no module: cloudpickle, which Dask uses, sends its code and no name
    to import. The parcel is opened by the task itself: then a missing module is the task's error.
    """
    return opener(), pickle.dumps((action, arguments))


def opener():
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
    """action(item); else, as a value, WorkerRefused when this is no machine as `wanted`, or has no sandbox;
    ActionFailed when it raises."""
    try:
        if why := why_unfit(wanted, this_machine()):
            return refused(why)
        sandbox().ready()
        return action(item)
    except SandboxUnavailable as error:
        return refused(NO_SANDBOX.format(str(error).removesuffix(GO_ON).strip().removesuffix(".")))
    except Exception as error:
        return ActionFailed(f"{type(error).__name__}: {error}")


def refused(why):
    from distributed import get_worker  # installed by the extra "scale" alone

    return WorkerRefused(REFUSAL.format(get_worker().address, socket.gethostname(), why))
