"""What the questions of parts 4 and 5 call right is what the layers give."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from autograder.publish.questions import all_questions
from course_utils import standins
from course_utils.tiny_models import REPEATS, TinyModel, encode
from experiments.heads import weights_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def right():
    """{question: its answer}."""
    return {question.name: question.answer for found in all_questions(ROOT).values() for question in found}


@torch.no_grad()
def test_shapes_of_a_step_with_a_cache(right):
    old, new = torch.randn(2, 10, 24), torch.randn(2, 5, 24)
    layer = standins.MultiHeadAttentionWithCache(24, 6)
    _, k, v = layer(old)
    output, new_k, _ = layer(new, k, v)
    Q = standins.split_heads(layer.q_proj(new), 6)
    grouped = standins.GroupedQueryAttentionWithCache(24, 6, 3)
    _, k, v = grouped(old)
    found = {
        "cached_shape_of_queries": Q,
        "cached_shape_of_the_longer_cache": new_k,
        "cached_shape_of_mask": standins.create_causal_mask_with_cache(5, 15, 10),
        "cached_shape_of_scores": Q @ new_k.mT,
        "cached_shape_of_output": output,
        "grouped_shape_of_cache": grouped(new, k, v)[1],
    }
    for name, tensor in found.items():
        assert right[name] == list(tensor.shape), name
    assert standins.split_heads(grouped.q_proj(new), 6).shape == Q.shape
    assert grouped(new, k, v)[0].shape == output.shape


def test_bytes_of_a_cache(right):
    assert right["cache_in_gib"] == standins.kv_cache_bytes(1, 80, 8, 8192, 128) / 2**30


@torch.no_grad()
def test_outputs_that_a_new_token_changes(right):
    layer, x = standins.MultiHeadAttentionWithCache(24, 6), torch.randn(1, 8, 24)
    changed = (layer(x)[0][:, :7] - layer(x[:, :7])[0]).abs().amax(-1) > 1e-5
    assert right["old_outputs_that_change"] == int(changed.sum())


@torch.no_grad()
def test_a_view_of_a_static_cache(right):
    cache = standins.StaticKVCache(1, 1, 3, 2)
    kept, _ = cache.update(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    kept[:] = 9.0
    rows = cache.update(torch.ones(1, 1, 1, 2), torch.ones(1, 1, 1, 2))[0][0, 0, :, 0].tolist()
    assert (right["a_view_written_into"], rows) == ("b", [9.0, 9.0, 1.0])


@pytest.mark.parametrize(("num_heads", "unchanged"), [(3, 4), (6, 1)])
@torch.no_grad()
def test_shapes_of_what_is_seen(right, num_heads, unchanged):
    model = TinyModel(standins.MultiHeadSelfAttention, replace(REPEATS, d_model=12, num_heads=num_heads))
    tokens = torch.randint(26, (5, 24))
    weights = weights_of(model, tokens)[1]
    found = {
        "seen_shape_of_stream": model.stream(tokens)[1],
        "seen_shape_of_weights": weights,
        "seen_shape_of_entropy": standins.head_entropy(weights),
        "seen_shape_of_scores": standins.induction_score(weights, tokens),
    }
    assert sum(right[name] == list(tensor.shape) for name, tensor in found.items()) == unchanged
    assert right["seen_with_six_heads"] == "a"


def test_first_row_of_induction(right):
    tokens = encode("abcabcab")[0].tolist()
    assert right["first_row_of_induction"] == next(i for i, t in enumerate(tokens) if t in tokens[:i])


def test_entropy_of_even_rows_divided_by_log_t(right):
    even = torch.ones(16, 16).tril() / torch.arange(1, 17)[:, None]
    divided = -(even * even.clamp(min=1e-9).log()).sum(-1) / torch.tensor(16.0).log()
    assert right["even_rows_by_log_t"] == "a"
    assert divided[1] < 0.3 < 0.99 < divided[15]
