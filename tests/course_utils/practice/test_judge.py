"""The reason that is shown is the one of the answer that was given, however it was typed."""

import numpy as np
import pytest
import torch

from course_utils.practice.judge import NUDGES, judge
from course_utils.practice.typed import Unreadable
from tests.course_utils.questions_for_tests import ALL, CHOICE, NUMBER, SHAPE, STEPS, TEXT

RIGHT = [
    (CHOICE, ["b", "B", " b ", "b)", "(b)", "b.", "over the keys", "Over the `keys`"]),
    (NUMBER, [0.155, 0.15, 0.16, "0.155", "0,155", "31/200", torch.tensor(0.155), np.float32(0.155)]),
    (SHAPE, [(2, 1, 5, 5), [2, 1, 5, 5], torch.Size([2, 1, 5, 5]), "(2, 1, 5, 5)", "[2,1,5,5]", "2 1 5 5"]),
    (SHAPE, ["2x1x5x5", "torch.Size([2, 1, 5, 5])", tuple(np.array([2, 1, 5, 5]))]),
    (TEXT, ["NaN", "nan", "`NaN`", " NaN. ", "Not a  number", float("nan")]),
]
WRONG = [  # foreseen, with a reason of their own, and unforeseen
    (CHOICE, "a", "That is the queries' axis."),
    (CHOICE, "c", "Then one number is left."),
    (NUMBER, 0, "A score of 0 is a score like others."),
    (SHAPE, (), "That is one number."),
    (SHAPE, (2, 5, 5), "There is no axis for the heads."),
    (SHAPE, "(2, 3, 5, 5)", "A mask is the same for all heads."),
    (TEXT, "all zeros", "0/0 is not 0."),
    (TEXT, 0, "0/0 is not 0."),
    (STEPS, 1, "Nothing is there to mask yet."),
    (NUMBER, 0.4, NUDGES["number"]),
    (NUMBER, float("inf"), NUDGES["number"]),
    (SHAPE, (1, 2, 3, 4), NUDGES["shape"]),
    (SHAPE, (1,), NUDGES["shape"]),
    (TEXT, "uniform", NUDGES["text"]),
    (STEPS, 7, "Think of the first picture."),
]


@pytest.mark.parametrize(("question", "typed"), [(q, form) for q, forms in RIGHT for form in forms])
def test_a_right_answer_gets_the_explanation_however_it_is_typed(question, typed):
    verdict = judge(question, typed)
    assert (verdict.right, verdict.reason, verdict.axis) == (True, f"Because of {question.name}.", "")


@pytest.mark.parametrize(("question", "typed", "reason"), WRONG)
def test_a_wrong_answer_gets_its_own_reason_or_a_nudge_that_gives_nothing_away(question, typed, reason):
    verdict = judge(question, typed)
    assert (verdict.right, verdict.reason) == (False, reason)
    others = {wrong.reason for wrong in question.wrong} - {reason}
    assert not [text for text in (question.right, *others) if text in verdict.reason + verdict.axis]


@pytest.mark.parametrize(
    ("typed", "axis"),
    [
        ((2, 1, 5, 4), "Axis 3 (T_k) is not 4; the others are right."),
        ((2, 3, 5, 5), "Axis 1 (1 for all heads) is not 3; the others are right."),
        ((5, 1, 2, 5), "Axes 0 (B) and 2 (T_q) are wrong."),
        ((3, 3, 3, 3), "Axes 0 (B), 1 (1 for all heads), 2 (T_q) and 3 (T_k) are wrong."),
        ((2, 5, 5), "You gave 3 axes; it has 4."),
        ([2], "You gave 1 axis; it has 4."),
        ((), "You gave 0 axes; it has 4."),
    ],
)
def test_for_a_shape_the_wrong_axis_is_named(typed, axis):
    assert judge(SHAPE, typed).axis == axis


IS_NUMBER, IS_SHAPE = "The answer is one number, and", "The answer is a shape, whole numbers in brackets, and"


@pytest.mark.parametrize(
    ("question", "typed", "sentence"),
    [
        (CHOICE, "d", 'The answer is one of a, b, c, and "d" came: type `predict("axis_of_sums", "a")`.'),
        (CHOICE, ["b"], "The answer is one of a, b, c, and a list came: "),
        (CHOICE, torch.zeros(2), "The answer is one of a, b, c, and a Tensor came: "),
        (NUMBER, [1, 2], f'{IS_NUMBER} a list came: type `predict("open_cells", 7)`.'),
        (NUMBER, "many", f'{IS_NUMBER} "many" came: '),
        (NUMBER, "1/0", f'{IS_NUMBER} "1/0" came: '),
        (NUMBER, True, f"{IS_NUMBER} a bool came: "),
        (NUMBER, float("nan"), f"{IS_NUMBER} nan came: "),
        (NUMBER, torch.zeros(3), f"{IS_NUMBER} a Tensor came: "),
        (SHAPE, "B, T", f'{IS_SHAPE} "B, T" came: '),
        (SHAPE, 5, f"{IS_SHAPE} an int came: "),
        (SHAPE, (2, 2.5), f"{IS_SHAPE} a tuple came: "),
        (SHAPE, (2, -1), f"{IS_SHAPE} a tuple came: "),
        (SHAPE, (True, 1), f"{IS_SHAPE} a tuple came: "),
        (TEXT, ["NaN"], "The answer is a word or two, and a list came: "),
        (TEXT, "...", 'The answer is a word or two, and "..." came: '),
        *((q, nothing, "There is no answer yet: type `predict") for q in ALL for nothing in (None, "", "  ")),
    ],
)
def test_what_is_no_answer_of_the_kind_is_said_in_one_sentence(question, typed, sentence):
    with pytest.raises(Unreadable) as message:
        judge(question, typed)
    assert str(message.value).startswith(sentence)
    assert "\n" not in str(message.value)


class Odd(str):
    """Nothing works with it."""

    __slots__ = ()

    def __repr__(self):
        raise RuntimeError

    translate = strip = __eq__ = __hash__ = __repr__


ANYTHING = [
    object(), {}, {"a"}, b"b", 1j, print, "a" * 10_000, 10**400, 10**5000, Odd(), -1, "\x00", [[]],
]  # fmt: skip


@pytest.mark.parametrize("question", ALL, ids=lambda q: q.kind)
def test_whatever_is_typed_is_judged_or_explained(question):
    for typed in ANYTHING:
        try:
            message = judge(question, typed).reason
        except Unreadable as error:
            message = str(error)
        assert message != question.right
        assert len(message) < 250
