"""SandboxWorker: each job in a locked-in process, forked from one warm parent that serves all threads."""

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
    """The sandbox was lost, and not the submission: it can be tried again."""


class SandboxWorker:
    """`messages(job)` runs the job in a process of its own, from any thread. Closed when the program ends."""

    def __init__(self, limits=None):
        self.limits, self.parent, self.lock = limits or Limits(), None, threading.Lock()
        self.offered = None  # a WarmProcess that was started before torch was imported

    def messages(self, job):
        """Yield messages until the job is done. Lost says why it was not; SandboxLost: see there."""
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
        """The warm parent: started when it is first needed, or asked for, and again when it was lost.
        SandboxUnavailable: why it cannot work here."""
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
        self.parent, before = None, self.parent
        if before:
            before.close()


_shared = SandboxWorker()
if hasattr(os, "register_at_fork"):  # a forked process starts a warm parent of its own
    os.register_at_fork(after_in_child=lambda: _shared.__init__())


def sandbox():
    """The SandboxWorker of this process; started when it is first used."""
    return _shared


def start(parent=None):
    """A WarmProcess, by default a new one, that has passed the self-test; SandboxUnavailable says why there
    can be none."""
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
    """What to raise for a loss: the keeper's report (inside/keeper.py) knows more of a process that died."""
    if not report or report.startswith(NO_SETUP):
        return SandboxLost(report)
    return Lost(report) if str(loss) == DIED and report in (MEMORY, TOO_SLOW) else loss
