"""The sandbox: what it shows, how it starts and ends, and what is said where there can be none."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.grading import notebook as grading
from autograder.sandbox.host import bubblewrap as outer_wall
from autograder.sandbox.host import reasons, warm_process
from autograder.sandbox.host import self_test as probe
from autograder.sandbox.host.code_zip import parcel
from autograder.sandbox.host.supervisor import SandboxWorker
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.sandbox.inside import usage
from autograder.sandbox.inside.seccomp import PRETENDED, REFUSED, works_here
from autograder.sandbox.shared.job import Job, RunCell
from autograder.sandbox.shared.limits import CODE, HOME, Limits
from tests.corpus.notebooks import ROOT, as_bytes, notebook
from tests.corpus.processes import all_end, inside, left_over

LIMITS = Limits(step_seconds=5, all_seconds=20, memory_mb=300)


def said(worker, *cells, **more):
    """What the cells ended with, or why the job was lost."""
    job = Job([RunCell(cell) for cell in cells], **more)
    return [m.get("lost", m.get("error")) for m in worker.messages(job) if "lost" in m or "ran" in m]


@pytest.fixture(scope="module")
def worker():
    made = SandboxWorker(LIMITS)
    yield made
    made.close()


# ---- what it shows


def test_the_parcel_holds_no_answers():
    names = zipfile.ZipFile(BytesIO(parcel())).namelist()
    assert "course_utils/observe/probe.py" in names
    assert "autograder/sandbox/inside/runner.py" in names
    assert not [
        n
        for n in names
        if "answers" in n or "exercises" in n or "judge" in n or "borrow" in n or n.endswith(".json")
    ]
    assert {n for n in names if not n.endswith(".py")} == {
        "course_utils/models/jobs.npz",
        "course_utils/models/repeats.npz",
    }
    archive = zipfile.ZipFile(BytesIO(parcel()))
    assert archive.read("course_utils/standins.py") == archive.read("autograder/__init__.py") == b""


def test_everything_shown_is_read_only_and_none_of_it_is_ours():
    line = outer_wall.command("bwrap", 3, 4)
    assert "--bind" not in line
    assert "--dev-bind" not in [
        word for word, source in zip(line, line[1:], strict=False) if not source.startswith("/dev/")
    ]
    binds = [
        Path(line[i + 1])
        for i, word in enumerate(line)
        if word.startswith("--ro-bind") and word != "--ro-bind-data"
    ]
    for path in binds:
        assert not ROOT.is_relative_to(path)
        assert path.name == "site-packages" or not path.is_relative_to(ROOT)


def test_a_course_inside_a_shown_folder_is_covered_and_its_packages_shown_again(monkeypatch, tmp_path):
    course = Path("/usr/lib/course")
    site = course / ".venv" / "lib" / "site-packages"
    exists = os.path.exists
    monkeypatch.setattr(outer_wall, "ROOT", course)
    monkeypatch.setattr(outer_wall, "packages", lambda: [str(site)])
    monkeypatch.setattr(
        outer_wall.os.path, "exists", lambda path: str(path).startswith(str(course)) or exists(path)
    )
    line = outer_wall.folders()
    cover, again = line.index(str(course)), len(line) - line[::-1].index(str(site)) - 1
    assert line[cover - 1] == "--tmpfs"
    assert line.index("/usr/lib") < cover < again
    assert ("--remount-ro", str(course)) in zip(line, line[1:], strict=False)


def test_a_course_installed_among_the_packages_is_covered(monkeypatch, tmp_path):
    site = tmp_path / "site-packages"
    for name in ("autograder", "course_utils", "torch"):
        (site / name).mkdir(parents=True)
    monkeypatch.setattr(outer_wall, "packages", lambda: [str(site)])
    assert {site / "autograder", site / "course_utils"} <= outer_wall.covered()
    line = outer_wall.folders()
    assert line[line.index(str(site / "autograder")) - 1] == "--tmpfs"
    assert str(site / "torch") not in line


def test_what_only_the_interpreter_of_a_venv_could_import_is_covered(monkeypatch, tmp_path):
    theirs, ours = (tmp_path / place / "lib/python3.11/site-packages" for place in ("base", "venv"))
    for folder in (theirs, ours):
        (folder / "autograder").mkdir(parents=True)
    monkeypatch.setattr(outer_wall, "python", lambda: tmp_path / "base/bin/python3.11")
    monkeypatch.setattr(outer_wall, "packages", lambda: [str(ours)])
    line = outer_wall.folders()
    assert ["--perms", "0755", "--tmpfs", str(theirs)] == line[
        line.index(str(theirs)) - 3 : line.index(str(theirs)) + 1
    ]
    monkeypatch.setattr(outer_wall, "packages", lambda: [str(ours), str(theirs)])
    assert theirs not in outer_wall.covered()
    assert theirs / "autograder" in outer_wall.covered()


@pytest.mark.system
def test_packages_of_the_interpreter_itself_are_not_there(worker, bwrap):
    places = [
        str(path)
        for lib in outer_wall.libraries()
        for path in lib.glob("python3*/*-packages")
        if not outer_wall.imported_from(path)
    ]
    look = f"import os\nfor place in {places!r}:\n    assert not os.listdir(place), place"
    assert said(worker, look) == [None]


@pytest.mark.skipif(not works_here(), reason="the numbers are those of x86-64")
def test_the_numbers_of_refused_calls_are_the_systems_own():
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    known = (
        dict(
            line.split()[1:3] for line in header.read_text().splitlines() if line.startswith("#define __NR_")
        )
        if header.exists()
        else {}
    )
    ours = REFUSED | PRETENDED
    assert {name: str(number) for name, number in ours.items()} == {
        name: known.get(f"__NR_{name}", str(number)) for name, number in ours.items()
    }
    assert len(set(ours.values())) == len(REFUSED) + len(PRETENDED)


def test_orphans_and_odd_names_are_counted():
    assert usage.descendants(1, {1: 0, 5: 1, 6: 5, 7: 9, 8: 6}) == {1, 5, 6, 8}
    assert all(number > 0 for number in usage.image())


# ---- what is said where there is none


SAID = {
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted": "container",
    "bwrap: No permissions to create new namespace": "container",
    "bwrap: Unknown option --perms": "0.5",
    "bwrap: execvp /private/python: Permission denied": "private folder",
    "something new": "does not know why",
}


@pytest.mark.parametrize("words", SAID)
def test_each_reason_is_a_sentence_that_says_what_to_do(words, monkeypatch):
    monkeypatch.setattr(reasons.shutil, "which", lambda name: "/usr/bin/bwrap")
    monkeypatch.setattr(reasons, "in_container", lambda: True)
    monkeypatch.setattr(reasons, "reads", lambda path: "")
    told = reasons.reason(words)
    assert SAID[words] in told
    assert words in told
    assert "--no-sandbox" in told


def test_ubuntu_is_told_about_apparmor(monkeypatch):
    monkeypatch.setattr(reasons.shutil, "which", lambda name: "/usr/bin/bwrap")
    monkeypatch.setattr(reasons, "reads", lambda path: "1" if path == reasons.APPARMOR else "")
    for words in (
        "bwrap: setting up uid map: Permission denied",
        "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    ):
        assert "AppArmor" in reasons.reason(words)


def test_namespaces_that_are_turned_off_are_told_apart(monkeypatch):
    monkeypatch.setattr(reasons.shutil, "which", lambda name: "/usr/bin/bwrap")
    monkeypatch.setattr(reasons, "in_container", lambda: False)
    monkeypatch.setattr(reasons, "reads", lambda path: "0" if path == reasons.USER_NAMESPACES else "")
    assert "sysctl user.max_user_namespaces" in reasons.reason(
        "bwrap: Creating new namespace failed: No space left on device"
    )


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_are_told_at_once(platform, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(SandboxUnavailable, match="needs Linux"):
        SandboxWorker().ready()


@pytest.fixture
def without_bwrap(monkeypatch):
    """bwrap is not found, and the grader starts anew."""
    monkeypatch.setattr(warm_process.shutil, "which", lambda name: None)
    fresh = SandboxWorker(LIMITS)
    monkeypatch.setattr("autograder.sandbox.host.supervisor._shared", fresh)
    return fresh


def test_without_a_sandbox_the_grader_refuses(without_bwrap, tmp_path):
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        grading.grade_notebook(as_bytes(notebook())).as_dict()
    path = tmp_path / "a.ipynb"
    path.write_bytes(as_bytes(notebook(extra=f"open({str(tmp_path / 'run')!r}, 'w')")))
    done = CliRunner().invoke(app, ["grade", str(path), "--json", str(tmp_path / "out.json")])
    assert done.exit_code == 1
    assert "apt install bubblewrap" in done.output
    assert "--no-sandbox" in done.output
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.ipynb"]


def test_without_a_sandbox_on_demand_the_risk_is_named(without_bwrap, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(as_bytes(notebook()))
    done = CliRunner().invoke(app, ["grade", str(path), "--no-sandbox"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    assert "WITHOUT the sandbox" in done.output
    assert "15 of 15" in done.output


def test_importing_the_grader_starts_nothing():
    code = "import autograder.grading.notebook, threading; assert threading.active_count() == 1; from autograder.sandbox.host.supervisor import sandbox; assert sandbox().parent is None"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


# ---- how it lives


@pytest.mark.system
def test_cells_run_and_say_how_they_end(worker, bwrap):
    assert said(worker, "x = 1", "1 / 0", "assert x == 1") == [
        None,
        "ZeroDivisionError: division by zero",
        None,
    ]


@pytest.mark.system
def test_every_job_is_alone(worker, bwrap):
    alone = "import os\nassert os.getpid() == 1, os.getpid()\nassert os.listdir('.') == [], os.listdir('.')\nopen('mine', 'w').write('x')\nimport torch\ntorch.patched = True"
    for _ in range(3):
        assert said(worker, "import torch\nassert not hasattr(torch, 'patched')", alone) == [None, None]


@pytest.mark.system
def test_chance_is_the_same_whenever_a_job_is_run(bwrap):
    cell = "import random, numpy\nraise ValueError(random.random(), numpy.random.rand())"
    with contextlib.closing(SandboxWorker(LIMITS)) as one, contextlib.closing(SandboxWorker(LIMITS)) as other:
        assert len({said(worker, cell)[0] for worker in (one, one, other)}) == 1


@pytest.mark.system
def test_it_has_no_rights(worker, bwrap):
    found = said(
        worker,
        "import os, ctypes\nlibc = ctypes.CDLL(None)\nassert os.getuid() != 0 and os.getgroups() in ([], [os.getgid()])\nassert libc.prctl(39, 0, 0, 0, 0) == 1\nassert not any(libc.prctl(23, cap, 0, 0, 0) == 1 for cap in range(41))\nassert libc.prctl(3, 0, 0, 0, 0) == 0",
    )
    assert found == [None]


@pytest.mark.system
@pytest.mark.parametrize(
    ("cell", "why"),
    [("while True: pass", "out of time"), ("import os\nos._exit(3)", "closed"), ("held = b'x' * (450 << 20)\nimport time; time.sleep(9)", "memory")],
)  # fmt: skip
def test_what_is_lost_is_lost_for_a_reason(worker, bwrap, cell, why):
    assert said(worker, "x = 1", cell, "y = 1") == [None, why]


BEHIND_AN_ENDED_THREAD = """
import ctypes, os, threading, time
def hold():
    time.sleep(0.5)
    held = b"x" * (450 << 20)
    time.sleep(9)
