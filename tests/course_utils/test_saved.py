"""A passing answer is saved as a file that passes by itself, however its imports and helpers are written."""

import pytest

from course_utils.own import saved

USES_NUMPY = "def attention_weights(x):\n    return torch.softmax(x, int(np.float64(-1)))"

HELPER = "def helper(i, j):\n    return j > i + WIDTH - 1"
MASK = """def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    i = torch.arange(seq_len_q, device=device)[:, None]
    return helper(i, torch.arange(seq_len_k or seq_len_q, device=device))"""


def attention_weights(x):
    """Only its name counts: the text comes from the cells."""


IMPORTS = {
    "under a try": "import torch\ntry:\n    import numpy as np\nexcept ImportError:\n    np = None",
    "under an if": "if True:\n    import numpy as np\n    import torch",
    "under a with": "import os\nwith os.scandir():\n    import numpy as np\n    import torch",
    "in a timed cell": "%%time\nimport numpy as np\nimport torch",
    "beside a magic": "%matplotlib inline\nimport numpy as np\nimport torch\n!pip list",
}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """saved_text(name, cells) is the text that is saved for an answer which these cells define, or None."""

    def keep(name, cells, answer=attention_weights):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(saved, "notebook_cells", lambda: cells)
        path = saved.keep(name, answer)
        return path and path.read_text(encoding="utf-8")

    return keep


@pytest.mark.parametrize("how", IMPORTS)
def test_an_answer_is_kept_with_its_imports(how, kept):
    text = kept("attention_weights", [IMPORTS[how], USES_NUMPY])
    assert saved.load("attention_weights", text)[0]


def test_an_answer_is_kept_with_what_it_uses_and_nothing_else(kept):
    cells = ["", "%matplotlib inline", "import torch\nimport os", "WIDTH = 1", HELPER, MASK]
    space = {}
    for cell in cells[2:]:
        exec(cell, space)
    text = kept("create_causal_mask", cells, space["create_causal_mask"])
    assert [words in text for words in ("def helper", "WIDTH = 1", "import os")] == [True, True, False]
    assert saved.load("create_causal_mask", text)[0]


def test_keeping_an_answer_repeats_no_warning_about_other_cells(kept, recwarn):
    """On stderr it would cost the points of nbgrader's own test cell."""
    cells = ["title = '$\\sigma$'", "def attention_weights(x):\n    return x.softmax(-1)"]
    assert kept("attention_weights", cells)
    assert not recwarn.list


def test_an_answer_that_needs_more_than_its_file_is_not_kept(kept, tmp_path):
    assert kept("attention_weights", ["def attention_weights(*a):\n    return elsewhere(*a)"]) is None
    assert list(tmp_path.iterdir()) == []
