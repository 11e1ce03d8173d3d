"""Send one job to a worker, sandboxed or not, and yield its messages within the job's time limits."""

import time

from autograder.sandbox.shared import wire
from autograder.sandbox.shared.losses import DIED, NO_MESSAGE, Lost

SEND_SECONDS = 60


def messages_of(job, connection, limits, start_seconds=0):
    """Yield the worker's answers, one for each step; raise Lost if it dies, stalls or sends no message.

    connection: a file descriptor. start_seconds: extra time for the worker to start, before the first step.
    """
    try:
        wire.write(connection, job.as_plain(), time.monotonic() + SEND_SECONDS)
        end = time.monotonic() + start_seconds + min(limits.all_seconds, job.seconds)
        for number in range(-1, len(job.steps)):  # message -1 only says that the worker is ready
            patience = limits.step_seconds + (start_seconds if number < 0 else 0)
            message = wire.read(connection, min(end, time.monotonic() + patience))
            if not isinstance(message, dict):
                raise Lost(NO_MESSAGE)
            if number >= 0:
                yield message
    except OSError:
        raise Lost(DIED) from None
