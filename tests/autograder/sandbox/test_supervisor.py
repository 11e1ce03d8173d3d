"""How a sandbox starts, serves jobs and ends."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.sandbox.host.supervisor import SandboxLost, SandboxWorker
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.host.warm_process import WarmParent, WarmProcess
from tests.corpus.notebooks import ROOT
from tests.corpus.processes import all_end, inside, left_over

from .cells import LIMITS, errors, job_of


@pytest.mark.system
def test_cells_run_and_say_how_they_end(worker, bwrap):
    ends = [None, "ZeroDivisionError: division by zero", None]
    assert errors(worker, "x = 1", "1 / 0", "assert x == 1") == ends


@pytest.mark.system
def test_every_job_is_alone(worker, bwrap):
    alone = (
        "import os, torch\nassert os.getpid() == 1, os.getpid()\n"
        "assert os.listdir('.') == [], os.listdir('.')\n"
        "open('mine', 'w').write('x')\ntorch.patched = True"
    )
    for _ in range(3):
        assert errors(worker, "import torch\nassert not hasattr(torch, 'patched')", alone) == [None, None]


@pytest.mark.system
def test_chance_is_the_same_whenever_a_job_is_run(bwrap):
    cell = "import random, numpy\nraise ValueError(random.random(), numpy.random.rand())"
    with (
        contextlib.closing(SandboxWorker(LIMITS)) as item,
        contextlib.closing(SandboxWorker(LIMITS)) as other,
    ):
        assert len({errors(worker, cell)[0] for worker in (item, item, other)}) == 1


@pytest.mark.system
def test_what_only_a_learner_needs_says_nothing_and_keeps_nothing(worker, bwrap):
    cell = """
import os
from course_utils import due, hint, load_progress, predict, progress, save_progress
from course_utils.practice.saved import save_progress as save
predict("no_such_question"), predict("any", (2, 5), sure=True), predict()
hint("softmax"), progress(), due(10), save_progress(), save("a.json"), load_progress(b"")
assert os.listdir(".") == [], os.listdir(".")
"""
    assert errors(worker, cell) == [None]


@pytest.mark.system
def test_it_has_no_rights(worker, bwrap):
    cell = """
import ctypes, os
libc = ctypes.CDLL(None)
assert os.getuid() != 0 and os.getgroups() in ([], [os.getgid()])
assert libc.prctl(39, 0, 0, 0, 0) == 1  # no new privileges
assert not any(libc.prctl(23, capability, 0, 0, 0) == 1 for capability in range(41))
assert libc.prctl(3, 0, 0, 0, 0) == 0  # not dumpable
"""
    assert errors(worker, cell) == [None]


@pytest.mark.system
@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("while True: pass", "out of time"),
        ("import os\nos._exit(3)", "closed"),
        ("held = b'x' * (450 << 20)\nimport time\ntime.sleep(9)", "memory"),
    ],
)
def test_what_is_lost_is_lost_for_a_reason(worker, bwrap, cell, why):
    assert errors(worker, "x = 1", cell, "y = 1") == [None, why]


@pytest.mark.system
def test_a_job_can_have_less_time(worker, bwrap):
    assert errors(worker, "import time\ntime.sleep(3)", seconds=1) == ["out of time"]


@pytest.mark.system
def test_many_threads_share_one_warm_parent(worker, bwrap):
    with ThreadPoolExecutor(12) as pool:
        ends = list(pool.map(lambda n: errors(worker, f"x = {n}", f"assert x == {n}"), range(12)))
    assert ends == [[None, None]] * 12
    assert left_over(worker) == []


@pytest.mark.system
def test_a_lost_warm_parent_costs_no_submission_anything(bwrap):
    worker = SandboxWorker(LIMITS)
    messages = worker.messages(job_of("import time\ntime.sleep(1)"))
    next(messages)
    os.kill(worker.parent.process.pid, signal.SIGKILL)
    with pytest.raises(SandboxLost):
        list(messages)
    assert errors(worker, "x = 1") == [None]
    worker.close()


@pytest.mark.system
def test_a_warm_parent_that_is_offered_is_used_before_it_is_ready_and_replaced_when_it_is_gone(bwrap):
    started, worker = WarmProcess(), SandboxWorker(LIMITS)
    worker.offer(started.control.dup())
    assert errors(worker, "x = 1") == [None]
    assert type(worker.parent) is WarmParent
    started.process.kill()
    end = time.monotonic() + 10
    while worker.parent.alive() and time.monotonic() < end:
        time.sleep(0.01)
    assert errors(worker, "x = 1") == [None]
    assert type(worker.parent) is WarmProcess
    worker.close()
    started.close()


@pytest.mark.system
def test_what_is_offered_and_never_starts_is_not_waited_for(bwrap):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    theirs.close()
    worker = SandboxWorker(LIMITS)
    worker.offer(ours)
    assert errors(worker, "x = 1") == [None]
    assert type(worker.parent) is WarmProcess
    worker.close()


@pytest.mark.system
def test_leaving_early_ends_the_process(worker, bwrap):
    messages = worker.messages(job_of("import time\ntime.sleep(60)"))
    next(messages)
    messages.close()
    assert left_over(worker) == []


@pytest.mark.system
def test_closing_leaves_no_process(bwrap):
    worker = SandboxWorker(LIMITS)
    worker.ready()
    assert left_over(worker) == []
    pids = inside(worker)
    worker.close()
    assert all_end(pids)


@pytest.mark.system
@pytest.mark.parametrize("end", ["sys.exit(0)", "os.kill(os.getpid(), 9)", "1 / 0"])
def test_a_grader_that_ends_in_any_way_leaves_no_process(bwrap, end):
    code = textwrap.dedent(f"""
        import os, sys, threading, time
        from autograder.sandbox.host.supervisor import sandbox
        from tests.autograder.sandbox.cells import job_of
        from tests.corpus.processes import inside
        messages = sandbox().messages(job_of("import time; time.sleep(60)"))
        next(messages)
        print(*inside(sandbox()), flush=True)
        {end}
    """)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) > 3, done.stderr
    assert all_end(pids)


@pytest.mark.system
def test_a_forked_grader_starts_a_sandbox_of_its_own(bwrap):
    code = textwrap.dedent("""
        import os
        from autograder.sandbox.host.supervisor import sandbox
        from tests.autograder.sandbox.cells import job_of
        job = job_of("x = 1")
        print(list(sandbox().messages(job))[-1])
        child = os.fork()
        print(list(sandbox().messages(job))[-1], flush=True)
        sandbox().close()
        os._exit(0) if child == 0 else os.waitpid(child, 0)
    """)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.count("{'done': True}") >= 3, done.stderr


@pytest.mark.system
def test_the_starting_thread_may_end_first(bwrap):
    worker = SandboxWorker(LIMITS)
    thread = threading.Thread(target=worker.ready)
    thread.start()
    thread.join()
    time.sleep(0.3)
    parent = worker.parent
    assert errors(worker, "x = 1") == [None]
    assert worker.parent is parent
    worker.close()


@pytest.mark.system
def test_both_workers_say_the_same(worker, bwrap):
    cells = [
        "x = 1",
        "1 / 0",
        "print('hello')",
        "import asyncio\nawait asyncio.sleep(0)",
        "%%time\ny = 2",
        "def f(:",
    ]
    assert errors(worker, *cells) == errors(PlainWorker(LIMITS), *cells)
