"""Which processes does a sandbox hold?"""

import time
from pathlib import Path


def inside(worker):
    """The process ids below the sandbox's bubblewrap."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    found, before = {worker.parent.process.pid}, 0
    while len(found) != before:
        before = len(found)
        found |= {pid for pid, parent in parents.items() if parent in found}
    return sorted(found)


def alive(pid):
    """A process that nobody has asked about yet (a zombie) is dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def left_over(worker):
    """[sentence] when more lives than bubblewrap (twice) and the warm parent, a moment after the last job."""
    for _ in range(20):
        if len(inside(worker)) <= 3:
            return []
        time.sleep(0.1)
    return [f"{len(inside(worker)) - 3} processes are left"]
