"""Questions with drawn numbers are judged for the numbers shown; their formulas are only arithmetic."""

import random
import sys

import pytest

from course_utils import predict
from course_utils.practice import drawn
from course_utils.practice.ask import LessonQuestion
from course_utils.practice.drawn import example, for_answering, for_asking, with_numbers
from course_utils.practice.formula import BadFormula, fill, work_out, written
from course_utils.practice.log import now, recall
from course_utils.practice.questions import judge
from course_utils.practice.widget import QuestionWidget
from tests.course_utils.questions_for_tests import DRAWN

NAME = DRAWN.name
pytestmark = pytest.mark.usefixtures("lessons")


# ---- within and between visits


def test_a_cell_that_runs_again_shows_the_same_numbers_and_is_judged_for_them(output_of, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    text = output_of(predict, NAME)
    assert all(output_of(predict, NAME) == text for _ in range(20))
    question = for_answering(DRAWN)
    layers, width = question.numbers.values()
    assert text.startswith(f"{layers} layers keep {width} numbers for K and for V")
    assert question.answer == 4 * layers * width
    assert f"2 · {layers} · {width} · 2 = " in output_of(predict, NAME, 4 * layers * width)
    wrong_text = output_of(predict, NAME, 2 * layers * width)
    assert f"That is {written(2 * layers * width)} bytes: K or V, and not both." in wrong_text
    assert sorted(fact.right for fact in recall()) == [False, True]


def test_a_new_kernel_draws_from_all_numbers_whatever_the_random_seed():
    draws = set()
    for _ in range(100):
        random.seed(0)
        drawn._questions.clear()  # as in a new kernel
        draws.add(tuple(for_asking(DRAWN).numbers.values()))
    assert len(draws) == 6  # fails by chance once in ten million runs


def test_after_a_day_the_numbers_are_different(clock, output_of):
    before = for_asking(DRAWN).numbers
    output_of(predict, NAME, 1)
    for _ in range(20):
        clock(days=1)
        out, after = output_of(predict), for_answering(DRAWN).numbers
        assert after != before
        assert f"{after['layers']} layers keep {after['width']} numbers" in out
        before = after


def test_a_form_is_judged_for_the_numbers_that_it_shows(monkeypatch):
    form = QuestionWidget(LessonQuestion(for_asking(DRAWN)))
    heading = form.box.children[0].value
    assert "<details" not in heading
    assert f"{form.asked.question.numbers['layers']} layers" in heading
    monkeypatch.setattr(drawn, "_questions", {NAME: (with_numbers(DRAWN, {"layers": 7, "width": 9}), now())})
    form.field.value = str(form.asked.question.answer)
    form.answer()
    assert "Right" in form.card.value


def test_an_answer_before_the_numbers_were_shown_does_not_count(output_of):
    out = output_of(predict, NAME, 7)
    assert out.startswith("This question gets new numbers at each visit, and these are new: ")
    assert " layers keep " in out
    assert recall() == []
    assert output_of(predict, NAME, for_answering(DRAWN).answer).startswith("Right: ")


# ---- tolerance


def test_a_tolerance_may_be_a_percentage_and_an_answer_may_be_arithmetic():
    question = example(DRAWN)
    assert all(judge(question, question.answer * factor).right for factor in (0.981, 1, 1.019))
    assert not any(judge(question, question.answer * factor).right for factor in (0.979, 1.021, -1))
    for formula in ("2 * 24 * 512 * 2", "4*24*512", "24 * 512 * 8 / 2", "0.4e1*24*512"):
        assert judge(question, formula).right


# ---- formulas

ARITHMETIC = {
    "2 * a + b": 11, "(a - b) ** 2": 4, "a / 2": 1.5, "b // 2": 2, "-a": -3, "1e9 * a": 3e9, "2 ** 30": 2**30,
    "  a +\n  b": 8,
}  # fmt: skip
REFUSED = [
    "__import__('os').system('true')", "a.real", "a()", "[a]", "a if a else 1", "a, a", "lambda: 1",
    "'x' * a", "True", "1j", "a := 2", "c", "", "a +", "1 / 0", "0 ** -1", "9 ** 9 ** 9", "(-8) ** 0.5",
    "1e308 * 10", "(" * 150 + "a" + ")" * 151, "a" * 301, None, 3, "a\x00",
    "a % 2", "a and a", "__builtins__", "a[0]", "f'{a}'", "a < 2", "-" * 5000 + "a",
]  # fmt: skip


def test_arithmetic_is_evaluated_and_filled_into_texts():
    assert {formula: work_out(formula, {"a": 3, "b": 5}) for formula in ARITHMETIC} == ARITHMETIC
    assert fill("{a} and {2 * a}, {a / 8}", {"a": 5000}) == f"5000 and 10{chr(160)}000, 625"
    numbers = [4096, 65504, 0.12893, 2.0, 1234.6, -20000]
    assert [written(number).replace("\N{NO-BREAK SPACE}", "_") for number in numbers] == [
        "4096", "65_504", "0.1289", "2", "1235", "-20_000",
    ]  # fmt: skip


@pytest.mark.parametrize("formula", REFUSED)
def test_a_formula_that_is_not_arithmetic_is_refused_and_never_run(formula):
    with pytest.raises(BadFormula):
        work_out(formula, {"a": 3})
