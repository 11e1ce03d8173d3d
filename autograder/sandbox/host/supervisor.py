"""SandboxWorker runs each job in an isolated process, forked from one warm parent that all threads share.

Before its first job, a small one tries what a submission must not be able to do on this machine.
"""

import atexit
import contextlib
import os
import threading
import time
from glob import glob
from pathlib import Path

from autograder.sandbox.shared import wire
from autograder.sandbox.shared.job import (
    DIED,
    MEMORY,
    NO_MESSAGE,
    NO_SETUP,
    TOO_SLOW,
    Job,
    Limits,
    Lost,
    RunCell,
)  # fmt: skip

from .bubblewrap import ROOT, visible_paths
from .reasons import reason
from .warm_process import SandboxUnavailable, WarmProcess

SEND_SECONDS, GRACE_SECONDS = 60, 0.2


def messages_of(job, connection, limits, start_seconds=0):
    """Yield the worker's answers, one for each step; raise Lost if it dies, stalls or sends no message.

    connection: a file descriptor. start_seconds: extra time for the worker to start, before the first step.
    """
    try:
        wire.write(connection, job.as_plain(), time.monotonic() + SEND_SECONDS)
        end = time.monotonic() + start_seconds + min(limits.all_seconds, job.seconds)
        for number in range(-1, len(job.steps)):  # message -1 only says that the worker is ready
            patience = limits.step_seconds + (start_seconds if number < 0 else 0)
            message = wire.read(connection, min(end, time.monotonic() + patience))
            if not isinstance(message, dict):
                raise Lost(NO_MESSAGE)
            if number >= 0:
                yield message
    except OSError:
        raise Lost(DIED) from None


class SandboxLost(Exception):
    """The sandbox itself broke, not the submission: the job can be tried again."""


class SandboxWorker:
    """Runs each job in a process of its own, with `messages(job)`, from any thread; closed at exit."""

    def __init__(self, limits=None):
        self.limits, self.parent, self.lock = limits or Limits(), None, threading.Lock()
        self.offered = None  # a WarmProcess that was started before torch was imported

    def messages(self, job):
        """Yield messages until the job is done; raise Lost if it is lost, SandboxLost if the sandbox is."""
        try:
            process = self.ready().open(self.limits)
        except OSError as error:
            raise SandboxLost from error
        loss, report = None, ""
        try:
            yield from messages_of(job, process.descriptor, self.limits)
        except Lost as lost:
            loss = lost
        finally:
            report = process.end(0 if loss else GRACE_SECONDS)
        if loss:
            raise cause(loss, report)

    def ready(self):
        """Return the warm parent, started at the first call and again if it has died; raise
        SandboxUnavailable if it cannot work on this machine."""
        with self.lock:
            if self.parent is None or not self.parent.alive():
                self.end_parent()
                offered, self.offered = self.offered, None
                self.parent = start(offered)
                atexit.register(self.close)
            return self.parent

    def close(self):
        with self.lock:
            self.end_parent()

    def end_parent(self):
        self.parent, old_parent = None, self.parent
        if old_parent:
            old_parent.close()


_shared = SandboxWorker()
if hasattr(os, "register_at_fork"):  # a forked process starts a warm parent of its own
    os.register_at_fork(after_in_child=lambda: _shared.__init__())


def sandbox():
    """Return this process's SandboxWorker; its warm parent starts when it is first used."""
    return _shared


def start(parent=None):
    """Return a WarmProcess, by default a new one, that is ready and has passed the self-test; raise
    SandboxUnavailable, with the reason for users, if it does not."""
    with contextlib.ExitStack() as on_failure:
        try:
            parent = parent or WarmProcess()
            on_failure.callback(parent.close)
            parent.wait_until_ready()
            must_hold(parent)
        except SandboxUnavailable as error:
            raise SandboxUnavailable(reason(str(error))) from None
        on_failure.pop_all()
        return parent


def cause(loss, report):
    """Return the exception for a loss; the keeper's report (inside/keeper.py) may say why a process died."""
    if not report or report.startswith(NO_SETUP):
        return SandboxLost(report)
    return Lost(report) if str(loss) == DIED and report in (MEMORY, TOO_SLOW) else loss


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
