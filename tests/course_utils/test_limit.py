"""Every check ends, whatever the answer does."""

import importlib
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from course_utils import check
from course_utils.diagnose.visible import NO_END, WAITS, assess_visible
from course_utils.observe import limit
from course_utils.observe.limit import TimeUp, interruptible, time_limit
from tests.answers import endless
from tests.conftest import ROOT
from tests.tools.assessed import output_of


def right(x, dim=-1):
    return (x - x.logsumexp(dim, keepdim=True)).exp()


@pytest.mark.parametrize("answer", endless.ENDLESS, ids=lambda answer: answer.__name__)
def test_an_endless_answer_is_stopped_and_reported(answer, monkeypatch):
    """Report exceptions in a __del__ by Python's own hook, since TimeUp would interrupt pytest's."""
    monkeypatch.setattr(limit, "SECONDS", 0.3)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    handler = signal.getsignal(signal.SIGALRM)
    result = assess_visible("softmax", answer)
    assert (result.status, result.mistake, result.message, result.points) == ("error", "no_end", NO_END, 0)
    assert signal.getsignal(signal.SIGALRM) == handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert assess_visible("softmax", right).passed  # a later check works


def test_the_endless_line_is_shown_wherever_the_alarm_interrupts(monkeypatch):
    # the first run imports parts of torch, which would take time below
    assert assess_visible("softmax", right).passed
    monkeypatch.setattr(limit, "SECONDS", 0.02)
    lines = {assess_visible("softmax", endless.no_end).crash.line.strip() for _ in range(40)}
    assert lines <= {"while True:", "pass"}


def test_time_without_a_free_core_does_not_count(monkeypatch):
    """On a busy computer a right answer may take long; an answer that only waits is stopped there, too."""
    assert limit.queued_seconds() > 0 or not Path("/proc/self/schedstat").exists()
    monkeypatch.setattr(limit, "queued_seconds", lambda: time.monotonic())  # all time goes to other programs
    with time_limit(wall=0.2):
        interruptible(lambda: time.sleep(0.4))
    monkeypatch.undo()
    with pytest.raises(TimeUp), time_limit(wall=0.2):
        interruptible(lambda: time.sleep(10))


def work(seconds):
    """Use processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_only_the_answers_processor_time_counts():
    """On a slow machine the check itself may take long, and another program may use the processor."""
    with time_limit(0.5):
        interruptible(lambda: time.sleep(0.8))
        interruptible(lambda: work(0.1))
        work(0.6)
        interruptible(lambda: work(0.1))
    with pytest.raises(TimeUp), time_limit(0.5):
        sum(interruptible(lambda: work(0.1) or 0) for _ in range(9))


@pytest.mark.parametrize("answer", [endless.sleeps_once, endless.waits_for_itself])
def test_an_answer_that_waits_forever_is_stopped_with_its_own_message(answer, monkeypatch):
    monkeypatch.setattr(limit, "WALL_SECONDS", 0.5)
    result = assess_visible("softmax", answer)
    assert (result.status, result.mistake, result.message) == ("error", "no_end", WAITS)
    assert (limit.SECONDS, "in 10 seconds" in NO_END, "in 60 seconds" in WAITS) == (10, True, True)


SLOW_PACKAGE = """
import time
end = time.thread_time() + 1.2
while time.thread_time() < end:
    pass
"""


@pytest.mark.parametrize(("continuation", "mistake"), [(right, None), (endless.no_end, "no_end")])
def test_a_slow_import_is_neither_interrupted_nor_counted(continuation, mistake, monkeypatch, tmp_path):
    package = tmp_path / f"slow_{mistake}"
    package.mkdir()
    (package / "__init__.py").write_text("from . import inside")
    (package / "inside.py").write_text(SLOW_PACKAGE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(limit, "SECONDS", 0.4)

    def imports_first(x, dim=-1):
        importlib.import_module(package.name)
        return continuation(x, dim)

    result = assess_visible("softmax", imports_first)
    assert (result.passed, result.mistake) == (mistake is None, mistake), result.message
    assert f"{package.name}.inside" in sys.modules


def test_torch_still_works_after_the_limit_expires_during_its_imports():
    """torch's first fake tensors import sympy, which takes longer than this limit."""
    command = [sys.executable, "-m", "tests.answers.fake_tensors_first"]
    process = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert process.stdout == "whole\n", process.stderr


def test_an_inner_time_limit_does_not_extend_the_outer_one():
    def checks_another():
        with time_limit(60):
            interruptible(lambda: endless.no_end(None))

    with pytest.raises(TimeUp), time_limit(0.2):
        interruptible(checks_another)


def test_a_check_in_a_thread_warns_once_that_it_cannot_stop_loops(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    texts = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: texts.append(output_of(lambda: check("softmax", right))))
        thread.start()
        thread.join()
    assert "cannot stop an endless loop" in texts[0]
    assert "cannot stop an endless loop" not in texts[1]
    assert all("Right: softmax" in text for text in texts)
