"""How a sandbox starts, runs jobs and ends."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.sandbox.host.supervisor import SandboxLost, SandboxWorker
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.host.warm_process import WarmProcess
from autograder.sandbox.shared.losses import DIED, MEMORY, TOO_SLOW
from tests.corpus.notebooks import ROOT
from tests.corpus.processes import all_end, inside, left_over

from .cells import LIMITS, cells_of, errors, job_of

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("bwrap")]
CELLS, HIDING_PLACES = cells_of("supervised"), cells_of("hides_memory")


@pytest.fixture
def own_worker():
    """A worker that the test may break."""
    with contextlib.closing(SandboxWorker(LIMITS)) as new:
        yield new


def python(code):
    call = {"cwd": ROOT, "env": os.environ | {"PYTHONPATH": str(ROOT)}, "timeout": 120}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **call)


def test_every_job_is_alone(worker):
    for _ in range(3):
        first = "import torch\nassert not hasattr(torch, 'patched')"
        assert errors(worker, first, CELLS["alone"]) == [None, None]


def test_chance_is_the_same_whenever_a_job_is_run(worker, own_worker):
    cell = "import random, numpy\nraise ValueError(random.random(), numpy.random.rand())"
    assert len({errors(one, cell)[0] for one in (worker, worker, own_worker)}) == 1


@pytest.mark.parametrize("cell", ["needed_by_a_learner_alone", "without_rights"])
def test_what_only_a_learner_needs_says_and_keeps_nothing_and_a_cell_has_no_rights(worker, cell):
    assert errors(worker, CELLS[cell]) == [None]


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("while True: pass", TOO_SLOW),
        ("import os\nos._exit(3)", DIED),
        ("held = b'x' * (450 << 20)\nimport time\ntime.sleep(9)", MEMORY),
    ],
)
def test_what_is_lost_is_lost_for_a_reason(worker, cell, why):
    assert errors(worker, "x = 1", cell, "y = 1") == [None, why]


def test_a_job_can_have_less_time(worker):
    assert errors(worker, "import time\ntime.sleep(3)", seconds=1) == [TOO_SLOW]


def test_many_threads_share_one_warm_parent(worker):
    with ThreadPoolExecutor(12) as pool:
        ends = list(pool.map(lambda n: errors(worker, f"x = {n}", f"assert x == {n}"), range(12)))
    assert ends == [[None, None]] * 12
    assert left_over(worker) == []


def test_a_lost_warm_parent_costs_no_submission_anything(own_worker):
    messages = own_worker.messages(job_of("x = 1", "import time\ntime.sleep(1)"))
    next(messages)
    os.kill(own_worker.parent.process.pid, signal.SIGKILL)
    with pytest.raises(SandboxLost):
        list(messages)
    assert errors(own_worker, "x = 1") == [None]


def test_leaving_early_ends_the_process(worker):
    messages = worker.messages(job_of("x = 1", "import time\ntime.sleep(60)"))
    next(messages)
    messages.close()
    assert left_over(worker) == []


def test_closing_leaves_no_process(own_worker):
    own_worker.ready()
    assert left_over(own_worker) == []
    pids = inside(own_worker)
    own_worker.close()
    assert all_end(pids)


@pytest.mark.parametrize("end", ["sys.exit(0)", "os.kill(os.getpid(), 9)", "1 / 0"])
def test_a_grader_that_ends_in_any_way_leaves_no_process(end):
    done = python(f"{CELLS['grader']}\n{end}")
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) > 3, done.stderr
    assert all_end(pids)


def test_a_forked_grader_starts_a_sandbox_of_its_own():
    done = python(CELLS["forked_grader"])
    assert done.stdout.count("{'at': 0, 'error': None}") >= 3, done.stderr


def test_a_warm_parent_that_was_started_before_is_used_though_its_thread_has_ended(own_worker):
    started = []

    def start():
        own_worker.offered = WarmProcess()
        started.append(own_worker.offered)
        own_worker.ready()

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    time.sleep(0.3)
    assert errors(own_worker, "x = 1") == [None]
    assert [own_worker.parent] == started


def test_cells_run_and_both_workers_say_how_they_end(worker):
    cells = ["x = 1", "1 / 0", "assert x == 1", "print('hello')", "import asyncio\nawait asyncio.sleep(0)"]
    ends = [None, "ZeroDivisionError: division by zero", *[None] * 4]
    for either in (worker, PlainWorker(LIMITS)):
        *before, broken = errors(either, *cells, "%%time\ny = 2", "def f(:")
        assert before == ends
        assert broken.startswith("SyntaxError: invalid syntax")


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_memory_is_counted_wherever_it_hides(place, worker):
    assert errors(worker, HIDING_PLACES[place]) == [MEMORY]
