"""A time limit for code that is not ours, in the same process.

An alarm raises TimeUp inside the code. The code may catch it, so alarms repeat at random moments: sooner or
later one comes where no `try` of the code catches it. During an import nothing is raised and no time counts:
a module whose import is interrupted stays broken until Python ends.
"""

import contextlib
import random
import signal
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

SECONDS, WALL_SECONDS = 10.0, 60.0
TICKS = 20  # how often the clocks are read before time is up
DELAY, PERIOD = 5e-5, 1e-3  # seconds until the next alarm, and between later ones
IMPORT = "<frozen importlib"  # begins the file names of Python's import code


class TimeUp(BaseException):
    """The code did not end in time. waited: it was waiting, not computing."""

    def __init__(self, waited=False):
        super().__init__()
        self.waited = waited

    @property
    def first(self):
        """The TimeUp that interrupted the code itself; later ones may come in our own frames, as it ends."""
        before = self.__context__
        return before.first if isinstance(before, TimeUp) else self


@dataclass
class Watch:
    """The time left for code run by `interruptible`; the check's own work, slow on a slow machine, does not
    count. seconds: CPU time of this thread. wall: elapsed time; what other processes take of it on a busy
    computer does not count (queued: how much that was when the limit began). since: both clocks at the last
    reading. depth: 1 while `interruptible` runs code, else 0."""

    seconds: float
    wall: float
    since: tuple = (0.0, 0.0)
    depth: int = 0
    queued: float = field(default_factory=lambda: queued_seconds())

    def start(self):
        self.since = time.thread_time(), time.monotonic()

    def count(self):
        """Subtract the time since the last reading of the clocks."""
        before = self.since
        self.start()
        self.seconds -= self.since[0] - before[0]
        self.wall -= self.since[1] - before[1]

    @property
    def expired(self):
        return self.seconds <= 0 or (self.wall <= 0 and self.wall + queued_seconds() - self.queued <= 0)

    def time_up(self):
        return TimeUp(waited=self.seconds > 0)


def queued_seconds():
    """How long this process's threads have been ready to run, but had no core; 0 where the system does not
    say. (The second number of a schedstat, in nanoseconds.)"""
    nanoseconds = 0
    with contextlib.suppress(OSError):  # a thread has just ended
        for path in Path("/proc/self/task").glob("*/schedstat"):
            nanoseconds += int(path.read_text().split()[1])
    return nanoseconds / 1e9


_watch = None  # the Watch of the limit in force


def can_limit():
    """Can there be a limit? Only the main thread gets alarms, and Windows has none."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def limit_in_force():
    """Is a limit in force?"""
    return _watch is not None


@contextlib.contextmanager
def time_limit(seconds=None, wall=None):
    """Raise TimeUp in what `interruptible` runs, once it has computed for `seconds` or run for `wall` seconds
    in all. Inside another limit only that one counts; without alarms there is no limit."""
    global _watch
    if limit_in_force() or not can_limit():
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
        if rest:  # restore an earlier alarm
            signal.setitimer(signal.ITIMER_REAL, max(rest - (time.monotonic() - began), PERIOD), interval)


@contextlib.contextmanager
def suspended_limit():
    """Stop the limit in force, if there is one, while something runs that has limits of its own."""
    global _watch
    outer, _watch = _watch, None
    if outer is not None:
        outer.count()
    try:
        yield
    finally:
        _watch = outer
        if outer is not None:
            outer.start()


def interruptible(action):
    """Run the action. Once time is up, this call and every later one raise TimeUp."""
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
    if watch.expired:  # the code caught the TimeUp
        raise watch.time_up()
    return result


def run(action):
    """Run the action; TimeUp is raised only here and in what is called from here."""
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
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0, DELAY) + 1e-6, PERIOD)
        raise watch.time_up()


def in_run(frame):
    """Is the frame `run` or called by it? In this module's other functions TimeUp would spoil the count."""
    if frame.f_globals is globals() and frame.f_code is not run.__code__:
        return False
    return any(outer.f_code is run.__code__ for outer in frames(frame))


def is_importing(frame):
    return any(outer.f_code.co_filename.startswith(IMPORT) for outer in frames(frame))


def frames(frame):
    """The frame and all of its callers."""
    while frame is not None:
        yield frame
        frame = frame.f_back
