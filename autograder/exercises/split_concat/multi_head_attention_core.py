"""multi_head_attention_core: split, attend, merge; no projections."""

import torch
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
from autograder.authoring.draws import call, in_thousands, normal, surely_large, token_of_zeros, untied
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"output": "B T d_model", "attn_weights": "B H T_q T_k"},
    container="tuple",
    points=3,
    uses=["split_heads", "merge_heads", "scaled_dot_product_attention"],
    hints=[
        "You have written all three steps already. In which order do they come?",
        "split_heads on each of Q, K and V; scaled_dot_product_attention with the mask; merge_heads on the "
        "output alone. The weights keep their (B, H, T, T).",
        "scaled_dot_product_attention(split_heads(Q, num_heads), ..., mask) takes the mask as it is: (T, "
        "T), (B, "
        "1, T, T) and (B, H, T, T) all broadcast against (B, H, T, T).",
        "heads, weights = scaled_dot_product_attention(*(split_heads(t, num_heads) for t in (Q, K, V)), "
        "mask)",
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


def three(g, *shape, scale=1, **more):
    """Q, K and V of shape (B, T, d_model); the last number is that of the heads."""
    *size, num_heads = shape

    def draw():
        tensors = {name: normal(g, *size, scale=scale) for name in ("Q", "K", "V")}
        return call(**tensors, num_heads=num_heads, **more)

    return untied(draw)


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


ex.case(
    no_mask=lambda g: three(g, 2, 5, 12, 3),
    causal_mask=lambda g: three(g, 3, 4, 10, 2, mask=causal(4)),
)


@ex.case
def mask_for_each_example(g):
    padded = (torch.arange(5) >= torch.tensor([3, 5])[:, None])[:, None, None]  # (B, 1, 1, T)
    return three(g, 2, 5, 6, 3, mask=padded | causal(5))


@ex.case
def mask_for_each_head(g):
    mask = torch.from_numpy(g.random((2, 4, 3, 3)) < 0.4)
    mask[..., 0] = False
    return three(g, 2, 3, 8, 4, mask=mask)


ex.edge(
    one_head=lambda g: three(g, 2, 4, 5, 1),
    as_many_heads_as_features=lambda g: three(g, 2, 5, 4, 4, mask=causal(5)),
    one_token_one_example=lambda g: three(g, 1, 1, 6, 2),
    as_many_heads_as_examples=lambda g: three(g, 3, 4, 6, 3, mask=causal(4)),
    not_contiguous=lambda g: three(g, 2, 5, 12, 3, mask=causal(5)).but(strided=True),
    large_scores=lambda g: untied(lambda: surely_large(three(g, 2, 4, 6, 2, scale=15))),
    a_token_of_zeros=lambda g: token_of_zeros(three(g, 2, 4, 6, 3, mask=causal(4))),
)


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
        q, k, v = (chosen.split(made[role], num_heads) for role in chosen.roles)
        heads, weights, _ = pipeline.attend(q, k, v, mask, num_heads, chosen)
        return chosen.merge(heads, num_heads), weights

    return implementation


right = attention()
ex.shared(attention, *known.SCALE, *known.SOFTMAX, *known.UNSTABLE, *known.BATCH_SOFTMAX, *known.MASK)
ex.shared(attention, *known.SPLIT, *known.MERGE, *known.ROLES, *known.ROUNDED, *known.K_RESHAPED)
ex.shared(attention, *known.FOR_TORCH)
ex.another("heads_averaged", attention(merge=lambda heads, H: heads.mean(1)))
ex.another("heads_summed", attention(merge=lambda heads, H: heads.sum(1)))
ex.another("only_first_head", attention(merge=lambda heads, H: heads[:, 0]))


@ex.mistake
def weights_averaged(Q, K, V, num_heads, mask=None):
    """the weights are averaged over the heads: each head's own are wanted, (B, H, T, T)"""
    output, weights = right(Q, K, V, num_heads, mask)
    return output, weights.mean(1)


@ex.mistake
def weights_transposed(Q, K, V, num_heads, mask=None):
    """the weights are transposed: rows are queries, columns are keys"""
    output, weights = right(Q, K, V, num_heads, mask)
    return output, weights.transpose(-2, -1)


@ex.mistake(split=[pipeline.split_blocks, lambda merged, H: merged.unflatten(-1, (H, -1))])
def heads_not_merged(Q, K, V, num_heads, mask=None, split=None):
    """the heads are not merged: (B, H, T, d_head) must become (B, T, d_model)"""
    output, weights = right(Q, K, V, num_heads, mask)
    return split(output, num_heads), weights


@ex.mistake
def causal_without_mask(Q, K, V, num_heads, mask=None):
    """the future is masked although no mask is given: without one every query sees all keys"""
    return right(Q, K, V, num_heads, causal(Q.shape[1]) if mask is None else mask)


@ex.mistake
def mask_inverted_for_torch(Q, K, V, num_heads, mask=None):
    """torch's scaled_dot_product_attention wants True where attention is *allowed*: hand it ~mask (the
    weights are right)"""
    q, k, v = (pipeline.split_blocks(t, num_heads) for t in (Q, K, V))
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)  # (B, H, T, d_head)
    return pipeline.merge_blocks(heads, num_heads), right(Q, K, V, num_heads, mask)[1]


@ex.mistake
def first_mask_for_all_heads(Q, K, V, num_heads, mask=None):
    """every head gets the first head's mask: a mask (B, H, T, T) has one for each"""
    return right(Q, K, V, num_heads, mask[:, :1] if mask is not None and mask.dim() == 4 else mask)


