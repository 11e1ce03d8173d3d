"""A crash report shows the student's own line, the shapes of its operands, and what the operation needs."""

import linecache
import re

import pytest
import torch

from autograder import grade
from course_utils.diagnose.visible import assess_visible
from course_utils.show.card import as_html, as_text
from tests.answers import crashes

Q, K = ("Q", "(2, 3, 5, 4) = (B, H, T_q, d_head)"), ("K", "(2, 3, 7, 4) = (B, H, T_k, d_head)")


def crash_in(name, obj):
    return assess_visible(name, obj).crash


@pytest.mark.parametrize(
    ("name", "student"),
    [(name, student) for name, students in crashes.PROGRAMS.items() for student in students],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_crash_report_shows_the_line_and_the_shapes_of_its_operands(name, student, snapshot):
    crash = crash_in(name, student)
    operands = [f"  {text}: {value}" for text, value in crash.operands]
    assert "\n".join([crash.line, *operands, crash.wanted]) == snapshot


def test_a_crash_in_a_comprehension_shows_no_values_of_vanished_variables():
    crash = crash_in("scaled_dot_product_attention", crashes.in_a_comprehension)
    assert crash.line == "heads = [Q[:, h] @ K[:, h] for h in range(Q.shape[1])]"
    assert crash.operands in (  # Python 3.11 still has h; in 3.12 it is gone with the comprehension
        [("Q[:, h]", "(2, 5, 4) = (B, T_q, d_head)"), ("K[:, h]", "(2, 7, 4) = (B, T_k, d_head)")],
        [Q, K],
    )


def test_a_vector_of_indices_gets_no_axis_name():
    crash = crash_in("gather_paged", lambda blocks, block_table, length: blocks @ block_table)
    operands = dict(crash.operands)
    assert "d_head" in operands["blocks"]
    assert "=" not in operands["block_table"]


def test_a_recognised_mistake_is_reported_before_the_crashing_line():
    result = assess_visible("MultiHeadSelfAttention", crashes.WritesIntoALeaf)
    assert result.mistake == "writes_under_autograd"
    lines = as_text(result).splitlines()
    assert lines[1] == result.message
    assert lines[2].endswith(": self.W_q.weight *= 2")
    assert "  self.W_q.weight: (12, 12) = (d_model, d_model)" in lines


# ---- the report runs none of the student's code again


def test_a_crash_report_repeats_no_call():
    crashes.CALLS.clear()
    crash = crash_in("softmax", crashes.with_calls)
    cases = len([result for result in crashes.CALLS if result == (7, 7)])
    assert len(crashes.CALLS) == 2 * cases  # each case calls it twice, and the report does not call it again
    assert crash.operands == [("x", "(3, 5)")]
    assert crash.wanted == ""


def test_a_crash_report_repeats_no_in_place_change():
    calls, saved = [], torch.zeros(2, 3)

    def changes(x, dim=-1):
        calls.append(x)
        return saved.add_(1) @ saved

    assert crash_in("softmax", changes).line == "return saved.add_(1) @ saved"
    assert saved[0, 0] == len(calls)


def test_a_crash_report_evaluates_no_repr_property_or_item():
    loud = crashes.Loud()
    assert crash_in("softmax", crashes.loud).operands == [("x", "(3, 5)")]
    assert crashes.Loud.asked == []
    crash = crash_in("softmax", lambda x, dim=-1: loud.size @ x.new_zeros(4, 4))
    assert "loud.size" not in dict(crash.operands)
    assert crashes.Loud.asked == ["size"] * 8  # once for each case of softmax
    crashes.Loud.asked.clear()


def test_an_exception_whose_str_fails_is_still_reported():
    result = assess_visible("softmax", crashes.unsayable)
    assert result.status == "error"
    assert "it raises Unsayable" in result.message
    assert result.crash.line == "raise Unsayable"


@pytest.mark.parametrize("file", ["<ipython-input-3-0a1b2c3d4e5f>", "/tmp/ipykernel_7/1234567.py"])
def test_a_crash_in_a_notebook_cell_shows_its_line(file, monkeypatch):
    cell = "import torch\n\ndef softmax(x, dim=-1):\n    é = x.exp()  # ünïcödé\n    return é @ é\n"
    monkeypatch.setitem(linecache.cache, file, (len(cell), None, cell.splitlines(keepends=True), file))
    space = {}
    exec(compile(cell, file, "exec"), space)
    crash = crash_in("softmax", space["softmax"])
    assert (crash.number, crash.line, crash.mark) == (5, "return é @ é", (7, 12))
    assert crash.operands == [("é", "(3, 5)")]


def test_an_answer_is_not_run_again_to_find_the_crashing_line():
    calls = []

    def fails_once(x, dim=-1):
        calls.append(x)
        if len(calls) == 1:
            return x @ x
        return (x - x.logsumexp(dim, keepdim=True)).exp()

    result = assess_visible("softmax", fails_once)
    assert result.crash.line == "return x @ x"
    assert [right for _, right in result.trail].count(False) == 1


def test_grades_right_answers_and_code_without_source_have_no_crash_report():
    space = {}
    exec("def bare(x, dim=-1):\n    return x @ x", space)
    for result in (grade("softmax", lambda x, dim=-1: x @ x), assess_visible("softmax", space["bare"])):
        assert (result.status, result.crash) == ("error", None)
        assert "it raises RuntimeError" in result.message
    assert (
        assess_visible("softmax", lambda x, dim=-1: (x - x.logsumexp(dim, keepdim=True)).exp()).crash is None
    )


# ---- the card


HTML = [
    crashes.html_in_the_line,
    lambda x, dim=-1: crashes.html_in_an_operand(x),
    crashes.html_in_an_error,
]


@pytest.mark.parametrize("answer", HTML)
def test_student_code_is_escaped_in_html_and_unchanged_in_text(answer):
    result = assess_visible("softmax", answer)
    assert re.search("<(script|i)>", as_text(result))
    assert not re.search("<(script|i)>", as_html(result))
    assert re.search("&lt;(script|i)&gt;", as_html(result))


def test_the_text_and_the_html_of_a_crash_have_the_same_content():
    result = assess_visible("scaled_dot_product_attention", crashes.no_transpose)
    text, page, number = as_text(result), as_html(result), crashes.no_transpose.__code__.co_firstlineno + 1
    line = f"line {number}: scores = Q @ K / math.sqrt(Q.shape[-1])"
    assert f"{line}\n{' ' * line.index('Q')}^^^^^\n  Q: {Q[1]}\n  K: {K[1]}\n{result.crash.wanted}" in text
    for words in (f"line {number}", ">Q @ K</span>", Q[1], K[1]):
        assert words in page


def test_a_line_of_another_function_is_shown_with_its_name():
    space = {}
    source = "import torch\ndef attend(Q, K):\n    return Q @ K\n"
    linecache.cache["<ipython-input-1-attend>"] = (len(source), None, source.splitlines(True), "attend")
    exec(compile(source, "<ipython-input-1-attend>", "exec"), space)
    result = assess_visible("scaled_dot_product_attention", lambda Q, K, V, mask=None: space["attend"](Q, K))
    assert result.crash.place == "line 3 of the cell with `attend`"
    assert "line 3 of the cell with `attend`: return Q @ K" in as_text(result)
