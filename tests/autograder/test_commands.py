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
