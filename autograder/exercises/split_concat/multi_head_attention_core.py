"""multi_head_attention_core: split, attend, merge; no projections."""

import torch
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import (
    Exercise,
    call,
    in_thousands,
    normal,
    surely_large,
    token_of_zeros,
    untied,
)

ex = Exercise(
    "multi_head_attention_core(Q, K, V, num_heads, mask=None)",
    {"output": "B T d_model", "attn_weights": "B H T_q T_k"},
    container="tuple",
    points=3,
    uses=["split_heads", "merge_heads", "scaled_dot_product_attention"],
    hints=[
        "You have written all three steps already. In which order do they come?",
        "split_heads on each of Q, K and V; scaled_dot_product_attention with the mask; merge_heads on the output alone. The weights keep their (B, H, T, T).",
        "The mask may be (T, T), (B, 1, T, T) or (B, H, T, T): all three broadcast against (B, H, T, T) without any change.",
    ],
)


@ex.reference
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    """torch's own operator on each head alone."""
    B, T, _ = Q.shape
    allowed = None if mask is None else ~mask.expand(B, num_heads, T, T)
    outputs, weights = [], []
    for h, (q, k, v) in enumerate(zip(*(t.chunk(num_heads, -1) for t in (Q, K, V)), strict=True)):
        eye = torch.eye(T, dtype=Q.dtype, device=Q.device).expand(B, T, T)
        own = None if allowed is None else allowed[:, h]
        outputs.append(F.scaled_dot_product_attention(q, k, v, attn_mask=own))
        weights.append(F.scaled_dot_product_attention(q, k, eye, attn_mask=own))
    return torch.cat(outputs, -1), torch.stack(weights, 1)


def three(g, B, T, d_model, num_heads, scale=1, **more):
    return untied(
        lambda: call(
            **{name: normal(g, B, T, d_model, scale=scale) for name in ("Q", "K", "V")},
            num_heads=num_heads,
            **more,
        )
    )


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


@ex.case
def no_mask(g):
    return three(g, 2, 5, 12, 3)


@ex.case
def causal_mask(g):
    return three(g, 3, 4, 10, 2, mask=causal(4))


@ex.case
def mask_for_each_example(g):
    padded = (torch.arange(5) >= torch.tensor([3, 5])[:, None])[:, None, None]  # (B, 1, 1, T)
    return three(g, 2, 5, 6, 3, mask=padded | causal(5))


@ex.case
def mask_for_each_head(g):
    mask = torch.from_numpy(g.random((2, 4, 3, 3)) < 0.4)
    mask[..., 0] = False
    return three(g, 2, 3, 8, 4, mask=mask)


@ex.edge
def one_head(g):
    return three(g, 2, 4, 5, 1)


@ex.edge
def as_many_heads_as_features(g):
    return three(g, 2, 5, 4, 4, mask=causal(5))


@ex.edge
def one_token_one_example(g):
    return three(g, 1, 1, 6, 2)


@ex.edge
def as_many_heads_as_examples(g):
    return three(g, 3, 4, 6, 3, mask=causal(4))


@ex.edge
def not_contiguous(g):
    return three(g, 2, 5, 12, 3, mask=causal(5)).but(strided=True)


@ex.edge
def large_scores(g):
    return untied(lambda: surely_large(three(g, 2, 4, 6, 2, scale=15)))


@ex.edge
def a_token_of_zeros(g):
    return token_of_zeros(three(g, 2, 4, 6, 3, mask=causal(4)))


@ex.edge
def allowed_far_below_zero(g):
    case = three(g, 1, 5, 8, 2, mask=causal(5))
    args = case.calls[0].args
    args["Q"][..., ::4], args["K"][..., ::4] = 54.0, -54.0
    return in_thousands(case)


def attention(**switches):
    """The pipeline without projections."""
    chosen = pipeline.changed(**switches)

    def implementation(Q, K, V, num_heads, mask=None):
        made = {"Q": Q, "K": K, "V": V}
        q, k, v = (pipeline.SPLIT[chosen.split](made[role], num_heads) for role in chosen.roles)
        heads, weights, _ = pipeline.attend(q, k, v, mask, num_heads, chosen)
        return pipeline.MERGE[chosen.merge](heads, num_heads), weights

    return implementation


def instead(index, what):
    """The right results with one of them exchanged."""

    def implementation(Q, K, V, num_heads, mask=None):
        results = list(attention()(Q, K, V, num_heads, mask))
        results[index] = what(*results, num_heads)
        return tuple(results)

    return implementation


def inverted_for_torch(Q, K, V, num_heads, mask=None):
    q, k, v = (pipeline.split_blocks(t, num_heads) for t in (Q, K, V))
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)  # (B, H, T, d_head)
    return pipeline.MERGE["blocks"](heads, num_heads), attention()(Q, K, V, num_heads, mask)[1]


def unsplit(Q, K, V, num_heads, mask=None):
    heads, weights, _ = pipeline.attend(Q, K, V, mask, 1, pipeline.Switches())
    return heads, weights


ex.switches(
    attention,
    known.SCALE,
    known.SOFTMAX,
    known.UNSTABLE,
    known.BATCH_SOFTMAX,
    known.MASK,
    known.SPLIT,
    known.MERGE,
    known.ROLES,
)
ex.mistake(
    "weights_averaged",
    "the weights are averaged over the heads: each head's own are wanted, (B, H, T, T)",
    instead(1, lambda o, w, H: w.mean(1)),
)
ex.mistake(
    "weights_transposed",
    "the weights are transposed: rows are queries, columns are keys",
    instead(1, lambda o, w, H: w.transpose(-2, -1)),
)
ex.mistake(
    "heads_not_merged",
    "the heads are not merged: (B, H, T, d_head) must become (B, T, d_model)",
    instead(0, lambda o, w, H: pipeline.split_blocks(o, H)),
    instead(0, lambda o, w, H: o.unflatten(-1, (H, -1))),
)
ex.mistake(
    "causal_without_mask",
    "the future is masked although no mask is given: without one every query sees all keys",
    lambda Q, K, V, num_heads, mask=None: attention()(
        Q, K, V, num_heads, causal(Q.shape[1]) if mask is None else mask
    ),
)
ex.mistake(
    "mask_inverted_for_torch",
    "torch's scaled_dot_product_attention wants True where attention is *allowed*: hand it ~mask (the weights are right)",
    inverted_for_torch,
)
ex.mistake(
    "first_mask_for_all_heads",
    "every head gets the first head's mask: a mask (B, H, T, T) has one for each",
    lambda Q, K, V, num_heads, mask=None: attention()(
        Q, K, V, num_heads, mask[:, :1] if mask is not None and mask.dim() == 4 else mask
    ),
)
ex.mistake(
    "order_of_results",
    "the two results are in the wrong order: (output, attn_weights)",
    lambda Q, K, V, num_heads, mask=None: attention()(Q, K, V, num_heads, mask)[::-1],
)
ex.mistake(
    "one_wide_head",
    "there is only one head, as wide as the model: split before attending",
    lambda Q, K, V, num_heads, mask=None: (
        attention()(Q, K, V, 1, mask)
        if mask is None or mask.dim() == 2
        else attention()(Q, K, V, 1, mask[:, :1])
    ),
    unsplit,
)
