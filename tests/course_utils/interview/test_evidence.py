"""What is said of an answer that is wrong in a way that nobody foresaw: the error or the next step."""

import numpy as np

from course_utils.practice.interview.stages import judge_stage
from course_utils.practice.interview.topics import TOPICS


def said(topic, stage, obj):
    judgement = judge_stage(TOPICS[topic], stage, obj)
    assert not judgement.right
    return judgement.sentences[0]


def test_a_program_in_numpy_ends_with_the_error_that_numpy_raises():
    def softmax(x):
        e = np.exp(x - x.max(axis=-1))
        return e / e.sum(axis=-1)

    def whole(x):
        e = np.exp(x - max(x))
        return e / e.sum()

    assert said("stable_softmax", 2, softmax) == (
        "It ends with ValueError: operands could not be broadcast together with shapes (2,3,4) (2,3)"
    )
    assert "Tensor" not in said("stable_softmax", 2, whole)


def test_the_error_is_the_one_of_arrays_and_not_that_of_lists():
    def grouped(q, k, v):
        B, H, T, d = q.shape
        return q @ k[:, H]

    assert said("gqa", 0, grouped).startswith("It ends with IndexError: index 6 is out of bounds")


def test_where_no_mistake_is_known_the_next_step_is_said():
    def neither_scaled_nor_normalized(x, Wq, Wk, Wv, Wo, n_heads):
        d = x.shape[-1] // n_heads
        q, k, v = x @ Wq, x @ Wk, x @ Wv
        heads = []
        for h in range(n_heads):
            part = slice(h * d, h * d + d)
            e = np.exp(q[:, part] @ k[:, part].T)
            heads.append(e / e.sum(axis=-1) @ v[:, part])
        return np.concatenate(heads, axis=-1) @ Wo

    text = said("mha", 0, neither_scaled_nor_normalized)
    assert "of no mistake that is known here: there may be two. Take the smallest input" in text
