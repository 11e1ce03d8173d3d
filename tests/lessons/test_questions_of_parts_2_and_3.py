"""What parts 2 and 3 ask has the answers that torch gives, and wrong ones that are what they are called."""

import math
from pathlib import Path

import pytest
import torch
from torch import nn

from autograder.publish.questions import questions_of
from course_utils.standins import trace_causal_attention

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
PARTS = ("02_split_concat", "03_self_attention")
ASKED = {
    question.name: question for part in PARTS for question in questions_of(SOLUTIONS / part / f"{part}.py")
}


def split(x, H):
    """(B, T, d_model) -> (B, H, T, d_head), head by head."""
    d_head = x.shape[-1] // H
    return torch.stack([x[..., h * d_head : (h + 1) * d_head] for h in range(H)], dim=1)


def wrong_view(x, H):
    B, T, d_model = x.shape
    return x.contiguous().view(B, H, T, d_model // H)


def places(T, H, d_head):
    """One example whose numbers are all different."""
    return torch.arange(T * H * d_head).view(1, T, H * d_head)


def identities():
    """The second row of the output of two heads of width 1 whose Q, K and V are all the identity."""
    heads = split(torch.eye(2)[None], 2)  # (B, H, T, d_head)
    return ((heads @ heads.transpose(-2, -1)).softmax(-1) @ heads)[0, :, 1, 0]


def behind_the_last_output():
    """On how many of six tokens the last output depends, with the wrong view at both ends."""
    x = torch.randn(1, 6, 8, requires_grad=True, generator=torch.Generator().manual_seed(0))
    heads = wrong_view(x, 2)  # (B, H, T, d_head) in name only
    scores = heads @ heads.transpose(-2, -1)
    weights = scores.masked_fill(torch.ones(6, 6).triu(1).bool(), -math.inf).softmax(-1)
    (weights @ heads).view(1, 6, 8)[0, -1].sum().backward()
    return int((x.grad[0].abs().sum(-1) > 0).sum())


x = torch.arange(2 * 5 * 12).view(2, 5, 12)
W_o = torch.arange(12 * 12).view(12, 12)
NUMBERS = {
    "longer_dot_products": math.sqrt(64) / math.sqrt(16),
    "second_number_of_head_one": 0.05 * 9 + 0.90 * 6 + 0.05 * 2,
    "tokens_behind_the_last_output": behind_the_last_output(),
    "divisor_of_the_scores": math.sqrt(768 / 12),
    "sums_that_are_one": torch.randn(2, 3, 4, 7).softmax(-1).sum(-1).numel(),
    "first_number_of_output_one": 10 * math.exp(1 / math.sqrt(2)) / (1 + math.exp(1 / math.sqrt(2))),
    "stages_that_are_tables": sum(
        stage.shape == (2, 3, 5, 5)
        for stage in trace_causal_attention(torch.randn(2, 5, 12), *torch.randn(4, 12, 12), 3).values()
    ),
    "parameters_of_a_small_layer": 4 * nn.Linear(12, 12, bias=False).weight.numel(),
}
SHAPES = {
    "weights_between_two_sequences": (
        split(torch.zeros(2, 5, 12), 3) @ split(torch.zeros(2, 7, 12), 3).transpose(-2, -1)
    ).shape,
    "shape_of_split_queries": split(x, 3).shape,
    "shape_of_keys_in_the_product": split(x, 3).transpose(-2, -1).shape,
    "shape_of_all_weights": (split(x, 3) @ split(x, 3).transpose(-2, -1)).shape,
    "shape_of_merged_heads": x.shape,
    "place_of_a_feature": (split(x, 3) == x[1, 2, 7]).nonzero()[0],
    "weight_of_linear": nn.Linear(3, 5).weight.shape,
    "shape_of_a_projection": nn.Linear(12, 12)(torch.zeros(1, 8, 12)).shape,
    "shape_of_six_narrow_heads": split(torch.zeros(1, 8, 12), 6).shape,
    "shape_of_six_score_tables": (
        split(torch.zeros(1, 8, 12), 6) @ split(torch.zeros(1, 8, 12), 6).transpose(-2, -1)
    ).shape,
    "shape_of_a_block_of_w_o": W_o[2:4].shape,
    "shape_of_in_proj_weight": nn.MultiheadAttention(12, 6).in_proj_weight.shape,
}


def test_every_number_and_every_shape_is_worked_out_here():
    kinds = {name: question.kind for name, question in ASKED.items()}
    assert {name for name, kind in kinds.items() if kind == "number"} == set(NUMBERS)
    assert {name for name, kind in kinds.items() if kind == "shape"} == set(SHAPES)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_what_torch_says(name):
    question = ASKED[name]
    assert NUMBERS[name] == pytest.approx(question.answer, abs=question.tolerance + 1e-9)


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_what_torch_says(name):
    assert list(map(int, SHAPES[name])) == ASKED[name].answer


def chosen(name):
    question = ASKED[name]
    return question.choices[question.letters.index(question.answer)]


def test_the_wrong_view_is_right_for_one_token_and_for_one_head():
    assert chosen("where_the_wrong_view_is_right") == "when T = 1 or H = 1"
    for T, H, d_head in [(t, h, d) for t in range(1, 6) for h in range(1, 6) for d in range(1, 4)]:
        numbers = places(T, H, d_head)
        same = torch.equal(wrong_view(numbers, H), split(numbers, H))
        assert same == (T == 1 or H == 1)


def test_identities_do_not_give_the_identity():
    assert chosen("output_of_identities") == "[.5, .7311]"
    assert identities().tolist() == pytest.approx([0.5, 0.7311], abs=5e-5)


def test_a_place_holds_a_block_of_neighbours():
    assert chosen("features_of_a_place") == "`x[0, 4, 8:12]`"
    assert torch.equal(split(x, 3)[0, 2, 4], x[0, 4, 8:12])


def test_dividing_by_the_sum_repairs_a_late_mask():
    assert chosen("repair_after_the_softmax") == "divide each row by its sum"
    scores = torch.randn(6, 6, dtype=torch.float64)  # (T_q, T_k)
    future = torch.ones(6, 6).triu(1).bool()
    late = scores.softmax(-1).masked_fill(future, 0)
    wanted = scores.masked_fill(future, -math.inf).softmax(-1)
    torch.testing.assert_close(late / late.sum(-1, keepdim=True), wanted)
    assert not torch.allclose(late * 6, wanted)
    assert not torch.allclose(late.softmax(-1), wanted)


NAMED = [  # (question, foreseen wrong answer, what its reason calls it)
    ("longer_dot_products", math.sqrt(64), 8),
    ("second_number_of_head_one", 0.05 * 1 + 0.90 * 3 + 0.05 * 5, 3),
    ("second_number_of_head_one", (9 + 6 + 2) / 3, 5.67),
    ("second_number_of_head_one", 0.80 * 9 + 0.20 * 6, 8.4),
    ("divisor_of_the_scores", math.sqrt(768), 27.71),
    ("divisor_of_the_scores", math.sqrt(12), 3.46),
    ("sums_that_are_one", 2 * 3 * 7, 42),
    ("sums_that_are_one", 2 * 4 * 7, 56),
    ("first_number_of_output_one", 0.33 * 10, 3.3),
    ("first_number_of_output_one", 0.67 * 20, 13.4),
    ("parameters_of_a_small_layer", 6 * 4 * 12**2, 3456),
    ("parameters_of_a_small_layer", 6 * 4 * 2**2, 96),
]


@pytest.mark.parametrize(("name", "value", "answer"), NAMED)
def test_a_wrong_number_is_what_its_reason_calls_it(name, value, answer):
    assert answer in [wrong.answer for wrong in ASKED[name].wrong]
    assert value == pytest.approx(answer, abs=0.006)
