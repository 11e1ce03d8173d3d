"""Stand-ins and code that reaches for the grader are noted, and no honest work is."""

import ast

import pytest

from autograder.submission.read import submission_from
from autograder.submission.remarks import STAND_INS
from tests.corpus.notebooks import as_bytes, notebook

SOFTMAX = "def softmax(x, dim=-1):\n    {}\n    e = x.exp()\n    return e / e.sum(dim, keepdim=True)"
STAND_IN = ast.parse(STAND_INS.read_text(encoding="utf-8"))


def remarks(body="", above="", lesson="01_masks", **cells):
    cells = cells or {"softmax": above + SOFTMAX.format(body)}
    return submission_from(as_bytes(notebook(cells, lesson=lesson))).remarks


@pytest.mark.parametrize(
    ("body", "name"),
    [
        *(
            (call, call[: call.index("(")])
            for call in ("exec('y = x')", "eval('x')", "compile('x', '', 'eval')")
        ),
        *((f"import {module}", module) for module in ("gc", "threading")),
        ("__builtins__['exec']('y = x')", "__builtins__"),
        ("get_ipython().run_cell('y = x')", "run_cell"),
        ("from course_utils.compare import verdict", "course_utils.compare"),
        ("import course_utils.observe.probe", "course_utils.observe"),
        ("from course_utils import model", "course_utils.model"),
    ],
)
def test_what_reaches_for_the_grader_is_noted(body, name):
    assert any(name in remark.partition(" is used")[0] for remark in remarks(body))


@pytest.mark.parametrize(
    ("above", "body", "name"),
    [
        ("def helper():\n    return eval('1')\n\n", "helper()", "eval"),
        ("import sys", "sys._getframe(1)", "_getframe"),
        ("from sys import _getframe as frame", "frame(1)", "_getframe"),
        ("import builtins", "builtins.exec('y = x')", "builtins"),
        ("import sys", "sys.modules.values()", "sys.modules"),
        ("import inspect", "inspect.stack()", "inspect"),
        ("import ctypes", "ctypes.CDLL(None)", "ctypes"),
        ("import sys", "sys.modules['course_utils.observe.probe']", "course_utils.observe"),
        ("import sys", "sys.modules['autograder.sandbox.inside.runner']", "autograder.sandbox"),
    ],
)
def test_what_a_line_above_brings_to_reach_for_the_grader_is_noted(above, body, name):
    assert any(name in remark.partition(" is used")[0] for remark in remarks(body, f"{above}\n"))


@pytest.mark.parametrize(
    ("body", "above"),
    [
        ("model.eval()", "import torch\nmodel = torch.nn.Linear(1, 1)\n"),
        ("torch.compile(len)", "import torch\n"),
        ("re.compile('x')", "import re\n"),
        ("compile(x)", "def compile(x):\n    return x\n\n\n"),
        ("from course_utils import check", ""),
    ],
)
def test_what_only_looks_like_it_is_not(body, above):
    assert remarks(body, above) == []


@pytest.mark.parametrize("magic", ["%%prun", "%%writefile helper.py"])
def test_the_cell_below_a_magic_is_searched(magic):
    (remark,) = remarks("exec('y = x')", f"{magic}\n")
    assert remark.startswith("exec is used in cell")


@pytest.mark.parametrize("cell", [f"# e{51 * chr(0x301)}\n", f"# {50_000 * 'a'}\n", 201 * "%time 1\n"])
def test_a_cell_that_cannot_be_searched_is_noted_and_one_that_is_no_python_is_not_run(cell):
    (remark,) = remarks(softmax=cell + SOFTMAX.format("exec('y = x')"))
    assert "cannot be searched" in remark
    assert remarks("x = = 1") == []


class Rename(ast.NodeTransformer):
    """Other names for arguments and variables, and annotations."""

    def visit_arg(self, node):
        return ast.arg(new_name(node.arg), ast.Name("object"))

    def visit_Name(self, node):
        return ast.Name(new_name(node.id), node.ctx)


def new_name(name):
    return name if name == "self" else f"my_{name}"


@pytest.mark.parametrize(
    ("name", "lesson"),
    [
        ("masked_softmax", "01_masks"), ("create_attention_mask", "01_masks"),
        ("StaticKVCache", "04_kv_cache"),
        ("head_scores", "05_visualization"), ("translate_mask", "06_in_the_wild"), ("apply_rope", "07_today"),
    ],
)  # fmt: skip
def test_a_stand_in_is_known_however_it_is_written(name, lesson):
    (text,) = (node for node in STAND_IN.body if getattr(node, "name", "") == name)
    renamed = Rename().visit(ast.parse(ast.unparse(text)))
    inside = ast.FunctionDef("made", ast.arguments([], [], None, [], [], None, []), [text], [], None, None)
    more = ast.parse(ast.unparse(text))
    more.body[0].body.insert(0, ast.Pass())
    for tree in (text, renamed, inside, more):
        source = ast.unparse(ast.fix_missing_locations(tree)) + f"\n\n\nif 0:\n    {name} = made()"
        assert any(f"stand-in for {name}" in remark for remark in remarks(lesson=lesson, **{name: source}))
