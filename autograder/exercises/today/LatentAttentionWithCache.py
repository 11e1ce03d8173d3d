"""LatentAttentionWithCache: keys and values are made from short latents, and only the latents are cached."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring.attention import split_blocks
from autograder.authoring.draws import allow_large_scores, build, layers, normal, token_of_zeros
from autograder.authoring.exercise import Exercise
from autograder.authoring.modules import bottom_right
from course_utils.model.case import Back

ex = Exercise(
    {"output": "B T d_model", "new_cache": "B T_all d_latent"},
    container="tuple",
    points=4,
    gradient_results=("output",),
    uses=["create_causal_mask_with_cache", "split_heads", "merge_heads"],
    hints="""
    What is the smallest thing from which the keys and values of old tokens can be computed again?

    Join first, then project up: latents (B, T_cached + T, d_latent) give all keys and all values, (B, T_cached + T,
    d_model), which are split into heads as usual. The mask has to know how many tokens are cached.

    new = self.down_proj(x); torch.cat([cache, new], dim=1) joins; self.k_up and self.v_up take all of it. Scores are
    divided by sqrt(d_head), not by sqrt(d_latent).

    latents = torch.cat([cache, self.down_proj(x)], dim=1)  # (B, T_cached + T, d_latent)
    """,
)


class Latent(nn.Module):
    """The five layers, without forward."""

    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up, self.v_up = (nn.Linear(d_latent, d_model, bias=False) for _ in "kv")
        self.out_proj = nn.Linear(d_model, d_model, bias=False)


@ex.reference
class LatentAttentionWithCache(Latent):
    """Uses torch's own operator with a causal mask that is aligned to the last key."""

    def __init__(self, d_model, num_heads, d_latent):
        super().__init__(d_model, num_heads, d_latent)

    def forward(self, x, cache=None):
        new = self.down_proj(x)
        latents = new if cache is None else torch.cat([cache, new], 1)  # (B, T_all, d_latent)
        projected = (self.q_proj(x), self.k_up(latents), self.v_up(latents))
        allowed = bottom_right(x.shape[1], latents.shape[1], x.device)
        heads = F.scaled_dot_product_attention(
            *(split_blocks(t, self.num_heads) for t in projected), attn_mask=allowed
        )
        return self.out_proj(heads.transpose(1, 2).flatten(2)), latents


def attention(g, d_model, num_heads, d_latent):
    weights = {
        **layers(g, ("q_proj", "out_proj"), d_model, d_model),
        **layers(g, ("down_proj",), d_latent, d_model),
        **layers(g, ("k_up", "v_up"), d_model, d_latent),
    }
    return build(weights, d_model=d_model, num_heads=num_heads, d_latent=d_latent)


def case(g, B, T, *sizes):
    return attention(g, *sizes).call(x=normal(g, B, T, sizes[0]))


def cache_of(call):
    """The argument of a later call: the cache that the student's own call number `call` returned."""
    return {"cache": Back(call, "new_cache")}


ex.case(no_cache=lambda g: case(g, 2, 6, 12, 3, 5))


@ex.case
def prefill_then_steps(g):
    prefill = case(g, 3, 6, 8, 2, 5).but(gradients=False)
    return prefill.call(x=normal(g, 3, 1, 8), **cache_of(0)).call(x=normal(g, 3, 1, 8), **cache_of(1))


@ex.case
def chunks(g):
    """The last call begins another text, without a cache: it is wrong if the object remembers the text
    before."""
    chunked = case(g, 2, 1, 15, 3, 4).but(gradients=False, narrow=False)
    return chunked.call(x=normal(g, 2, 6, 15), **cache_of(0)).call(x=normal(g, 2, 8, 15))


@ex.edge
def given_cache(g):
    first = attention(g, 10, 2, 3).but(gradients=False)
    return first.call(x=normal(g, 1, 4, 10), cache=normal(g, 1, 6, 3))


@ex.edge
def empty_cache(g):
    first = attention(g, 4, 2, 5).but(gradients=False, narrow=False)
    return first.call(x=normal(g, 1, 3, 4), cache=normal(g, 1, 0, 5))


@ex.edge
def one_head_one_token(g):
    return case(g, 2, 1, 3, 1, 4).call(x=normal(g, 2, 1, 3), **cache_of(0)).but(gradients=False)


@ex.edge
def latent_of_one_number(g):
    return case(g, 2, 3, 6, 2, 1).but(evaluating=True, gradients=False, narrow=False)


