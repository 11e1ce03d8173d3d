"""A check ends, whatever the answer does."""

import contextlib
import signal
import sys
import threading
import time

import pytest
import torch

from course_utils import check
from course_utils.diagnose.visible import NO_END, assess_visible
from course_utils.observe import limit
from course_utils.observe.limit import TimeUp, interruptible, time_limit

from .test_check import written


def right(x, dim=-1):
    return torch.softmax(x, dim)


def no_end(x, dim=-1):
    while True:
        pass


def catches_all(x, dim=-1):
    while True:
        try:
            pass
        except:  # noqa: E722
            pass


def catches_twice(x, dim=-1):
    while True:
        try:
            try:
                sum(range(100))
            except:  # noqa: E722
                pass
        except BaseException:
            pass


def two_loops(x, dim=-1):
    while True:
        try:
            while True:
                try:
                    sum(range(100))
                except:  # noqa: E722
                    continue
        except:  # noqa: E722
            continue


def sleeps(x, dim=-1):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(0.5)


def returns_afterwards(x, dim=-1):
    try:
        no_end(x)
    except:  # noqa: E722
        return torch.softmax(x, dim)


def long_call(x, dim=-1):
    table = torch.ones(1500, 1500, dtype=torch.float64)
    while True:
        table = table @ table / 1500


ENDLESS = [no_end, catches_all, catches_twice, two_loops, sleeps, returns_afterwards, long_call]


@pytest.mark.parametrize("answer", ENDLESS, ids=lambda answer: answer.__name__)
def test_a_check_that_never_ends_is_stopped_and_says_so(answer, monkeypatch):
    """Python ignores an exception in a __del__, and says so: by its own hook here, for TimeUp would stop
    pytest's in its work."""
    monkeypatch.setattr(limit, "SECONDS", 0.3)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    handler, trace, begun = signal.getsignal(signal.SIGALRM), sys.gettrace(), time.monotonic()
    result = assess_visible("softmax", answer)
    assert time.monotonic() - begun < 8
    assert (result.status, result.mistake, result.message, result.points) == ("error", "no_end", NO_END, 0)
    assert (signal.getsignal(signal.SIGALRM), sys.gettrace()) == (handler, trace)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert assess_visible("softmax", right).passed  # and all goes on


def test_the_line_that_never_ends_is_shown(monkeypatch):
    monkeypatch.setattr(limit, "SECONDS", 0.3)
    assert assess_visible("softmax", no_end).crash.line.strip() in ("while True:", "pass")


def test_ten_seconds_are_the_default():
    assert limit.SECONDS == 10
    assert "in 10 seconds" in NO_END


def test_time_that_the_answer_did_not_take_does_not_count():
    """On a slow machine the check itself may take long."""

    def sleep_often(times):
        for _ in range(times):
            interruptible(lambda: time.sleep(0.05))

    with time_limit(1):
        sleep_often(3)
        time.sleep(1.2)
        sleep_often(3)
    with pytest.raises(TimeUp), time_limit(1):
        sleep_often(40)


def test_an_inner_limit_leaves_the_outer_one_alone():
    def checks_another():
        with time_limit(60):
            interruptible(lambda: no_end(None))

    with pytest.raises(TimeUp), time_limit(0.2):
        interruptible(checks_another)


def test_an_alarm_of_somebody_else_still_comes(monkeypatch):
    came = []
    before = signal.signal(signal.SIGALRM, lambda *given: came.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TimeUp), time_limit(0.1):
            interruptible(lambda: no_end(None))
        assert came == []
        time.sleep(0.5)
        assert came == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_where_there_are_no_alarms_it_is_said_once(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    said = []
    thread = threading.Thread(target=lambda: said.append(written(lambda: check("softmax", right))))
    again = threading.Thread(target=lambda: said.append(written(lambda: check("softmax", right))))
    for one in (thread, again):
        one.start()
        one.join()
    assert "cannot stop an endless loop" in said[0]
    assert "cannot stop an endless loop" not in said[1]
    assert all("Right: softmax" in text for text in said)
