"""SandboxWorker runs each job in an isolated process, forked from one warm parent that all threads share."""

import atexit
import contextlib
import os
import threading

from autograder.sandbox.shared.limits import Limits
from autograder.sandbox.shared.losses import DIED, MEMORY, NO_SETUP, TOO_SLOW, Lost

from .conversation import messages_of
from .reasons import reason
from .self_test import must_hold
from .warm_process import SandboxUnavailable, WarmProcess

GRACE_SECONDS = 0.2


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
