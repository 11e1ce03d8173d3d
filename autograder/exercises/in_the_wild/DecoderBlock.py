"""DecoderBlock: attention and an MLP, each with a norm before it and a residual around it."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring.draws import build, drawn_cache, fed_back, layers, normal
from autograder.authoring.exercise import Exercise
from course_utils.model.case import Fake

ex = Exercise(
    {"output": "B T d_model", "new_cache_k": "B H T_all d_head", "new_cache_v": "B H T_all d_head"},
    container="tuple",
    points=4,
    gradient_results=("output",),
    hints=[
        "Draw the residual stream as a line from x to the result. Which two things are added to it, and what "
        "does each of them read?",
        "Attention reads norm_1(x), and its output is added to x itself. The MLP reads norm_2 of that *sum*, "
        "and its output is added to the sum.",
        "self.attention(self.norm_1(x), cache_k, cache_v) gives three things: the output and both caches. "
        "The MLP is down, GELU, up, from the outside in; nn.functional.gelu is the exact GELU.",
        "x = x + attended  # (B, T, d_model)\nx = x + self.down(F.gelu(self.up(self.norm_2(x))))",
    ],
)


class Parts(nn.Module):
    """The members of a block, without a forward."""

    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)


@ex.reference
class DecoderBlock(Parts):
    """Each stage by its formula: torch.erf for GELU, mean and variance for the norms."""

    def forward(self, x, cache_k=None, cache_v=None):
        attended, new_cache_k, new_cache_v = self.attention(normed(self.norm_1, x), cache_k, cache_v)
        middle = x + attended  # (B, T, d_model)
        hidden = normed(self.norm_2, middle) @ self.up.weight.T + self.up.bias  # (B, T, d_hidden)
        active = hidden * (1 + torch.erf(hidden / 2**0.5)) / 2
        return middle + active @ self.down.weight.T + self.down.bias, new_cache_k, new_cache_v


def normed(norm, x, eps=1e-5):
    """What nn.LayerNorm gives, by its formula."""
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt() * norm.weight + norm.bias


# ---- cases


def block(g, num_heads, d_head, d_hidden, **more):
    """A block around a made-up attention, with numbers of its own in every norm and every bias."""
    d_model = num_heads * d_head
    weights = {}
    for name in ("norm_1", "norm_2"):
        weights[name] = 1 + normal(g, d_model) / 2
        weights[f"{name}.bias"] = normal(g, d_model) / 2
    for name, out, inner in (("up", d_hidden, d_model), ("down", d_model, d_hidden)):
        weights |= layers(g, [name], out, inner) | {f"{name}.bias": normal(g, out)}
    attention = Fake("PretendedAttention", {"num_heads": num_heads, "d_head": d_head})
    return build(weights | more, attention=attention, d_model=d_model, d_hidden=d_hidden)


@ex.case
def no_cache(g):
    kept = layers(g, ["attention.out_proj"], 6, 6)  # only a block that keeps the attention has this layer
    return block(g, 2, 3, 8, **kept).call(x=normal(g, 4, 5, 6))


@ex.case
def prefill_then_steps(g):
    prefill = block(g, 3, 2, 7).but(gradients=False, narrow=False).call(x=normal(g, 1, 4, 6))
    return prefill.call(x=normal(g, 1, 1, 6), **fed_back(0)).call(x=normal(g, 1, 1, 6), **fed_back(1))


@ex.case
def given_cache(g):
    first = block(g, 2, 3, 5).but(gradients=False, narrow=False)
    return first.call(x=normal(g, 3, 4, 6), **drawn_cache(g, 3, 2, 3, 3))


@ex.edge
def small_numbers(g):
    """x so small that the norms' eps counts."""
    x = torch.from_numpy(g.integers(-9, 10, (1, 2, 6))).double() / 256
    return block(g, 2, 3, 4).call(x=x).but(gradients=False, narrow=False)


@ex.edge
def one_token_in_eval_mode(g):
    first = block(g, 1, 4, 3).but(gradients=False, narrow=False, evaluating=True)
    return first.call(x=normal(g, 2, 1, 4))


