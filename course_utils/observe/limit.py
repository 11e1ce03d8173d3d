"""A time limit for code that is not ours, in the process that it runs in.

An alarm raises TimeUp inside the code. Code may catch that, so alarms go on at random moments: sooner or
later one comes where no `try` of the code protects it. While an import is running nothing is raised, and
nothing counts: a module that is interrupted half-way stays broken for as long as Python runs.
"""

import random
import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass

SECONDS, WALL_SECONDS = 10.0, 60.0
TICKS = 20  # how often the clocks are read before the time is over
SOON, AGAIN = 5e-5, 1e-3  # seconds until the alarms after it
IMPORT = "<frozen importlib"  # where Python's own import code is from


class TimeUp(BaseException):
    """The code did not end in time. waited: it was waiting, and did not compute."""

    def __init__(self, waited=False):
        super().__init__()
        self.waited = waited

    @property
    def first(self):
        """The one that came into the code itself; the next may come while it is left, in frames of ours."""
        before = self.__context__
        return before.first if isinstance(before, TimeUp) else self


@dataclass
class Watch:
    """The time that is left for code run by `interruptible`; the check's own work, slow on a slow
    machine, does not count. seconds: of this thread's processor time. wall: of any time. since: when both
    clocks were read last. depth: how many calls of `interruptible` are running."""

    seconds: float
    wall: float
    since: tuple = (0.0, 0.0)
    depth: int = 0

    def start(self):
        self.since = time.thread_time(), time.monotonic()

    def count(self):
        """Take off what has passed since the clocks were read."""
        before = self.since
        self.start()
        self.seconds -= self.since[0] - before[0]
        self.wall -= self.since[1] - before[1]

    @property
    def expired(self):
        return self.seconds <= 0 or self.wall <= 0

    def time_up(self):
        return TimeUp(waited=self.seconds > 0)


_watch = None  # of the limit that counts


def can_limit():
    """Only the main thread gets alarms, and Windows has none."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def limited():
    """Does a limit count now?"""
    return _watch is not None


@contextmanager
def time_limit(seconds=None, wall=None):
    """TimeUp is raised in what `interruptible` runs when its time is over (SECONDS of work, or WALL_SECONDS
    of waiting, if not given). Inside another limit that one counts, and where there are no alarms none
    does."""
    global _watch
    if limited() or not can_limit():
        yield
        return
    _watch, began = Watch(seconds or SECONDS, wall or WALL_SECONDS), time.monotonic()
    tick = min(_watch.seconds, _watch.wall) / TICKS
    before = signal.signal(signal.SIGALRM, on_alarm)
    rest, interval = signal.setitimer(signal.ITIMER_REAL, tick, tick)
    try:
        yield
    finally:
        _watch = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        if rest:  # somebody else's alarm
            signal.setitimer(signal.ITIMER_REAL, max(rest - (time.monotonic() - began), AGAIN), interval)


def interruptible(action):
    """Run the action; TimeUp comes out of it, and of every later one, once the time is over."""
    watch = _watch
    if watch is None or watch.depth:
        return run(action)
    if watch.expired:
        raise watch.time_up()
    watch.start()
    watch.depth += 1
    try:
        result = run(action)
    finally:
        watch.depth -= 1
        watch.count()
    if watch.expired:  # the code caught what was raised in it
        raise watch.time_up()
    return result


def run(action):
    """TimeUp is raised here or in what is called from here, and nowhere else."""
    return action()


def on_alarm(_, frame):
    watch = _watch
    if watch is None or not in_run(frame):
        return
    if is_importing(frame):
        watch.start()
        return
    watch.count()
    if watch.expired:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0, SOON) + 1e-6, AGAIN)
        raise watch.time_up()


def in_run(frame):
    """Is the frame the code's, or `run`? In this module's other functions TimeUp would spoil the count."""
    if frame.f_globals is globals() and frame.f_code is not run.__code__:
        return False
    return any(outer.f_code is run.__code__ for outer in frames(frame))


def is_importing(frame):
    return any(outer.f_code.co_filename.startswith(IMPORT) for outer in frames(frame))


def frames(frame):
    """The frame and all that it was called from."""
    while frame is not None:
        yield frame
        frame = frame.f_back
