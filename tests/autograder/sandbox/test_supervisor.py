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
from autograder.sandbox.shared.job import DIED, MEMORY, TOO_SLOW
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


def test_jobs_cannot_see_each_other(worker):
    for _ in range(3):
        first = "import torch\nassert not hasattr(torch, 'patched')"
        assert errors(worker, first, CELLS["alone"]) == [None, None]


def test_random_numbers_are_the_same_in_every_job(worker, own_worker):
    cell = "import random, numpy\nraise ValueError(random.random(), numpy.random.rand())"
    assert len({errors(tested_worker, cell)[0] for tested_worker in (worker, worker, own_worker)}) == 1


@pytest.mark.parametrize("cell", ["needed_by_a_learner_alone", "without_rights"])
def test_learner_functions_are_silent_in_the_sandbox_and_cells_have_no_rights(worker, cell):
    assert errors(worker, CELLS[cell]) == [None]


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("while True: pass", TOO_SLOW),
        ("import os\nos._exit(3)", DIED),
        ("held = b'x' * (450 << 20)\nimport time\ntime.sleep(9)", MEMORY),
    ],
)
def test_a_lost_job_has_the_right_reason(worker, cell, why):
    assert errors(worker, "x = 1", cell, "y = 1") == [None, why]


def test_a_job_can_have_a_shorter_time_limit(worker):
    assert errors(worker, "import time\ntime.sleep(3)", seconds=1) == [TOO_SLOW]


def test_many_threads_share_one_warm_parent(worker):
    with ThreadPoolExecutor(12) as pool:
        ends = list(pool.map(lambda n: errors(worker, f"x = {n}", f"assert x == {n}"), range(12)))
    assert ends == [[None, None]] * 12
    assert left_over(worker) == []


def test_a_killed_warm_parent_is_reported_and_replaced(own_worker):
    messages = own_worker.messages(job_of("x = 1", "import time\ntime.sleep(1)"))
    next(messages)
    os.kill(own_worker.parent.process.pid, signal.SIGKILL)
    with pytest.raises(SandboxLost):
        list(messages)
    assert errors(own_worker, "x = 1") == [None]


def test_abandoning_a_job_ends_its_process(worker):
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
def test_however_a_grader_ends_it_leaves_no_process(end):
    result = python(f"{CELLS['grader']}\n{end}")
    pids = [int(pid) for pid in result.stdout.split()]
    assert len(pids) > 3, result.stderr
    assert all_end(pids)


def test_a_forked_grader_starts_its_own_sandbox():
    result = python(CELLS["forked_grader"])
    assert result.stdout.count("{'at': 0, 'error': None}") >= 3, result.stderr


def test_a_warm_parent_started_in_a_finished_thread_is_still_used(own_worker):
    parents = []

    def start():
        own_worker.offered = WarmProcess()
        parents.append(own_worker.offered)
        own_worker.ready()

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    time.sleep(0.3)
    assert errors(own_worker, "x = 1") == [None]
    assert [own_worker.parent] == parents


def test_sandbox_and_plain_worker_report_the_same_errors_of_cells(worker):
    cells = ["x = 1", "1 / 0", "assert x == 1", "print('hello')", "import asyncio\nawait asyncio.sleep(0)"]
    ends = [None, "ZeroDivisionError: division by zero", *[None] * 4]
    for tested_worker in (worker, PlainWorker(LIMITS)):
        *before, broken = errors(tested_worker, *cells, "%%time\ny = 2", "def f(:")
        assert before == ends
        assert broken.startswith("SyntaxError: invalid syntax")


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_the_memory_limit_counts_every_kind_of_memory(place, worker):
    assert errors(worker, HIDING_PLACES[place]) == [MEMORY]
