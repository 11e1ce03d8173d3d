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


class OwnCache:
    """Grouped-query attention, one token in each call, with the kv head of `pick`."""

    def __init__(self, d_model, n_heads, n_kv):
        self.n_heads, self.n_kv, self.d = n_heads, n_kv, d_model // n_heads
        self.Wq, self.Wo = np.ones((d_model, d_model)), np.ones((d_model, d_model))
        self.Wk, self.Wv = np.ones((d_model, n_kv * self.d)), np.ones((d_model, n_kv * self.d))
        self.keys, self.values = [], []

    def pick(self, i):
        return i // (self.n_heads // self.n_kv)

    def step(self, x):
        q = (x @ self.Wq).reshape(self.n_heads, self.d)
        self.keys.append((x @ self.Wk).reshape(self.n_kv, self.d))
        self.values.append((x @ self.Wv).reshape(self.n_kv, self.d))
        outs = []
        for i in range(self.n_heads):
            s = np.stack(self.keys)[:, self.pick(i)] @ q[i] / self.d**0.5
            e = np.exp(s - s.max())
            outs.append(e / e.sum() @ np.stack(self.values)[:, self.pick(i)])
        return np.concatenate(outs) @ self.Wo


class ByRemainder(OwnCache):
    def pick(self, i):
        return i % self.n_kv


def test_a_class_with_its_own_cache_gets_the_name_of_its_mistake_in_the_first_part_too():
    assert judge_stage(TOPICS["gqa"], 0, OwnCache).right
    assert judge_stage(TOPICS["gqa"], 0, ByRemainder).mistake == "tiled"
