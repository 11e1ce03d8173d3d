"""Whatever an answer does, a check ends with a sentence and restores everything."""

import sys

import pytest
import torch
from torch import softmax

from course_utils.observe import limit
from course_utils.practice.interview import judge
from course_utils.practice.interview.topics import topic
from tests.answers import strange


@pytest.fixture(autouse=True)
def pythons_own_hook(monkeypatch):
    """Python may report an alarm that it cannot raise: by its own hook, since TimeUp would stop pytest's."""
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)


def result_of(obj, name="causal_mask"):
    return judge.check(topic(name), 0, obj).result


@pytest.mark.parametrize("obj", strange.ANSWERS)
@pytest.mark.parametrize("name", ["causal_mask", "mha", "cached_mha", "rope", "generate_loop"])
def test_a_strange_answer_fails_with_a_sentence(obj, name):
    result = result_of(obj, name)
    assert not result.passed
    assert result.message
    assert result.status != "broken"


@pytest.mark.parametrize("obj", [strange.endless, strange.endless_that_catches])
def test_an_endless_answer_is_stopped(obj, monkeypatch):
    monkeypatch.setattr(limit, "SECONDS", 0.4)
    monkeypatch.setattr(limit, "WALL_SECONDS", 1.0)  # of sleep, which takes no processor time
    result = result_of(obj)
    assert result.mistake == "no_end"
    assert ("does it wait for something" in result.message) == (obj is strange.endless_that_catches)


def test_a_check_captures_printed_text_and_restores_the_random_state(capsys):
    torch.manual_seed(3)
    wanted = torch.rand(2)
    torch.manual_seed(3)
    result_of(lambda T: torch.rand(T, T))
    assert torch.equal(torch.rand(2), wanted)
    result = result_of(strange.prints)
    assert result.passed
    assert 0 < len(result.printed) <= 2000
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("gqa", "lambda Q, K, V: torch.nn.functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)"),
        ("stable_softmax", "lambda x: x.softmax(-1)"),
        ("stable_softmax", "lambda x: torch.nn.Softmax(-1)(x)"),
        ("stable_softmax", "lambda x: torch.nn.functional.log_softmax(x, -1).exp()"),
    ],
)
def test_ready_made_functions_are_blocked_and_restored(name, body):
    before = torch.nn.functional.scaled_dot_product_attention, torch.softmax, torch.Tensor.softmax
    result = result_of(eval(body), name)
    assert result.mistake == "ready_made"
    assert "ready-made" in result.message
    assert (torch.nn.functional.scaled_dot_product_attention, torch.softmax, torch.Tensor.softmax) == before
    assert torch.ones(2).softmax(0).tolist() == [0.5, 0.5]


def test_a_ready_made_function_imported_by_name_is_blocked_too():
    def softmax_or_nothing(x):
        try:
            return softmax(x, -1)
        except Exception:
            return x

    assert result_of(softmax_or_nothing, "stable_softmax").mistake == "ready_made"


def test_a_keyboard_interrupt_passes_through():
    def interrupted(T):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        result_of(interrupted)
