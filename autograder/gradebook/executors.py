"""Where submissions are graded: any concurrent.futures.Executor will do; by default processes of this machine."""
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait

PRELOAD = ["autograder.gradebook.whole", "torch._dynamo"]  # the second is what torch imports when it first runs on "meta"
AHEAD = 2  # submissions handed over for each one that is being graded: keeps memory flat


def local_processes(jobs=None):
    """One process for each core, each with a sandbox of its own."""
    ways = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
    if "forkserver" in ways:
        context.set_forkserver_preload(PRELOAD)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    return ProcessPoolExecutor(jobs or cores(), context, begin, (list(sys.path),))


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begin(path):
    """In each process: only the grader itself is asked to stop by Ctrl-C, and none outlives it, not even when it is killed."""
    sys.path[:] = path
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    grader = multiprocessing.parent_process()
    threading.Thread(target=lambda: (grader.join(), os._exit(1)), daemon=True).start()


def map_ahead(executor, action, items, workers):
    """(item, result or the exception) as they come, with only so many handed over that none waits for work."""
    running, items = {}, iter(items)
    try:
        while True:
            while len(running) < AHEAD * workers and (item := next(items, None)) is not None:
                running[start(executor, action, item)] = item
            if not running:
                return
            done = wait(running, return_when=FIRST_COMPLETED).done
            for future in [future for future in running if future in done]:
                yield running.pop(future), future.exception() or future.result()
    finally:
        for future in running:
            future.cancel()


def start(executor, action, item):
    """A future, whatever state the executor is in."""
    try:
        return executor.submit(action, item)
    except BrokenExecutor as error:
        failed = Future()
        failed.set_exception(error)
        return failed