@ex.edge
def latent_as_wide_as_the_model(g):
    first = case(g, 3, 2, 4, 4, 4).but(strided=True, gradients=False, narrow=False)
    return first.call(x=normal(g, 3, 3, 4), **cache_of(0))


@ex.edge
def allowed_far_below_zero(g):
    """Scores near -1500 in every row but the last, and near +1500 in the last row. The last key's score is a
    little higher; it is masked in the other rows."""
    far = case(g, 1, 3, 6, 3, 5)
    x, (q, down, k_up) = far.calls[0].args["x"], (far.weights[n] for n in ("q_proj", "down_proj", "k_up"))
    x[..., -2:] = 8
    x[..., -1, -2:] = torch.tensor([-8, 7.875])
    q[::2], down[0], down[:, -2:], k_up[::2], k_up[:, 0] = 0, 0, 0, 0, 0
    q[::2, -2], down[0, -1], k_up[::2, 0] = 5.75, 1, -5.75
    return allow_large_scores(far)


ex.edge(a_token_of_zeros=lambda g: token_of_zeros(case(g, 2, 4, 6, 2, 5)).but(narrow=False))


# ---- mistakes: make latents and join them to the cache, then attend with switches


def latent_attention(
    join=lambda cache, new: torch.cat([cache, new], 1),
    latent=lambda latents: latents,
    returned=lambda latents, new: latents,
    up=("k_up", "v_up"),
    scale=None,
    **switches,
):
    """A class with these steps: how latents are joined, changed and returned, the layers that make K and V,
    scale(layer) in place of sqrt(d_head), and any switches of authoring/attention.py."""
    steps = pipeline.with_switches(**switches)

    class Variant(Latent):
        def forward(self, x, cache=None):
            new = latent(self.down_proj(x))
            latents = new if cache is None else join(cache, new)  # (B, T_all, d_latent)
            projected = (self.q_proj(x), *(getattr(self, layer)(latents) for layer in up))
            Q, K, V = (steps.split(t, self.num_heads) for t in projected)
            Q = Q * self.d_head**0.5 / scale(self) if scale else Q
            T, T_all = Q.shape[2], K.shape[2]
            is_causal = cache is None or steps.mask_with_cache
            mask = pipeline.causal_mask(T, T_all, T_all - T, steps) if is_causal else None
            heads, _, _ = pipeline.attend(Q, K, V, mask, self.num_heads, steps)
            merged = steps.merge(heads, self.num_heads)
            return steps.output(merged, self.out_proj.weight.T, x), returned(latents, new)

    return Variant


ex.shared(
    latent_attention, "not_scaled", "scale_d_model", "mask_ignored", "mask_inverted", "chunk_not_masked"
)
ex.shared(latent_attention, "mask_ignores_cache", "mask_inverted_for_torch", "mask_after_softmax")
ex.shared(latent_attention, "softmax_over_queries", "global_max", "unstable", "split_without_transpose")
ex.shared(latent_attention, "merge_without_transpose", "no_output_projection")
ex.wrong(
    "scale_latent: the scores are divided by sqrt(d_latent): the dot product of a query and a key has d_head terms, so divide by sqrt(d_head)",
    latent_attention(scale=lambda layer: layer.down_proj.out_features**0.5),
    "cache_new_before_old: the new latents are put before the old ones: cached tokens come first",
    latent_attention(join=lambda cache, new: torch.cat([new, cache], 1)),
    "cache_ignored: the cache has no effect: join its latents with the new ones",
    latent_attention(join=lambda cache, new: new),
    "cache_joined_on_features: old and new latents are joined along the features (dim=-1): join along the tokens, dim=1",
    latent_attention(join=lambda cache, new: torch.cat([cache, new], -1)),
    "only_new_returned: only the new latents are returned: the next call needs all of them, old and new",
    latent_attention(returned=lambda latents, new: new),
    "v_from_k_up: k_up makes the values as well as the keys: use v_up for the values",
    latent_attention(up=("k_up", "k_up")),
    "k_up_and_v_up_exchanged: k_up makes the values and v_up the keys: it is the other way around",
    latent_attention(up=("v_up", "k_up")),
    "latent_normalised: the latents go through a norm or an activation: use the output of down_proj as it is (DeepSeek's models have an RMSNorm here)",
    latent_attention(latent=lambda c: c * (c.pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt()),
)
