"""The lessons' own answers give the numbers of torch's operators, and of a loop over examples and heads."""

import math
from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from autograder.publish.solutions import answers
from autograder.releases.store import lessons
from course_utils.standins import trace_causal_attention

assert_close = partial(torch.testing.assert_close, atol=1e-6, rtol=0)


@pytest.fixture(scope="module")
def own():
    """{name: what the lessons' own cells define}, with a lesson's imports and its own earlier cells."""
    result = {}
    for lesson in lessons().values():
        space = {"math": math, "np": np, "torch": torch, "nn": nn, "F": F}
        for name in lesson.exercises:
            exec(answers(lesson.name)[name], space)
            result[name] = space[name]
    return result


def randn(*shape):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape)))


def loop(Q, K, V, num_heads, mask=None):
    """(B, T_q, d_model) of queries, keys and values (B, T, d_model): example by example, head by head."""
    d_head, examples = Q.shape[-1] // num_heads, []
    for b in range(len(Q)):
        heads = []
        for h in range(num_heads):
            q, k, v = (x[b, :, h * d_head : (h + 1) * d_head] for x in (Q, K, V))  # (T, d_head)
            scores = q @ k.T / d_head**0.5  # (T_q, T_k)
            scores = scores if mask is None else scores.masked_fill(mask[b], -math.inf)
            heads.append(scores.softmax(-1) @ v)
        examples.append(torch.cat(heads, -1))
    return torch.stack(examples)


def split(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)  # (B, H, T, d_head)


MASK = torch.ones(4, 6).triu(2).bool() | (
    torch.arange(6) >= torch.tensor([6, 3])[:, None, None]
)  # (B, T_q, T_k)


def test_scaled_dot_product_attention(own):
    Q, K, V = randn(2, 3, 4, 5), randn(2, 3, 6, 5), randn(2, 3, 6, 5)
    output, weights = own["scaled_dot_product_attention"](Q, K, V, MASK[:, None])
    assert_close(output, F.scaled_dot_product_attention(Q, K, V, attn_mask=~MASK[:, None]))
    assert_close(weights @ V, output)


def test_cores_of_several_heads(own):
    Q, K, V = randn(2, 4, 12), randn(2, 6, 12), randn(2, 6, 12)
    heads = F.scaled_dot_product_attention(split(Q, 3), split(K, 3), split(V, 3), attn_mask=~MASK[:, None])
    result = own["multi_head_attention_core"](Q, K, V, 3, MASK[:, None])
    result = result[0] if isinstance(result, tuple) else result
    assert_close(result, heads.transpose(1, 2).flatten(2))
    assert_close(result, loop(Q, K, V, 3, MASK))
    x = randn(1, 5, 12)
    assert_close(torch.from_numpy(own["multi_head_attention"](*[x[0].numpy()] * 3, 3)), loop(x, x, x, 3)[0])


@pytest.mark.parametrize("num_heads", [1, 3, 12])
def test_functions_with_weights(own, num_heads):
    X, W = randn(2, 5, 12), randn(4, 12, 12) / math.sqrt(12)
    future = torch.ones(5, 5).triu(1).bool()
    wanted = loop(*(X @ W[i] for i in range(3)), num_heads, future.expand(2, 5, 5)) @ W[3]
    theirs = nn.MultiheadAttention(12, num_heads, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([w.T for w in W[:3]]))
        theirs.out_proj.weight.copy_(W[3].T)
        output, weights = theirs(X, X, X, attn_mask=future, average_attn_weights=False)
    assert_close(wanted, output)
    assert_close(own["causal_attention_with_weights"](X, *W, num_heads)[0], output)
    assert_close(own["causal_attention_with_weights"](X, *W, num_heads)[1], weights)
    assert_close(trace_causal_attention(X, *W, num_heads)["output"], output)
    assert_close(own["multi_head_causal_attention"](X[1], *W, num_heads), output[1])


@pytest.mark.parametrize("name", ["MultiHeadSelfAttention", "CausalMultiHeadSelfAttention"])
def test_layers(own, name):
    theirs = nn.MultiheadAttention(12, 3, bias=False, batch_first=True, dtype=torch.float64)
    ours, x, lengths = own[name](12, 3).double(), randn(2, 5, 12), torch.tensor([5, 2])
    own["load_torch_weights"](ours, theirs)
    future = torch.ones(5, 5).triu(1).bool()
    if name.startswith("Causal"):
        assert_close(ours(x), theirs(x, x, x, attn_mask=future)[0])
    else:
        wanted = theirs(x, x, x, attn_mask=future, key_padding_mask=torch.arange(5) >= lengths[:, None])[0]
        assert_close(ours(x, is_causal=True, key_padding_lengths=lengths), wanted)
        assert_close(ours(x), theirs(x, x, x)[0])


CACHED = "MultiHeadAttentionWithCache"


@pytest.mark.parametrize("kv_heads", [None, 1, 2, 4])
def test_layers_with_a_cache(own, kv_heads):
    name, sizes = ("GroupedQueryAttentionWithCache", (kv_heads,)) if kv_heads else (CACHED, ())
    layer, x = own[name](12, 4, *sizes).double(), randn(2, 7, 12)
    Q = split(layer.q_proj(x), 4)
    K, V = (split(project(x), kv_heads or 4) for project in (layer.k_proj, layer.v_proj))
    heads = F.scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)
    wanted = layer.out_proj(heads.transpose(1, 2).flatten(2))
    assert_close(layer(x)[0], wanted)
    cache_k = cache_v = None
    for chunk, part in zip(x.split([3, 1, 2, 1], 1), wanted.split([3, 1, 2, 1], 1), strict=True):
        output, cache_k, cache_v = layer(chunk, cache_k, cache_v)
        assert_close(output, part)
    assert_close(cache_k, K)
    assert_close(cache_v, V)
