"""A passing answer is saved as a file that passes by itself, however its imports and helpers are written."""

import pytest

from course_utils.own import saved

USES_NUMPY = "def attention_weights(x):\n    return torch.softmax(x, int(np.float64(-1)))"

HELPER = "def helper(i, j):\n    return j > i + WIDTH - 1"
MASK = """def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    i = torch.arange(seq_len_q, device=device)[:, None]
    return helper(i, torch.arange(seq_len_k or seq_len_q, device=device))"""


def attention_weights(x):
    """Only the name matters: the source comes from the cells."""


IMPORTS = {
    "under a try": "import torch\ntry:\n    import numpy as np\nexcept ImportError:\n    np = None",
    "under an if": "if True:\n    import numpy as np\n    import torch",
    "under a with": "import os\nwith os.scandir():\n    import numpy as np\n    import torch",
    "in a timed cell": "%%time\nimport numpy as np\nimport torch",
    "beside a magic": "%matplotlib inline\nimport numpy as np\nimport torch\n!pip list",
}


@pytest.fixture
def saved_text(tmp_path, monkeypatch):
    """saved_text(name, cells) is the text that is saved for an answer which these cells define, or None."""

    def keep(name, cells, answer=attention_weights):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(saved, "notebook_cells", lambda: cells)
        path = saved.save_answer(name, answer)
        return path and path.read_text(encoding="utf-8")

    return keep


@pytest.mark.parametrize("style", IMPORTS)
def test_a_saved_answer_includes_its_imports(style, saved_text):
    text = saved_text("attention_weights", [IMPORTS[style], USES_NUMPY])
    assert saved.load("attention_weights", text)[0]


def test_a_saved_answer_includes_only_the_definitions_that_it_uses(saved_text):
    cells = ["", "%matplotlib inline", "import torch\nimport os", "WIDTH = 1", HELPER, MASK]
    space = {}
    for cell in cells[2:]:
        exec(cell, space)
    text = saved_text("create_causal_mask", cells, space["create_causal_mask"])
    assert [words in text for words in ("def helper", "WIDTH = 1", "import os")] == [True, True, False]
    assert saved.load("create_causal_mask", text)[0]


def test_saving_an_answer_repeats_no_warnings_of_other_cells(saved_text, recwarn):
    """A warning on stderr would cost the points of nbgrader's own test cell."""
    cells = ["title = '$\\sigma$'", "def attention_weights(x):\n    return x.softmax(-1)"]
    assert saved_text("attention_weights", cells)
    assert not recwarn.list


def test_an_answer_that_fails_outside_its_notebook_is_not_saved(saved_text, tmp_path):
    assert saved_text("attention_weights", ["def attention_weights(*a):\n    return elsewhere(*a)"]) is None
    assert list(tmp_path.iterdir()) == []
