"""Real servers: a Dask scheduler, two workers with their own copies of the course, and PostgreSQL."""

import os
import secrets
import signal
import subprocess
import time

import pytest

from autograder.cluster.client import Cluster
from autograder.gradebook import class_run
from autograder.gradebook.class_run import grade_class
from autograder.gradebook.standing import outcomes_now
from autograder.refused import Refused
from autograder.releases import store
from benchmarks.classes import make_class
from benchmarks.killed import UNREADABLE, command, pages
from tests.tools import dies
from tests.tools.cluster import ROOT, cluster
from tests.tools.school import new_course

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("servers"), pytest.mark.usefixtures("bwrap")]
LESSON, SECONDS = "00_start_here", 240


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture
def class_of_ten(database, tmp_path):
    """(the folder of a class of ten whose gradebook is on PostgreSQL, {student: kind}); one student handed in
    half a file."""
    folder = tmp_path / "course"
    kinds = make_class(folder, LESSON, students=10, bad=0.1)
    url = database.make(f"book_{secrets.token_hex(4)}")
    new_course(folder, f'c.CourseDirectory.db_url = "{url}"')
    return folder, kinds


def check(folder, kinds):
    """Every submission is graded, except unreadable ones, which wait for a person."""
    cells = len(store.current(LESSON).exercises)
    scores = {o.student: o.score for o in outcomes_now(folder)}
    assert {student: len(score.cells) for student, score in scores.items()} == dict.fromkeys(kinds, cells)
    waiting = {student: score.needs_manual_grade for student, score in scores.items()}
    assert waiting == {student: kind in UNREADABLE for student, kind in kinds.items()}


def test_each_submission_has_one_result_although_every_server_restarts(class_of_ten, database, servers):
    """A worker is killed, then the scheduler, then PostgreSQL stops; the same command finishes the work."""
    (folder, kinds), counts = class_of_ten, []

    def step(done, total):
        counts.append(done)
        if len(counts) == 2:
            os.kill(min(workers.client.run(os.getpid).values()), signal.SIGKILL)
        if len(counts) == 4:
            servers.restart_scheduler()
        if len(counts) == 7:
            database.stop("immediate")

    with Cluster(servers.address) as workers:
        with pytest.raises(Refused, match="fix this, then run it again"):
            grade_class(folder, workers, step=step)
        database.start()
        grade_class(folder, workers)
    assert 7 <= len(counts) < 10
    check(folder, kinds)
    assert set(pages(folder)) == set(kinds)


def test_a_grader_killed_in_the_middle_continues_with_the_same_seed(class_of_ten, servers):
    folder, kinds = class_of_ten
    with_scheduler = command(folder, "--scheduler", servers.address)
    grader = subprocess.Popen(with_scheduler, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end = time.monotonic() + SECONDS
    while len(list((folder / "autograded").glob("*/*/*.ipynb"))) < 3:
        assert grader.poll() is None, grader.stdout.read()
        assert time.monotonic() < end
        time.sleep(0.02)
    grader.kill()
    grader.communicate()
    first = pages(folder)
    rerun = subprocess.run(with_scheduler, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    assert rerun.returncode == 0, rerun.stderr
    assert rerun.stderr == ""
    assert f"{10 - len(first)} graded in" in rerun.stdout
    last = pages(folder)
    assert {student: last[student] for student in first} == first
    assert len({page["seed"] for page in last.values()}) == 1
    check(folder, kinds)


def test_a_submission_that_kills_workers_is_rejected_and_all_others_are_graded(
    class_of_ten, servers, monkeypatch
):
    folder, kinds = class_of_ten
    monkeypatch.setattr(class_run, "grade_one", dies.grade_or_die)
    killer = next(student for student, kind in kinds.items() if kind == "honest")
    (path,) = (folder / "submitted" / killer).glob("*/*.ipynb")
    path.write_bytes(path.read_bytes()[:-1] + b', "kills its worker": 1}')
    with Cluster(servers.address) as workers:
        outcomes = {o.student: o for o in grade_class(folder, workers)}
    (reason,) = outcomes[killer].notes
    assert reason.text.startswith("2 cluster workers in a row died while grading this")
    check(folder, kinds | {killer: "malformed"})


def start_another_version(servers):
    file = servers.start_worker() / "autograder" / "grading" / "judge.py"
    file.write_text(file.read_text() + "\n# another one\n")


def start_without_a_sandbox(servers):
    servers.start_worker(PATH="/nowhere")


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (start_another_version, "has another version of the course: bring both to the same commit"),
        (start_without_a_sandbox, "has no sandbox. The sandbox needs bubblewrap"),
    ],
)
def test_an_unfit_worker_stops_grading_with_one_sentence(class_of_ten, servers, start, reason):
    start(servers)
    call = command(class_of_ten[0], "--scheduler", servers.address)
    try:
        servers.wait_for_workers(3)
        result = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    finally:
        servers.stop_newest_worker()
    assert result.returncode == 1
    (sentence,) = result.stderr.splitlines()
    assert reason in sentence
