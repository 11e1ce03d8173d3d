"""Does the sandbox hold here? One small job that tries what a submission must not be able to do."""

import os
from pathlib import Path

from autograder.sandbox.inside.seccomp import works_here
from autograder.sandbox.shared.job import Job, RunCell
from autograder.sandbox.shared.limits import Limits
from autograder.sandbox.shared.wire import WireError

from .bubblewrap import shown
from .code_zip import ROOT
from .conversation import talk
from .warm_process import SandboxUnavailable

LIMITS = Limits(step_seconds=30, all_seconds=60)
OURS = [str(ROOT / name) for name in ("autograder", "course_utils", "solutions", "notebooks", ".git")]
MOST = 300  # files at home that are looked for
TRIES = """
import colorsys, os, socket
import torch.sparse

def opens(family):
    try:
        socket.socket(family).close()
        return True
    except OSError:
        return False

found = [path for path in {hidden!r} if os.path.exists(path)]
found += [folder for folder in ("/", "/usr", "/etc", "/box", "/dev", "/proc") if os.access(folder, os.W_OK)]
found += [name for _, name in socket.if_nameindex() if name != "lo"] if opens(socket.AF_INET) else []
found += ["sockets"] if {filtered} and opens(socket.AF_INET) else []
found += ["root"] if os.getuid() == 0 else []
if found:
    raise RuntimeError("visible inside: " + ", ".join(found))
"""


def hidden():
    """Paths that must not be there inside: the course's, and all in people's homes but where Python itself lies."""
    homes = ["/home", *inside("/home"), *inside(Path.home())][:MOST]
    needed = [
        path
        for path in homes
        if any(there.is_relative_to(path) or Path(path).is_relative_to(there) for there in shown())
    ]
    return [*OURS, *(path for path in homes if path not in needed), "/proc/self", "/etc/passwd"]


def inside(folder):
    try:
        return sorted(str(Path(folder, name)) for name in os.listdir(folder))
    except OSError:  # none, or not ours to read
        return []


def must_hold(parent):
    """SandboxUnavailable when the job does not run, or finds what it must not find."""
    source = TRIES.format(hidden=hidden(), filtered=works_here())
    job = Job([RunCell(source)])
    process, said, why = parent.open(LIMITS), [], None
    try:
        said += talk(job, process.descriptor, process.descriptor, LIMITS)
    except (WireError, OSError) as error:
        why = str(error)
    cause = process.end(0 if why else 1)
    fault = next((message["error"] for message in said if message.get("error")), None)
    if fault or why:
        raise SandboxUnavailable(fault or f"{why}; {cause}")
