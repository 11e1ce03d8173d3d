"""LatentAttentionWithCache: keys and values are made of short latents, and the cache holds only these."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
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
    hints=[
        "Which is the shortest thing from which the keys and the values of old tokens can be made again?",
        "Join first, then project up: latents (B, T_cached + T, d_latent) make all keys and all values, (B, "
        "T_cached + T, d_model), and heads as always. The mask knows how many tokens are cached.",
        "new = self.down_proj(x); torch.cat([cache, new], dim=1) joins; self.k_up and self.v_up take all of "
        "it. Scores are divided by sqrt(d_head), not by sqrt(d_latent).",
        "latents = torch.cat([cache, self.down_proj(x)], dim=1)  # (B, T_cached + T, d_latent)",
    ],
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
        split = (
            pipeline.split_blocks(t, self.num_heads)
            for t in (self.q_proj(x), self.k_up(latents), self.v_up(latents))
        )
        allowed = bottom_right(x.shape[1], latents.shape[1], x.device)
        heads = F.scaled_dot_product_attention(*split, attn_mask=allowed)
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


ex.case(no_cache=lambda g: case(g, 2, 4, 12, 3, 5))


@ex.case
def prefill_then_steps(g):
    prefill = case(g, 3, 4, 8, 2, 5).but(gradients=False)
    return prefill.call(x=normal(g, 3, 1, 8), **fed_back(0)).call(x=normal(g, 3, 1, 8), **fed_back(1))


@ex.case
def chunks(g):
    """At last a text of its own: what an object remembers of the one before shows."""
    chunked = case(g, 2, 1, 6, 3, 4).but(gradients=False, narrow=False)
    return chunked.call(x=normal(g, 2, 5, 6), **fed_back(0)).call(x=normal(g, 2, 3, 6))


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


# ---- one class, each step of which can be exchanged


def old_then_new(cache, new):
    return torch.cat([cache, new], 1)


def itself(latents):
    return latents


def all_latents(latents, new):
    return latents


def latent_attention(join=old_then_new, latent=itself, kept=all_latents, up="KV", **switches):
    """A class with these steps: join(cache, new), latent(what came down), kept(all latents, new ones) is
    returned; the layers that make keys and values are k_up ("K") and v_up ("V")."""
    chosen = pipeline.changed(**switches)

    class Variant(Latent):
        def forward(self, x, cache=None):
            new = latent(self.down_proj(x))
            latents = new if cache is None else join(cache, new)
            made = {"Q": self.q_proj(x), "K": self.k_up(latents), "V": self.v_up(latents)}
            made["K"], made["V"] = (made[letter] for letter in up)
            q, k, v = (chosen.split(made[role], self.num_heads) for role in chosen.roles)
            cached = latents.shape[1] - x.shape[1]
            masked = chosen.mask_with_cache or not cached
            mask = pipeline.causal_mask(x.shape[1], k.shape[2], cached, chosen) if masked else None
            heads = pipeline.attend(q, k, v, mask, self.num_heads, chosen)[0]
            merged = chosen.merge(heads, self.num_heads)  # (B, T, d_model)
            return chosen.output(merged, self.out_proj.weight.T, x), kept(latents, new)

    return Variant


CACHE_MASK = [name for name in known.CACHE_MASK if name != "cached_from_heads"]
MERGE = ("merge_without_transpose", "merge_interleaved", "split_and_merge_interleaved", "heads_averaged")
SCALE = [name for name in known.SCALE if name not in ("scale_num_heads", "scale_seq_len_no_root")]
SOFTMAX = [name for name in known.SOFTMAX if name not in ("softmax_twice", "softmax_without_exp")]
ex.shared(latent_attention, *SCALE, *SOFTMAX, *known.MASK, *known.CAUSAL, *CACHE_MASK, *known.SPLIT, *MERGE)
ex.shared(latent_attention, *known.OUTPUT, *known.K_RESHAPED, *known.FOR_TORCH, "unstable")


ex.switches(
    latent_attention,
    {
        "cache_new_before_old": (
            "the new latents are put before the old ones: cached tokens come first",
            {"join": lambda cache, new: torch.cat([new, cache], 1)},
        ),
        "cache_ignored": (
            "the cache has no effect: its latents must be joined to the new ones",
            {"join": lambda cache, new: new},
        ),
        "cache_added": (
            "the cached latents are added to the new ones: join them along the tokens, dim=1",
            {"join": lambda cache, new: new + cache},
            {"join": lambda cache, new: new + cache.sum(1, keepdim=True)},
        ),
        "cache_joined_on_features": (
            "old and new latents are joined along the features (dim=-1): join along the tokens, dim=1",
            {"join": lambda cache, new: torch.cat([cache, new], -1)},
        ),
        "cache_joined_on_batch": (
            "old and new latents are joined along the batch (dim=0): join along the tokens, dim=1",
            {"join": lambda cache, new: torch.cat([cache, new], 0)},
        ),
        "only_new_returned": (
            "only the new latents are returned: the next call needs all of them, old and new",
            {"kept": lambda latents, new: new},
        ),
        "only_last_returned": (
            "only the last token's latent is returned: the next call needs all of them",
            {"kept": lambda latents, new: latents[:, -1:]},
        ),
        "cache_with_head_axis": (
            "the cache has an axis for heads: latents belong to all heads, (B, T, d_latent)",
            {
                "kept": lambda latents, new: latents[:, None],
                "join": lambda c, new: torch.cat([c[:, 0], new], 1),
            },
        ),
        "cache_features_first": (
            "the cache has the axes (B, d_latent, T): expected (B, T, d_latent)",
            {
                "kept": lambda latents, new: latents.transpose(1, 2),
                "join": lambda c, new: torch.cat([c.transpose(1, 2), new], 1),
            },
        ),
        "v_from_k_up": ("the values are made by k_up, too: they have v_up", {"up": "KK"}),
        "k_from_v_up": ("the keys are made by v_up, too: they have k_up", {"up": "VV"}),
        "k_up_and_v_up_exchanged": (
            "k_up makes the values and v_up the keys: it is the other way round",
            {"up": "VK"},
        ),
        "k_for_q": (
            "the keys are used as queries too: the scores are Q K^T, and Q comes from q_proj",
            {"roles": "KKV"},
        ),
        "q_for_k": (
            "the queries are used as keys too: the keys are made of the latents, by k_up",
            {"roles": "QQV"},
        ),
        "q_for_v": (
            "the queries are used as values: the values are made of the latents, by v_up",
            {"roles": "QKQ"},
        ),
        "latent_activated": (
            "the latents go through an activation: they are what down_proj gives, and nothing else",
            {"latent": torch.relu},
            {"latent": F.gelu},
        ),
        "latent_normalised": (
            "the latents are normalised: they are what down_proj gives, and nothing else",
            {"latent": lambda c: c * (c.pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt()},
            {"latent": lambda c: F.layer_norm(c, c.shape[-1:])},
            {"latent": lambda c: F.normalize(c, dim=-1)},
        ),
        "latent_softmaxed": (
            "a softmax is taken of the latents: they are what down_proj gives",
            {"latent": lambda c: c.softmax(-1)},
        ),
    },
)


@ex.mistake
class ScaleLatent(latent_attention()):
    """the scores are divided by sqrt(d_latent): a dot product of a query and a key has d_head terms, so
    divide by sqrt(d_head)"""

    def forward(self, x, cache=None):
        d_latent = self.down_proj.out_features
        scaled = latent_attention(divisor=lambda B, H, T, d_head: d_latent**0.5)
        return scaled.forward(self, x, cache)


@ex.mistake
class ScaleLatentOfHead(latent_attention()):
    """the scores are divided by sqrt(d_latent // num_heads): the latents are not split into heads, and d_head
    is d_model // num_heads"""

    def forward(self, x, cache=None):
        d_latent = self.down_proj.out_features
        scaled = latent_attention(divisor=lambda B, H, T, d_head: max(d_latent // H, 1) ** 0.5)
        return scaled.forward(self, x, cache)


@ex.mistake
class KeptBeforeDown(latent_attention()):
    """the cache holds x itself, (B, T, d_model): keep what down_proj gives, which is shorter"""

    def forward(self, x, cache=None):
        all_x = x if cache is None else torch.cat([cache, x], 1)  # (B, T_all, d_model)
        first = self.down_proj(all_x[:, : all_x.shape[1] - x.shape[1]])
        return super().forward(x, first)[0], all_x


@ex.mistake
class KeysKept(latent_attention()):
    """the cache holds keys or values, (B, T, d_model): keep the latents, of which both can be made again"""

    def forward(self, x, cache=None):
        new = self.down_proj(x)
        first = (
            cache[..., : new.shape[-1]] if cache is not None and cache.shape[-1] >= new.shape[-1] else None
        )
        output, latents = super().forward(x, first)
        return output, self.k_up(latents)


@ex.another("keys_kept")
class KeysAndValuesKept(latent_attention()):
    def forward(self, x, cache=None):
        output, latents = super().forward(x, None)
        return output, torch.cat([self.k_up(latents), self.v_up(latents)], -1)


@ex.mistake
class Remembers(latent_attention()):
    """the module keeps the cache for itself, so that the next text begins behind the last one: the caller
    hands the cache in, and gets the longer one back"""

    def forward(self, x, cache=None):
        own = getattr(self, "cache", None)
        output, self.cache = super().forward(x, own if own is not None and len(own) == len(x) else cache)
        return output, self.cache


@ex.mistake
class OrderOfResults(latent_attention()):
    """the two results are in the wrong order: (output, new_cache)"""

    def forward(self, x, cache=None):
        return super().forward(x, cache)[::-1]


@ex.mistake
class TruthOfATensor(latent_attention()):
    """`if cache:` asks for the truth of a whole tensor, which has none: write `if cache is not None`"""

    def forward(self, x, cache=None):
        return super().forward(x, cache if cache else None)
