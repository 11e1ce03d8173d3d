"""Cluster: the workers of a Dask scheduler, seen from the process that writes the gradebook."""

import logging
import pickle
import time
import warnings
from concurrent.futures import CancelledError

import dask
from distributed import Client, KilledWorker

from autograder.refused import Refused

from . import WorkersDied
from .address import NO_ANSWER, must_answer
from .machine import this_machine
from .parcel import parcel
from .watch import PATIENCE, Watch
from .worker import WorkerRefused, run_here, why_not

KEEPS_FEW_MESSAGES = {"distributed.admin.low-level-log-length": 10}  # else the last 1000 submissions
LOOK_SECONDS = 120  # a worker that has just started imports torch and starts its sandbox
RESULT_SECONDS = 60
POLL_SECONDS = 0.02
CANNOT_RUN = "{} cannot run this course ({}: {}): install the same course there (docs/scale.md)."
LOST = object()  # the result of what has to be handed over again, as the connection was lost


class Cluster:
    """Opened by `with`; map_ahead runs an action over items on its workers. What stops it is Refused,
    in a sentence."""

    def __init__(self, address):
        self.address = address

    def __enter__(self):
        must_answer(self.address)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it reports each lost worker at length
        warnings.filterwarnings("ignore", module="distributed")
        dask.config.set(KEEPS_FEW_MESSAGES)
        try:
            self.client = Client(self.address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise Refused(NO_ANSWER.format(self.address, error)) from None
        try:
            self.watch = Watch(self.client, self.address)
            self.watch.wait_for_workers()
            self.check_workers()
        except BaseException:
            self.client.close()
            raise
        return self

    def __exit__(self, *error):
        self.client.close()

    def check_workers(self):
        """Refused when a worker would grade in another way than this machine, or has no sandbox."""
        question = parcel(why_not, this_machine())
        asked = {
            self.client.submit(*question, workers=[address], pure=False): address
            for address in self.client.nthreads()
        }
        end = time.monotonic() + LOOK_SECONDS  # who is busy, or gone by then, is asked before it grades
        while not all(future.done() for future in asked) and time.monotonic() < end:
            time.sleep(POLL_SECONDS)
        for future, address in asked.items():
            if future.done():
                result_of(future, f"The worker {address}")

    def map_ahead(self, action, items):
        """(item, result or the exception) as they come, with so few handed over that memory stays flat.

        An item whose workers died is tried again when all others are done, with nothing beside it: when its
        workers die again, the result is WorkersDied.
        """
        unsure = []
        for item, result in self.run(action, items, self.watch.room):
            if isinstance(result, KilledWorker):
                unsure.append(item)
            else:
                yield item, result
        for item, result in self.run(action, unsure, lambda: 1):
            killed = isinstance(result, KilledWorker)
            yield item, WorkersDied(result.allowed_failures + 1) if killed else result

    def run(self, action, items, room):
        """(item, result) as they come, with at most room() of them handed over."""
        running, items = {}, iter(items)
        try:
            while True:
                self.watch.look()
                while len(running) < room() and (item := next(items, None)) is not None:
                    running[self.start(action, item)] = item
                if not running:
                    return
                done = [future for future in running if future.done()] or time.sleep(POLL_SECONDS) or []
                for future in done:
                    item, result = running.pop(future), result_of(future)
                    if result is LOST:
                        running[self.start(action, item)] = item
                    else:
                        yield item, result
        finally:
            for future in running:
                future.release()

    def start(self, action, item):
        self.watch.wait_for_scheduler()
        return self.client.submit(*parcel(run_here, this_machine(), action, item), pure=False)


def result_of(future, who="A worker"):
    """What the action returned, a KilledWorker, or LOST; Refused when the worker cannot grade."""
    try:
        result = pickle.loads(future.result(RESULT_SECONDS))
    except (CancelledError, TimeoutError, OSError):
        return LOST
    except KilledWorker as error:
        return error
    except Exception as error:
        message = " ".join(str(error).split())[:200]
        raise Refused(CANNOT_RUN.format(who, type(error).__name__, message)) from None
    if isinstance(result, WorkerRefused):
        raise Refused(str(result))
    return result
