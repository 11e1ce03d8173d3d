"""What one may ask when a program is done: it is shown, and what it says is tried with numbers."""

import pytest
import torch

from course_utils.practice.interview.mock import mock_interview
from course_utils.practice.interview.mock.design import DESIGN
from course_utils.practice.interview.mock.levels import LEVELS
from course_utils.practice.interview.mock.programs import PROGRAMS
from course_utils.practice.interview.mock.record import mocks
from course_utils.practice.interview.mock.sheet import program_blocks


@pytest.mark.usefixtures("clock", "kinds")
def test_a_senior_program_ends_with_questions_and_their_answers(said):
    for seed in range(4):
        mock_interview("senior", seed=seed)
        mock_interview.next()
        mock_interview.next()
        part = mocks()[0][-1].parts[2]
        out = said(mock_interview.reveal)
        sheet = dict(program_blocks(part))["When the steps are done, ask"]
        for question, answer in PROGRAMS[part.names[0]].then:
            assert f"{question} {answer}" in out
            assert question in sheet
        mock_interview.stop()


def test_every_program_of_a_senior_has_some():
    assert [name for name in LEVELS["senior"].programs if not PROGRAMS[name].then] == []


def parts_of_softmax():
    torch.manual_seed(0)
    scores, values = torch.randn(10, dtype=torch.float64) * 5, torch.randn(10, 3, dtype=torch.float64)
    parts = []
    for s, v in zip(scores.split(5), values.split(5), strict=True):
        m = s.max()
        parts.append((m, (s - m).exp().sum(), (s - m).exp() @ v))
    return scores.softmax(0) @ values, parts


def test_two_halves_are_put_together_by_maximum_and_sum():
    wanted, parts = parts_of_softmax()
    top = max(m for m, _, _ in parts)
    total = sum(l * (m - top).exp() for m, l, _ in parts)  # noqa: E741
    mixed = sum(o * (m - top).exp() for m, _, o in parts)
    assert torch.allclose(mixed / total, wanted)


def test_two_halves_are_put_together_by_the_logarithm_of_the_sum():
    wanted, parts = parts_of_softmax()
    logs = torch.stack([m + l.log() for m, l, _ in parts])  # noqa: E741
    weights = logs.exp() / logs.exp().sum()
    assert torch.allclose(sum(w * o / l for w, (_, l, o) in zip(weights, parts, strict=True)), wanted)  # noqa: E741


def angles(base, position, d=128):
    return position * base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)


def test_slow_pairs_have_not_turned_once_and_a_larger_base_slows_them():
    turns = angles(10_000, 8192) / (2 * torch.pi)
    assert turns[0] > 1000
    assert turns[-1] < 1
    slower = angles(10_000 * 4 ** (128 / 126), 32_768) / (2 * torch.pi)
    assert slower[0] == 4 * turns[0]  # the fastest as it was, at a position four times as far
    assert torch.isclose(slower[-1], turns[-1])
    assert torch.equal(angles(10_000, 32_768 / 4), angles(10_000, 8192))


def test_the_step_says_on_which_machine():
    assert "ms on an A100" in DESIGN["reserved_or_paged"].follow[0][1]
