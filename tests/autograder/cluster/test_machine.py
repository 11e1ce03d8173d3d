"""Two machines grade alike, or one sentence names their difference; a call travels between them as bytes."""

import functools
import pickle
import subprocess
import sys

import pytest

from autograder.cluster.machine import fingerprint, this_machine, why_unfit
from autograder.cluster.worker import parcel, run_here
from autograder.gradebook.class_run import grade_one
from tests.tools.school import new_course, submit, submitted

LOCAL = {"course": "abc", "Python": "3.11", "torch": "2.13.0", "releases": {("01_masks", "f00")}}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"course": "other"}, "has another version of the course"),
        ({"releases": set()}, "has no release f00 of 01_masks"),
        ({"Python": "3.12"}, "has Python 3.12 where this machine has Python 3.11"),
        ({"torch": "2.9.0"}, "has torch 2.9.0 where this machine has torch 2.13.0"),
    ],
)
def test_every_difference_of_machines_is_named_except_an_extra_release(changes, why):
    assert why_unfit(LOCAL, LOCAL | changes).startswith(why)
    assert why_unfit(LOCAL, LOCAL | {"releases": {("01_masks", "f00"), ("01_masks", "f01")}}) == ""
    assert why_unfit(this_machine(), this_machine()) == ""


READ = "autograder/grading/judge.py", "course_utils/answers/softmax.json", "notebooks/a/a.ipynb"
NOT_READ = "autograder/releases/kept/01_masks/f00.json", "submitted/ada/a.ipynb", "README.md"


def test_the_fingerprint_changes_only_with_files_that_grading_reads(tmp_path):
    for text in ("first", "second"):
        for name in READ + NOT_READ:
            before, file = fingerprint(tmp_path), tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            assert (fingerprint(tmp_path) != before) == (name in READ)


def test_a_worker_does_not_see_the_path_of_the_course(tmp_path):
    course = new_course(tmp_path / "secret place")
    submit(course, "ada")
    action = functools.partial(grade_one, seed=1, no_sandbox=False)
    _, packed = parcel(run_here, this_machine(), action, submitted(course, "ada"))
    assert b"secret place" not in packed
    assert pickle.loads(packed)[1][2].student == "ada"


OPEN = """
import pickle, sys
sys.modules.update(dict.fromkeys(["autograder", "course_utils"]))  # now none of them can be imported
call, packed = pickle.load(sys.stdin.buffer)
print(pickle.loads(call(packed)))
"""


@pytest.mark.system
def test_a_call_runs_on_a_machine_without_the_course_or_names_the_missing_module(tmp_path):
    import cloudpickle  # Dask installs it

    def run_without_course(parcel_):
        call = [sys.executable, "-c", OPEN]
        return subprocess.run(call, input=cloudpickle.dumps(parcel_), cwd=tmp_path, capture_output=True)

    assert run_without_course(parcel(divmod, 17, 5)).stdout == b"(3, 2)\n"
    error = run_without_course(parcel(run_here, 1, divmod, 2)).stderr
    assert b"ModuleNotFoundError: No module named 'autograder" in error
