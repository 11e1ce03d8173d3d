"""Kill a grader in the middle of a class, and start it again.

python -m benchmarks.killed --students 1000
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import typer

from autograder.releases import store

from .classes import ROOT, make_class

UNREADABLE = ("malformed", "empty", "link", "other")


def main(students: int = 1000, bad: float = 0.05, lesson: str = "00_start_here"):
    """Print what was graded before the kill, what is there at the end, and how much memory was used."""
    with tempfile.TemporaryDirectory() as place:
        result = kill_and_restart(Path(place), lesson, students, bad, students // 3, seconds=10 * students)
    wrong = [
        student for student, scores in result["scored"].items() if scores != wanted(result["kinds"][student])
    ]
    print(
        f"killed with {len(result['first'])} of {students} in place, {len(result['left'])} processes survived"
    )
    print(f"then {result['said'].strip().splitlines()[-1]}")
    print(
        f"{len(result['scored'])} submissions in the gradebook, {len(wrong)} of them not as "
        f"they should be: {wrong[:5]}"
    )
    same = sum(result["last"][student] == page for student, page in result["first"].items())
    print(f"{same} of {len(result['first'])} graded before the kill are as they were")
    print(
        "memory of all processes (MB) over the second run: "
        + " ".join(map(str, result["memory"][:: max(1, len(result["memory"]) // 12)]))
    )


def kill_and_restart(course, lesson, students, bad, at, seconds):
    """Make a class, kill its grader once `at` submissions are graded, grade the rest; return what was
    observed."""
    kinds = make_class(course, lesson, students, bad)
    end = time.monotonic() + seconds
    grader = subprocess.Popen(command(course), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(list((course / "autograded").glob("*/*/*.ipynb"))) < at:
        if grader.poll() is not None or time.monotonic() > end:
            raise RuntimeError("it ended, or took too long, before it could be killed")
        time.sleep(0.05)
    processes = family(grader.pid)
    grader.kill()
    grader.wait()
    first, between, memory = pages(course), scored(course), []
    output = course / "said.txt"  # not a pipe, which would fill up if nobody reads it
    with output.open("w") as file:
        again = subprocess.Popen(command(course), cwd=ROOT, stdout=file, stderr=file)
    while again.poll() is None:
        memory.append(sum(map(megabytes, family(again.pid))))
        if time.monotonic() > end:
            again.kill()
        time.sleep(0.5)
    return {
        "kinds": kinds, "first": first, "between": between, "said": output.read_text(), "code":
        again.returncode, "last": pages(course), "scored": scored(course), "left": alive(processes), "family":
        processes, "memory": memory,
    }  # fmt: skip


def wanted(kind, lesson="00_start_here"):
    """The (cells with points, cells for a person) that a submission of this kind must get."""
    cells = len(store.current(lesson).exercises)
    return (0, cells) if kind in UNREADABLE else (cells, 0)


def command(course, *more):
    return [sys.executable, "-m", "autograder", "grade", "--course", str(course), *more]


def pages(course):
    """{student: the record of grading in the student's page}"""
    texts = {}
    for page in (course / "autograded").glob("*/*/*.ipynb"):
        texts[page.parts[-3]] = json.loads(page.read_text(encoding="utf-8"))["metadata"]["course"]["grading"]
    return texts


ASK = """
    select student_id, count(auto_score), sum(case when needs_manual_grade then 1 else 0 end)
    from submitted_assignment
    join submitted_notebook on submitted_notebook.assignment_id = submitted_assignment.id
    join grade on grade.notebook_id = submitted_notebook.id group by submitted_assignment.id"""


def scored(course):
    """{student: (cells with points, cells for a person)} in the gradebook, which must be intact and list
    nobody twice."""
    with sqlite3.connect(course / "gradebook.db") as book:
        assert book.execute("pragma integrity_check").fetchone() == ("ok",)
        rows = [(student, tuple(counts)) for student, *counts in book.execute(ASK)]
    assert len({student for student, _ in rows}) == len(rows)
    return dict(rows)


def family(pid):
    """A process and all its descendants."""
    try:
        grader = psutil.Process(pid)
        return [grader, *grader.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def alive(processes):
    """The ids of those that still run (psutil notices if an id belongs to another process by now)."""
    return [
        process.pid
        for process in processes
        if process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    ]


def megabytes(process):
    """The memory of the process; it counts its share of what it has in common with others."""
    try:
        return process.memory_full_info().pss >> 20
    except psutil.Error:
        return 0


if __name__ == "__main__":
    typer.run(main)
