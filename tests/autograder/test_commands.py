"""The list of commands fits on one screen, and each command has a valid example."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from autograder.__main__ import app

COMMANDS = typer.main.get_command(app).commands
RUN = CliRunner().invoke
ROOT = Path(__file__).parents[2]


def test_all_commands_fit_one_screen():
    help_text = RUN(app, ["--help"], env={"COLUMNS": "80"}).output
    assert len(help_text.splitlines()) <= 42
    assert all(f" {name} " in help_text for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example_that_it_accepts(name):
    help_text = " ".join(RUN(app, [name, "--help"], env={"COLUMNS": "200"}).output.split())
    example = re.search(r"Example: python -m autograder (\S.*)$", help_text)[1]
    first, *words = shlex.split(example.replace("Canvas'", "Canvas"))
    assert first == name
    COMMANDS[name].make_context(name, words, resilient_parsing=False)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["grade", "x.ipynb", "--student", "ada"], "without a gradebook"),
        (["grade", "x.ipynb", "--regrade"], "without a gradebook"),
        (["grade", "--json", "x.json"], "are for loose notebooks"),
        (["export", "--to", "excel"], "canvas"),
        (["change-points"], "Missing argument"),
    ],
)
def test_contradictory_or_incomplete_options_are_refused(call, words):
    result = RUN(app, call, env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert words in result.output


@pytest.mark.parametrize(("library", "code"), [("typer", -signal.SIGINT), ("markdown_it", 130)])
def test_ctrl_c_while_a_command_still_imports_leaves_no_traceback(tmp_path, library, code):
    """A library that the command line imports, at its start or to write a message, presses Ctrl-C."""
    (tmp_path / f"{library}.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    command = [sys.executable, "-m", "autograder", "grade", "--no-such-option"]
    run = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True
    )
    assert run.returncode == code
    assert run.stderr == b""
