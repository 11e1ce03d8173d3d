"""Cluster: the workers of a Dask scheduler, as an executor for the process that writes the gradebook."""

import contextlib
import logging
import pickle
import socket
import time
import warnings
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from autograder.refused import Refused

from . import QUEUED_PER_WORKER, WorkersDied
from .worker import WorkerRefused, parcel, run_here, this_machine

# Dask keeps its last messages in memory, by default 1000 of them, with the submissions in them
SHORT_LOG = {"distributed.admin.low-level-log-length": 10}
ANSWER_SECONDS, RESULT_SECONDS, LOOK_SECONDS = 10, 60, 2
MOST_THREADS = 500  # each waits for one result
PATIENCE = 120  # seconds to wait for the scheduler, or for a worker
NO_ADDRESS = "{} is not the address of a scheduler, such as tcp://HOST:8786 or tls://HOST:8786."
NO_ANSWER = "No scheduler answers at {} ({}): start one there (docs/scale.md), or check the address."
CANNOT_RUN = "A worker cannot run this course ({}: {}): install the same course there (docs/scale.md)."
NO_SCHEDULER = (
    "The scheduler {} has not answered for {:.0f} s. Everything graded so far is kept: start it and its "
    "workers, then run this again."
)
NO_WORKERS = (
    "The scheduler {} has had no workers for {:.0f} s. Everything graded so far is kept: start workers as "
    "docs/scale.md says, then run this again."
)


class Cluster(Executor):
    """Runs items on a Dask scheduler's workers; closed by `with`. Each item has a thread, which hands it to a
    worker, again if the connection is lost. Raises WorkersDied if its workers died, Refused if the run cannot
    go on. Dask is imported where it is used: not every installation has it."""

    def __init__(self, address, client=None, patience=PATIENCE):
        self.address, self.patience = address, patience
        self.client: Any = client or connected(address, patience)  # its types give a coroutine for each value
        self.last_workers = time.monotonic()  # when some were last seen
        self.threads = ThreadPoolExecutor(MOST_THREADS)

    def __exit__(self, *error):
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.client.close()

    def submit(self, action, item):
        return self.threads.submit(self.call, action, item)

    def room(self):
        """How many items may be in progress now: each process has its next one waiting."""
        return min(MOST_THREADS, max(1, QUEUED_PER_WORKER * self.processes()))

    def call(self, action, item):
        """Run action(item) on a worker and return the result."""
        from distributed import KilledWorker

        while True:
            try:
                result = self.call_once(action, item)
            except (CancelledError, TimeoutError, OSError):  # the connection was lost: try again
                self.processes()
                time.sleep(0.1)
                continue
            except KilledWorker as error:
                raise WorkersDied(error.allowed_failures + 1) from None
            if isinstance(result, WorkerRefused):
                raise Refused(str(result))
            return result

    def call_once(self, action, item):
        from distributed import KilledWorker, wait

        while self.client.status != "running":
            self.processes()
            time.sleep(0.1)
        future = self.client.submit(*parcel(run_here, this_machine(), action, item), pure=False)
        try:
            while not future.done():
                with contextlib.suppress(TimeoutError):
                    wait(future, LOOK_SECONDS)
                self.processes()
            return pickle.loads(future.result(RESULT_SECONDS))
        except (CancelledError, TimeoutError, OSError, KilledWorker, Refused):
            raise
        except Exception as error:
            message = " ".join(str(error).split())[:200]
            raise Refused(CANNOT_RUN.format(type(error).__name__, message)) from None
        finally:
            future.release()

    def processes(self):
        """The current number of worker processes; raises Refused if the scheduler or all workers stay
        away."""
        status, now, number = self.client.status, time.monotonic(), 0
        with contextlib.suppress(OSError, CancelledError, TimeoutError):  # it may disconnect at this moment
            number = sum(self.client.nthreads().values()) if status == "running" else 0
        if number:
            self.last_workers = now
        elif now - self.last_workers > self.patience or status == "closed":
            reason = NO_WORKERS if status == "running" else NO_SCHEDULER
            raise Refused(reason.format(self.address, now - self.last_workers))
        return number


def connected(address, patience):
    """Return a Client of the scheduler; raise Refused if it does not answer."""
    import dask.config
    from distributed import Client

    check_address(address)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it reports each lost worker at length
    warnings.filterwarnings("ignore", module="distributed")
    dask.config.set(SHORT_LOG)
    try:
        return Client(address, timeout=patience)
    except (OSError, ValueError, TypeError) as error:
        raise Refused(NO_ANSWER.format(address, error)) from None


def check_address(address):
    """Raise Refused at once if nothing listens at the address; Dask itself would retry for minutes."""
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
