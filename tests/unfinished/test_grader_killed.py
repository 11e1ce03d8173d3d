"""A grader that is killed loses nothing and grades nobody twice; a full or read-only disk is one sentence."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.classes import make_class

from .school import LESSON, ROOT, enter_all, new_course, submit

LIGHT = "00_start_here"
SECONDS = 300


def command(course, *more):
    return [sys.executable, "-m", "autograder", "grade-class", "--course", str(course), *more]


def pages(course):
    """{student: what its page remembers}"""
    found = {}
    for page in (course / "autograded").glob("*/*/*.ipynb"):
        found[page.parts[-3]] = json.loads(page.read_text(encoding="utf-8"))["metadata"]["course"]["grading"]
    return found


def rows(course):
    """{student: [number of cells with points, number of cells for a person]} in the gradebook."""
    ask = """
        select student_id, count(auto_score), sum(needs_manual_grade) from submitted_assignment
        join submitted_notebook on submitted_notebook.assignment_id = submitted_assignment.id
        join grade on grade.notebook_id = submitted_notebook.id group by submitted_assignment.id"""
    with sqlite3.connect(course / "gradebook.db") as book:
        assert book.execute("pragma integrity_check").fetchone() == ("ok",)
        found = [(student, counts) for student, *counts in book.execute(ask)]
    assert len({student for student, _ in found}) == len(found), "one submission for each student"
    return dict(found)


def family(pid):
    """{pid: its start} of a process and all its descendants."""
    parents, starts = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(path.parent.name)], starts[int(path.parent.name)] = int(fields[1]), fields[19]
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {one: starts[one] for one in found if one in starts}


def alive(processes):
    now = {}
    for pid in processes:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            now[pid] = fields[19]
    return {pid for pid, start in processes.items() if now.get(pid) == start}


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_killed_in_the_middle_and_started_again(tmp_path):
    kinds = make_class(tmp_path, LIGHT, students=100, bad=0.05)
    grader = subprocess.Popen(command(tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + SECONDS
    while len(list((tmp_path / "autograded").glob("*/*/*.ipynb"))) < 30:
        assert grader.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < end
        time.sleep(0.05)
    processes = family(grader.pid)
    grader.kill()
    grader.wait()
    assert len(processes) > 3

    first = pages(tmp_path)
    assert 30 <= len(first) < 100
    assert set(first) <= set(rows(tmp_path)), "a page is put in place after its scores"
    assert len(rows(tmp_path)) - len(first) <= 1

    done = subprocess.run(command(tmp_path), cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    assert f"{100 - len(first)} graded in" in done.stdout
    assert f"{len(first)} unchanged" in done.stdout
    last, scored = pages(tmp_path), rows(tmp_path)
    assert set(last) == set(scored) == set(kinds)
    assert {student: last[student] for student in first} == first, "what was graded before is not graded again"
    for student, (points, for_a_person) in scored.items():
        rejected = kinds[student] in ("malformed", "empty", "link", "other")
        assert (points, for_a_person) == ((0, 1) if rejected else (1, 0)), (student, kinds[student])
    assert not alive(processes), "no process outlives a killed grader"


def on_a_disk(disk, options, course, *more):
    """Run the grader with the course on a small disk of its own, as far as a user may: returns what it said."""
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
    return subprocess.run([*own, "sh", "-c", "; ".join(steps)], capture_output=True, text=True, timeout=SECONDS)


@pytest.fixture
def course(tmp_path):
    """One submission graded, another one new."""
    course = enter_all(new_course(tmp_path / "course"), LESSON)
    submit(course, "ada")
    subprocess.run(command(course, "--no-sandbox"), cwd=ROOT, check=True, capture_output=True, timeout=SECONDS)
    submit(course, "ben")
    return course


@pytest.mark.system
def test_a_full_disk_is_one_sentence_and_nothing_is_lost(course, tmp_path):
    before = rows(course), pages(course)
    done = on_a_disk(tmp_path / "disk", "", course, f"head -c 4m /dev/zero > {tmp_path}/disk/filler")
    assert "code 1" in done.stdout
    told = [line for line in done.stderr.splitlines() if "cannot be written" in line]
    assert len(told) == 1
    assert "the disk is full" in told[0]
    assert "Traceback" not in done.stderr
    assert (rows(course), pages(course)) == before


@pytest.mark.system
def test_a_read_only_disk_is_one_sentence(course, tmp_path):
    done = on_a_disk(tmp_path / "disk", "ro", course)
    assert "code 1" in done.stdout
    told = [line for line in done.stderr.splitlines() if "read-only" in line]
    assert len(told) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_ctrl_c_is_one_sentence(tmp_path):
    make_class(tmp_path, LIGHT, students=30)
    grader = subprocess.Popen(command(tmp_path), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + SECONDS
    while not list((tmp_path / "autograded").glob("*/*/*.ipynb")):
        assert grader.poll() is None, grader.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(grader.pid, signal.SIGINT)
    said = grader.communicate(timeout=60)[1]
    assert grader.returncode == 1
    assert said == "Stopped. What was graded is in the gradebook: run it again to go on.\n"
    assert set(pages(tmp_path)) <= set(rows(tmp_path))
    assert len(rows(tmp_path)) - len(pages(tmp_path)) <= 1
