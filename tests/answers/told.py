"""Wrong answers, each of which is to be told in words of its own."""

import torch

from autograder.authoring.modules import self_attention
from autograder.exercises import load
from course_utils import standins


def leaks(scores, mask):
    weights = torch.softmax(scores.masked_fill(mask, -1e300), -1).masked_fill(mask, 0)
    return weights + mask * torch.arange(mask.shape[-1]) / 100


def attention_then(change):
    """An attention without a mask of its own, whose output is changed: it peeks at later tokens, too."""

    class Changed(self_attention()):
        def forward(self, x, is_causal=False, key_padding_lengths=None):
            return change(super().forward(x + 0.1 * x.roll(-1, 1), is_causal, key_padding_lengths))

    return Changed


def only_small(x, dim=-1):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(-1 if x.dim() == 2 else dim, keepdim=True)


class FixedDtype(load("StaticKVCache").implementation):
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        super().__init__(batch_size, num_heads, max_len, d_head)


class CountsFirst(load("StaticKVCache").implementation):
    def update(self, k, v):
        if getattr(self, "spoilt", False) or self.seen.shape[3] + k.shape[2] > self.memory.shape[3]:
            self.spoilt = True
            raise ValueError("in the student's own words")
        return super().update(k, v)


def not_scaled_and_mask_inverted(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    weights = (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)
    return weights @ V, weights


class FixedLength(self_attention()):
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        if is_causal:
            x = x + torch.zeros(16, 16, dtype=x.dtype)[: x.shape[1], :1]
        return super().forward(x, is_causal, key_padding_lengths)


class MaskKept(self_attention()):
    """Whether it is causal is kept from the first call of each length."""

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.seen = {}

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        is_causal = self.seen.setdefault(x.shape[1], is_causal)
        return super().forward(x, is_causal, key_padding_lengths)


class HandsOn(torch.nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)


def ignores_mask(scores, mask):
    return torch.softmax(scores, -1) + 0.5 * (scores > 1)


def of_another_shape(X, W_Q, W_K, W_V, W_O, num_heads):
    return X * 7 + 1, torch.zeros(num_heads, 3, 3, dtype=X.dtype)


def split_heads(x, num_heads):
    return (lambda t: t)(x, num_heads)


def by_another_name(attention, x, chunk_sizes):
    return attention(x, cache=None)


def none_of(x):
    x * 2


def forgets(Q, K, V, mask=None):
    return none_of(Q @ K.mT).softmax(-1) @ V, None


def masks_none(Q, K, V, mask=None):
    weights = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(mask, -torch.inf).softmax(-1)
    return weights @ V, weights


def transposed(Q, K, V, mask=None):
    scores = Q @ K.transpose(1, 2) / Q.shape[-1] ** 0.5
    weights = (scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)
    return weights @ V, weights


def one_factor_is_added(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return 2 + batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value


class NoLayers(torch.nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()


class Biased(NoLayers):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_q = torch.nn.Linear(d_model, d_model)


class OneLayer(NoLayers):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.W_q, self.W_k, self.W_v, self.W_o = [torch.nn.Linear(d_model, d_model, bias=False)] * 4


def recurses(x, dim=-1):
    return recurses(x, dim)  # without dim, Python 3.13.0 sees no end of it


def joined(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if key_padding_lengths is not None:
        return standins.create_attention_mask(seq_len_q, seq_len_k, is_causal, key_padding_lengths, device)
    T_k = seq_len_k or seq_len_q
    items = torch.Tensor(seq_len_q, T_k).fill_(is_causal).triu(1).bool().to(device)
    return torch.zeros(seq_len_q, T_k, dtype=torch.bool, device=device) | items


def by_hand(x, dim=-1):
    return (x - x.logsumexp(dim, keepdim=True)).exp()


def by_dtype(x, dim=-1):
    return by_hand(x + torch.zeros(x.shape[-1]).type(x.dtype), dim)


def by_type(x, dim=-1):
    return by_hand(x + torch.zeros(x.shape[-1]).type(torch.DoubleTensor).to(x.dtype), dim)


def deaf(mask, dtype=None):
    return torch.zeros(mask.shape, device=mask.device).masked_fill(mask, -torch.inf)


def always_double(mask, dtype=None):
    return deaf(mask).double()


def mended(x, dim=-1):
    return (x - x.logsumexp(dim, keepdim=True)).exp() + torch.where(x.isfinite(), 0 * x, (x + 1000).exp())


def halved(x):
    return x / 2


def first(x):
    """the first sentence"""
    return x / 3


def second(x):
    """the second sentence"""
    return x / 3
