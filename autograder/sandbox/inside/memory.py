"""How much memory all processes of a job hold, read from /proc, which is the working directory here."""

import contextlib
import glob
import os
from pathlib import Path

COUNTED = b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:"  # not files: libraries are there once for all
NOT_CHARGED = 6  # processes that are not charged for pages shared with the parent, which each could overwrite
SOCKET_KB = 208  # what a connection that nobody accepts may hold, long after its sender is closed


def address_space():
    """Of this process, in bytes."""
    return int(Path("self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def held_mb(top, shared_kb):
    """What the processes in the session of `top` hold, their sockets included. A job has one session: `top`
    begins it, and its filter lets none begin another.

    shared_kb: what each shares with the warm parent at its beginning; how much of that later, Linux does not
    tell.
    """
    sizes = sorted(map(counted_kb, members(top)), reverse=True)
    own = [max(0, kb - shared_kb) for kb in sizes[:NOT_CHARGED]] + sizes[NOT_CHARGED:]
    return (sum(own) + SOCKET_KB * sockets()) >> 10


def members(session):
    """The processes of a session. A process can give itself a name that is no text, or holds brackets."""
    for stat in glob.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError):  # it has just ended
            if int(Path(stat).read_bytes().rpartition(b")")[2].split()[3]) == session:
                yield stat.partition("/")[0]


def counted_kb(process):
    """Threads share their memory, and one that has ended, even the first, tells nothing."""
    return max(map(counted_in, glob.glob(f"{process}/task/*/status")), default=0)


def counted_in(status):
    with contextlib.suppress(OSError):  # it has just ended
        rows = [row.split() for row in Path(status).read_bytes().split(b"\n")]
        return sum(int(row[1]) for row in rows if row and row[0] in COUNTED)
    return 0


def sockets():
    """How many there are in the job's network namespace: open, or waiting to be accepted."""
    return max(0, len(Path("self/net/unix").read_bytes().splitlines()) - 1)
