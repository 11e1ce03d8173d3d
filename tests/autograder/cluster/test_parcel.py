"""A call travels as bytes: what opens it names no module of the course, and no path of the class."""

import functools
import pickle
import subprocess
import sys

import cloudpickle

from autograder.cluster.machine import this_machine
from autograder.cluster.parcel import parcel
from autograder.cluster.worker import run_here
from autograder.gradebook.class_run import grade_one
from tests.tools.school import new_course, submit, submitted

OPEN = "import pickle, sys; call, packed = pickle.load(sys.stdin.buffer); print(pickle.loads(call(packed)))"


def opened_elsewhere(sent, folder):
    """In a Python that has cloudpickle and nothing of the course."""
    return subprocess.run(
        [sys.executable, "-I", "-c", OPEN], input=cloudpickle.dumps(sent), cwd=folder, capture_output=True
    )


def test_a_call_is_opened_where_the_course_is_missing(tmp_path):
    assert opened_elsewhere(parcel(divmod, 17, 5), tmp_path).stdout.decode().strip() == "(3, 2)"


def test_a_worker_gets_no_path_of_the_class(tmp_path):
    course = new_course(tmp_path / "secret place")
    submit(course, "ada")
    action = functools.partial(grade_one, seed=1, no_sandbox=False)
    call, packed = parcel(run_here, this_machine(), action, submitted(course, "ada"))
    assert b"secret place" not in packed
    assert b"autograder" not in cloudpickle.dumps(call).replace(b"autograder.cluster.parcel", b"")
    assert pickle.loads(packed)[1][2].student == "ada"
