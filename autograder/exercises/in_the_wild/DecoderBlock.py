"""DecoderBlock: attention and an MLP, each with a norm before it and a residual connection around it."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring.draws import build, cache_of, draw_cache, layers, normal
from autograder.authoring.exercise import Exercise
from course_utils.model.case import Fake

ex = Exercise(
    {"output": "B T d_model", "new_cache_k": "B H T_all d_head", "new_cache_v": "B H T_all d_head"},
    container="tuple",
    points=4,
    gradient_results=("output",),
    hints="""
    Draw the residual stream as a line from x to the result. Which two things are added to it, and what does each of them
    read?

    Attention reads norm_1(x), and its output is added to x itself. The MLP reads norm_2 of that *sum*, and its output is
    added to the sum.

    self.attention(self.norm_1(x), cache_k, cache_v) gives three things: the output and both caches. The MLP is down,
    GELU, up, from the outside in; nn.functional.gelu is the exact GELU.

        x = x + attended  # (B, T, d_model)
        x = x + self.down(F.gelu(self.up(self.norm_2(x))))
    """,
)


class Parts(nn.Module):
    """The layers of a block, without forward."""

    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)


@ex.reference
class DecoderBlock(Parts):
    """Computes each stage by its formula: torch.erf for GELU, mean and variance for the norms."""

    def forward(self, x, cache_k=None, cache_v=None):
        attended, new_cache_k, new_cache_v = self.attention(normed(self.norm_1, x), cache_k, cache_v)
        middle = x + attended  # (B, T, d_model)
        hidden = normed(self.norm_2, middle) @ self.up.weight.T + self.up.bias  # (B, T, d_hidden)
        active = hidden * (1 + torch.erf(hidden / 2**0.5)) / 2
        return middle + active @ self.down.weight.T + self.down.bias, new_cache_k, new_cache_v


def normed(norm, x, eps=1e-5):
    """nn.LayerNorm by its formula."""
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt() * norm.weight + norm.bias


# ---- cases


def block(g, num_heads, d_head, d_hidden, **more):
    """A case that builds a block around a fake attention; every norm and bias gets its own numbers. more:
    weights of other layers."""
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
    # this layer exists only if the block stores the attention
    own_layers = layers(g, ["attention.out_proj"], 6, 6)
    return block(g, 2, 3, 8, **own_layers).call(x=normal(g, 4, 5, 6))


@ex.case
def prefill_then_steps(g):
    prefill = block(g, 3, 2, 7).but(gradients=False, narrow=False).call(x=normal(g, 1, 4, 6))
    return prefill.call(x=normal(g, 1, 1, 6), **cache_of(0)).call(x=normal(g, 1, 1, 6), **cache_of(1))


@ex.case
def given_cache(g):
    first = block(g, 2, 5, 7).but(gradients=False, narrow=False)
    return first.call(x=normal(g, 3, 4, 10), **draw_cache(g, 3, 2, 8, 5))


@ex.edge
def small_numbers(g):
    """x is so small that the eps of the norms matters."""
    x = torch.from_numpy(g.integers(-9, 10, (1, 2, 6))).double() / 256
    return block(g, 2, 3, 4).call(x=x).but(gradients=False, narrow=False)


@ex.edge
def one_token_in_eval_mode(g):
    first = block(g, 1, 4, 3).but(gradients=False, narrow=False, evaluating=True)
    return first.call(x=normal(g, 2, 1, 4))


@ex.edge
def not_contiguous(g):
    first = block(g, 2, 2, 6).but(gradients=False, narrow=False, strided=True)
    return first.call(x=normal(g, 2, 5, 4)).call(x=normal(g, 2, 3, 4), **cache_of(0))


# ---- mistakes


def pre_norm(block, x, attended, mlp):
    """The right residual stream; attended and mlp are functions of the attention's and the MLP's input."""
    x = x + attended(block.norm_1(x))
    return x + mlp(block.norm_2(x))


def variant(
    stream=pre_norm,
    attend=lambda block, x, cache_k, cache_v: block.attention(x, cache_k, cache_v),
    activate=F.gelu,
    eps=1e-5,
):
    """A class with these steps: the residual stream, the call of the attention, the MLP's activation and the
    norms' eps."""

    class Variant(Parts):
        def forward(self, x, cache_k=None, cache_v=None):
            self.norm_1.eps = self.norm_2.eps = eps
            caches = []

            def attended(read):
                output, *new = attend(self, read, cache_k, cache_v)
                caches[:] = new
                return output

            x = stream(self, x, attended, lambda read: self.down(activate(self.up(read))))
            return x, *caches

    return Variant


