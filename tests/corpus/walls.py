"""Runs every hostile submission with one wall removed: `python -m tests.corpus.walls [NAME_PART]`, as root.

Without the filter: namespaces and limits only. Without namespaces: filter and limits only. The limits stay,
to protect the machine. Each run is in a shelter, namespaces around grader and sandbox, where the grader is an
ordinary user; a new one follows a submission that does harm. Prints the tables of docs/sandbox.md.
"""

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host import bubblewrap, seccomp, supervisor
from autograder.sandbox.host.bubblewrap import code_zip
from autograder.sandbox.inside import isolate
from autograder.sandbox.shared.job import HOME as INSIDE

from . import hostile
from .canaries import Canaries
from .corpus import corpus, failures
from .people import UID, open_folders
from .processes import alive
from .run import LIMITS

WALLS = "without the filter", "without namespaces"
GROUPS = {name: list(hostile.cells(name)) for name in ("reading", "rights", "processes", "floods", "fresh")}
PLACE, HOME = Path("/mnt"), "/mnt/home"  # a tmpfs inside the shelter
ALLOW_ALL = bytes.fromhex("060000000000ff7f")
ENTRY_SECONDS, ENOUGH_MEMORY, MOST_BYTES, MOST_FILES = 150, 6 << 30, 128 << 20, 5000
UNISOLATED = """
import sys
code, control, home, *packages = sys.argv[1:]
library = [path for path in sys.path if not path.endswith(("site-packages", "dist-packages"))]
sys.path = [code, *library, *packages]
from autograder.sandbox.shared import limits
limits.HOME = home
from autograder.sandbox.inside import isolate, warm_parent
isolate.enter_namespaces = isolate.mount_own_files = lambda job: None
isolate.drop_bounding_set = lambda: None
warm_parent.main(int(control))
"""


def main(only=""):
    names = [name for group in GROUPS.values() for name in group if only in name]
    print(tables(names, *(try_all(wall, names) for wall in WALLS)))


def try_all(wall, names):
    """{name: [sentence]} of the harm that each submission does without this wall."""
    harm, todo = {}, list(names)
    while todo:
        for name, sentences in shelter(wall, todo):
            harm[name] = sentences
            todo.remove(name)
            short = "; ".join(sentence.partition(": {")[0] for sentence in sentences)
            print(f"{wall}: {name}: {short or 'held'}", file=sys.stderr, flush=True)
    return harm


def shelter(wall, names):
    """Yield (name, [sentence]) from a new shelter, until a submission harms it."""
    out, into = os.pipe()
    guard = os.fork()
    if guard == 0:
        try:
            os.close(out)
            be_guard(wall, names, into)
        except BaseException as error:
            print(f"shelter: {error!r}", file=sys.stderr)
        finally:
            os._exit(0)
    os.close(into)
    count = 0
    with open(out) as lines:
        while select.select([lines], [], [], ENTRY_SECONDS)[0] and (line := lines.readline()):
            yield json.loads(line)
            count += 1
    os.kill(guard, signal.SIGKILL)  # which ends everything in the shelter
    os.waitpid(guard, 0)
    if count == 0:
        yield names[0], ["the grader was killed, or did not come to an end"]


def be_guard(wall, names, into):
    """Start the shelter's process 1, which starts the grader, and wait for it."""
    isolate.prctl(isolate.SET_PDEATHSIG, signal.SIGKILL)
    isolate.unshare(isolate.NEWPID | isolate.NEWNS | isolate.NEWNET | isolate.NEWIPC | isolate.NEWUTS)
    first = os.fork()
    if first:
        os.waitpid(first, 0)
        return
    isolate.prctl(isolate.SET_PDEATHSIG, signal.SIGKILL)
    furnish()
    grader = os.fork()
    if grader == 0:
        be_grader(wall, names, into)
    os.close(into)
    while os.waitpid(-1, os.WNOHANG)[0] != grader and psutil.virtual_memory().available > ENOUGH_MEMORY:
        time.sleep(0.1)


