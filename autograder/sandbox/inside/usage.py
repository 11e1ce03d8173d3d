"""How much memory a process and all its descendants hold, read from /proc."""

import os

COUNTED = (
    b"RssAnon:",
    b"RssShmem:",
    b"VmSwap:",
    b"VmPTE:",
)  # not files: programs and libraries are one copy for all
ENDED = (b"Z", b"X")
SHARING = 6  # processes: so many may have the warm parent's memory for nothing, since each could fill it anew
SOCKET_KB = 208  # a connection that nobody accepts keeps what was sent, long after its sender is closed


def image():
    """(address space in bytes, counted memory in kB) of this process."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    try:
        return pages * os.sysconf("SC_PAGE_SIZE"), counted_kb(proc, os.getpid())
    finally:
        os.close(proc)


class Tree:
    """A process, `top`, and its descendants: how much memory they hold at each look.

    shared_kb: what each has of the warm parent; what it still shares of that, Linux tells nobody here.
    proc: a descriptor of /proc, opened before it was hidden. Orphans belong to `top`: it is process 1 of its namespace.
    """

    def __init__(self, top, shared_kb, proc):
        self.top, self.shared_kb, self.proc, self.held = top, shared_kb, proc, {}

    def mb(self):
        """Beyond what some share with the warm parent, with what their sockets may hold."""
        self.held = {process: self.held_by(process) for process in descendants(self.top, self.parents())}
        largest = sorted(self.held.values(), reverse=True)
        own = [max(0, kb - self.shared_kb) for kb in largest[:SHARING]] + largest[SHARING:]
        return (sum(own) + SOCKET_KB * sockets(self.proc)) >> 10

    def held_by(self, process):
        """One that is ending no longer says what it holds, and has not yet given it all back: what it held at the last look."""
        said = counted_kb(self.proc, process)
        return self.held.get(process, 0) if said is None else said

    def parents(self):
        found = {}
        for name in filter(str.isdigit, os.listdir(self.proc)):
            try:
                found[int(name)] = int(read(self.proc, f"{name}/stat").rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):  # it ended while we looked
                continue
        return found


def counted_kb(proc, process):
    """As its threads say, since one that has ended says nothing, the first one too; None while some that say nothing have not ended."""
    try:
        threads = os.open(f"{process}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
    except OSError:
        return 0
    try:
        said = [counted_by(threads, thread) for thread in os.listdir(threads)]
    except OSError:
        return 0
    finally:
        os.close(threads)
    known = [kb for kb in said if kb is not None]
    return max(known, default=0) if any(known) or None not in said else None


def counted_by(threads, thread):
    """Of one thread: 0 when it has ended, None when it is about to, or has gone since it was listed."""
    try:
        lines = [line.split() for line in read(threads, f"{thread}/status").split(b"\n")]
    except OSError:
        return None
    found = {words[0]: words[1] for words in lines if len(words) > 1}
    if found.get(b"State:") in ENDED:
        return 0
    return sum(int(found.get(name, 0)) for name in COUNTED) if b"RssAnon:" in found else None


def sockets(proc):
    """How many there are in the keeper's network, which is the job's: open or waiting to be accepted."""
    return max(0, len(read(proc, "self/net/unix").splitlines()) - 1)


def descendants(top, parents):
    found, before = {top}, 0
    while len(found) != before:
        before = len(found)
        found |= {process for process, parent in parents.items() if parent in found}
    return found


def read(folder, path):
    """The bytes of a file below an open folder of /proc: a process may name itself so that they are no text."""
    fd = os.open(path, os.O_RDONLY, dir_fd=folder)
    with open(fd, "rb") as file:
        return file.read()
