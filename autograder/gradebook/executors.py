"""Where submissions are graded: any concurrent.futures.Executor; by default processes of this machine."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait

from autograder.cluster import QUEUED_PER_WORKER
from autograder.sandbox.host.warm_process import SandboxUnavailable, WarmProcess

PRELOAD = ["autograder.gradebook.grade"]


def local_processes(jobs=None, warm_parent=None):
    """One process for each core. warm_parent: of the sandbox that they share, closed with them; by default
    each has one of its own."""
    control = warm_parent and warm_parent.control
    return RestartingPool(
        lambda: ProcessPoolExecutor(jobs or cores(), context(), init_worker, (list(sys.path), control)),
        warm_parent.close if warm_parent else None,
    )


def context():
    ways = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")


def start_early(no_sandbox=False):
    """Start what takes seconds while this process still imports: the imports of the processes that grade,
    and the sandbox -> its WarmProcess; None where there is none."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if context().get_start_method() == "forkserver":
        context().set_forkserver_preload(PRELOAD)
        from multiprocessing import forkserver  # Windows has none

        forkserver.ensure_running()
    with contextlib.suppress(SandboxUnavailable):  # the processes that grade say why
        return None if no_sandbox else WarmProcess()


class RestartingPool(Executor):
    """A pool of processes, replaced by a new one when a process was killed (a ProcessPoolExecutor breaks)."""

    def __init__(self, make, close=None):
        self.make, self.pool, self.close = make, make(), close

    def submit(self, *call, **named):
        try:
            return self.pool.submit(*call, **named)
        except BrokenExecutor:
            self.pool.shutdown()
            self.pool = self.make()
            return self.pool.submit(*call, **named)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.pool.shutdown(wait, cancel_futures=cancel_futures)
        if self.close:
            self.close()


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def init_worker(path, control=None):
    """In each process: Ctrl-C stops only the grader itself; none outlives it, even when it is killed.
    control: see WarmParent."""
    sys.path[:] = path
    if control:
        from autograder.sandbox.host.supervisor import sandbox  # it imports torch

        sandbox().offer(control)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    grader = multiprocessing.parent_process()
    threading.Thread(target=lambda: (grader.join(), os._exit(1)), daemon=True).start()


def map_ahead(executor, action, items, workers):
    """(item, result or the exception) as they come, with so few handed over that memory stays flat.

    When the executor loses a process, all that was handed over is tried once more, one at a time. An item
    that kills a process twice is reported as lost.
    """
    running, items = {}, iter(items)
    try:
        while True:
            while len(running) < QUEUED_PER_WORKER * workers and (item := next(items, None)) is not None:
                running[start(executor, action, item)] = item
            if not running:
                return
            done = wait(running, return_when=FIRST_COMPLETED).done
            if any(isinstance(future.exception(), BrokenExecutor) for future in done):
                done = wait(running).done
            for future in [future for future in running if future in done]:
                item, result = running.pop(future), result_of(future)
                yield (
                    item,
                    result_of(start(executor, action, item))
                    if isinstance(result, BrokenExecutor)
                    else result,
                )
    finally:
        for future in running:
            future.cancel()


def result_of(future):
    return future.exception() or future.result()


def start(executor, action, item):
    """A future, whatever state the executor is in."""
    try:
        return executor.submit(action, item)
    except BrokenExecutor as error:
        failed = Future()
        failed.set_exception(error)
        return failed