@ex.edge
def not_contiguous(g):
    first = block(g, 2, 2, 6).but(gradients=False, narrow=False, strided=True)
    return first.call(x=normal(g, 2, 5, 4)).call(x=normal(g, 2, 3, 4), **fed_back(0))


# ---- mistakes


def attend(block, x, cache_k, cache_v):
    """(output, new_cache_k, new_cache_v) of the attention."""
    return block.attention(x, cache_k, cache_v)


def mlp(block, x, activate=F.gelu):
    return block.down(activate(block.up(x)))


def pre_norm(block, x, attended, mlp):
    """The residual stream: attended and mlp are functions of what they read."""
    x = x + attended(block.norm_1(x))
    return x + mlp(block, block.norm_2(x))


def built(
    stream=pre_norm, attend=attend, mlp=mlp, give=lambda x, k, v: (x, k, v), prepare=lambda block: None
):
    """A class from its parts: the residual stream, the attention's call, the MLP, what is returned, and what
    is done to the block before a call."""

    class Variant(Parts):
        def forward(self, x, cache_k=None, cache_v=None):
            prepare(self)
            caches = []

            def attended(read):
                output, *new = attend(self, read, cache_k, cache_v)
                caches[:] = new
                return output

            x = stream(self, x, attended, mlp)
            return give(x, *caches)

    return Variant


def by_stream(stream):
    return built(stream)


def by_mlp(mlp):
    return built(mlp=mlp)


@ex.mistake(through=by_stream)
def post_norm(block, x, attended, mlp):
    """each norm is applied after its sum, as in the first transformer: here the attention and the MLP read a
    norm of x, and x itself is never normed on its way through the block"""
    x = block.norm_1(x + attended(x))
    return block.norm_2(x + mlp(block, x))


@ex.mistake(through=by_stream)
def norm_on_the_way_out(block, x, attended, mlp):
    """the norms are applied to what the attention and the MLP give: they belong before them, on what these
    read"""
    x = x + block.norm_1(attended(x))
    return x + block.norm_2(mlp(block, x))


@ex.mistake(through=by_stream)
def sum_normed_again(block, x, attended, mlp):
    """the sum after the attention is normed, and the MLP's output is added to the normed sum: only the MLP
    reads norm_2(x), and its output is added to x as it is"""
    x = block.norm_2(x + attended(block.norm_1(x)))
    return x + mlp(block, x)


@ex.mistake(through=by_stream)
def first_residual_from_the_norm(block, x, attended, mlp):
    """the attention's output is added to norm_1(x): add it to x itself"""
    x = block.norm_1(x)
    x = x + attended(x)
    return x + mlp(block, block.norm_2(x))


@ex.mistake(through=by_stream)
def residuals_from_the_norms(block, x, attended, mlp):
    """both outputs are added to a normed x: they are added to x itself, which no norm touches"""
    x = block.norm_1(x)
    x = block.norm_2(x + attended(x))
    return x + mlp(block, x)


@ex.mistake(through=by_stream)
def no_first_residual(block, x, attended, mlp):
    """the attention's output takes the place of x: add it to x"""
    x = attended(block.norm_1(x))
    return x + mlp(block, block.norm_2(x))


@ex.mistake(through=by_stream)
def no_second_residual(block, x, attended, mlp):
    """the MLP's output takes the place of x: add it to x"""
    x = x + attended(block.norm_1(x))
    return mlp(block, block.norm_2(x))


@ex.mistake(through=by_stream)
def no_residuals(block, x, attended, mlp):
    """nothing is added to x, neither the attention's output nor the MLP's: both are"""
    return mlp(block, block.norm_2(attended(block.norm_1(x))))


@ex.mistake(through=by_stream)
def second_residual_from_the_start(block, x, attended, mlp):
    """the MLP's output is added to the x that came in, and the attention's output is lost: add it to the sum
    of both"""
    return x + mlp(block, block.norm_2(x + attended(block.norm_1(x))))


