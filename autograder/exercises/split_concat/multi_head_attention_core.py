"""multi_head_attention_core: split, attend and merge, without projections."""

import torch
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as shared
from autograder.authoring.draws import (
    allow_large_scores,
    call,
    draw_untied,
    make_scores_large,
    normal,
    token_of_zeros,
)
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"output": "B T d_model", "attn_weights": "B H T_q T_k"},
    container="tuple",
    points=3,
    uses=["split_heads", "merge_heads", "scaled_dot_product_attention"],
    hints="""
    You have written all three steps already. In which order do they come?

    split_heads on each of Q, K and V; scaled_dot_product_attention with the mask; merge_heads on the output
    alone. The weights keep their (B, H, T, T).

    scaled_dot_product_attention(split_heads(Q, num_heads), ..., mask) takes the mask as it is: (T, T), (B, 1,
    T, T) and (B, H, T, T) all broadcast against (B, H, T, T).

        heads, weights = scaled_dot_product_attention(*(split_heads(t, num_heads) for t in (Q, K, V)), mask)
    """,
)


@ex.reference
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    """Uses torch's own operator on one head at a time; with the identity as values it gives the weights."""
    B, T, _ = Q.shape
    allowed = None if mask is None else ~mask.expand(B, num_heads, T, T)
    outputs, weights = [], []
    for h, (q, k, v) in enumerate(zip(*(t.chunk(num_heads, -1) for t in (Q, K, V)), strict=True)):
        eye = torch.eye(T, dtype=Q.dtype, device=Q.device).expand(B, T, T)
        own = None if allowed is None else allowed[:, h]
        outputs.append(F.scaled_dot_product_attention(q, k, v, attn_mask=own))
        weights.append(F.scaled_dot_product_attention(q, k, eye, attn_mask=own))
    return torch.cat(outputs, -1), torch.stack(weights, 1)


def three(g, *shape, scale=1, **more):
    """A case with Q, K and V (B, T, d_model); the last number in `shape` is num_heads."""
    *size, num_heads = shape

    def draw():
        tensors = {name: normal(g, *size, scale=scale) for name in ("Q", "K", "V")}
        return call(**tensors, num_heads=num_heads, **more)

    return draw_untied(draw)


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


ex.case(
    no_mask=lambda g: three(g, 2, 5, 12, 3),
    causal_mask=lambda g: three(g, 3, 4, 10, 2, mask=causal(4)),
)


@ex.case
def mask_for_each_example(g):
    padded = (torch.arange(5) >= torch.tensor([3, 5])[:, None])[:, None, None]  # (B, 1, 1, T)
    return three(g, 2, 5, 12, 3, mask=padded | causal(5))


@ex.case
def mask_for_each_head(g):
    mask = torch.from_numpy(g.random((3, 4, 5, 5)) < 0.4)
    mask[..., 0] = False
    return three(g, 3, 5, 8, 4, mask=mask)


ex.edge(
    one_head=lambda g: three(g, 2, 4, 5, 1),
    as_many_heads_as_features=lambda g: three(g, 2, 5, 4, 4, mask=causal(5)),
    one_token_one_example=lambda g: three(g, 1, 1, 6, 2),
    as_many_heads_as_examples=lambda g: three(g, 3, 4, 6, 3, mask=causal(4)),
    not_contiguous=lambda g: three(g, 2, 5, 12, 3, mask=causal(5)).but(strided=True),
    large_scores=lambda g: draw_untied(lambda: make_scores_large(three(g, 2, 4, 6, 2, scale=15))),
    a_token_of_zeros=lambda g: token_of_zeros(three(g, 2, 4, 6, 3, mask=causal(4))),
)


@ex.edge
def allowed_far_below_zero(g):
    case = three(g, 1, 5, 8, 2, mask=causal(5))
    args = case.calls[0].args
    args["Q"][..., ::4], args["K"][..., ::4] = 54.0, -54.0
    return allow_large_scores(case)


def attention(**switches):
    """An implementation with these switches of authoring/attention.py."""
    steps = pipeline.with_switches(**switches)

    def implementation(Q, K, V, num_heads, mask=None):
        arrays = {"Q": Q, "K": K, "V": V}
        q, k, v = (steps.split(arrays[role], num_heads) for role in steps.roles)
        heads, weights, _ = pipeline.attend(q, k, v, mask, num_heads, steps)
        return steps.merge(heads, num_heads), weights

    return implementation


right = attention()


def with_mask(change):
    """An implementation that uses change(mask, T) as its mask."""
    return lambda Q, K, V, num_heads, mask=None: right(Q, K, V, num_heads, change(mask, Q.shape[1]))


def four_axes(change):
    """An implementation that uses change(mask) as its mask if the mask has four axes."""
    return with_mask(lambda mask, T: change(mask) if mask is not None and mask.dim() == 4 else mask)


