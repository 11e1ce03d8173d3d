"""python -m autograder doctor, without notebooks: the machine."""

from unittest.mock import Mock

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.cluster.machine import this_machine
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.setup import doctor


@pytest.mark.parametrize(("why", "code"), [("", 0), ("The sandbox needs bubblewrap.", 1)])
def test_it_says_what_a_worker_must_have_and_whether_the_sandbox_works(monkeypatch, why, code):
    sandbox = Mock(**{"ready.side_effect": SandboxUnavailable(why) if why else None})
    monkeypatch.setattr(doctor, "sandbox", lambda: sandbox)
    done = CliRunner().invoke(app, ["doctor"])
    printed = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if line.strip())
    assert done.exit_code == code
    assert printed["course"].strip() == this_machine()["course"]
    assert printed["sandbox"].strip() == (why or "works")
    assert {"Python", "torch", "numpy", "distributed", "psycopg"} <= printed.keys()
