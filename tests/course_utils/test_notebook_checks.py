"""What a check says in a notebook when there is nothing to judge: a syntax error, an interruption."""

import sys
from types import SimpleNamespace

import pytest

from autograder.exercises import load
from course_utils import check
from course_utils.own import saved

SOFTMAX = load("softmax").implementation
RIGHT = "def softmax(x, dim=-1):\n    return (x - x.logsumexp(dim, keepdim=True)).exp()"
BROKEN = "import torch\n\ndef softmax(x, dim=-1):\n    return (x - x.logsumexp(dim, keepdim=True).exp()"


@pytest.fixture
def notebook(monkeypatch, tmp_path):
    """notebook(cells) pretends that these cells were run."""
    monkeypatch.chdir(tmp_path)  # an answer that passes is saved

    def run(*cells):
        history = SimpleNamespace(input_hist_raw=["", *cells])
        shell = SimpleNamespace(
            history_manager=history, transform_cell=lambda cell: cell.replace("%time ", "")
        )
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))

    return run


def test_a_syntax_error_in_the_newest_definition_is_reported_instead_of_judging_an_older_one(
    notebook, capsys
):
    notebook(RIGHT, BROKEN, "check('softmax', softmax)")
    result = check("softmax", SOFTMAX)
    assert (result.status, result.mistake, result.passed) == ("error", "syntax_error", False)
    assert (
        "The newest cell that defines `softmax` has a syntax error (line 4: '(' was never closed)"
        in result.message
    )
    assert result.message in capsys.readouterr().out


@pytest.mark.parametrize(
    "cells",
    [
        (BROKEN, RIGHT),
        (RIGHT, "def softmax_of(x:"),
        (RIGHT, "%%writefile softmax.py\n" + BROKEN),
        ("%time y = 1\n" + RIGHT,),
        (),
    ],
    ids=["mended", "another name", "a file", "a magic", "no cells"],
)
def test_a_definition_that_python_read_is_judged(cells, notebook):
    notebook(*cells)
    assert check("softmax", SOFTMAX).passed


def test_outside_a_notebook_no_cell_is_searched(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert saved.syntax_error_in("softmax") is None


def test_an_interrupted_check_says_so_in_one_sentence(notebook):
    notebook(RIGHT)

    def softmax(x, dim=-1):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        check("softmax", softmax)
    assert stopped.value._render_traceback_() == [
        "The check was interrupted before it was done: run the cell again."
    ]
