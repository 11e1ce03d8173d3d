"""Send one job to a worker, sandboxed or not, and pass its messages on, for as long as it may take."""

import time

from autograder.sandbox.shared import wire
from autograder.sandbox.shared.report import CLOSED, NO_MESSAGE

SEND_SECONDS = 60


def messages_of(job, connection, limits, start_seconds=0):
    """Yield messages; the last one is {"done": True}, or {"lost": why} when the worker died, stalled, or sent
    no message.

    connection: a descriptor. job.seconds, where there are any, shortens limits.all_seconds.
    start_seconds: how much longer the first message may take.
    """
    try:
        yield from worker_messages(job, connection, limits, start_seconds)
    except wire.WireError as error:
        yield {"lost": str(error)}
    except OSError:
        yield {"lost": CLOSED}


def worker_messages(job, connection, limits, start_seconds):
    """The worker's own messages, until it is done; WireError or OSError."""
    wire.write(connection, job.as_plain(), time.monotonic() + SEND_SECONDS)
    seconds = limits.all_seconds if job.seconds is None else min(limits.all_seconds, job.seconds)
    end = time.monotonic() + start_seconds + seconds
    for number in range(2 * len(job.steps) + 1):
        patience = limits.step_seconds + (start_seconds if number == 0 else 0)
        message = wire.read(connection, min(end, time.monotonic() + patience))
        if not isinstance(message, dict) or "lost" in message:  # only the grader says that something was lost
            raise wire.WireError(NO_MESSAGE)
        yield message
        if message.get("done") is True:
            return
    raise wire.WireError(NO_MESSAGE)
