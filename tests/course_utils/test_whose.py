"""Each cell that uses an object from `yours` prints whose code ran."""

import os
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_utils import yours
from course_utils.own.saved import notebook_cells
from tests.tools.assessed import output_of

RIGHT = "import torch\ndef softmax(x, dim=-1):\n    return (x - x.logsumexp(dim, keepdim=True)).exp()"
WRONG = "def softmax(x, dim=-1):\n    return x"
STUB = "def softmax(x, dim=-1):\n    raise NotImplementedError"


@pytest.fixture
def cell(tmp_path, monkeypatch):
    """cell(text) runs the text as a cell and returns the printed lines."""
    main = sys.modules["__main__"]
    before = {*vars(main)}
    (tmp_path / "02_next").mkdir()
    monkeypatch.chdir(tmp_path / "02_next")
    monkeypatch.setenv("IPYTHONDIR", os.fspath(tmp_path))
    shell = InteractiveShell.instance(user_module=main)
    shell.run_cell("from course_utils import yours; import torch")
    yield lambda text: output_of(lambda: shell.run_cell(text, store_history=True)).strip().splitlines()
    InteractiveShell.clear_instance()
    for name in vars(main).keys() - before:
        delattr(main, name)


USE = "w = yours('softmax')(torch.zeros(2, 2))"
LEARNERS_CODE = ["This cell ran your softmax."]
UNWRITTEN = ["This cell ran the course's softmax (yours is not written yet)."]
FAILING = ["This cell ran the course's softmax (yours does not pass yet)."]


def test_every_cell_says_whose_code_it_ran(cell):
    assert cell(USE) == UNWRITTEN
    assert cell(USE) == UNWRITTEN  # every time
    cell(STUB)
    assert cell(USE) == UNWRITTEN
    cell(WRONG)
    assert cell(f"{USE}\nprint('a result')") == ["a result", *FAILING]
    cell(RIGHT)
    assert cell(f"{USE}\n{USE}") == LEARNERS_CODE
    assert cell("1 + 1; total = w.sum()") == []
    assert cell(f"{USE}\n1 / 0")[-1] == LEARNERS_CODE[0]
    cell("nothing = None")
    assert cell("nothing") == []


def test_an_object_named_in_an_earlier_cell_is_reported_where_it_is_used(cell):
    cell("attend = yours('softmax'); make = yours('MultiHeadSelfAttention')")
    assert cell("w = attend(torch.zeros(2))") == UNWRITTEN
    assert cell("for _ in range(3):\n    attend(torch.zeros(2))") == UNWRITTEN
    cell("layer = make(4, 2)")
    of_layer = ["This cell ran the course's MultiHeadSelfAttention (yours is not written yet)."]
    assert cell("y = layer(torch.zeros(1, 3, 4))") == of_layer
    assert cell("shape = y.shape") == []
    cell(RIGHT)
    assert cell("w = softmax(torch.zeros(2))") == []  # clearly the learner's
    both = "This cell ran the course's softmax (yours is not written yet); your softmax."
    assert cell("w = yours('softmax')(torch.zeros(2)) + attend(torch.zeros(2))") == [both]


def test_a_saved_answer_is_reported_as_saved(cell, tmp_path):
    folder = tmp_path / "01_masks" / ".progress"
    folder.mkdir(parents=True)
    (folder / "softmax.py").write_text(RIGHT)
    assert cell(USE) == ["This cell ran your saved softmax."]


def test_notebook_cells_are_read_with_their_magics(cell):
    cell("%%time\nx = 1")
    assert notebook_cells()[-1:] == ["%%time\nx = 1"]


def test_outside_a_notebook_yours_reports_its_source_immediately(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        message = output_of(lambda: yours("attention_weights"))
        assert message == "yours gives the course's attention_weights (yours is not written yet).\n"
