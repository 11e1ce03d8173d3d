"""The processes of a sandbox, and whether they have ended."""

import time

import psutil


def inside(worker):
    """The process ids of the sandbox's bubblewrap and its descendants."""
    pid = worker.parent.process.pid
    return sorted({pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))})


def alive(pid):
    """Is the process running? A zombie counts as dead."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def all_end(pids, seconds=5):
    """Do all these processes end within the given seconds?"""
    end = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.1)
    return not any(map(alive, pids))


def left_over(worker):
    """[sentence] if, a moment after the last job, more runs than bubblewrap (twice) and the warm parent."""
    for _ in range(20):
        if len(inside(worker)) <= 3:
            return []
        time.sleep(0.1)
    return [f"{len(inside(worker)) - 3} processes are left"]
