"""A module that is built around an object of ours, and whose layers have biases."""

import pytest
import torch

from autograder.authoring.draws import build, normal
from autograder.authoring.exercise import Exercise
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.model.case import Fake
from course_utils.model.sheet import Sheet
from course_utils.observe.probe import observe
from tests.answers import layers

WRONG = {
    layers.NotKept: "does not keep the module that comes in: write self.attention = attention in __init__",
    layers.NoBias: "norm has no bias: this exercise wants the one that nn.LayerNorm has by default",
    layers.OtherName: "has no layer called norm: make it in __init__ as self.norm = nn.LayerNorm(...)",
    layers.OtherSize: "norm.weight has shape (1,); expected (6,)",
    layers.BiasForgotten: "`output` at (B=0, T=0, d_hidden=0) is",
}


@pytest.fixture(scope="module")
def sheet():
    """As it is published: a Fake among a constructor's arguments survives it."""
    ex = Exercise({"output": "B T d_hidden"})
    ex.reference(type("Block", (layers.Right,), {}))
    ex.case(drawn=drawn)
    return Sheet.from_json(ex.sheet().to_json())


def drawn(g):
    weights = {
        "norm": normal(g, 6),
        "norm.bias": normal(g, 6),
        "up": normal(g, 5, 6),
        "up.bias": normal(g, 5),
    }
    attention = Fake("PretendedAttention", {"num_heads": 2, "d_head": 3})
    case = build(weights | {"attention.out_proj": normal(g, 6, 6)}, attention=attention, d_model=6)
    return case.call(x=normal(g, 4, 2, 6))


def result_of(cls, sheet):
    observations = [observe(cls, case, sheet.contract) for case in sheet.cases]
    return assess(compare(sheet, observations))


def test_a_module_around_an_object_of_ours_passes(sheet):
    assert result_of(layers.Right, sheet).passed


@pytest.mark.parametrize("cls", WRONG)
def test_what_is_wrong_with_a_layer_is_said(cls, sheet):
    result = result_of(cls, sheet)
    assert not result.passed
    assert WRONG[cls].lower() in result.message.lower()


def test_every_weight_and_bias_gets_its_numbers_and_a_gradient(sheet):
    (case,) = sheet.cases
    observation = observe(layers.Right, case, sheet.contract)
    gradients = {fact.name for fact, gradient in observation.gradients.items() if gradient is not None}
    assert gradients == {"x", "norm.weight", "norm.bias", "up.weight", "up.bias"}
    biased = case.but(weights=case.weights | {"up.bias": case.weights["up.bias"] + 1})
    more = next(iter(observe(layers.Right, biased, sheet.contract).values.values()))
    assert torch.allclose(more, next(iter(observation.values.values())) + 1)
