"""A killed grader loses nothing and grades nobody twice; a full or read-only disk is one sentence."""

import os
import re
import shlex
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.gradebook.class_run import grade_class
from autograder.sandbox.host.supervisor import sandbox
from benchmarks.classes import make_class
from benchmarks.killed import alive, command, family, kill_and_restart, pages, scored, wanted
from tests.tools.school import ROOT

LIGHT = "00_start_here"
SECONDS = 300


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_a_killed_grader_continues_and_grades_nobody_twice(tmp_path):
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
    assert report["last"].items() >= first.items(), "what was graded before is not graded again"
    assert report["scored"] == {student: wanted(kind) for student, kind in report["kinds"].items()}


FULL, READ_ONLY = "head -c 4m /dev/zero > {}/filler", "mount -o remount,ro {}"


@pytest.mark.system
@pytest.mark.parametrize(
    ("trouble", "words"), [(FULL, "full|No space left"), (READ_ONLY, "Read-only file system")]
)
def test_a_full_or_read_only_disk_is_reported_in_one_sentence_without_loss(
    course, hand_in, grade, tmp_path, trouble, words
):
    """The course is on a small separate disk, with one graded and one new submission."""
    hand_in("ada")
    grade()
    hand_in("ben")
    before, disk = (scored(course), pages(course)), tmp_path / "disk"
    disk.mkdir()
    steps = [
        f"mount -t tmpfs -o size=3m none {disk}",
        f"cp -r {course}/. {disk}",
        trouble.format(disk),
        f"cd {ROOT}; {shlex.join(command(disk, '--no-sandbox'))}; echo code $?",
        f"cp -r {disk}/. {course}",
    ]
    namespace = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.getuid() else [])]
    call = [*namespace, "sh", "-c", "; ".join(steps)]
    process = subprocess.run(call, capture_output=True, text=True, timeout=SECONDS)
    assert "code 1" in process.stdout
    assert len(re.findall(rf".*(?:{words}).* Everything graded so far is kept", process.stderr)) == 1
    assert "Traceback" not in process.stderr
    assert (scored(course), pages(course)) == before


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_ctrl_c_stops_grading_with_one_sentence(tmp_path):
    make_class(tmp_path, LIGHT, students=60)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    grader = subprocess.Popen(command(tmp_path), cwd=ROOT, start_new_session=True, **pipes)
    end = time.monotonic() + SECONDS
    while not list((tmp_path / "autograded").glob("*/*/*.ipynb")):
        assert grader.poll() is None, grader.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(grader.pid, signal.SIGINT)
    errors = grader.communicate(timeout=60)[1]
    assert grader.returncode == 1
    assert errors == "Stopped. What is in the gradebook stays there: run it again to continue.\n"
    assert set(pages(tmp_path)) <= set(scored(tmp_path))
    assert len(scored(tmp_path)) - len(pages(tmp_path)) <= 1


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_a_lost_sandbox_costs_no_student_points(tmp_path):
    """As if memory ran out: the sandbox is killed while it grades two submissions."""
    kinds = make_class(tmp_path, LIGHT, students=10)
    processes = []

    def kill_the_sandbox(count, total):
        if count == 4:
            processes.extend(family(sandbox().parent.process.pid))
            processes[0].kill()

    with ThreadPoolExecutor(2) as threads:
        outcomes = grade_class(tmp_path, threads, step=kill_the_sandbox)
    assert len(processes) > 2
    assert alive(processes) == []
    assert {o.student for o in outcomes if o.state == "new"} == set(kinds)
    assert scored(tmp_path) == {student: wanted(kind) for student, kind in kinds.items()}
