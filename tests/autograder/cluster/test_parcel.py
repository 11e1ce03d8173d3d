"""A call travels as bytes: what opens it names no module of the course, and no path of the class."""

import functools
import pickle
import subprocess
import sys

import pytest

from autograder.cluster.machine import this_machine
from autograder.cluster.worker import parcel, run_here
from autograder.gradebook.class_run import grade_one
from tests.tools.school import new_course, submit, submitted

OPEN = """
import pickle, sys
sys.modules.update(dict.fromkeys(["autograder", "course_utils"]))  # now none of them can be imported
call, packed = pickle.load(sys.stdin.buffer)
print(pickle.loads(call(packed)))
"""


@pytest.mark.system
def test_a_call_is_opened_where_the_course_is_missing(tmp_path):
    import cloudpickle  # Dask brings it

    def opened(sent):
        call = [sys.executable, "-c", OPEN]
        return subprocess.run(call, input=cloudpickle.dumps(sent), cwd=tmp_path, capture_output=True)

    assert opened(parcel(divmod, 17, 5)).stdout == b"(3, 2)\n"
    error = opened(parcel(run_here, 1, divmod, 2)).stderr
    assert b"ModuleNotFoundError: No module named 'autograder" in error


def test_a_worker_gets_no_path_of_the_class(tmp_path):
    course = new_course(tmp_path / "secret place")
    submit(course, "ada")
    action = functools.partial(grade_one, seed=1, no_sandbox=False)
    _, packed = parcel(run_here, this_machine(), action, submitted(course, "ada"))
    assert b"secret place" not in packed
    assert pickle.loads(packed)[1][2].student == "ada"
