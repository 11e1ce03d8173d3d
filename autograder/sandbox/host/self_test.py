"""Test that the sandbox holds on this machine: a small job tries what a submission must not be able to do."""

from glob import glob
from pathlib import Path

from autograder.sandbox.shared.job import Job, RunCell
from autograder.sandbox.shared.limits import Limits
from autograder.sandbox.shared.losses import Lost

from .bubblewrap import visible_paths
from .code_zip import ROOT
from .conversation import messages_of
from .reasons import SandboxUnavailable

LIMITS = Limits(step_seconds=30, all_seconds=60)
OURS = [str(ROOT / name) for name in ("autograder", "course_utils", "solutions", "notebooks", ".git")]
MOST_FILES = 300  # files and folders in users' homes that are tried
TRIES = """
import colorsys, os, socket
import torch.sparse

def opens(family):
    try:
        socket.socket(family).close()
        return True
    except OSError:
        return False

visible = [path for path in {hidden!r} if os.path.exists(path)]
visible += [path for path in ("/", "/usr", "/etc", "/sandbox", "/dev", "/proc") if os.access(path, os.W_OK)]
visible += ["sockets"] if opens(socket.AF_INET) else []
visible += ["root"] if os.getuid() == 0 else []
if visible:
    raise RuntimeError("visible inside: " + ", ".join(visible))
"""


def hidden():
    """Return paths that must not exist inside: the course, and users' homes except for Python's folders."""
    files = (place for home in ("/home", Path.home()) for place in glob(f"{home}/*", include_hidden=True))
    homes = ["/home", *sorted(files)][:MOST_FILES]
    visible = visible_paths()
    private_paths = [
        p for p in homes if not any(s.is_relative_to(p) or Path(p).is_relative_to(s) for s in visible)
    ]
    return [*OURS, *private_paths, "/proc/self", "/etc/passwd"]


def must_hold(parent):
    """Run the test; raise SandboxUnavailable if its job fails or finds something that must be hidden."""
    job = Job([RunCell(TRIES.format(hidden=hidden()))])
    process, problem = parent.open(LIMITS), ""
    try:
        for message in messages_of(job, process.descriptor, LIMITS):
            problem = problem or ": ".join(message.get("error") or ())
    except Lost as loss:
        problem = str(loss)
    report = process.end(0 if problem else 1)
    if problem:
        raise SandboxUnavailable(f"{problem}; {report}")
