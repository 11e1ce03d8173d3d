"""Send one job to a worker, sandboxed or not, and pass its messages on, for as long as it may take."""

import time

from autograder.sandbox.shared import wire

SEND_SECONDS = 60


def messages_of(job, connection, limits, start_seconds=0):
    """Yield messages until the worker is done; WireError when it died, stalled, or sent no message.

    connection: a descriptor. job.seconds, where there are any, shortens limits.all_seconds.
    start_seconds: how much longer the first message may take.
    """
    wire.write(connection, job.as_plain(), time.monotonic() + SEND_SECONDS)
    seconds = limits.all_seconds if job.seconds is None else min(limits.all_seconds, job.seconds)
    end = time.monotonic() + start_seconds + seconds
    for number in range(2 * len(job.steps) + 1):
        patience = limits.step_seconds + (start_seconds if number == 0 else 0)
        message = wire.read(connection, min(end, time.monotonic() + patience))
        if not isinstance(message, dict) or "lost" in message:  # only the grader says that something was lost
            raise wire.WireError(wire.NO_MESSAGE)
        yield message
        if message.get("done") is True:
            return
    raise wire.WireError(wire.NO_MESSAGE)
