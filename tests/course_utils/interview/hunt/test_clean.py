"""Programs without a bug give what plain loops in float64 give."""

import math

import numpy as np
import pytest
import torch

from course_utils.practice.interview.hunt.files import load, names
from course_utils.practice.interview.hunt.hunter import versions
from course_utils.practice.interview.hunt.trial import run

from .search import drawn


def softmax(row):
    top = max(row)
    powers = [math.exp(entry - top) for entry in row]
    return [power / sum(powers) for power in powers]


def dot(a, b):
    return sum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def who_sees_whom(lengths, n, total):
    return [
        [[j <= total - n + i and j < length for j in range(total)] for i in range(n)]
        for length in lengths.tolist()
    ]


def remainder_of_a_stream(xs):
    return softmax([float(x) for x in xs])


def one_step_more(K, V, q):
    share, rows = len(q) // len(K), []
    for h, query in enumerate(q.tolist()):
        keys, values = K[h // share].tolist(), V[h // share].tolist()
        weights = softmax([dot(query, key) / math.sqrt(len(query)) for key in keys])
        rows.append([dot(weights, column) for column in zip(*values, strict=True)])
    return rows


def whole_story_in_numpy(wo, wv, wk, wq, x, h):
    x64 = x.astype(np.float64)
    q, k, v = x64 @ wq, x64 @ wk, x64 @ wv
    T, D = x.shape
    d, heads = D // h, np.zeros((T, D))
    for head in range(h):
        own = range(head * d, head * d + d)
        for i in range(T):
            weights = softmax([dot(q[i, own], k[j, own]) / math.sqrt(d) for j in range(i + 1)])
            for f in own:
                heads[i, f] = dot(weights, v[: i + 1, f])
    return heads @ wo


REFERENCES = {one.__name__: one for one in (
    who_sees_whom, remainder_of_a_stream, one_step_more, whole_story_in_numpy
)}  # fmt: skip


def agrees_with_reference(name, number, seed, main=None):
    program, main = load(name), main or versions(name)[0]
    for given in drawn(program, number, seed):
        outcome = run(program, main, given)
        assert outcome.error == ""
        wanted = torch.as_tensor(np.array(REFERENCES[name](**given)))
        assert outcome.value.shape == wanted.shape
        torch.testing.assert_close(outcome.value.double(), wanted.double(), rtol=1e-4, atol=1e-5)


def test_every_clean_program_has_a_reference():
    assert set(REFERENCES) == {name for name in names() if not load(name).bug}


@pytest.mark.parametrize("name", REFERENCES)
def test_a_clean_program_agrees_with_its_reference(name):
    agrees_with_reference(name, 100, seed=5)


@pytest.mark.release
@pytest.mark.parametrize("name", REFERENCES)
def test_a_clean_program_agrees_with_its_reference_on_ten_thousand_inputs(name):
    agrees_with_reference(name, 10_000, seed=6)


@pytest.mark.parametrize("name", REFERENCES)
def test_another_number_in_it_is_noticed(name):
    program = load(name)
    changes = {
        "who_sees_whom": (6, "causal = torch.gt(query.unsqueeze(-1), key)"),
        "remainder_of_a_stream": (9, "kept *= np.exp(x - unit)"),
        "one_step_more": (7, "s = s.mul(d ** -1)"),
        "whole_story_in_numpy": (7, "logit += np.tril(np.full((t, t), -np.inf), -2)"),
    }
    wrong = program.object_of(program.with_line(*changes[name]))
    with pytest.raises(AssertionError):
        agrees_with_reference(name, 100, seed=7, main=wrong)
