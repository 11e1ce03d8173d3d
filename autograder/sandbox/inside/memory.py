"""How much memory a process and all its descendants hold, read from /proc."""

import os

COUNTED = (
    b"RssAnon:",
    b"RssShmem:",
    b"VmSwap:",
    b"VmPTE:",
)  # not files: programs and libraries are there once for all
ENDED = b"Z", b"X"
NOT_CHARGED = 6  # processes that are not charged for pages shared with the parent, which each could overwrite
SOCKET_KB = 208  # what a connection that nobody accepts may hold, long after its sender is closed


def address_space():
    """Of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


class Tree:
    """A process, `top`, and its descendants. Orphans are among them: top is process 1 of its namespace.

    shared_kb: what each shares with the warm parent at its beginning; how much of that later, Linux does not
    tell. proc: a descriptor of /proc, opened before it was hidden.
    """

    def __init__(self, top, shared_kb, proc):
        self.top, self.shared_kb, self.proc, self.held = top, shared_kb, proc, {}

    def mb(self):
        """What they hold now, their sockets included, without what some share with the warm parent."""
        self.held = {process: self.held_by(process) for process in descendants(self.top, self.parents())}
        largest = sorted(self.held.values(), reverse=True)
        own = [max(0, kb - self.shared_kb) for kb in largest[:NOT_CHARGED]] + largest[NOT_CHARGED:]
        return (sum(own) + SOCKET_KB * sockets(self.proc)) >> 10

    def held_by(self, process):
        """An ending process no longer tells, and has not yet given all back: its last known number counts."""
        known = counted_kb(self.proc, process)
        return self.held.get(process, 0) if known is None else known

    def parents(self):
        """{process: its parent}."""
        found = {}
        for name in filter(str.isdigit, os.listdir(self.proc)):
            try:
                found[int(name)] = int(read(self.proc, f"{name}/stat").rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):  # it has just ended
                continue
        return found


def counted_kb(proc, process):
    """The most that one of its threads tells: they share their memory, and an ended one, even the first,
    tells nothing. None while none of them tells though some have not ended."""
    try:
        threads = os.open(f"{process}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
    except OSError:
        return 0
    try:
        counts = [counted_by(threads, thread) for thread in os.listdir(threads)]
    except OSError:
        return 0
    finally:
        os.close(threads)
    known = [kb for kb in counts if kb is not None]
    return max(known, default=0) if any(known) or None not in counts else None


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
    """How many there are in the job's network namespace: open, or waiting to be accepted."""
    return max(0, len(read(proc, "self/net/unix").splitlines()) - 1)


def descendants(top, parents):
    found, before = {top}, 0
    while len(found) != before:
        before = len(found)
        found |= {process for process, parent in parents.items() if parent in found}
    return found


def read(folder, path):
    """A file below an open folder of /proc, as bytes: a process can give itself a name that is no text."""
    fd = os.open(path, os.O_RDONLY, dir_fd=folder)
    with open(fd, "rb") as file:
        return file.read()
