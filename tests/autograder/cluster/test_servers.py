"""With real servers: a Dask scheduler, two workers with their own copies of the course, and PostgreSQL."""

import importlib.util
import os
import secrets
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.gradebook import class_run
from autograder.gradebook.class_run import grade_class
from autograder.refused import Refused
from autograder.releases import store
from benchmarks.classes import make_class
from benchmarks.killed import ASK, command, pages, wanted
from tests.tools import dies
from tests.tools.cluster import ROOT, cluster

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("servers"), pytest.mark.usefixtures("bwrap")]
LESSON, SECONDS = "00_start_here", 240


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture
def open_cluster(servers):
    """The cluster as the grader sees it."""
    if importlib.util.find_spec("distributed") is None:
        pytest.fail("distributed is missing: `make test-all` installs the extra scale", pytrace=False)
    from autograder.cluster.client import Cluster

    return Cluster(servers.address)


@dataclass
class Ten:
    """A class of ten. folder: of the course; name: of its gradebook on PostgreSQL; kinds: see make_class."""

    folder: Path
    kinds: dict
    name: str

    def check(self, database, **others):
        """Each is in the gradebook once, with points, or waiting for a person. others: {student: counts}, as
        `wanted` gives them."""
        rows = sorted(row.split("|") for row in database.sql(ASK, self.name))
        counts = {student: wanted(kind) for student, kind in self.kinds.items()} | others
        assert rows == sorted([student, *map(str, numbers)] for student, numbers in counts.items())


@pytest.fixture
def ten(database, tmp_path):
    """One of them handed in half a file."""
    folder, name = tmp_path / "course", f"book_{secrets.token_hex(4)}"
    kinds = make_class(folder, LESSON, students=10, bad=0.1)
    with open(folder / "nbgrader_config.py", "a", encoding="utf-8") as settings:
        settings.write(f'\nc.CourseDirectory.db_url = "{database.make(name)}"\n')
    return Ten(folder, kinds, name)


def test_each_has_one_result_though_everything_restarts_once(ten, database, servers, open_cluster):
    """A worker is killed, then the scheduler, then PostgreSQL stops: the same command goes on."""
    seen = []

    def step(done, total):
        seen.append(done)
        if len(seen) == 2:
            os.kill(min(workers.client.run(os.getpid).values()), signal.SIGKILL)
        if len(seen) == 4:
            servers.restart_scheduler()
        if len(seen) == 7:
            database.stop("immediate")

    with open_cluster as workers:
        with pytest.raises(Refused, match="run it again afterwards"):
            grade_class(ten.folder, workers, step=step)
        database.start()
        grade_class(ten.folder, workers)
    assert 7 <= len(seen) < 10
    ten.check(database)
    assert set(pages(ten.folder)) == set(ten.kinds)


def test_a_grader_killed_in_the_middle_goes_on_with_the_same_seed(ten, database, servers):
    with_scheduler = command(ten.folder, "--scheduler", servers.address)
    grader = subprocess.Popen(with_scheduler, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end = time.monotonic() + SECONDS
    while len(list((ten.folder / "autograded").glob("*/*/*.ipynb"))) < 3:
        assert grader.poll() is None, grader.stdout.read()
        assert time.monotonic() < end
        time.sleep(0.02)
    grader.kill()
    grader.communicate()
    first = pages(ten.folder)
    again = subprocess.run(with_scheduler, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    assert again.returncode == 0, again.stderr
    assert again.stderr == ""
    assert f"{10 - len(first)} graded in" in again.stdout
    last = pages(ten.folder)
    assert {student: last[student] for student in first} == first
    assert len({page["seed"] for page in last.values()}) == 1
    ten.check(database)


def test_a_submission_that_kills_its_workers_is_rejected_and_all_others_are_graded(
    ten, database, open_cluster, monkeypatch
):
    monkeypatch.setattr(class_run, "grade_one", dies.grade_or_die)
    killer = next(student for student, kind in ten.kinds.items() if kind == "honest")
    (path,) = (ten.folder / "submitted" / killer).glob("*/*.ipynb")
    path.write_bytes(path.read_bytes()[:-1] + b', "kills its worker": 1}')
    with open_cluster as workers:
        outcomes = {o.student: o for o in grade_class(ten.folder, workers)}
    (reason,) = outcomes[killer].notes
    assert reason.startswith("2 cluster workers in a row died while grading this")
    ten.check(database, **{killer: (0, len(store.lessons()[LESSON].exercises))})


def start_another_version(servers):
    changed = servers.start_worker() / "autograder" / "grading" / "judge.py"
    changed.write_text(changed.read_text() + "\n# another one\n")


def start_without_a_sandbox(servers):
    servers.start_worker(PATH="/nowhere")


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (start_another_version, "has another version of the course: bring both to the same commit"),
        (start_without_a_sandbox, "has no sandbox. The sandbox needs bubblewrap"),
    ],
)
def test_a_worker_that_does_not_fit_is_one_sentence_and_grades_nothing(ten, servers, start, reason):
    start(servers)
    call = command(ten.folder, "--scheduler", servers.address)
    try:
        servers.wait_for_workers(3)
        printed = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    finally:
        servers.stop_newest_worker()
    assert printed.returncode == 1
    (sentence,) = printed.stderr.splitlines()
    assert reason in sentence
