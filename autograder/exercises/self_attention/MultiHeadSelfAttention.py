"""MultiHeadSelfAttention: four layers, several heads, an optional causal mask and padding."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring import shared_mistakes as shared
from autograder.authoring.draws import (
    allow_large_scores,
    build,
    draw_lengths,
    far_below_zero,
    layers,
    normal,
    token_of_zeros,
)
from autograder.authoring.exercise import Exercise
from autograder.authoring.modules import LAYERS, Layered, self_attention

ex = Exercise(
    {"output": "B T d_model"},
    points=4,
    uses=["create_attention_mask", "split_heads", "merge_heads"],
    hints="""
    In which order do these happen: split into heads, project, softmax, merge, mask, output projection?

    Project, split, scores over sqrt(d_head), mask, softmax over the keys, times V, merge, output projection.
    Where the mask is True, the scores become -inf.

    You can reuse your pieces, pasted into a cell above: split_heads, merge_heads, and create_causal_mask(T,
    device=x.device), which broadcasts against (B, 1, T, T).

        return self.W_o(merge_heads(weights @ V))  # (B, T, d_model)
    """,
)


@ex.reference
class MultiHeadSelfAttention(Layered):
    """Uses one call of torch's own operator."""

    W_o: nn.Linear

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, _ = x.shape
        allowed = torch.ones(B, 1, T, T, dtype=torch.bool, device=x.device)
        if is_causal:
            allowed = allowed.tril()
        if key_padding_lengths is not None:
            real = torch.arange(T, device=x.device) < key_padding_lengths[:, None]  # (B, T)
            allowed = allowed & real[:, None, None]
        Q, K, V = (self.split(x, letter) for letter in "QKV")
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)  # (B, H, T, d_head)
        return self.W_o(heads.transpose(1, 2).flatten(2))


def attention(g, d_model, num_heads):
    return build(layers(g, LAYERS.values(), d_model, d_model), d_model=d_model, num_heads=num_heads)


def case(g, B, T, d_model, num_heads, scale=1, **arguments):
    return attention(g, d_model, num_heads).call(x=normal(g, B, T, d_model, scale=scale), **arguments)


ex.case(
    plain=lambda g: case(g, 2, 5, 12, 3),
    causal=lambda g: case(g, 3, 4, 10, 2, is_causal=True),
)


@ex.case
def padded(g):
    plain = attention(g, 12, 3)
    return plain.call(x=normal(g, 2, 5, 12), key_padding_lengths=draw_lengths(g, 2, 5).sort().values)


@ex.case
def causal_and_padded(g):
    short, middle, long = draw_lengths(g, 3, 5).sort().values
    lengths = torch.stack([middle, short, long])
    return case(g, 3, 5, 8, 2, is_causal=True, key_padding_lengths=lengths)


ex.edge(
    one_head=lambda g: case(g, 2, 3, 5, 1, is_causal=True),
    as_many_heads_as_features=lambda g: case(g, 4, 6, 4, 4, is_causal=True),
    one_token=lambda g: case(g, 1, 1, 6, 2),
)


@ex.edge
def grows(g):
    grown = case(g, 2, 3, 4, 2, is_causal=True).call(x=normal(g, 1, 6, 4), is_causal=True)
    for length in (5, 2):
        lengths = torch.tensor([length])
        grown = grown.call(x=normal(g, 1, 6, 4), is_causal=True, key_padding_lengths=lengths)
    return grown.call(x=normal(g, 1, 6, 4)).but(evaluating=True)


ex.edge(
    long_not_contiguous=lambda g: case(g, 1, 67, 4, 1, is_causal=True).but(strided=True, narrow=False),
    large_scores=lambda g: allow_large_scores(case(g, 2, 4, 6, 3, scale=20)),
    a_token_of_zeros=lambda g: token_of_zeros(case(g, 2, 4, 6, 2, is_causal=True)),
    allowed_far_below_zero=lambda g: far_below_zero(case(g, 2, 4, 6, 3, is_causal=True), "W_q", "W_k"),
)


ex.shared(self_attention, *shared.LAYER, *shared.CAUSAL, *shared.PADDING)


@ex.mistake
class PaddingZeroed(self_attention()):
    """padded tokens are set to 0 in x, but their keys still get weight: a score of 0 is not low. Mask
    the scores of their keys with -inf"""

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        if key_padding_lengths is not None:
            padded = torch.arange(x.shape[1]) >= key_padding_lengths[:, None]  # (B, T)
            x = x.masked_fill(padded[..., None], 0)
        return super().forward(x, is_causal)


@ex.mistake
class AlwaysCausal(self_attention()):
    """the future is masked although is_causal is False: the mask is causal only when is_causal is set"""

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        return super().forward(x, True, key_padding_lengths)


@ex.mistake
class CausalOnlyInTraining(self_attention()):
    """the future is masked only in training: is_causal applies in eval() as well"""

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        return super().forward(x, is_causal and self.training, key_padding_lengths)