@ex.mistake(through=by_stream)
def start_added_twice(block, x, attended, mlp):
    """the x that came in is added once more at the end: it is in the sum already"""
    middle = x + attended(block.norm_1(x))
    return x + middle + mlp(block, block.norm_2(middle))


@ex.mistake(through=by_stream)
def residual_around_the_attention_alone(block, x, attended, mlp):
    """the MLP reads the attention's output without x: it reads norm_2 of their sum"""
    output = attended(block.norm_1(x))
    return x + output + mlp(block, block.norm_2(output))


@ex.mistake(through=by_stream)
def in_parallel(block, x, attended, mlp):
    """the attention and the MLP both read the x that came in: here the MLP reads the sum after the
    attention"""
    return x + attended(block.norm_1(x)) + mlp(block, block.norm_2(x))


@ex.another("in_parallel", through=by_stream)
def in_parallel_with_one_norm(block, x, attended, mlp):
    h = block.norm_1(x)
    return x + attended(h) + mlp(block, h)


@ex.mistake(through=by_stream)
def mlp_first(block, x, attended, mlp):
    """the MLP comes before the attention: attention first, then the MLP"""
    x = x + mlp(block, block.norm_2(x))
    return x + attended(block.norm_1(x))


@ex.another("mlp_first", through=by_stream)
def mlp_first_with_the_first_norm(block, x, attended, mlp):
    x = x + mlp(block, block.norm_1(x))
    return x + attended(block.norm_2(x))


@ex.mistake(through=by_stream)
def first_norm_twice(block, x, attended, mlp):
    """norm_1 is used in both places: the MLP reads norm_2, which has a weight and a bias of its own"""
    x = x + attended(block.norm_1(x))
    return x + mlp(block, block.norm_1(x))


@ex.mistake(through=by_stream)
def second_norm_twice(block, x, attended, mlp):
    """norm_2 is used in both places: the attention reads norm_1, which has a weight and a bias of its own"""
    x = x + attended(block.norm_2(x))
    return x + mlp(block, block.norm_2(x))


@ex.mistake(through=by_stream)
def norms_exchanged(block, x, attended, mlp):
    """the two norms are exchanged: the attention reads norm_1, the MLP norm_2"""
    x = x + attended(block.norm_2(x))
    return x + mlp(block, block.norm_1(x))


@ex.mistake(through=by_stream)
def first_norm_missing(block, x, attended, mlp):
    """the attention reads x without norm_1"""
    x = x + attended(x)
    return x + mlp(block, block.norm_2(x))


@ex.mistake(through=by_stream)
def second_norm_missing(block, x, attended, mlp):
    """the MLP reads x without norm_2"""
    x = x + attended(block.norm_1(x))
    return x + mlp(block, x)


@ex.mistake(through=by_stream)
def both_norms_missing(block, x, attended, mlp):
    """norm_1 and norm_2 are made and never used: the attention and the MLP each read a norm of x"""
    x = x + attended(x)
    return x + mlp(block, x)


@ex.mistake(through=by_stream)
def old_norm_for_the_mlp(block, x, attended, mlp):
    """norm_2 is computed before the attention's output is added: the MLP reads the norm of the sum"""
    h = block.norm_2(block.norm_1(x))
    x = x + attended(block.norm_1(x))
    return x + mlp(block, h)


@ex.mistake(through=by_stream)
def attention_missing(block, x, attended, mlp):
    """the attention's output is not added to x: the MLP's alone is"""
    attended(block.norm_1(x))
    return x + mlp(block, block.norm_2(x))


@ex.mistake(through=by_stream)
def mlp_missing(block, x, attended, mlp):
    """the MLP is missing: x + attention(norm_1(x)) is only the first half of the block"""
    return x + attended(block.norm_1(x))


@ex.mistake(through=by_mlp)
def tanh_gelu(block, x):
    """GELU is computed by its tanh formula, an approximation: here it is the exact one, which
    nn.functional.gelu and nn.GELU() give by default"""
    return mlp(block, x, lambda h: F.gelu(h, approximate="tanh"))


@ex.mistake(through=by_mlp)
def sigmoid_gelu(block, x):
    """x * sigmoid(1.702 * x) is a rough approximation of GELU: here it is the exact one,
    nn.functional.gelu"""
    return mlp(block, x, lambda h: h * torch.sigmoid(1.702 * h))


