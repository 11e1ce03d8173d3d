"""Measure how much memory all processes of a job hold. Paths are relative to /proc, the working directory."""

import contextlib
import glob
import os
from pathlib import Path

COUNTED = b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:"  # no files: all processes share the libraries
NOT_CHARGED = 6  # this many processes may share the warm parent's pages for free; each could overwrite them
SOCKET_KB = 208  # most that a connection that nobody accepts may hold, even after its sender is closed


def address_space():
    """Return the size of this process's address space, in bytes."""
    return int(Path("self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def job_memory_mb(top, shared_kb):
    """Return the MB held by the processes in the session of `top`, including their sockets.

    These are all processes of the job: `top` starts the session, and the filter allows no other one.
    shared_kb: memory that each process shares with the warm parent at first; Linux does not report how much
    of it is still shared later.
    """
    sizes = sorted(map(process_kb, processes_in(top)), reverse=True)
    own = [max(0, kb - shared_kb) for kb in sizes[:NOT_CHARGED]] + sizes[NOT_CHARGED:]
    return (sum(own) + SOCKET_KB * sockets()) >> 10


def processes_in(session):
    """Yield the processes of a session. The last bracket ends a process's name, which can hold brackets."""
    for stat in glob.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError):  # it has just ended
            if int(Path(stat).read_bytes().rpartition(b")")[2].split()[3]) == session:
                yield stat.partition("/")[0]


def process_kb(process):
    """Return the KB of a process. Its threads share them, and an ended thread, even the first, reports 0."""
    return max(map(thread_kb, glob.glob(f"{process}/task/*/status")), default=0)


def thread_kb(status):
    with contextlib.suppress(OSError):  # it has just ended
        rows = [row.split() for row in Path(status).read_bytes().split(b"\n")]
        return sum(int(row[1]) for row in rows if row and row[0] in COUNTED)
    return 0


def sockets():
    """Return the number of sockets in the job's network namespace, open or waiting to be accepted."""
    return max(0, len(Path("self/net/unix").read_bytes().splitlines()) - 1)
