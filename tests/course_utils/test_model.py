"""The records survive as JSON, and say what a sentence calls them."""

import json

import pytest
import torch

from autograder.exercises import load
from autograder.grading.judge import judge
from course_utils.diagnose.visible import assess_visible
from course_utils.model.case import RAISED, Fact
from course_utils.model.codec import decode, encode
from course_utils.model.observation import Observation


def survived(value):
    plain = json.loads(json.dumps(encode(value, torch.Tensor.tolist)))
    return decode(plain, torch.tensor)


def test_a_fact_is_called_by_its_call():
    assert [str(Fact("output", call)) for call in (0, 1)] == ["output", "output of call 2"]


def test_facts_survive_as_keys_and_as_values():
    value = {Fact("output", 11): [Fact("x")], RAISED: ["TypeError", "x@1"], "plain": {"a@b": 1}}
    assert survived(value) == value


@pytest.mark.parametrize(
    "forged",
    [
        {"values": {"weights": 1}},
        {"values": {Fact(1): "a"}},
        {"changed": [Fact("x", -1)]},
        {"changed": ["x"]},
    ],
)
def test_an_observation_of_another_form_is_refused(forged):
    with pytest.raises(ValueError, match="not an observation"):
        Observation.from_plain(forged)


def test_an_answer_that_always_raises_says_with_what_it_ended():
    result = assess_visible("softmax", lambda x, dim=-1: 1 / 0)
    assert (result.status, result.ended) == ("error", "ZeroDivisionError: division by zero")
    part = assess_visible("softmax", lambda x, dim=-1: x.softmax(dim) if x.dim() == 2 else 1 / 0)
    assert (part.status, part.ended) == ("error", "ZeroDivisionError: division by zero")
    assert assess_visible("softmax", lambda x, dim=-1: x).status == "wrong"
    lost = judge(load("softmax"), 3, "it did not finish within time")
    assert (lost.status, lost.ended) == ("error", "it did not finish within time")
