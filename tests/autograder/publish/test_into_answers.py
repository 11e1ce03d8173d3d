"""What docs/instructors.md lists can be turned into answers; of the hints, a class gets the first ones."""

import inspect
import textwrap

import pytest

from autograder.exercises import load
from autograder.grading.grade_object import grade
from autograder.publish.bundle import contents
from course_utils import standins
from course_utils.model.sheet import Sheet, load_sheet
from course_utils.practice.interview.solutions import softmax as interview_softmax
from course_utils.wild.gpt2 import Block
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
IMPORTS = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
FROM_SPLIT = """
from course_utils.figures.split import right_places
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.flatten(1)[:, torch.as_tensor(right_places(T, num_heads, D // num_heads))]
"""
BLOCK = """
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention = attention
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def mlp(self, x):
        return self.down(F.gelu(self.up(x)))

"""


def pasted(function):
    return textwrap.dedent(inspect.getsource(function))


def block():
    forward = inspect.getsource(Block.forward).replace("ln_", "norm_")
    return BLOCK + forward


def last_hint():
    line = load_sheet("attention_scores").hints[3]
    return f"def attention_scores(queries, keys):\n    {line}"


@pytest.mark.parametrize(
    ("place", "name", "code"),
    [
        ("`course_utils/standins.py`", "masked_softmax", pasted(standins.masked_softmax)),
        ("`course_utils/figures/split.py`", "split_heads", FROM_SPLIT),
        ("`Block`", "DecoderBlock", block()),
        ("`--hints 4`", "attention_scores", last_hint()),
        ("interview's solutions", "masked_softmax", pasted(interview_softmax.masked_softmax)),
    ],
)
def test_what_the_docs_list_earns_full_points(place, name, code):
    space = {"__name__": "pasted"}
    exec(IMPORTS + code, space)
    result = grade(name, space[name], seed=1)
    assert place in PAGE
    assert (result.points, result.passed) == (load(name).points, True), result.message


def test_the_zip_holds_the_sheets_of_its_lessons_with_two_hints_or_as_many_as_the_option_says():
    sheets_of = {}
    for hints in (2, 4):
        files = contents(ROOT, ["01_masks"], hints)
        sheets = {
            path.rpartition("/")[2].removesuffix(".json"): Sheet.from_json(data.decode())
            for path, data in files.items()
            if path.startswith("course_utils/answers/") and path.count("/") == 2 and "lessons" not in path
        }
        sheets_of[hints] = sheets
        assert {name: len(sheet.hints) for name, sheet in sheets.items()} == {
            name: min(hints, len(load_sheet(name).hints)) for name in sheets
        }
    assert sheets_of[2].keys() == sheets_of[4].keys()
    assert "masked_softmax" in sheets_of[2]
    assert not {"split_heads", "merge_heads", "StaticKVCache"} & sheets_of[2].keys()
    notebook = "notebooks/01_masks/01_masks.ipynb"
    assert files[notebook] == (ROOT / notebook).read_bytes(), (
        "with all hints the notebook is the one that was built"
    )
