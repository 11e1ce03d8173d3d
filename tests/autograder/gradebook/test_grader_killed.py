"""A grader that is killed loses nothing and grades nobody twice; a full or read-only disk is one sentence."""

import os
import shlex
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.gradebook.class_run import grade_class
from autograder.sandbox.host.supervisor import sandbox
from benchmarks.classes import make_class
from benchmarks.killed import alive, command, family, kill_and_restart, pages, scored, wanted
from tests.tools.school import LESSON, ROOT, enter_all, new_course, submit

LIGHT = "00_start_here"
SECONDS = 300


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_killed_in_the_middle_and_started_again(tmp_path):
    report = kill_and_restart(tmp_path, LIGHT, students=24, bad=0.1, at=9, seconds=SECONDS)
    first, between = report["first"], report["between"]
    assert 9 <= len(first) < 24
    assert set(first) <= set(between), "a page is put in place after its scores"
    assert len(between) - len(first) <= 1
    assert len(report["family"]) > 3
    assert not report["left"], "no process outlives a killed grader"

    assert report["code"] == 0, report["said"]
    assert f"{24 - len(first)} graded in" in report["said"]
    assert f"{len(first)} unchanged" in report["said"]
    assert set(report["last"]) == set(report["kinds"])
    assert {student: report["last"][student] for student in first} == first, (
        "what was graded before is not graded again"
    )
    assert report["scored"] == {student: wanted(kind) for student, kind in report["kinds"].items()}


def on_a_disk(disk, options, course, *more):
    """Run the grader with the course on a small disk of its own -> what it said."""
    disk.mkdir()
    steps = [
        f"mount -t tmpfs -o size=3m none {disk}",
        f"cp -r {course}/. {disk}",
        *more,
        *([f"mount -o remount,{options} {disk}"] if options else []),
        f"cd {ROOT}; {shlex.join(command(disk, '--no-sandbox'))}; echo code $?",
        f"cp -r {disk}/. {course}",
    ]
    own = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.getuid() else [])]
    return subprocess.run(
        [*own, "sh", "-c", "; ".join(steps)], capture_output=True, text=True, timeout=SECONDS
    )


@pytest.fixture(scope="session")
def half_graded(tmp_path_factory):
    """One submission graded, another one new."""
    course = enter_all(new_course(tmp_path_factory.mktemp("half graded")), LESSON)
    submit(course, "ada")
    subprocess.run(
        command(course, "--no-sandbox"), cwd=ROOT, check=True, capture_output=True, timeout=SECONDS
    )
    submit(course, "ben")
    return course


@pytest.fixture
def course(half_graded, tmp_path):
    return shutil.copytree(half_graded, tmp_path / "course")


@pytest.mark.system
@pytest.mark.xdist_group("half graded")
def test_a_full_disk_is_one_sentence_and_nothing_is_lost(course, tmp_path):
    before = scored(course), pages(course)
    done = on_a_disk(tmp_path / "disk", "", course, f"head -c 4m /dev/zero > {tmp_path}/disk/filler")
    assert "code 1" in done.stdout
    printed = [line for line in done.stderr.splitlines() if "What was graded before is kept" in line]
    assert len(printed) == 1
    assert "full" in printed[0] or "No space left" in printed[0]
    assert "Traceback" not in done.stderr
    assert (scored(course), pages(course)) == before


@pytest.mark.system
@pytest.mark.xdist_group("half graded")
def test_a_read_only_disk_is_one_sentence(course, tmp_path):
    done = on_a_disk(tmp_path / "disk", "ro", course)
    assert "code 1" in done.stdout
    printed = [line for line in done.stderr.splitlines() if "Read-only" in line]
    assert len(printed) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_ctrl_c_is_one_sentence(tmp_path):
    make_class(tmp_path, LIGHT, students=60)
    grader = subprocess.Popen(
        command(tmp_path),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + SECONDS
    while not list((tmp_path / "autograded").glob("*/*/*.ipynb")):
        assert grader.poll() is None, grader.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(grader.pid, signal.SIGINT)
    errors = grader.communicate(timeout=60)[1]
    assert grader.returncode == 1
    assert errors == "Stopped. What was graded is in the gradebook: run it again to go on.\n"
    assert set(pages(tmp_path)) <= set(scored(tmp_path))
    assert len(scored(tmp_path)) - len(pages(tmp_path)) <= 1


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_a_lost_sandbox_costs_nobody_a_score(tmp_path):
    """As when memory runs out: the sandbox is killed in the middle of two submissions."""
    kinds = make_class(tmp_path, LIGHT, students=10)
    killed = []

    def kill_the_sandbox(done, total):
        if done == 4:
            killed.extend(family(sandbox().parent.process.pid))
            killed[0].kill()

    with ThreadPoolExecutor(2) as threads:
        outcomes = grade_class(tmp_path, threads, step=kill_the_sandbox)
    assert len(killed) > 2
    assert alive(killed) == []
    assert {o.student for o in outcomes if o.state == "new"} == set(kinds)
    assert scored(tmp_path) == {student: wanted(kind) for student, kind in kinds.items()}