def with_results(change):
    """An implementation that returns change(output, weights), given the right ones."""
    return lambda Q, K, V, num_heads, mask=None: change(*right(Q, K, V, num_heads, mask))


def output_only(wrong):
    """An implementation with the output of `wrong` and the right weights, like an answer that uses torch's
    operator for the output only."""
    return lambda *args, **more: (wrong(*args, **more)[0], right(*args, **more)[1])


def mask_inverted_for_torch(Q, K, V, num_heads, mask=None):
    q, k, v = (pipeline.split_blocks(t, num_heads) for t in (Q, K, V))
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)  # (B, H, T, d_head)
    return pipeline.merge_blocks(heads, num_heads), right(Q, K, V, num_heads, mask)[1]


def first_head_for_all(letters):
    """An implementation in which all heads use the first head of K, V or both; letters: "K", "V" or "KV"."""

    def implementation(Q, K, V, num_heads, mask=None):
        split = {
            letter: pipeline.split_blocks(t, num_heads) for letter, t in zip("QKV", (Q, K, V), strict=True)
        }
        q, k, v = (t[:, :1].expand(t.shape) if letter in letters else t for letter, t in split.items())
        heads, weights, _ = pipeline.attend(q, k, v, mask, num_heads)
        return pipeline.merge_blocks(heads, num_heads), weights

    return implementation


def values_not_split(join):
    def implementation(Q, K, V, num_heads, mask=None):
        _, weights = right(Q, K, V, num_heads, mask)
        return join(weights @ V[:, None]), weights

    return implementation


def heads_in_batch(Q, K, V, num_heads, mask=None):
    B, T, _ = Q.shape
    q, k, v = (pipeline.split_blocks(t, num_heads).flatten(0, 1) for t in (Q, K, V))
    heads, weights, _ = pipeline.attend(q, k, v, mask, num_heads)
    heads = heads.reshape(B, num_heads, T, -1)
    return pipeline.merge_blocks(heads, num_heads), weights.reshape(B, num_heads, T, T)


causal_for_mask = with_mask(lambda mask, T: None if mask is None else causal(T))
causal_beside = with_mask(lambda mask, T: None if mask is None else mask | causal(T))
ex.shared(
    attention, *shared.SCALE, *shared.SOFTMAX, *shared.MASK, *shared.SPLIT, *shared.MERGE, *shared.ROLES
)
ex.shared(attention, *shared.WIDE, "k_reshaped", "mask_inverted_for_torch")
ex.wrong(
    "weights_averaged: the weights are averaged over the heads: return each head's own, (B, H, T, T)",
    with_results(lambda output, weights: (output, weights.mean(1))),
    "weights_transposed: the weights are transposed: rows are queries, columns are keys",
    with_results(lambda output, weights: (output, weights.transpose(-2, -1))),
    "mask_inverted_for_torch: torch's scaled_dot_product_attention expects True where attention is *allowed*: pass it ~mask (the weights are right)",
    mask_inverted_for_torch,
    "causal_without_mask: the future is masked although no mask is passed in: without one, every query sees all keys",
    with_mask(lambda mask, T: causal(T) if mask is None else mask),
    "causal_beside_mask: the future is masked in addition to what the mask says (is_causal=True?): only the mask decides, and not all masks are causal",
    with_mask(lambda mask, T: causal(T) if mask is None else mask | causal(T)),
    causal_beside,
    output_only(causal_beside),
    "causal_for_mask: a causal mask replaces the one that is passed in: not all masks are causal",
    causal_for_mask,
    "first_mask_for_all_heads: every head gets the first head's mask: a mask (B, H, T, T) has one for each head",
    four_axes(lambda mask: mask[:, :1]),
    "first_mask_for_all_examples: every example gets the first example's mask: a mask (B, ...) has one for each example",
    four_axes(lambda mask: mask[:1]),
    "first_head_for_all: all heads use the first head of the keys or the values: each head has its own features of Q, K and V",
    first_head_for_all("K"),
    first_head_for_all("V"),
    first_head_for_all("KV"),
    "heads_attend_to_heads: the heads of one token attend to each other: transpose to (B, H, T, d_head) after the split, so that the scores are (B, H, T, T)",
    attention(split=lambda t, H: t.unflatten(-1, (H, -1)), merge=lambda heads, H: heads.flatten(-2)),
    "values_not_split: V is not split: each head's weights must mix only that head's block of V's features, and merging joins the heads",
    values_not_split(lambda each: pipeline.merge_blocks(each, each.shape[1])),
    values_not_split(lambda each: each.mean(1)),
    "heads_in_batch: the heads are folded into the batch, (B*H, T, d_head), where a mask with four axes does not fit: keep (B, H, T, d_head)",
    heads_in_batch,
)