@ex.mistake
def first_mask_for_all_examples(Q, K, V, num_heads, mask=None):
    """every example gets the first example's mask: a mask (B, ...) has one for each"""
    return right(Q, K, V, num_heads, mask[:1] if mask is not None and mask.dim() == 4 else mask)


@ex.another("first_mask_for_all_examples")
def first_table_for_all(Q, K, V, num_heads, mask=None):
    return right(Q, K, V, num_heads, mask[0, 0] if mask is not None and mask.dim() == 4 else mask)


@ex.mistake
def only_square_masks(Q, K, V, num_heads, mask=None):
    """a mask with four axes has no effect: (T, T), (B, 1, T, T) and (B, H, T, T) all fit the scores as they
    are"""
    return right(Q, K, V, num_heads, mask if mask is not None and mask.dim() == 2 else None)


@ex.mistake(add=[lambda mask: mask[:, None], lambda mask: mask[None], lambda mask: mask[None, None]])
def axes_added_to_mask(Q, K, V, num_heads, mask=None, add=None):
    """the mask gets axes that it does not need: (T, T), (B, 1, T, T) and (B, H, T, T) all fit the scores as
    they are"""
    return right(Q, K, V, num_heads, mask if mask is None else add(mask))


@ex.mistake
def causal_beside_mask(Q, K, V, num_heads, mask=None):
    """the future is masked besides what the mask says (is_causal=True?): only the mask decides, and not all
    masks are causal"""
    beside = causal(Q.shape[1])
    return right(Q, K, V, num_heads, beside if mask is None else beside | mask)


@ex.another("causal_beside_mask")
def causal_beside_mask_if_given(Q, K, V, num_heads, mask=None):
    return right(Q, K, V, num_heads, mask if mask is None else mask | causal(Q.shape[1]))


@ex.another("causal_beside_mask")
def causal_beside_mask_in_the_output(Q, K, V, num_heads, mask=None):
    return causal_beside_mask(Q, K, V, num_heads, mask)[0], right(Q, K, V, num_heads, mask)[1]


@ex.another("causal_beside_mask")
def causal_beside_mask_if_given_in_the_output(Q, K, V, num_heads, mask=None):
    output, _ = causal_beside_mask_if_given(Q, K, V, num_heads, mask)
    return output, right(Q, K, V, num_heads, mask)[1]


@ex.mistake
def causal_for_mask(Q, K, V, num_heads, mask=None):
    """a causal mask stands in the place of the one that is given: not all masks are causal"""
    return right(Q, K, V, num_heads, mask if mask is None else causal(Q.shape[1]))


@ex.another("causal_for_mask")
def causal_for_mask_in_the_output(Q, K, V, num_heads, mask=None):
    return causal_for_mask(Q, K, V, num_heads, mask)[0], right(Q, K, V, num_heads, mask)[1]


@ex.mistake(whose=["K", "V", "KV"])
def first_head_for_all(Q, K, V, num_heads, mask=None, whose=""):
    """all heads use the first head of the keys or the values: each head has its own features of Q, K and V"""
    made = {"Q": Q, "K": K, "V": V}
    q, k, v = (pipeline.split_blocks(t, num_heads)[:, : 1 if s in whose else None] for s, t in made.items())
    k, v = (t.expand(q.shape) for t in (k, v))
    heads, weights, _ = pipeline.attend(q, k, v, mask, num_heads)
    return pipeline.merge_blocks(heads, num_heads), weights


@ex.mistake(join=[lambda each: each.mean(1), lambda each: each.sum(1), lambda each: each[:, 0]])
def values_not_split(Q, K, V, num_heads, mask=None, join=None):
    """V is not split: each head's weights mix its own block of V's features, and the heads are joined by
    merging them"""
    _, weights = right(Q, K, V, num_heads, mask)
    return join(weights @ V[:, None]), weights


@ex.another("values_not_split")
def values_not_split_and_merged(Q, K, V, num_heads, mask=None):
    _, weights = right(Q, K, V, num_heads, mask)
    return pipeline.merge_blocks(weights @ V[:, None], num_heads), weights


@ex.mistake
def heads_in_batch(Q, K, V, num_heads, mask=None):
    """the heads are folded into the batch, (B*H, T, d_head), where a mask with four axes does not fit: keep
    (B, H, T, d_head)"""
    B, T, _ = Q.shape
    folded = (pipeline.split_blocks(t, num_heads).flatten(0, 1) for t in (Q, K, V))
    heads, weights, _ = pipeline.attend(*folded, mask, num_heads)
    heads = heads.reshape(B, num_heads, T, -1)
    return pipeline.merge_blocks(heads, num_heads), weights.reshape(B, num_heads, T, T)


@ex.another("heads_in_batch")
def heads_in_batch_weights_first(Q, K, V, num_heads, mask=None):
    B, T, _ = Q.shape
    folded = (pipeline.split_blocks(t, num_heads).flatten(0, 1) for t in (Q, K, V))
    heads, weights, _ = pipeline.attend(*folded, mask, num_heads)
    weights = weights.reshape(B, num_heads, T, T)
    return pipeline.merge_blocks(heads.reshape(B, num_heads, T, -1), num_heads), weights


@ex.mistake
def order_of_results(Q, K, V, num_heads, mask=None):
    """the two results are in the wrong order: (output, attn_weights)"""
    return right(Q, K, V, num_heads, mask)[::-1]


@ex.mistake
def one_wide_head(Q, K, V, num_heads, mask=None):
    """there is only one head, as wide as the model: split before attending"""
    return right(Q, K, V, 1, mask if mask is None or mask.dim() == 2 else mask[:, :1])


ex.another("one_wide_head", lambda Q, K, V, num_heads, mask=None: pipeline.attend(Q, K, V, mask, 1)[:2])
