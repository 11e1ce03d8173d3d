"""A time limit for code that is not ours, in the process that it runs in.

An alarm raises TimeUp inside the code. Code may catch that, so alarms go on, and each makes Python raise it
once more at one of the next lines: sooner or later at one that no `try` of the code protects.
"""

import random
import signal
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass

SECONDS, AGAIN, AT_ONCE = 10.0, 0.02, 2e-5
NEXT_LINES = 12  # TimeUp is raised again at one of them


class TimeUp(BaseException):
    """The code did not end in time."""


@dataclass
class Watch:
    """seconds: how long what `interruptible` runs may take, all in all; the check's own work, slow on a slow
    machine, does not count. depth: how many of its calls are running, since when, and how long those before
    them took. alarms: how many came when the time was over."""

    seconds: float
    depth: int = 0
    since: float = 0.0
    spent: float = 0.0
    expired: bool = False
    alarms: int = 0

    def enter(self):
        if not self.depth:
            self.since = time.monotonic()
        self.depth += 1

    def leave(self):
        self.depth -= 1
        if not self.depth:
            self.spent += time.monotonic() - self.since

    def left(self):
        """Seconds, while a call is running."""
        return self.seconds - self.spent - (time.monotonic() - self.since)


_watch = None  # of the limit that counts


def can_limit():
    """Only the main thread gets alarms, and Windows has none."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def limited():
    """Does a limit count now?"""
    return _watch is not None


@contextmanager
def time_limit(seconds=None):
    """TimeUp is raised in what `interruptible` runs when the time is over (SECONDS, if not given). Inside
    another limit that one counts, and where there are no alarms none does."""
    global _watch
    if limited() or not can_limit():
        yield
        return
    seconds = SECONDS if seconds is None else seconds
    _watch, began, tracer = Watch(seconds), time.monotonic(), sys.gettrace()
    before = signal.signal(signal.SIGALRM, on_alarm)
    rest, interval = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        rest = max(rest - (time.monotonic() - began), AGAIN) if rest else 0.0  # somebody else's alarm
        _watch = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, rest, interval)
        if sys.gettrace() is not tracer:
            sys.settrace(tracer)


def interruptible(action):
    """Run the action; TimeUp comes out of it, and of every later one, once the time is over."""
    watch = _watch
    if watch is None:
        return action()
    if watch.expired:
        raise TimeUp
    watch.enter()
    try:
        result = run(action)
    finally:
        watch.leave()
    if watch.expired:  # the code caught what was raised in it
        raise TimeUp
    return result


def run(action):
    """TimeUp is raised here or in what is called from here, and nowhere else."""
    return action()


def may_be_raised_in(frame):
    """Is the frame the code's, or `run`? In this module's other functions TimeUp would spoil the count."""
    if frame.f_globals is globals() and frame.f_code is not run.__code__:
        return False
    while frame is not None and frame.f_code is not run.__code__:
        frame = frame.f_back
    return frame is not None


def on_alarm(_, frame):
    watch = _watch
    if watch is None or not may_be_raised_in(frame):
        return
    if not watch.expired and (left := watch.left()) > 0:
        signal.setitimer(signal.ITIMER_REAL, left, AGAIN)
        return
    watch.expired = True
    watch.alarms += 1
    if watch.alarms > 1:
        raise_at_a_next_line(frame)
    raise TimeUp


def raise_at_a_next_line(frame):
    left = random.randrange(NEXT_LINES) + 1

    def tracer(frame, event, _):
        nonlocal left
        if _watch is None or not may_be_raised_in(frame):
            return None
        if event == "line":
            left -= 1
            if left <= 0:  # the next alarm comes at once, for Python ends tracing when a tracer raises
                signal.setitimer(signal.ITIMER_REAL, AT_ONCE, AGAIN)
                raise TimeUp
        return tracer

    while frame.f_code is not run.__code__:
        frame.f_trace, frame = tracer, frame.f_back
    sys.settrace(tracer)
