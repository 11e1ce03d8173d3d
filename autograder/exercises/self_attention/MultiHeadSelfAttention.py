"""MultiHeadSelfAttention: four layers, heads, a causal mask and padding."""

import torch
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import (
    Exercise,
    build,
    drawn_lengths,
    far_below_zero,
    in_thousands,
    layers,
    normal,
    token_of_zeros,
)
from autograder.authoring.modules import SELF, Layered, of_layers, self_attention

ex = Exercise(
    "MultiHeadSelfAttention(d_model, num_heads)",
    {"output": "B T d_model"},
    kind="module",
    methods=["forward(x, is_causal=False, key_padding_lengths=None)"],
    points=4,
    uses=["create_attention_mask", "split_heads", "merge_heads"],
    hints=[
        "In which order do these happen: split into heads, project, softmax, merge, mask, output projection?",
        "Project, split, scores over sqrt(d_head), mask, softmax over the keys, times V, merge, output projection. Padding is about keys: it must reach the scores as (B, 1, 1, T).",
        "Your own pieces fit: create_attention_mask(T, T, is_causal, key_padding_lengths, device=x.device) gives a mask that broadcasts against (B, H, T, T).",
    ],
)


@ex.reference
class Reference(Layered):
    """torch's own operator, one call."""

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, _ = x.shape
        allowed = torch.ones(B, 1, T, T, dtype=torch.bool, device=x.device)
        if is_causal:
            allowed = allowed.tril()
        if key_padding_lengths is not None:
            allowed = (
                allowed & (torch.arange(T, device=x.device) < key_padding_lengths[:, None])[:, None, None]
            )
        Q, K, V = (self.split(x, letter) for letter in "QKV")
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)  # (B, H, T, d_head)
        return self.W_o(heads.transpose(1, 2).flatten(2))


def attention(g, d_model, num_heads):
    return build(
        layers(g, ("W_q", "W_k", "W_v", "W_o"), d_model, d_model), d_model=d_model, num_heads=num_heads
    )


@ex.case
def plain(g):
    return attention(g, 12, 3).call(x=normal(g, 2, 4, 12))


@ex.case
def causal(g):
    return attention(g, 10, 2).call(x=normal(g, 3, 4, 10), is_causal=True)


@ex.case
def padded(g):
    return attention(g, 6, 3).call(
        x=normal(g, 2, 5, 6), key_padding_lengths=drawn_lengths(g, 2, 5).sort().values
    )


@ex.case
def causal_and_padded(g):
    short, middle, long = drawn_lengths(g, 3, 5).sort().values
    return attention(g, 8, 2).call(
        x=normal(g, 3, 5, 8), is_causal=True, key_padding_lengths=torch.stack([middle, short, long])
    )


@ex.edge
def one_head(g):
    return attention(g, 5, 1).call(x=normal(g, 2, 3, 5), is_causal=True)


@ex.edge
def as_many_heads_as_features(g):
    return attention(g, 4, 4).call(x=normal(g, 4, 6, 4), is_causal=True)


@ex.edge
def one_token(g):
    return attention(g, 6, 2).call(x=normal(g, 1, 1, 6))


@ex.edge
def grows(g):
    case = (
        attention(g, 4, 2)
        .call(x=normal(g, 2, 3, 4), is_causal=True)
        .call(x=normal(g, 1, 6, 4), is_causal=True)
    )
    for length in (5, 2):
        case = case.call(x=normal(g, 1, 6, 4), is_causal=True, key_padding_lengths=torch.tensor([length]))
    return case.call(x=normal(g, 1, 6, 4)).but(evaluating=True)


@ex.edge
def long_not_contiguous(g):
    return attention(g, 4, 1).call(x=normal(g, 1, 67, 4), is_causal=True).but(strided=True, narrow=False)


@ex.edge
def large_scores(g):
    return in_thousands(attention(g, 6, 3).call(x=normal(g, 2, 4, 6, scale=20)))


@ex.edge
def a_token_of_zeros(g):
    return token_of_zeros(attention(g, 6, 2).call(x=normal(g, 2, 4, 6), is_causal=True))


@ex.edge
def allowed_far_below_zero(g):
    return far_below_zero(attention(g, 6, 3).call(x=normal(g, 2, 4, 6), is_causal=True), "W_q", "W_k")


@ex.recoverable
def weights_of(number, case):
    return of_layers(number, case, SELF) if case.name == "causal" else None


ex.switches(
    self_attention,
    known.SCALE,
    known.SOFTMAX,
    known.UNSTABLE,
    known.BATCH_SOFTMAX,
    known.MASK,
    known.CAUSAL,
    known.NOT_CAUSAL,
    known.PADDING,
    known.SPLIT,
    known.MERGE,
    known.ROLES,
    known.UNPROJECTED,
    known.TRANSPOSED,
    known.OUTPUT,
)


class AlwaysCausal(self_attention()):
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        return super().forward(x, True, key_padding_lengths)


class CausalInTraining(self_attention()):
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        return super().forward(x, is_causal and self.training, key_padding_lengths)


class MaskForbidsInstead(Layered):
    """Hands a mask of forbidden positions to scaled_dot_product_attention, which wants the allowed ones."""

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        T = x.shape[1]
        causal = pipeline.causal_mask(T, T, 0, pipeline.Switches()) if is_causal else None
        padded = (
            None
            if key_padding_lengths is None
            else pipeline.padding_mask(key_padding_lengths, T, T, pipeline.Switches())
        )
        mask = pipeline.joined(causal, padded, "or")
        Q, K, V = (self.split(x, letter) for letter in "QKV")
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
        return self.W_o(heads.transpose(1, 2).flatten(2))


ex.mistake(
    "mask_inverted_for_torch",
    "scaled_dot_product_attention wants True where attention is *allowed*: hand it ~mask",
    MaskForbidsInstead,
)
ex.mistake(
    "always_causal",
    "the future is masked although is_causal is False: the mask is causal only when is_causal is set",
    AlwaysCausal,
)
ex.mistake(
    "causal_only_in_training",
    "the future is masked only in training: is_causal counts in eval() as well",
    CausalInTraining,
)
