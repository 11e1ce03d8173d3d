"""What a program's own words say of its axes and of True: evidence where numbers alone leave two senses."""

import numpy as np
import pytest

from course_utils.practice.interview import causal_mask, rope
from course_utils.practice.interview.judge import judge


def turned(x, positions):
    d = x.shape[-1]
    angles = positions * 1e4 ** (-np.arange(0, d, 2) / d)
    a, b = np.split(x, 2, -1)
    return np.concatenate(
        [a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)], -1
    )


def along_heads(x):
    """x: (H, T, d)"""
    return turned(x, np.arange(x.shape[0])[:, None, None])


def along_heads_in_the_middle(x):
    seq_len, n_heads, _ = x.shape  # (seq_len, n_heads, head_dim)
    return turned(x, np.arange(n_heads)[:, None])


def along_the_batch(x):
    B, T, d = x.shape
    return turned(x, np.arange(B)[:, None, None])


def along_tokens(x):
    """x: (T, H, d)"""
    return turned(x, np.arange(x.shape[0])[:, None, None])


def along_the_first_axis(x):
    return turned(x, np.arange(x.shape[0])[:, None, None])


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (along_heads, "heads_axis"),
        (along_heads_in_the_middle, "heads_axis"),
        (along_the_batch, "batch_axis"),
        (along_tokens, ""),
        (along_the_first_axis, ""),
    ],
)
def test_words_tell_axes_of_equal_rank_apart(answer, mistake):
    judgement = judge(rope.base(), answer)
    assert judgement.mistake == mistake
    assert judgement.right == (not mistake)


def says_open(T):
    """True = may attend."""
    return np.triu(np.ones((T, T), bool), 1)


def says_masked(T):
    """A boolean mask: True where the score is masked out."""
    return np.tril(np.ones((T, T), bool))


def says_allowed_beside_return(T):
    return np.arange(T)[None] > np.arange(T)[:, None]  # True means allowed


@pytest.mark.parametrize("answer", [says_open, says_masked, says_allowed_beside_return])
def test_a_sense_of_true_that_contradicts_the_words_is_asked_about(answer):
    judgement = judge(causal_mask.base(), answer)
    assert judgement.question[0] == "as_returned"
    assert judge(causal_mask.base(), answer, {"as_returned": True}).right
    assert judge(causal_mask.base(), answer, asked=True).mistake == "inverted"


def keeps_then_turns(T):
    keep = np.tril(np.ones((T, T)))  # 1 = may attend
    return keep == 0


def not_allowed(T):
    """(T, T). True where attention is NOT allowed."""
    return np.triu(np.ones((T, T), bool), 1)


def both_said(T):
    """1 means that key j is visible to query i, 0 that it is hidden."""
    return np.tril(np.ones((T, T)))


@pytest.mark.parametrize("answer", [keeps_then_turns, not_allowed, both_said])
def test_words_that_agree_ask_nothing(answer):
    assert judge(causal_mask.base(), answer).right


def open_above(T):
    # 1 = can attend, 0 = blocked
    return np.triu(np.ones((T, T)))


def masked_above_and_on(T):
    # True = blocked
    return np.triu(np.ones((T, T), bool))


def test_a_comment_chooses_between_two_names():
    assert judge(causal_mask.base(), open_above).mistake == "inverted"
    assert judge(causal_mask.base(), masked_above_and_on).mistake == "own_key_masked"
