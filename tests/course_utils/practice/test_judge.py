"""judge() gives the reason that belongs to an answer, however the answer is typed."""

import numpy as np
import pytest
import torch

from course_utils.practice.card import Refusal
from course_utils.practice.questions import READERS, judge, words
from tests.course_utils.questions_for_tests import ALL, CHOICE, NUMBER, SHAPE, STEPS, TEXT

RIGHT = [
    (CHOICE, ["b", "B", " b ", "b)", "(b)", "b.", "over the keys", "Over the `keys`"]),
    (NUMBER, [0.155, 0.15, 0.16, "0.155", "0,155", "31/200", torch.tensor(0.155), np.float32(0.155)]),
    (SHAPE, [(2, 1, 5, 5), [2, 1, 5, 5], torch.Size([2, 1, 5, 5]), "(2, 1, 5, 5)", "[2,1,5,5]", "2 1 5 5"]),
    (SHAPE, ["2x1x5x5", "torch.Size([2, 1, 5, 5])", tuple(np.array([2, 1, 5, 5]))]),
    (TEXT, ["NaN", "nan", "`NaN`", " NaN. ", "Not a  number", float("nan")]),
]
NUDGES = {kind: words(kind)["nudge"] for kind in READERS}
AXES = "Not right: axis 0 (B), axis 1 (1 for all heads), axis 2 (T_q), axis 3 (T_k)."
# (question, answer, reason, remark on axes): foreseen answers with their own reason, and unforeseen ones
WRONG = [
    (CHOICE, "a", "That is the queries' axis.", ""),
    (NUMBER, 0, "A score of 0 is a score like others.", ""),
    (SHAPE, (), "That is one number.", "The number of axes is 4, not 0."),
    (SHAPE, (2, 5, 5), "There is no axis for the heads.", "The number of axes is 4, not 3."),
    (SHAPE, "(2, 3, 5, 5)", "A mask is the same for all heads.", "Not right: axis 1 (1 for all heads)."),
    (TEXT, "all zeros", "0/0 is not 0.", ""),
    (TEXT, 0, "0/0 is not 0.", ""),
    (STEPS, 1, "Nothing is there to mask yet.", ""),
    (NUMBER, 0.4, NUDGES["number"], ""),
    (SHAPE, (3, 3, 3, 3), NUDGES["shape"], AXES),
    (SHAPE, (5, 1, 2, 5), NUDGES["shape"], "Not right: axis 0 (B), axis 2 (T_q)."),
    (SHAPE, (1,), NUDGES["shape"], "The number of axes is 4, not 1."),
    (TEXT, "uniform", NUDGES["text"], ""),
    (STEPS, 7, "Think of the first picture.", ""),
]


@pytest.mark.parametrize(("question", "typed"), [(q, form) for q, forms in RIGHT for form in forms])
def test_a_right_answer_gets_the_explanation_however_it_is_typed(question, typed):
    verdict = judge(question, typed)
    assert (verdict.right, verdict.reason, verdict.axis) == (True, f"Because of {question.name}.", "")


@pytest.mark.parametrize(("question", "typed", "reason", "axis"), WRONG)
def test_a_wrong_answer_gets_its_own_reason_or_a_nudge_without_the_answer(question, typed, reason, axis):
    verdict = judge(question, typed)
    assert (verdict.right, verdict.reason, verdict.axis) == (False, reason, axis)
    others = {wrong.reason for wrong in question.wrong} - {reason}
    assert not [text for text in (question.right, *others) if text in verdict.reason + verdict.axis]


@pytest.mark.parametrize(
    ("question", "wanted", "inputs"),
    [
        (CHOICE, 'one of a, b, c, but got {}: type `predict("axis_of_sums", "a")`.', {'"d"': "d"}),
        (CHOICE, "one of a, b, c, but got {}: ", {"a list": ["b"], "a Tensor": torch.zeros(2)}),
        (NUMBER, 'one number, but got {}: type `predict("open_cells", 7)`.', {"a list": [1, 2]}),
        (NUMBER, "one number, but got {}: ", {'"many"': "many", '"1/0"': "1/0", "True": True}),
        (NUMBER, "one number, but got {}: ", {"nan": float("nan"), "a Tensor": torch.zeros(3)}),
        (SHAPE, "a shape, whole numbers in brackets, but got {}: ", {'"B, T"': "B, T", "5": 5}),
        *((SHAPE, "in brackets, but got {}: ", {"a tuple": t}) for t in [(2, 2.5), (2, -1), (True, 1)]),
        (TEXT, "a word or two, but got {}: ", {"a list": ["NaN"], '"..."': "..."}),
        *((q, "", {"but got nothing: type `predict": nothing}) for q in ALL for nothing in (None, "", "  ")),
    ],
)  # fmt: skip
def test_an_answer_of_the_wrong_kind_is_refused_in_one_sentence(question, wanted, inputs):
    for word, typed in inputs.items():
        with pytest.raises(Refusal) as message:
            judge(question, typed)
        assert (wanted.format(word) or word) in str(message.value)
        assert "\n" not in str(message.value)


class Odd(str):
    """A string on which most operations fail."""

    __slots__ = ()

    def __repr__(self):
        raise RuntimeError

    translate = __eq__ = __hash__ = __repr__


ANYTHING = [object(), {"a"}, b"b", 1j, print, "a" * 10_000, 10**400, 10**5000, Odd(), -1, "\x00", [[]]]


@pytest.mark.parametrize("question", ALL, ids=lambda q: q.kind)
def test_any_object_is_judged_or_refused_with_a_short_sentence(question):
    for typed in ANYTHING:
        try:
            message = judge(question, typed).reason
        except Refusal as error:
            message = str(error)
        assert message != question.right
        assert len(message) < 250