def post_norm(block, x, attended, mlp):
    x = block.norm_1(x + attended(x))
    return block.norm_2(x + mlp(x))


def first_residual_from_the_norm(block, x, attended, mlp):
    x = block.norm_1(x)
    x = x + attended(x)
    return x + mlp(block.norm_2(x))


def residuals_from_the_norms(block, x, attended, mlp):
    x = block.norm_1(x)
    x = block.norm_2(x + attended(x))
    return x + mlp(x)


def in_parallel(block, x, attended, mlp):
    return x + attended(block.norm_1(x)) + mlp(block.norm_2(x))


def old_norm_for_the_mlp(block, x, attended, mlp):
    return x + attended(block.norm_1(x)) + mlp(block.norm_2(block.norm_1(x)))


def norms(first, second):
    """A residual stream whose two norms are replaced by the functions first(block) and second(block)."""

    def stream(block, x, attended, mlp):
        x = x + attended(first(block)(x))
        return x + mlp(second(block)(x))

    return stream


def norm_1(block):
    return block.norm_1


def norm_2(block):
    return block.norm_2


def no_norm(block):
    return lambda x: x


ex.wrong(
    "post_norm: each norm is applied after its sum, as in the original Transformer: here the norms come before the attention and the MLP, and x itself passes through the block without a norm",
    variant(post_norm),
    "norm_on_the_way_out: the norms are applied to the outputs of the attention and the MLP: apply them to their inputs instead",
    variant(lambda block, x, attended, mlp: (y := x + block.norm_1(attended(x))) + block.norm_2(mlp(y))),
    "first_residual_from_the_norm: the attention's output is added to norm_1(x): add it to x itself",
    variant(first_residual_from_the_norm),
    "residuals_from_the_norms: both outputs are added to a normed x: add them to x itself, which no norm touches",
    variant(residuals_from_the_norms),
    "no_first_residual: the attention's output replaces x: add it to x",
    variant(lambda block, x, attended, mlp: (y := attended(block.norm_1(x))) + mlp(block.norm_2(y))),
    "no_second_residual: the MLP's output replaces x: add it to x",
    variant(lambda block, x, attended, mlp: mlp(block.norm_2(x + attended(block.norm_1(x))))),
    "attention_doubled: the attention's output is added to itself: add it to the x that came in, so keep that under its own name",
    variant(lambda block, x, attended, mlp: (y := 2 * attended(block.norm_1(x))) + mlp(block.norm_2(y))),
    "one_norm_twice: norm_1 is used for both: the MLP reads norm_2 of the sum",
    variant(norms(norm_1, norm_1)),
    "in_parallel: the attention and the MLP both read the x that came in, as in GPT-J and GPT-NeoX: here the MLP reads the sum after the attention",
    variant(in_parallel),
    "old_norm_for_the_mlp: norm_2 is applied to norm_1(x), without the attention's output: the MLP reads norm_2 of the sum",
    variant(old_norm_for_the_mlp),
    "first_norm_missing: the attention reads x without norm_1",
    variant(norms(no_norm, norm_2)),
    "second_norm_missing: the MLP reads x without norm_2",
    variant(norms(norm_1, no_norm)),
    "tanh_gelu: GELU is computed with the tanh approximation, as in GPT-2: here it is the exact one, the default of nn.functional.gelu and nn.GELU()",
    variant(activate=lambda h: F.gelu(h, approximate="tanh")),
    "relu: the activation is ReLU: here it is GELU",
    variant(activate=F.relu),
    "silu: the activation is SiLU (Swish), as in Llama: here it is GELU",
    variant(activate=F.silu),
    "other_eps: the norms do not use nn.LayerNorm's default eps, 1e-5: it matters where x is small",
    *(variant(eps=eps) for eps in (1e-6, 1e-8, 1e-12, 0.0)),
    "causal_only_without_a_cache: the attention is no longer causal once there is a cache: among several new tokens, earlier ones must not see later ones",
    variant(attend=lambda block, x, k, v: block.attention(x, k, v, is_causal=k is None)),
)