@ex.mistake(through=by_mlp)
def relu(block, x):
    """the activation is ReLU: here it is GELU"""
    return mlp(block, x, F.relu)


@ex.mistake(through=by_mlp)
def silu(block, x):
    """the activation is SiLU (Swish): here it is GELU"""
    return mlp(block, x, F.silu)


@ex.mistake(through=by_mlp)
def no_activation(block, x):
    """there is no GELU between up and down: two linear layers in a row are one linear layer"""
    return block.down(block.up(x))


@ex.mistake(through=by_mlp)
def activation_at_the_end(block, x):
    """GELU comes after down: it stands between up and down"""
    return F.gelu(block.down(block.up(x)))


@ex.mistake(through=by_mlp)
def activation_twice(block, x):
    """GELU is applied after down, too: it stands between up and down only"""
    return F.gelu(mlp(block, x))


@ex.mistake(through=by_mlp)
def activation_first(block, x):
    """GELU comes before up: it stands between up and down"""
    return block.down(block.up(F.gelu(x)))


@ex.mistake(through=by_mlp)
def biases_left_out(block, x):
    """the MLP's biases are not added: call the layers, self.up(...) and self.down(...), instead of using
    their weights alone"""
    return F.gelu(x @ block.up.weight.T) @ block.down.weight.T


def set_eps(block, eps):
    block.norm_1.eps = block.norm_2.eps = eps


def joined_again(block, x, cache_k, cache_v):
    output, k, v = block.attention(x, cache_k, cache_v)
    if cache_k is None:
        return output, k, v
    return output, torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)


ex.switches(
    built,
    {
        "other_eps": (
            "the norms have another eps than nn.LayerNorm's default, 1e-5: it counts where x is small",
            *({"prepare": lambda block, eps=eps: set_eps(block, eps)} for eps in (1e-6, 1e-8, 1e-12, 0.0)),
        ),
        "caches_not_passed": (
            "the caches that come in are not handed to the attention: self.attention(..., cache_k, cache_v)",
            {"attend": lambda block, x, k, v: block.attention(x)},
        ),
        "only_k_passed": (
            "only the keys' cache is handed to the attention: the values' cache goes with it",
            {"attend": lambda block, x, k, v: block.attention(x, k)},
        ),
        "only_v_passed": (
            "only the values' cache is handed to the attention: the keys' cache goes with it",
            {"attend": lambda block, x, k, v: block.attention(x, None, v)},
        ),
        "caches_exchanged_going_in": (
            "the caches are handed to the attention in the wrong order: keys first, then values",
            {"attend": lambda block, x, k, v: block.attention(x, v, k)},
        ),
        "caches_exchanged_coming_out": (
            "the caches are returned in the wrong order: (x, new_cache_k, new_cache_v)",
            {"give": lambda x, k, v: (x, v, k)},
        ),
        "joined_again": (
            "the attention's caches are joined to the old ones: they hold the old tokens already",
            {"attend": joined_again},
        ),
        "not_causal": (
            "is_causal=False is handed to the attention: leave it out, a decoder is causal",
            {"attend": lambda block, x, k, v: block.attention(x, k, v, is_causal=False)},
        ),
        "causal_only_without_a_cache": (
            "the attention is no longer causal once there is a cache: of several new tokens the earlier ones "
            "must not see the later ones",
            {"attend": lambda block, x, k, v: block.attention(x, k, v, is_causal=k is None)},
        ),
        "x_last": (
            "x is returned after the caches: (x, new_cache_k, new_cache_v)",
            {"give": lambda x, k, v: (k, v, x)},
        ),
    },
)


@ex.mistake
class OldCachesReturned(built()):
    """the caches that came in are returned: return the ones that the attention gave, which hold the new
    tokens too"""

    def forward(self, x, cache_k=None, cache_v=None):
        x, k, v = super().forward(x, cache_k, cache_v)
        return (x, k, v) if cache_k is None else (x, cache_k, cache_v)
