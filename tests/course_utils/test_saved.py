"""A passing answer is kept as a file that passes by itself, however its imports and helpers are written."""

import subprocess
import sys

import pytest

from course_utils.own import saved

USES_NUMPY = "def attention_weights(x):\n    return torch.softmax(x, int(np.float64(-1)))"


def attention_weights(x):
    """Only its name counts: the text comes from the cells."""


IMPORTS = {
    "under a try": "import torch\ntry:\n    import numpy as np\nexcept ImportError:\n    np = None",
    "under an if": "if True:\n    import numpy as np\n    import torch",
    "under a with": (
        "import contextlib\nwith contextlib.suppress(ImportError):\n    import numpy as np, torch"
    ),
    "in a timed cell": "%%time\nimport numpy as np\nimport torch",
    "beside a magic": "%matplotlib inline\nimport numpy as np\nimport torch\n!pip list",
}


@pytest.mark.parametrize("how", IMPORTS)
def test_an_answer_is_kept_with_its_imports(how, tmp_path, monkeypatch):
    cells = [IMPORTS[how], USES_NUMPY]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(saved, "notebook_cells", lambda: cells)
    path = saved.keep("attention_weights", attention_weights)
    assert path is not None
    assert saved.load("attention_weights", path.read_text(encoding="utf-8")) is not None


def test_the_cells_of_the_notebook_are_read_as_they_were_written():
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.run_cell('%%time\\nx = 1', store_history=True)\n"
        "from course_utils.own.saved import notebook_cells\n"
        "print(notebook_cells()[-1:])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "['%%time\\nx = 1']"
