"""How much memory a process and all its descendants hold, read from /proc."""

import contextlib
import os

COUNTED = b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:"  # not files: libraries are there once for all
NOT_CHARGED = 6  # processes that are not charged for pages shared with the parent, which each could overwrite
SOCKET_KB = 208  # what a connection that nobody accepts may hold, long after its sender is closed


def address_space():
    """Of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def held_mb(top, shared_kb, proc):
    """What the process `top` and its descendants hold, their sockets included. Orphans are among them: top is
    process 1 of its namespace.

    shared_kb: what each shares with the warm parent at its beginning; how much of that later, Linux does not
    tell. proc: a descriptor of /proc, opened before it was hidden.
    """
    held = sorted((counted_kb(proc, pid) for pid in descendants(top, parents(proc))), reverse=True)
    own = [max(0, kb - shared_kb) for kb in held[:NOT_CHARGED]] + held[NOT_CHARGED:]
    return (sum(own) + SOCKET_KB * sockets(proc)) >> 10


def parents(proc):
    """{process: its parent}."""
    parent_of = {}
    for name in filter(str.isdigit, os.listdir(proc)):
        with contextlib.suppress(OSError, IndexError, ValueError):  # it has just ended
            parent_of[int(name)] = int(read(proc, f"{name}/stat").rpartition(b")")[2].split()[1])
    return parent_of


def counted_kb(proc, process):
    """Threads share their memory, and one that has ended, even the first, tells nothing."""
    try:
        folder = os.open(f"{process}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
    except OSError:  # it has just ended
        return 0
    try:
        rows = [[row.split() for row in status.split(b"\n")] for status in statuses(folder)]
        return max((sum(int(r[1]) for r in status if r and r[0] in COUNTED) for status in rows), default=0)
    finally:
        os.close(folder)


def statuses(threads):
    with contextlib.suppress(OSError):  # as above
        for thread in os.listdir(threads):
            with contextlib.suppress(OSError):
                yield read(threads, f"{thread}/status")


def sockets(proc):
    """How many there are in the job's network namespace: open, or waiting to be accepted."""
    return max(0, len(read(proc, "self/net/unix").splitlines()) - 1)


def descendants(top, parents):
    family, before = {top}, 0
    while len(family) != before:
        before = len(family)
        family |= {process for process, parent in parents.items() if parent in family}
    return family


def read(folder, path):
    """A file below an open folder of /proc, as bytes: a process can give itself a name that is no text."""
    fd = os.open(path, os.O_RDONLY, dir_fd=folder)
    with open(fd, "rb") as file:
        return file.read()
