"""How much memory a process and all its descendants hold, read from /proc."""
import os

PAGE_KB = os.sysconf("SC_PAGE_SIZE") >> 10


def image():
    """(address space in bytes, resident pages) of this process."""
    with open("/proc/self/statm") as file:
        size, resident = file.read().split()[:2]
    return int(size) * (PAGE_KB << 10), int(resident)


def tree_mb(top, shared_pages, proc):
    """Memory of `top` and its descendants beyond the pages that each shares with the warm parent.

    proc: a descriptor of /proc, opened before it was hidden. Orphans belong to `top`: it is process 1 of its namespace.
    """
    parents, pages = {}, {}
    for name in os.listdir(proc):
        if name.isdigit():
            try:
                parents[int(name)] = int(read(proc, f"{name}/stat").rpartition(")")[2].split()[1])
                pages[int(name)] = max(0, int(read(proc, f"{name}/statm").split()[1]) - shared_pages)
            except (OSError, IndexError, ValueError):  # it ended while we looked
                continue
    return sum(pages.get(process, 0) for process in descendants(top, parents)) * PAGE_KB >> 10


def descendants(top, parents):
    found, before = {top}, 0
    while len(found) != before:
        before = len(found)
        found |= {process for process, parent in parents.items() if parent in found}
    return found


def read(proc, path):
    fd = os.open(path, os.O_RDONLY, dir_fd=proc)
    with open(fd) as file:
        return file.read()
