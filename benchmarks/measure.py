"""Wall and CPU time of a command and everything that it starts, including sandboxed processes, which the
usual counters miss."""

import os
import resource
import secrets
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Cost:
    """Seconds. whole: does cpu include all processes? Without a cgroup, those that nobody waited for are
    missing."""

    wall: float
    cpu: float
    whole: bool
    output: str

    def per(self, number):
        return Cost(self.wall / number, self.cpu / number, self.whole, "")

    def minus(self, other):
        return Cost(self.wall - other.wall, self.cpu - other.cpu, self.whole, "")


def measure(command, folder, **environment):
    """Run the command in the folder and return its Cost; a failure is an error with the command's output."""
    group = own_group()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: enter(group),
        check=False,
    )
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{process.stdout[-3000:]}")
    usual = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, cpu_of(group) if group else usual, bool(group), process.stdout)


def own_group():
    """A new cgroup (version 2), or None where that is not allowed."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    for place in (fields[1] for fields in mounts if fields[2] == "cgroup2"):
        group = Path(place, f"benchmark-{secrets.token_hex(4)}")
        try:
            group.mkdir()
            return group
        except OSError:
            continue
    return None


def enter(group):
    if group:
        (group / "cgroup.procs").write_text("0")


def cpu_of(group):
    """CPU seconds of all processes that were ever in the group."""
    for _ in range(50):  # the last ones may take a moment to end
        if not (group / "cgroup.procs").read_text().strip():
            break
        time.sleep(0.1)
    usage = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
    group.rmdir()
    return int(usage["usage_usec"]) / 1e6
