"""Does the sandbox hold here? One small job tries what a submission must not be able to do."""

import os
from pathlib import Path

from autograder.sandbox.shared.job import Job, RunCell
from autograder.sandbox.shared.limits import Limits

from .bubblewrap import shown
from .code_zip import ROOT
from .conversation import messages_of
from .warm_process import SandboxUnavailable

LIMITS = Limits(step_seconds=30, all_seconds=60)
OURS = [str(ROOT / name) for name in ("autograder", "course_utils", "solutions", "notebooks", ".git")]
MOST_FILES = 300  # of people's homes
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
    """Paths that must not exist inside: the course, and people's homes but for where Python itself is."""
    homes = ["/home", *files_in("/home"), *files_in(Path.home())][:MOST_FILES]
    there = shown()
    others = [p for p in homes if not any(s.is_relative_to(p) or Path(p).is_relative_to(s) for s in there)]
    return [*OURS, *others, "/proc/self", "/etc/passwd"]


def files_in(folder):
    try:
        return sorted(str(Path(folder, name)) for name in os.listdir(folder))
    except OSError:  # none, or not ours to read
        return []


def must_hold(parent):
    """SandboxUnavailable when the job does not run, or finds what it must not find."""
    job = Job([RunCell(TRIES.format(hidden=hidden()))])
    process = parent.open(LIMITS)
    messages = [*messages_of(job, process.descriptor, LIMITS)]
    why = messages[-1].get("lost")
    report = process.end(0 if why else 1)
    fault = next((": ".join(message["error"]) for message in messages if message.get("error")), None)
    if fault or why:
        raise SandboxUnavailable(fault or f"{why}; {report}")
