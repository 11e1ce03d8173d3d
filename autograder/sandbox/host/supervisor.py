"""SandboxWorker: each job in a locked-in process, forked from one warm parent that serves all threads."""

import atexit
import contextlib
import os
import sys
import threading

from autograder.sandbox.shared.limits import Limits
from autograder.sandbox.shared.report import CLOSED, NO_SETUP

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
        """Yield messages; the last one is {"done": True} or {"lost": why}. SandboxLost: see there."""
        try:
            process = self.warm().open(self.limits)
        except OSError as error:
            raise SandboxLost from error
        message = {}
        try:
            for message in messages_of(job, process.descriptor, self.limits):
                if "lost" not in message:
                    yield message
        finally:
            report = process.end(0 if "lost" in message else GRACE_SECONDS)
        if "lost" in message:
            yield {"lost": why_lost(message["lost"], report)}

    def ready(self):
        """Start the warm parent now, which else starts with the first job. SandboxUnavailable: why it cannot
        work here."""
        self.warm()

    def warm(self):
        """The warm parent: started when it is first needed, and again when it was lost."""
        with self.lock:
            if self.parent is None or not self.parent.alive():
                self.parent, before = None, self.parent
                if before:
                    before.close()
                offered, self.offered = self.offered, None
                self.parent = start(offered)
                atexit.register(self.close)
            return self.parent

    def close(self):
        with self.lock:
            if self.parent:
                self.parent.close()
            self.parent = None


_shared = SandboxWorker()
if hasattr(os, "register_at_fork"):  # a forked process starts a warm parent of its own
    os.register_at_fork(after_in_child=lambda: _shared.__init__())


def sandbox():
    """The SandboxWorker of this process; started when it is first used."""
    return _shared


def start(parent=None):
    """A WarmProcess, by default a new one, that has passed the self-test; SandboxUnavailable says why there
    can be none."""
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable(reason(""))
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


def why_lost(why, report):
    """Why a job ended badly: `why` as the grader sees it, the report as the keeper does."""
    if report is None or report.why == NO_SETUP:
        raise SandboxLost
    return report.why if why == CLOSED and report.why in ("memory", "time") else why