def furnish():
    """Mount all but some memory read-only, start the loopback network, mount the shelter's /proc."""
    isolate.mount(None, "/", None, isolate.PRIVATE_BELOW)
    needed = [Path(os.path.realpath(sys.executable)).parent.parent, Path(sys.prefix), Path.cwd()]
    subprocess.run(["sh", "-ec", "\n".join(open_folders(needed, PLACE))], check=True)
    everything_read_only = (ctypes.c_uint64 * 4)(1, 0, 0, 0)
    isolate.checked(isolate.libc.syscall(442, -1, b"/", 0x8000, everything_read_only, 32), "mount_setattr")
    for place, options in ((PLACE, "size=512m,mode=777"), ("/dev/shm", "size=512m,mode=777")):
        isolate.mount("tmpfs", str(place), "tmpfs", 0, options)
    isolate.mount("proc", "/proc", "proc", 0)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=False)


def be_grader(wall, names, into):
    """Grade one submission after the other as an ordinary user, until one does harm. Never returns."""
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    os.setresuid(UID, UID, UID)
    isolate.prctl(isolate.SET_DUMPABLE, 1)
    os.environ.update(HOME=str(PLACE), TMPDIR=str(PLACE))
    for folder in (HOME, PLACE / "canaries"):
        os.mkdir(folder)
    canaries = Canaries(PLACE / "canaries")
    worker = worker_without(wall)
    worker.ready()
    before = set(psutil.pids())
    entries = corpus(canaries.before)
    for name in names:
        entry = entries[f"hostile {name}"]
        result = grade_notebook(entry.data, worker=worker).as_dict()
        harm = canaries.harmed() + left_processes(before) + full_disks()
        os.write(into, (json.dumps([name, failures(name, entry, result) + harm]) + "\n").encode())
        if harm or not worker.parent.alive():
            break
    os._exit(0)


def worker_without(wall):
    """A SandboxWorker with one wall removed."""
    supervisor.must_hold = lambda parent: None
    if wall == WALLS[0]:
        seccomp.program = lambda: ALLOW_ALL
    else:
        bubblewrap.command = unisolated
    return supervisor.SandboxWorker(LIMITS)


def unisolated(bwrap, code, control):
    """The warm parent's command line without bubblewrap: the same code, no namespaces."""
    path = PLACE / "code.zip"
    path.write_bytes(code_zip())
    environment = [f"{name}={value.replace(INSIDE, HOME)}" for name, value in bubblewrap.ENVIRONMENT.items()]
    start = [str(bubblewrap.python()), "-I", "-B", "-c", UNISOLATED, str(path), str(control), HOME]
    return ["env", "-i", *environment, *start, *bubblewrap.packages()]


def left_processes(before):
    """[sentence] if a job's processes are still running a moment after its end."""
    for _ in range(20):
        if not (more := [pid for pid in set(psutil.pids()) - before if alive(pid)]):
            return []
        time.sleep(0.1)
    return [f"{len(more)} processes are left"]


def full_disks():
    """[sentence] if more files or bytes are left than a submission may write."""
    for place in (PLACE, "/dev/shm"):
        disk = os.statvfs(place)
        size, files = (disk.f_blocks - disk.f_bfree) * disk.f_bsize, disk.f_files - disk.f_ffree
        if size > MOST_BYTES or files > MOST_FILES:
            return [f"{place} was filled"]
    return []


def tables(names, without_filter, without_namespaces):
    """Markdown: a row per group; then the submissions that only one wall stops, or neither alone."""
    lines = [
        "| group | submissions | held by namespaces | held by the filter | held by each alone |",
        "|---|---|---|---|---|",
    ]
    safe = [{name for name in names if not harm[name]} for harm in (without_filter, without_namespaces)]
    for group, members in GROUPS.items():
        selected = {*members} & {*names}
        counts = (selected, selected & safe[0], selected & safe[1], selected & safe[0] & safe[1])
        lines.append(f"| {group} | " + " | ".join(str(len(subset)) for subset in counts) + " |")
    for title, subset in (
        ("Only the filter holds", safe[1] - safe[0]),
        ("Only the namespaces hold", safe[0] - safe[1]),
        ("Neither holds alone", {*names} - safe[0] - safe[1]),
    ):
        lines += ["", f"{title}: {', '.join(f'`{name}`' for name in names if name in subset) or 'none'}."]
    return "\n".join(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
