"""The numbers behind one causal case of a self-attention exercise, from which its hidden tables can be
recovered."""

import math

import torch

from course_utils.observe.influence import influence

from . import attention as pipeline
from .shared_mistakes import split_interleaved


def stages_of(exercise, cases):
    """The `stages` of a Sheet for the first causal core case with T <= d_head; {} for exercises that have
    none."""
    if exercise.weights_of is None:
        return {}
    number, x, W, num_heads = next(
        found for found in map(exercise.weights_of, range(len(cases)), cases) if found
    )
    x3 = x if x.dim() == 3 else x[None]
    _, weights, made = pipeline.self_attention(x3, W, num_heads, is_causal=True)
    B, T, d_model = x3.shape
    index = pipeline.split_blocks(torch.arange(B * T * d_model).reshape(B, T, d_model), num_heads)
    return {
        "case": number,
        "undo_output": torch.linalg.pinv(W["O"]),
        "heads_index": index.flatten(),
        "V": made["V"],
        "scores": made["scores"],
        "weights": weights,
        "mask": pipeline.causal_mask(T, T),
        "other_outputs": other_outputs(W["O"]),
        "other_V": other_values(x3, W, num_heads),
        "other_scores": other_scores(x3, W, num_heads),
        "factors": factors(T, d_model, num_heads),
        "influence": influence(exercise.implementation, cases[number], exercise.contract),
    }


def other_outputs(W_O):
    """{sentence: what undoes the output projection} for the ways in which it is often wrong."""
    eye = torch.eye(len(W_O), dtype=W_O.dtype)
    return {
        "the output projection is missing: the merged heads go through it last": eye,
        "the output projection is used transposed": torch.linalg.pinv(W_O.T),
    }


def projected_heads(x, W, num_heads, roles, split=pipeline.split_blocks, transposed=""):
    projected = pipeline.project(x, W, pipeline.changed(roles=roles, transposed=transposed))
    return [split(t, num_heads) for t in projected]


def other_values(x, W, num_heads):
    """{sentence: V} for the ways in which V is often wrong."""

    def V(role="V", **more):
        return projected_heads(x, W, num_heads, role, **more)[0]

    return {
        "the values are wrong: they are the queries (V has a projection of its own)": V("Q"),
        "the values are wrong: they are the keys (V has a projection of its own)": V("K"),
        "the values are wrong: they are x itself, not projected": V("X"),
        "the values are wrong: their weight is used transposed": V(transposed="V"),
        "the values are split into heads wrongly: feature by feature in turn, not in blocks": V(
            split=split_interleaved
        ),
    }


def other_scores(x, W, num_heads):
    """{sentence: scores} for the ways in which Q and K are often wrong."""

    def scores(roles="QK", **more):
        Q, K = projected_heads(x, W, num_heads, roles, **more)
        return pipeline.scaled(Q, K)

    return {
        "the scores are K Q^T: row i is query i against all keys, Q K^T": scores("KQ"),
        "the scores compare keys with keys: Q has a projection of its own": scores("KK"),
        "the scores compare queries with queries: K has a projection of its own": scores("QQ"),
        "the scores use the values as keys": scores("QV"),
        "the scores use the values as queries": scores("VK"),
        "the scores use x itself as queries, not projected": scores("XK"),
        "the scores use x itself as keys, not projected": scores("QX"),
        "the scores use neither projection": scores("XX"),
        "the scores use the query weight transposed": scores(transposed="Q"),
        "the scores use the key weight transposed": scores(transposed="K"),
        "the scores use both weights transposed": scores(transposed="QK"),
        "queries and keys are split into heads in turn, not in blocks": scores(split=split_interleaved),
    }


def factors(T, d_model, num_heads):
    """[[times too large, in words]]."""
    d = d_model // num_heads
    return [
        [math.sqrt(d), "they were not divided by sqrt(d_head)"],
        [1 / math.sqrt(d), "they were divided by d_head, not by its root"],
        [float(d), "they were multiplied by sqrt(d_head)"],
        [math.sqrt(d / d_model), "they were divided by sqrt(d_model)"],
        [math.sqrt(d / num_heads), "they were divided by sqrt(num_heads)"],
        [math.sqrt(d / T), "they were divided by sqrt(T)"],
        [-1.0, "their sign was wrong"],
    ]
