"""A whole class graded at once: one result each, no growing memory, no process left."""

import gc
import itertools
import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host.supervisor import SandboxWorker
from autograder.sandbox.shared.job import Limits
from tests.tools.points import full_marks

from . import broken, hostile
from .notebooks import answers, as_bytes, notebook
from .processes import inside, left_over

BAD = 10
HARM = ("forks_without_end", "memory", "messages", "kills_everything", "segfault", "file", "daemon")
BROKEN = ("cut_off", "a_picture", "nested_without_end")


def submissions(students):
    """[(bytes, points, "some" or None for a rejection)]: good work, some half done, and BAD bad ones."""
    good = as_bytes(notebook())
    slip = as_bytes(
        notebook({"softmax": "def softmax(x, dim=-1):\n    e = torch.exp(x)\n    return e / e.sum()"})
    )
    half = as_bytes(notebook({name: answers()[name] for name in list(answers())[:4]}, solved=False))
    bad = [(as_bytes(notebook(extra=hostile.START + hostile.CELLS[name])), full_marks()) for name in HARM]
    bad += [(broken.FILES[name][0], None) for name in BROKEN]
    usual = itertools.cycle([(good, full_marks()), (good, full_marks()), (slip, "some"), (half, "some")])
    mixed = list(itertools.islice(usual, students - BAD))
    for place, submission in enumerate(bad):
        mixed.insert(place * (students // BAD) + 3, submission)
    return mixed


def memory_mb(pid="self"):
    with open(f"/proc/{pid}/status") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("RssAnon:")) / 1024


@pytest.mark.parametrize(
    "students",
    [pytest.param(60, marks=pytest.mark.system), pytest.param(200, marks=pytest.mark.release)],
)
def test_a_whole_class_is_graded_at_once_without_growing_memory_or_left_processes(students, bwrap):
    worker = SandboxWorker(Limits(step_seconds=3, all_seconds=20, memory_mb=400))
    expected = submissions(students)
    start = time.monotonic()
    memory = []

    def grade(item):
        number, (data, _) = item
        result = grade_notebook(data, worker=worker).as_dict()
        if number in (students // 3, students - 1):
            gc.collect()
            memory.append((memory_mb(), sum(map(memory_mb, inside(worker)[:3]))))
        return result

    try:
        worker.ready()
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(grade, enumerate(expected)))
        assert left_over(worker) == []
    finally:
        worker.close()
    assert len(results) == students
    for result, (_, points) in zip(results, expected, strict=True):
        assert result["status"] == ("rejected" if points is None else "graded"), result
        if points == "some":
            assert 0 < result["score"] < full_marks()
        else:
            assert result["score"] == points, result
    (grader_memory, parent_memory), (grader_memory_after, parent_memory_after) = memory
    assert grader_memory_after - grader_memory < 60, "the grader's own memory grows"
    assert parent_memory_after - parent_memory < 30, "the warm parent's memory grows"
    print(
        f"{students} submissions: {time.monotonic() - start:.0f} s on {os.cpu_count()} cores; "
        f"memory {grader_memory:.0f} -> {grader_memory_after:.0f} MB"
    )
