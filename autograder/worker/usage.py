"""How much memory a process and all its descendants hold, read from /proc."""
import os

COUNTED = (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:")  # not files: programs and libraries are one copy for all
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


def tree_mb(top, shared_kb, proc):
    """Memory of `top` and its descendants beyond what each shares with the warm parent, and what their sockets may hold.

    proc: a descriptor of /proc, opened before it was hidden. Orphans belong to `top`: it is process 1 of its namespace.
    """
    parents = {}
    for name in filter(str.isdigit, os.listdir(proc)):
        try:
            parents[int(name)] = int(read(proc, f"{name}/stat").rpartition(b")")[2].split()[1])
        except (OSError, IndexError, ValueError):  # it ended while we looked
            continue
    own = (max(0, counted_kb(proc, process) - shared_kb) for process in descendants(top, parents))
    return (sum(own) + SOCKET_KB * sockets(proc)) >> 10


def counted_kb(proc, process):
    """As its threads say: one that has ended says nothing, the first one too."""
    try:
        threads = os.open(f"{process}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
    except OSError:
        return 0
    try:
        return max((counted_by(threads, thread) for thread in os.listdir(threads)), default=0)
    except OSError:
        return 0
    finally:
        os.close(threads)


def counted_by(threads, thread):
    try:
        lines = [line.split() for line in read(threads, f"{thread}/status").splitlines()]
    except OSError:
        return 0
    return sum(int(words[1]) for words in lines if words and words[0] in COUNTED)


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
