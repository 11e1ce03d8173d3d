"""Cluster: the workers of a Dask scheduler, seen from the process that writes the gradebook."""

import contextlib
import logging
import pickle
import socket
import time
import warnings
from concurrent.futures import CancelledError
from urllib.parse import urlsplit

from autograder.refused import Refused

from . import QUEUED_PER_WORKER, WorkersDied
from .worker import WorkerRefused, parcel, run_here, this_machine

KEEPS_FEW_MESSAGES = {"distributed.admin.low-level-log-length": 10}  # else the last 1000 submissions
ANSWER_SECONDS, RESULT_SECONDS, LOOK_SECONDS = 10, 60, 2
PATIENCE = 120  # seconds for the scheduler to come back, and for a first worker
NO_ADDRESS = "{} is no address of a scheduler: it looks like tcp://HOST:8786, or tls://HOST:8786."
NO_ANSWER = "No scheduler answers at {} ({}): start one there (docs/scale.md), or look at the address."
CANNOT_RUN = "A worker cannot run this course ({}: {}): install the same course there (docs/scale.md)."
NO_SCHEDULER = (
    "The scheduler {} has not answered for {:.0f} s. What was graded is kept: start it and its workers, then "
    "run this again."
)
NO_WORKERS = (
    "The scheduler {} has had no workers for {:.0f} s. What was graded is kept: start workers as "
    "docs/scale.md says, then run this again."
)
LOST = object()  # the result of what has to be handed over again, as the connection was lost


class Cluster:
    """Opened by `with`; map_ahead runs an action over items on its workers. What stops it is Refused,
    in a sentence. Dask is imported where it is used: not every installation has it."""

    def __init__(self, address, client=None, patience=PATIENCE):
        self.address, self.client, self.patience = address, client, patience
        self.last_workers = time.monotonic()  # when there were some

    def __enter__(self):
        import dask
        from distributed import Client

        must_answer(self.address)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it reports each lost worker at length
        warnings.filterwarnings("ignore", module="distributed")
        dask.config.set(KEEPS_FEW_MESSAGES)
        try:
            self.client = Client(self.address, timeout=self.patience)
        except (OSError, ValueError, TypeError) as error:
            raise Refused(NO_ANSWER.format(self.address, error)) from None
        return self

    def __exit__(self, *error):
        self.client.close()

    def map_ahead(self, action, items):
        """(item, result or the exception) as they come, with so few handed over that memory stays flat.

        An item whose workers died is tried again when all others are done, with nothing beside it: when its
        workers die again, the result is WorkersDied.
        """
        from distributed import KilledWorker

        unsure = []
        for item, result in self.run(action, items, QUEUED_PER_WORKER):
            if isinstance(result, KilledWorker):
                unsure.append(item)
            else:
                yield item, result
        for item, result in self.run(action, unsure, 0):
            killed = isinstance(result, KilledWorker)
            yield item, WorkersDied(result.allowed_failures + 1) if killed else result

    def run(self, action, items, queued):
        """(item, result) as they come. queued: how many are handed over for each process; 0: one in all."""
        from distributed import wait

        running, items = {}, iter(items)
        try:
            while True:
                room = max(1, queued * self.processes())
                while len(running) < room and (item := next(items, None)) is not None:
                    running[self.start(action, item)] = item
                if not running:
                    return
                with contextlib.suppress(CancelledError, TimeoutError):
                    wait(list(running), LOOK_SECONDS, "FIRST_COMPLETED")
                for future in [future for future in running if future.done()]:
                    item, result = running.pop(future), result_of(future)
                    if result is LOST:
                        running[self.start(action, item)] = item
                    else:
                        yield item, result
        finally:
            for future in running:
                future.release()

    def start(self, action, item):
        while self.client.status != "running":
            self.processes()
            time.sleep(0.1)
        return self.client.submit(*parcel(run_here, this_machine(), action, item), pure=False)

    def processes(self):
        """How many the workers have now; Refused when the scheduler or all workers stay away."""
        status, now, number = self.client.status, time.monotonic(), 0
        with contextlib.suppress(OSError, CancelledError, TimeoutError):  # it goes away at this moment
            number = sum(self.client.nthreads().values()) if status == "running" else 0
        if number:
            self.last_workers = now
        elif now - self.last_workers > self.patience or status == "closed":
            reason = NO_WORKERS if status == "running" else NO_SCHEDULER
            raise Refused(reason.format(self.address, now - self.last_workers))
        return number


def must_answer(address):
    """Refused at once when nothing listens there: Dask itself would try for minutes."""
    try:
        parts = urlsplit(address)
        place = parts.hostname, parts.port
    except ValueError:
        raise Refused(NO_ADDRESS.format(address)) from None
    if parts.scheme not in ("tcp", "tls") or not all(place):
        raise Refused(NO_ADDRESS.format(address))
    try:
        socket.create_connection(place, ANSWER_SECONDS).close()
    except OSError as error:
        raise Refused(NO_ANSWER.format(address, error.strerror or error)) from None


def result_of(future):
    """What the action returned, a KilledWorker, or LOST; Refused when the worker cannot grade."""
    from distributed import KilledWorker

    try:
        result = pickle.loads(future.result(RESULT_SECONDS))
    except (CancelledError, TimeoutError, OSError):
        return LOST
    except KilledWorker as error:
        return error
    except Exception as error:
        message = " ".join(str(error).split())[:200]
        raise Refused(CANNOT_RUN.format(type(error).__name__, message)) from None
    if isinstance(result, WorkerRefused):
        raise Refused(str(result))
    return result
