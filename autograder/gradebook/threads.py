"""Grades submissions in threads of this process; each thread waits for the sandbox to run one submission."""

import contextlib
import os
from concurrent.futures import FIRST_COMPLETED, wait

from autograder.cluster import QUEUED_PER_WORKER, WorkersDied
from autograder.sandbox.host.warm_process import SandboxUnavailable, WarmProcess


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_early():
    """Start the sandbox while this process is still importing, because that takes seconds. Returns its
    WarmProcess, or None if it cannot start; the first submission then reports the reason."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with contextlib.suppress(SandboxUnavailable):
        return WarmProcess()


def map_ahead(executor, action, items, room=None):
    """Yield (item, result or exception) in the order in which they finish.

    room(): how many items may be in progress at a time, which limits memory; by default enough for one thread
    per core. An item whose workers died is tried again when all others are done, and then runs alone.
    """
    running, items, retries = {}, iter(items), []
    room = room or (lambda: QUEUED_PER_WORKER * cores())
    try:
        while True:
            while len(running) < room() and (item := next(items, None)) is not None:
                running[executor.submit(action, item)] = item
            if not running:
                break
            finished = wait(running, return_when=FIRST_COMPLETED).done
            for future in [future for future in running if future in finished]:  # in order
                item, result = running.pop(future), future.exception() or future.result()
                if isinstance(result, WorkersDied):
                    retries.append(item)
                else:
                    yield item, result
        for item in retries:
            future = executor.submit(action, item)
            yield item, future.exception() or future.result()
    finally:
        for future in running:
            future.cancel()
