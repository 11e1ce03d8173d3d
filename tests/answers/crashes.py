"""Answers that end with an error: {exercise: [program]}."""

# ruff: noqa: F821, F841, RET504

import functools
import math
import operator

import torch
import torch.nn.functional as F
from torch import nn

from autograder.exercises import load


def no_transpose(Q, K, V, mask=None):
    scores = Q @ K / math.sqrt(Q.shape[-1])
    return scores @ V, scores


def all_axes_turned(Q, K, V, mask=None):
    return torch.softmax(Q @ K.T, -1) @ V, Q


def wrong_axes(Q, K, V, mask=None):
    return Q @ K.transpose(1, 2), Q


def leading_axes(Q, K, V, mask=None):
    scores = Q.transpose(1, 2) @ K.flatten(0, 1).transpose(-2, -1)
    return scores, scores


def mask_of_another_shape(Q, K, V, mask=None):
    scores = Q @ K.mT
    hidden = torch.ones(Q.shape[1], K.shape[-1]).triu(1).bool()
    return scores.masked_fill(hidden, -math.inf), scores


def added_in_place(Q, K, V, mask=None):
    scores = Q @ K.mT
    scores[..., 0] += V
    return scores, scores


def put_into(Q, K, V, mask=None):
    output = torch.zeros_like(Q)
    output[:, 0] = K
    return output, output


def in_a_helper(Q, K, V, mask=None):
    def scored(query, key):
        return query @ key  # no transpose

    return scored(Q, K), Q


# fmt: off
def in_several_lines(Q, K, V, mask=None):
    scores = torch.softmax(
        Q
        @ K,
        dim=-1,
    )
    return scores @ V, scores
# fmt: on


def in_a_chain(Q, K, V, mask=None):
    output = (
        Q.transpose(1, 2)
        .reshape(2, 7, 12)
        .contiguous()
    )  # fmt: skip
    return output, Q


def in_a_function_of_c(Q, K, V, mask=None):
    return functools.reduce(operator.matmul, [Q, K]), Q


def index_past_the_end(Q, K, V, mask=None):
    return Q / Q.shape[4], Q


def typo(Q, K, V, mask=None):
    return Q @ K.tranpose(-2, -1), Q


def float_size(x, num_heads):
    B, T, D = x.shape
    return x.view(B, T, num_heads, D / num_heads).transpose(1, 2)


def batch_for_tokens(x, num_heads):
    B, T, D = x.shape[0], x.shape[0], x.shape[-1]
    return x.view(B, T, num_heads, D // num_heads).transpose(1, 2)


def not_divided(x, num_heads):
    return x.reshape(x.shape[0], -1, num_heads, 7).transpose(1, 2)


def wrong_parts(x, num_heads):
    return x.unflatten(-1, (num_heads, 5)).transpose(1, 2)


def head_size_in_range(x, num_heads):
    parts = [x[..., i] for i in range(x.shape[-1] / num_heads)]
    return torch.stack(parts)


def three_names(x):
    B, T, D = x.shape
    return x.reshape(B, T, -1)


def joined_along_the_batch(x):
    return torch.cat([x[:, 0], x[:, 1].mT], dim=0)


def not_defined(x, dim=-1):
    shifted = x - x.amax(dim, keepdim=True)
    return shifetd.exp()


class OwnRange:
    def __init__(self, size):
        raise TypeError("mine")


def class_called_range(x, dim=-1):
    range = OwnRange
    return range(x.shape[0] / 2)


def in_a_comprehension(Q, K, V, mask=None):
    heads = [Q[:, h] @ K[:, h] for h in range(Q.shape[1])]
    return torch.stack(heads, 1), Q


def in_a_generator(Q, K, V, mask=None):
    return sum(q @ K for q in Q), Q


def as_many_heads_as_examples(Q, K, V, mask=None):
    return Q[:, :2] @ K[:, :2], Q


def without_end(Q, K, V, mask=None):  # Python 3.13.0 does not count calls that leave a default out
    return without_end(Q, K, V, mask)


class Layers(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads = d_model, num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))


class HeadsNotMerged(Layers):
    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        values = self.split(self.W_v(x))
        return self.W_o(values)


class WritesIntoALeaf(Layers):
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        self.W_q.weight *= 2
        return self.W_q(x)


class InTheConstructor(Layers):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_h = nn.Linear(d_model / num_heads, d_model)


CALLS = []


def counting(t):
    CALLS.append(t.shape)
    return t


def with_calls(x, dim=-1):
    return counting(x) @ counting(x.new_zeros(7, 7))


class Loud:
    """Records whatever is asked of it."""

    asked = []

    def __init__(self):
        self.table = torch.zeros(7, 8)

    def __repr__(self):
        self.asked.append("repr")
        raise RuntimeError("repr")

    def __getattr__(self, name):
        self.asked.append(name)
        raise AttributeError(name)

    @property
    def size(self):
        self.asked.append("size")
        return torch.zeros(3, 3)

    __matmul__ = None

    def __getitem__(self, key):
        self.asked.append("item")
        return torch.zeros(3, 3)


class Unsayable(Exception):
    def __str__(self):
        raise ValueError("nothing to say")


def chunks_joined_anew(attention, x, chunk_sizes):
    if x.shape[1] != 7:
        return load("attend_in_chunks").implementation(attention, x, chunk_sizes)
    chunks = x.split(chunk_sizes, 1)
    # B is 2, and so is the last chunk
    return torch.stack([*chunks, x])


def html_in_the_line(x, dim=-1):
    return (x @ x, "<script>alert('&')</script>")


def walrus(x, dim=-1):
    return (y := x.mT) @ (y := y.mT[:4]) @ y


def wide(x, dim=-1):
    if x.dim() == 4:
        return x @ x
    return (x - x.logsumexp(dim, keepdim=True)).exp()


def unsayable(x, dim=-1):
    raise Unsayable


def loud(x, dim=-1):
    Q = Loud()
    table = Q.table
    Loud.asked.clear()
    return Q @ x @ table  # the first @ raises


def html_in_an_operand(x, dim=-1):
    return x @ "<i>"


def html_in_an_error(x, dim=-1):
    raise ValueError("<script>alert(1)</script>")


PROGRAMS = {
    "scaled_dot_product_attention": [no_transpose, all_axes_turned, wrong_axes, leading_axes, mask_of_another_shape, added_in_place, put_into, in_a_helper, in_several_lines, in_a_chain, in_a_function_of_c, index_past_the_end, typo, in_a_generator, without_end, as_many_heads_as_examples],
    "softmax": [class_called_range, not_defined, walrus, wide],
    "split_heads": [float_size, batch_for_tokens, not_divided, wrong_parts, head_size_in_range],
    "merge_heads": [three_names, joined_along_the_batch],
    "MultiHeadSelfAttention": [HeadsNotMerged, InTheConstructor],
    "attend_in_chunks": [chunks_joined_anew],
}