if os.fork() == 0:
    threading.Thread(target=hold).start()
    ctypes.CDLL(None).syscall(60, 0)
time.sleep(9)
"""
IN_PAGE_TABLES = """
import ctypes, time
libc = ctypes.CDLL(None)
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_ulong] * 6
for n in range(1, 60_000):
    if libc.mmap(n << 30, 4096, 1, 0x100022, 2**64 - 1, 0) == n << 30:
        ctypes.string_at(n << 30, 1)
time.sleep(9)
"""
IN_COPIES_OF_SHARED_PAGES = """
import ctypes, gc, os, time
for n in range(9):
    if os.fork() == 0:
        gc.unfreeze()
        for page in {id(kept) & ~4095 for kept in gc.get_objects()}:
            ctypes.memmove(page, page, 1)
        time.sleep(9)
time.sleep(9)
"""
UNDER_A_NAME_OF_TWO_LINES = """
import ctypes, time
ctypes.CDLL(None).prctl(15, b"\\rRssAnon: x")
held = b"x" * (450 << 20)
time.sleep(9)
"""
IN_LETTERS_BEHIND_AN_ENDED_THREAD = """
import ctypes, socket, threading, time
def send():
    time.sleep(0.5)
    door = socket.socket(socket.AF_UNIX)
    door.bind("\\0x")
    door.listen(4096)
    for _ in range(2000):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect("\\0x")
    time.sleep(9)
