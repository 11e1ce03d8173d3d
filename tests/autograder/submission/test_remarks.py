"""Stand-ins and code that reaches for the grader get a remark; honest work gets none."""

import ast

import pytest

from autograder.notes import REMARK, texts_of
from autograder.submission.read import submission_from
from autograder.submission.remarks import STAND_INS
from tests.corpus.notebooks import as_bytes, notebook
from tests.tools.class_with_copies import renamed

SOFTMAX = "def softmax(x, dim=-1):\n    {}\n    e = x.exp()\n    return e / e.sum(dim, keepdim=True)"
STAND_IN = ast.parse(STAND_INS.read_text(encoding="utf-8"))


def remarks(body="", above="", lesson="01_masks", **cells):
    cells = cells or {"softmax": above + SOFTMAX.format(body)}
    return texts_of(submission_from(as_bytes(notebook(cells, lesson=lesson))).notes, REMARK)


@pytest.mark.parametrize(
    ("above", "body", "name"),
    [
        ("", "exec('y = x')", "exec"),
        ("", "eval('x')", "eval"),
        ("", "compile('x', '', 'eval')", "compile"),
        ("", "import gc", "gc"),
        ("", "import threading", "threading"),
        ("", "__builtins__['exec']('y = x')", "__builtins__"),
        ("", "get_ipython().run_cell('y = x')", "run_cell"),
        ("", "from course_utils.compare import verdict", "course_utils.compare"),
        ("", "import course_utils.observe.probe", "course_utils.observe"),
        ("", "from course_utils import model", "course_utils.model"),
        ("def helper():\n    return eval('1')\n\n", "helper()", "eval"),
        ("import sys", "sys._getframe(1)", "_getframe"),
        ("from sys import _getframe as frame", "frame(1)", "_getframe"),
        ("import builtins", "builtins.exec('y = x')", "builtins"),
        ("import sys", "sys.modules.values()", "sys.modules"),
        ("import inspect", "inspect.stack()", "inspect"),
        ("import ctypes", "ctypes.CDLL(None)", "ctypes"),
        ("import sys", "sys.modules['course_utils.observe.probe']", "course_utils.observe"),
        ("import sys", "sys.modules['autograder.sandbox.inside.runner']", "autograder"),
        ("%%prun", "exec('y = x')", "exec"),
        ("%%writefile helper.py", "exec('y = x')", "exec"),
    ],
)
def test_code_that_reaches_for_the_grader_gets_a_remark(above, body, name):
    names = [remark.partition(" is used in cell")[0] for remark in remarks(body, f"{above}\n")]
    assert any(name in text for text in names)


@pytest.mark.parametrize(
    ("above", "body"),
    [
        ("import torch\nmodel = torch.nn.Linear(1, 1)", "model.eval()"),
        ("import torch", "torch.compile(len)"),
        ("import re", "re.compile('x')"),
        ("", '"""it uses exec"""'),
        ("", "pass  # the same as exec and torch.softmax"),
        ("", "from course_utils import check"),
        ("", "pass  # we can't use F.softmax here, so by hand"),
        ("# it's bad to exec or eval strings, isn't it", "gc = 1"),
        ("", "'''it doesn't use torch.softmax'''  # it's by hand"),
        ("", "'not torch.softmax'"),
        ("", 'R"is no exec"'),
        ("", "'no eval' \\\n    'and no F.softmax'"),
        ("", "('no eval'\n     'and no F.softmax')  # isn't it"),
    ],
)
def test_harmless_code_that_looks_similar_gets_no_remark(above, body):
    assert remarks(body, f"{above}\n") == []


@pytest.mark.parametrize("cell", [f"# e{51 * chr(0x301)}\n", f"# {50_000 * 'a'}\n", 201 * "%time 1\n"])
def test_words_are_seen_in_a_cell_that_no_parser_reads(cell):
    (remark,) = remarks(softmax=cell + SOFTMAX.format("exec('y = x')"))
    assert remark.startswith("exec is used in cell")
    assert remarks("x = = 1") == []


