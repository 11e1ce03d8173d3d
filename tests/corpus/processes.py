"""Which processes does a sandbox hold?"""

import time

import psutil


def inside(worker):
    """The process ids below the sandbox's bubblewrap."""
    pid = worker.parent.process.pid
    return sorted({pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))})


def alive(pid):
    """A process that nobody has asked about yet (a zombie) is dead."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def all_end(pids, seconds=5):
    """Does none of them live a moment later?"""
    end = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.1)
    return not any(map(alive, pids))


def left_over(worker):
    """[sentence] when more lives than bubblewrap (twice) and the warm parent, a moment after the last job."""
    for _ in range(20):
        if len(inside(worker)) <= 3:
            return []
        time.sleep(0.1)
    return [f"{len(inside(worker)) - 3} processes are left"]
