"""LatentAttentionWithCache: keys and values are made from short latents, and the cache holds only these."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring.attention import split_blocks
from autograder.authoring.draws import build, in_thousands, layers, normal, token_of_zeros
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
    What is the shortest thing from which the keys and the values of old tokens can be made again?

    Join first, then project up: latents (B, T_cached + T, d_latent) make all keys and all values, (B, T_cached + T,
    d_model), and heads as always. The mask knows how many tokens are cached.

    new = self.down_proj(x); torch.cat([cache, new], dim=1) joins; self.k_up and self.v_up take all of it. Scores are
    divided by sqrt(d_head), not by sqrt(d_latent).

    latents = torch.cat([cache, self.down_proj(x)], dim=1)  # (B, T_cached + T, d_latent)
    """,
)


class Latent(nn.Module):
    """The five layers."""

    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up, self.v_up = (nn.Linear(d_latent, d_model, bias=False) for _ in "kv")
        self.out_proj = nn.Linear(d_model, d_model, bias=False)


@ex.reference
class LatentAttentionWithCache(Latent):
    """torch's own operator with a mask that is aligned to the last key."""

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


def fed_back(call):
    """The cache that the student's own call with this number returned, as the argument of a later call."""
    return {"cache": Back(call, "new_cache")}


ex.case(no_cache=lambda g: case(g, 2, 6, 12, 3, 5))


@ex.case
def prefill_then_steps(g):
    prefill = case(g, 3, 6, 8, 2, 5).but(gradients=False)
    return prefill.call(x=normal(g, 3, 1, 8), **fed_back(0)).call(x=normal(g, 3, 1, 8), **fed_back(1))


@ex.case
def chunks(g):
    """At last a text of its own: what an object remembers of the one before shows."""
    chunked = case(g, 2, 1, 15, 3, 4).but(gradients=False, narrow=False)
    return chunked.call(x=normal(g, 2, 6, 15), **fed_back(0)).call(x=normal(g, 2, 8, 15))


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
    return case(g, 2, 1, 3, 1, 4).call(x=normal(g, 2, 1, 3), **fed_back(0)).but(gradients=False)


@ex.edge
def latent_of_one_number(g):
    return case(g, 2, 3, 6, 2, 1).but(evaluating=True, gradients=False, narrow=False)


@ex.edge
def latent_as_wide_as_the_model(g):
    first = case(g, 3, 2, 4, 4, 4).but(strided=True, gradients=False, narrow=False)
    return first.call(x=normal(g, 3, 3, 4), **fed_back(0))


@ex.edge
def allowed_far_below_zero(g):
    """The scores of every row but the last are near -1500, and those of the last near +1500, where the last
    key's are a little higher, which is masked in the other rows."""
    far = case(g, 1, 3, 6, 3, 5)
    x, (q, down, k_up) = far.calls[0].args["x"], (far.weights[n] for n in ("q_proj", "down_proj", "k_up"))
    x[..., -2:] = 8
    x[..., -1, -2:] = torch.tensor([-8, 7.875])
    q[::2], down[0], down[:, -2:], k_up[::2], k_up[:, 0] = 0, 0, 0, 0, 0
    q[::2, -2], down[0, -1], k_up[::2, 0] = 5.75, 1, -5.75
    return in_thousands(far)


ex.edge(a_token_of_zeros=lambda g: token_of_zeros(case(g, 2, 4, 6, 2, 5)).but(narrow=False))


# ---- mistakes: one class, each step of which can be exchanged


def future(q, k, T_cached):
    """Which keys k are masked for which new queries q, both counted from 0."""
    return k > q + T_cached


def latent_attention(
    join=lambda cache, new: torch.cat([cache, new], 1),
    latent=lambda latents: latents,
    kept=lambda latents, new: latents,
    up=("k_up", "v_up"),
    split=split_blocks,
    scale=lambda layer: layer.d_head**0.5,
    masked=future,
    fill=-torch.inf,
    softmax=lambda scores: scores.softmax(-1),
    on_weights=lambda weights, mask: weights,
    merge=lambda heads: heads.transpose(1, 2).flatten(2),
    out=lambda layer, merged: layer.out_proj(merged),
):
    class Variant(Latent):
        def forward(self, x, cache=None):
            new = latent(self.down_proj(x))
            latents = new if cache is None else join(cache, new)  # (B, T_all, d_latent)
            projected = (self.q_proj(x), *(getattr(self, layer)(latents) for layer in up))
            Q, K, V = (split(t, self.num_heads) for t in projected)
            rows, columns = torch.arange(Q.shape[2])[:, None], torch.arange(K.shape[2])
            mask = masked(rows, columns, K.shape[2] - Q.shape[2])
            scores = (Q @ K.mT / scale(self)).masked_fill(mask, fill)  # (B, H, T, T_all)
            weights = on_weights(softmax(scores), mask)
            return out(self, merge(weights @ V)), kept(latents, new)

    return Variant


class UnmaskedWithAnyCache(latent_attention()):
    """is_causal=cache is None: an empty cache is one, too."""

    def forward(self, x, cache=None):
        masked = future if cache is None else nothing
        return latent_attention(masked=masked).forward(self, x, cache)


def nothing(rows, columns, T_cached):
    return columns < 0


def torch_mask(rows, columns, T_cached):
    return ~future(rows, columns, T_cached)


