"""Programs that take one token in each call: what is right in other parts too, and what is said of a mistake.

A check calls functions of the learner's with `cache` in their names, so no test here has it in its own."""

import numpy as np
import pytest
import torch

from course_utils.practice.interview.stages import judge_stage, words_of
from course_utils.practice.interview.topics import TOPICS


class Own:
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


class ByRemainder(Own):
    def pick(self, i):
        return i % self.n_kv


def test_what_is_called_with_one_token_at_a_time_is_named_in_the_first_part_too():
    assert judge_stage(TOPICS["gqa"], 0, Own).right
    assert judge_stage(TOPICS["gqa"], 0, ByRemainder).mistake == "tiled"


class Grouped(torch.nn.Module):
    """Grouped-query attention, which wants a cache in each call."""

    def __init__(self, d_model, n_heads, n_kv):
        super().__init__()
        self.n_heads, self.d = n_heads, d_model // n_heads
        self.q, self.o = torch.nn.Linear(d_model, d_model), torch.nn.Linear(d_model, d_model)
        self.k, self.v = (torch.nn.Linear(d_model, n_kv * self.d) for _ in "kv")

    def joined(self, old, new):
        return torch.cat([old, new], 2)

    def merged(self, out):
        return out.transpose(1, 2).flatten(2)

    def forward(self, x, cache):
        B, T, D = x.shape
        q, k, v = (p(x).view(B, T, -1, self.d).transpose(1, 2) for p in (self.q, self.k, self.v))
        if cache is not None:
            k, v = self.joined(cache[0], k), self.joined(cache[1], v)
        all_k, all_v = (one.repeat_interleave(self.n_heads // one.shape[1], 1) for one in (k, v))
        hidden = torch.ones(T, k.shape[2]).triu(k.shape[2] - T + 1).bool()
        s = (q @ all_k.mT / self.d**0.5).masked_fill(hidden, -torch.inf)
        return self.o(self.merged(s.softmax(-1) @ all_v)), (k, v)


class NewFirst(Grouped):
    def joined(self, old, new):
        return torch.cat([new, old], 2)


class MergedByView(Grouped):
    def merged(self, out):
        return out.reshape(out.shape[0], out.shape[2], -1)


def test_in_the_last_part_of_mha_earlier_keys_may_stay():
    assert judge_stage(TOPICS["mha"], 6, Grouped).right
    assert "one_token" in words_of(TOPICS["mha"], 6)


@pytest.mark.parametrize(("layer", "name"), [(NewFirst, "new_before_old"), (MergedByView, "merge_by_view")])
def test_what_is_right_for_one_token_alone_is_not_said_to_be_meant(layer, name):
    judgement = judge_stage(TOPICS["gqa"], 2, layer)
    assert judgement.mistake == name
    assert "meant so" not in judgement.sentences[0]
    assert judgement.sentences[0].endswith(
        "It is right all the same, if this says what you mean: `interview.check(NAME, one_token=True)`."
    )
    assert judge_stage(TOPICS["gqa"], 2, layer, {"one_token": True}).right
