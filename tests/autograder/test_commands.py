"""The list of commands fits on one screen, and each command has a valid example."""

import re
import shlex

import pytest
import typer
from typer.testing import CliRunner

from autograder.__main__ import app

COMMANDS = typer.main.get_command(app).commands
RUN = CliRunner().invoke


def test_all_commands_fit_one_screen():
    printed = RUN(app, ["--help"], env={"COLUMNS": "80"}).output
    assert len(printed.splitlines()) <= 42
    assert all(f" {name} " in printed for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example_that_it_takes(name):
    printed = " ".join(RUN(app, [name, "--help"], env={"COLUMNS": "200"}).output.split())
    example = re.search(r"Example: python -m autograder (\S.*)$", printed)[1]
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
def test_a_call_that_cannot_be_meant_is_refused(call, words):
    done = RUN(app, call, env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert words in done.output