def by_hand(shift):
    """exp(scores - shift(scores)), divided by its sum."""

    def softmax(scores):
        weights = (scores - shift(scores)).exp()
        return weights / weights.sum(-1, keepdim=True)

    return softmax


@ex.mistake
class KeptBeforeDown(latent_attention()):
    """the cache holds x itself, (B, T, d_model): keep what down_proj gives, which is shorter"""

    def forward(self, x, cache=None):
        all_x = x if cache is None else torch.cat([cache, x], 1)  # (B, T_all, d_model)
        first = self.down_proj(all_x[:, : all_x.shape[1] - x.shape[1]])
        return super().forward(x, first)[0], all_x


@ex.mistake
class KeysKept(latent_attention()):
    """the cache holds keys or values, (B, T, d_model): keep the latents, from which both can be made again"""

    def forward(self, x, cache=None):
        fits = cache is not None and cache.shape[-1] >= self.down_proj.out_features
        output, latents = super().forward(x, cache[..., : self.down_proj.out_features] if fits else None)
        return output, self.k_up(latents)


@ex.mistake
class TruthOfATensor(latent_attention()):
    """`if cache:` asks for the truth value of a whole tensor, which has none: write `if cache is not None`"""

    def forward(self, x, cache=None):
        return super().forward(x, cache if cache else None)


ex.wrong(
    "scale_latent: the scores are divided by sqrt(d_latent): the dot product of a query and a key has d_head terms, so divide by sqrt(d_head)",
    latent_attention(scale=lambda layer: layer.down_proj.out_features**0.5),
    "not_scaled: the scores are not scaled: divide Q K^T by sqrt(d_head)",
    latent_attention(scale=lambda layer: 1),
    "scale_d_model: the scores are divided by sqrt(d_model): each head's dot product has d_head terms, so divide by sqrt(d_head)",
    latent_attention(scale=lambda layer: (layer.d_head * layer.num_heads) ** 0.5),
    "mask_ignored: the mask has no effect, as if there were none: is it applied, and do you keep the result of masked_fill? (It is a new tensor.)",
    latent_attention(masked=nothing),
    "chunk_not_masked: with a cache the mask is missing: of several new tokens, the earlier ones must not see the later ones. (SDPA's `is_causal=cache is None` is right for one new token only)",
    latent_attention(
        masked=lambda rows, columns, T_cached: future(rows, columns, T_cached) & (T_cached == 0)
    ),
    UnmaskedWithAnyCache,
    "mask_ignores_cache: the mask takes the first new token for token 0, so most of the cache is masked: query i stands at position T_cached + i. (SDPA's is_causal=True does this, too)",
    latent_attention(masked=lambda rows, columns, T_cached: columns > rows),
    "mask_inverted_for_torch: the mask is the wrong way around: True means masked in masked_fill, but allowed in scaled_dot_product_attention",
    latent_attention(masked=torch_mask),
    "mask_after_softmax: the mask is applied after the softmax, so the rows no longer sum to 1: fill the scores with -inf before it",
    latent_attention(
        masked=nothing,
        on_weights=lambda weights, mask: (
            weights * torch.ones_like(weights).tril(weights.shape[-1] - weights.shape[-2])
        ),
    ),
    "softmax_over_queries: the softmax runs over the queries: each query shares out its weight among the keys, dim=-1",
    latent_attention(softmax=lambda scores: scores.softmax(-2).nan_to_num()),
    "global_max: one maximum is taken for all rows: a row far below it underflows to 0/0. Take the maximum of each row, or torch.softmax",
    latent_attention(softmax=by_hand(lambda scores: scores.max())),
    "unstable: `exp` overflows for large scores: use torch.softmax, or subtract the largest score of each row first",
    latent_attention(softmax=by_hand(lambda scores: 0)),
    "split_without_transpose: the heads are split by a plain reshape to (B, H, T, d_head), which mixes tokens and features: split the last axis first, then transpose",
    latent_attention(split=lambda t, H: t.reshape(len(t), H, t.shape[1], -1)),
    "merge_without_transpose: the heads are merged without moving their axis back: transpose(1, 2) first, then merge",
    latent_attention(merge=lambda heads: heads.reshape(len(heads), heads.shape[2], -1)),
    "no_output_projection: out_proj is not used: the merged heads go through it at the end",
    latent_attention(out=lambda layer, merged: merged),
    "cache_new_before_old: the new latents are put before the old ones: cached tokens come first",
    latent_attention(join=lambda cache, new: torch.cat([new, cache], 1)),
    "cache_ignored: the cache has no effect: join its latents to the new ones",
    latent_attention(join=lambda cache, new: new),
    "cache_joined_on_features: old and new latents are joined along the features (dim=-1): join along the tokens, dim=1",
    latent_attention(join=lambda cache, new: torch.cat([cache, new], -1)),
    "only_new_returned: only the new latents are returned: the next call needs all of them, old and new",
    latent_attention(kept=lambda latents, new: new),
    "v_from_k_up: the values are made by k_up, too: they have v_up",
    latent_attention(up=("k_up", "k_up")),
    "k_up_and_v_up_exchanged: k_up makes the values and v_up the keys: it is the other way around",
    latent_attention(up=("v_up", "k_up")),
    "latent_normalised: the latents go through a norm or an activation: they are just what down_proj gives (DeepSeek's models have an RMSNorm here)",
    latent_attention(latent=lambda c: c * (c.pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt()),
    latent_attention(latent=lambda c: F.layer_norm(c, c.shape[-1:])),
    latent_attention(latent=torch.relu),
)