threading.Thread(target=send).start()
ctypes.CDLL(None).syscall(60, 0)
"""


def test_what_is_about_to_end_holds_what_it_held_at_the_last_look(monkeypatch):
    status = {"1": b"State:\tZ (zombie)\n", "2": b"State:\tR (running)\nRssAnon:\t 300 kB\nVmPTE:\t 10 kB\n"}
    monkeypatch.setattr(usage.os, "listdir", lambda where: list(status) if where == "threads" else ["7"])
    monkeypatch.setattr(usage.os, "open", lambda path, *flags, dir_fd: "threads")
    monkeypatch.setattr(usage.os, "close", lambda fd: None)
    monkeypatch.setattr(
        usage,
        "read",
        lambda folder, path: (
            b"7 (x) R 1 7"
            if path == "7/stat"
            else b""
            if path.endswith("unix")
            else status[path.partition("/")[0]]
        ),
    )
    tree = usage.Tree(7, 110, "proc")
    tree.mb()
    assert tree.held == {7: 310}
    status["2"] = b"State:\tR (running)\n"
    tree.mb()
    assert tree.held == {7: 310}
    status["2"] = b"State:\tZ (zombie)\n"
    tree.mb()
    assert tree.held == {7: 0}


@pytest.mark.system
@pytest.mark.parametrize(
    "cell",
    [
        BEHIND_AN_ENDED_THREAD,
        IN_PAGE_TABLES,
        IN_COPIES_OF_SHARED_PAGES,
        UNDER_A_NAME_OF_TWO_LINES,
        IN_LETTERS_BEHIND_AN_ENDED_THREAD,
    ],
)
def test_memory_is_counted_wherever_it_hides(cell, worker, bwrap):
    assert said(worker, cell) == ["memory"]


@pytest.mark.system
def test_nobody_sets_a_process_back_or_waits_for_the_disk(worker, bwrap):
    cell = "import os\nbefore = os.sched_getaffinity(0), os.sched_getscheduler(0), os.getpriority(0, 0)\nos.sched_setaffinity(0, [0])\nos.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nos.nice(7)\nassert before == (os.sched_getaffinity(0), os.sched_getscheduler(0), os.getpriority(0, 0))\nwith open('x', 'w') as file:\n    os.fsync(file)"
    assert said(worker, cell) == [None]


@pytest.mark.system
def test_memory_is_counted_whatever_a_process_calls_itself(worker, bwrap):
    hides = "import ctypes, time\nctypes.CDLL(None).prctl(15, b'\\xff) R 1 (\\xfe\\n')\nheld = b'x' * (450 << 20)\ntime.sleep(9)"
    assert said(worker, hides) == ["memory"]


@pytest.mark.system
def test_a_job_can_have_less_time(worker, bwrap):
    begun = time.monotonic()
    assert said(worker, "import time\ntime.sleep(60)", seconds=1) == ["out of time"]
    assert time.monotonic() - begun < 4


@pytest.mark.system
def test_many_threads_share_one_warm_parent(worker, bwrap):
    results = []
    threads = [
        threading.Thread(target=lambda n=n: results.append((n, said(worker, f"x = {n}", f"assert x == {n}"))))
        for n in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [(n, [None, None]) for n in range(12)]
    assert left_over(worker) == []


@pytest.mark.system
def test_a_lost_warm_parent_costs_no_submission_anything(bwrap):
    worker = SandboxWorker(LIMITS)
    job = Job([RunCell("import time\ntime.sleep(1)")])
    messages = worker.messages(job)
    next(messages)
    os.kill(worker.parent.process.pid, signal.SIGKILL)
    assert {"lost", "by_us"} <= set(list(messages)[-1])
    assert said(worker, "x = 1") == [None]
    worker.close()


def shared_out_among_sessions():
    """Does Linux do so here? Not where a group of its own (a container's, say) already has a share."""
    try:
        on = Path("/proc/sys/kernel/sched_autogroup_enabled").read_text().strip() == "1"
        groups = [line.split(":") for line in Path("/proc/self/cgroup").read_text().splitlines()]
    except OSError:
        return False
    return on and all(path == "/" for _, kinds, path in groups if kinds == "" or "cpu" in kinds.split(","))


@pytest.mark.system
@pytest.mark.skipif(not shared_out_among_sessions(), reason="Linux shares its time out in another way here")
def test_a_job_of_many_processes_takes_one_share_of_the_time(worker, bwrap):
    crowd = """
        import os, time
        end = time.monotonic() + 3
        for n in range(6):
            if os.fork() == 0:
                os.setsid()
                while time.monotonic() < end: pass
                os._exit(0)
        while time.monotonic() < end: pass
        for n in range(6): os.wait()
        raise Exception(sum(os.times()[:4]) / 3)
    """
    single = """
        import time
        end, used = time.monotonic() + 1.5, time.process_time()
        while time.monotonic() < end: pass
        raise Exception((time.process_time() - used) / 1.5)
    """
    with ThreadPoolExecutor(1) as beside:
        processors_of_the_crowd = beside.submit(processors, worker, crowd)
        time.sleep(0.7)
        assert processors(worker, single) > processors_of_the_crowd.result() / 4


def processors(worker, code):
    """How many processors' time the code had, as it says in the exception that it ends with."""
    return float(said(worker, textwrap.dedent(code))[0].split()[1])


@pytest.mark.system
def test_leaving_early_ends_the_process(worker, bwrap):
    messages = worker.messages(Job([RunCell("import time\ntime.sleep(60)")]))
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
        from autograder.sandbox.shared.job import Job, RunCell
        job = Job([RunCell("import time; time.sleep(60)")])
        messages = sandbox().messages(job)
        next(messages)
        from tests.corpus.processes import inside
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
        from autograder.sandbox.shared.job import Job, RunCell
        job = Job([RunCell("x = 1")])
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
    assert said(worker, "x = 1") == [None]
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
    assert said(worker, *cells) == said(PlainWorker(LIMITS), *cells)


def test_home_and_code_lie_where_nothing_else_does():
    assert CODE.startswith("/box/")
    assert HOME.startswith("/box/")


def test_the_probe_looks_for_all_of_a_home_but_the_python_in_it(tmp_path, monkeypatch):
    for name in ("letters", "course/.venv/lib", ".ssh"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setattr(probe.Path, "home", lambda: tmp_path)
    monkeypatch.setattr(probe, "shown", lambda: {tmp_path / "course" / ".venv" / "lib", Path("/usr/lib")})
    hidden = probe.hidden()
    assert {str(tmp_path / "letters"), str(tmp_path / ".ssh"), "/home"} <= set(hidden)
    assert str(tmp_path / "course") not in hidden
    monkeypatch.setattr(probe, "shown", lambda: {Path("/home/ada/course/.venv/lib")})
    assert "/home" not in probe.hidden()