@pytest.mark.parametrize(
    ("above", "body", "name"),
    [
        ("import builtins as b\n", "b.__dict__['exec']('y = x')", "exec"),
        ("import torch.nn.functional as lib\n", "y = lib.scaled_dot_product_attention(x, x, x)", "attention"),
        ("", "y = getattr(F, 'scaled_dot_product_attention')(x, x, x)", "attention"),
        ("", "run = lambda text: eval(text)", "eval"),
        ("", "y = vars(torch)['softmax'](x, dim)", "softmax"),
        ("", "y = getattr(torch, 'softmax')(x, dim)", "softmax"),
        ("s = torch.softmax\n", "return s(x, dim)", "softmax"),
        ("from scipy.special import expit, softmax as sm\n", "return sm(x, dim)", "softmax"),
        ("from scipy.special import (\n    softmax as sm\n)\n", "return sm(x, dim)", "softmax"),
        ("m = torch.jit.script(nn.Softmin(-1))\n", "return m(-x)", "Softmin"),
        ("", "return F.softmin(-x, dim)", "softmin"),
        ("", "return torch.distributions.Categorical(logits=x).logits.exp()", "Categorical"),
        ("", "return getattr(torch, 'softmax', None)(x, dim)", "softmax"),
        ("", "import operator; return operator.attrgetter('softmax')(torch)(x, dim)", "softmax"),
        ("", "y = x.detach().requires_grad_(); y.logsumexp(dim).sum().backward(); return y.grad", "backward"),
        ("from torch.autograd import grad\n", "return grad(x.logsumexp(dim).sum(), x)[0]", "grad"),
    ],
)
def test_an_alias_a_string_and_a_lambda_are_seen(above, body, name):
    assert any(name in remark.partition(" in cell")[0] for remark in remarks(body, above))


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("return torch.ops.aten. softmax.int(x, dim)", "softmax"),
        ("return (torch.ops.aten.\n            softmax.int(x, dim))", "softmax"),
        ("return torch.ops.aten. \\\n    softmax.int(x, dim)", "softmax"),
        ("return torch.ops.aten.\uff53oftmax.int(x, dim)", "softmax"),
        ("y = F.scaled\ufe33dot_product_attention(x, x, x)", "scaled_dot_product_attention"),
        ("a = '''\n'''\n    y = exec('1')\n    b = '''\n'''", "exec"),
        ("return getattr(torch.ops.aten, 's\\x6fftmax').int(x, dim)", "softmax"),
        ("return getattr(torch, 'so\\N{LATIN SMALL LETTER F}tmax')(x, dim)", "softmax"),
        ("return getattr(torch, 'soft' 'max')(x, dim)", "softmax"),
        ("return vars(torch)['''softmax'''](x, dim)", "softmax"),
        ("f'{exec (1)}'", "exec"),
        ("import sys\n    n = sys. modules", "sys.modules"),
        ("from sys import (path,\n    modules)", "sys.modules"),
        ("from course_utils import (check, model)", "course_utils.model"),
        ("import os, " + ", ".join(f"os as o{n}" for n in range(60)) + ", gc", "gc"),
    ],
)
def test_a_name_is_read_as_python_reads_it(body, name):
    (remark,) = remarks(body, "import torch.nn.functional as F\n")
    subject = remark.partition(" is ")[0]
    assert subject in (name, f"Ready-made softmax ({name})", f"Ready-made attention ({name})")


def test_a_remark_names_the_line_in_which_the_name_stands():
    (remark,) = remarks("return torch.exp(x) + (\n  exec\n  ('1'))", "\n\n")
    assert ", line 5:" in remark


@pytest.mark.parametrize(
    ("call", "is_ready_made"),
    [
        ("fn.scaled_dot_product_attention", True), ("short.scaled_dot_product_attention", True),
        ("getattr(F, 'scaled_dot_product_attention')", True),
        ("vars(F)['scaled_dot_product_attention']", True),
        ("scaled_dot_product_attention", False), ("Ops.scaled_dot_product_attention", False),
        ("{n: print(n) for n in ['scaled_dot_product_attention']} or print", False),
    ],
)  # fmt: skip
def test_a_name_that_the_notebook_defines_is_ready_made_only_behind_a_library(call, is_ready_made):
    lines = "import torch.nn.functional as fn\nshort = torch.nn.functional\n"
    cells = {"scaled_dot_product_attention": "def scaled_dot_product_attention(Q, K, V):\n    return Q, Q"}
    cells["multi_head_attention_core"] = (
        f"{lines}class Ops:\n    scaled_dot_product_attention = print\n\n"
        f"def multi_head_attention_core(Q, K, V, n):\n    return {call}(Q, K, V)"
    )
    assert len(remarks(lesson="02_split_concat", **cells)) == is_ready_made


def test_a_class_of_the_students_own_is_no_librarys_softmax():
    own = "class Softmax(torch.autograd.Function):\n    def forward(ctx, x):\n        return x / x.sum()\n\n"
    assert remarks("return Softmax.apply(x)", own) == []
    assert "Softmax" in remarks("return torch.nn.Softmax(dim)(x)", own)[0]


@pytest.mark.parametrize(
    ("name", "lesson"),
    [
        ("masked_softmax", "01_masks"), ("create_attention_mask", "01_masks"),
        ("StaticKVCache", "04_kv_cache"),
        ("head_scores", "05_visualization"), ("translate_mask", "06_in_the_wild"), ("apply_rope", "07_today"),
    ],
)  # fmt: skip
def test_a_stand_in_is_recognised_after_renaming_nesting_and_padding(name, lesson):
    (text,) = (node for node in STAND_IN.body if getattr(node, "name", "") == name)
    variant = ast.parse(renamed(ast.unparse(text)).replace("my_self", "self"))
    inner = ast.FunctionDef("made", ast.arguments([], [], None, [], [], None, []), [text], [], None, None)
    longer = ast.parse(ast.unparse(text))
    longer.body[0].body.insert(0, ast.parse("note = 'one more statement'").body[0])
    for tree in (text, variant, inner, longer):
        source = ast.unparse(ast.fix_missing_locations(tree)) + f"\n\n\nif 0:\n    {name} = made()"
        assert any(f"stand-in for {name}" in remark for remark in remarks(lesson=lesson, **{name: source}))
