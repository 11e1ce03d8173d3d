"""Functions for writing cases: call and build make one, the others draw its numbers or change it.

g is always the NumPy Generator that a case draws from.
"""

import math

import numpy as np
import torch

from course_utils.model.case import Back, Case


def call(**args):
    """A case that calls a function."""
    return Case("", []).call(**args)


def each_changed(case, **changes):
    """The case, with one more call for each of the changes, in which that argument alone is another: an
    answer that remembers results by some of its arguments returns a wrong one."""
    first = case.calls[0].args
    for name, value in changes.items():
        case = case.call(**{**first, name: value})
    return case


def build(weights=None, **settings):
    """A case that builds an object and sets the `weights` of its named layers ("up", "up.bias"); add the
    calls with `.call(...)`."""
    return Case("", [], build=settings, weights=weights or {})


def normal(g, *shape, scale=1):
    """Numbers of about unit variance in float64. They are multiples of 1/64: exact in JSON and, at scale 1,
    in bfloat16, and fine enough that scores rarely tie."""
    steps = g.integers(-78, 79, (2, *shape)).sum(0) * scale
    return torch.from_numpy(np.asarray(steps, dtype=np.float64)) / 64


def counted(g, *shape):
    """Consecutive numbers from a drawn one on, in float64, so that the card shows where each entry went."""
    first = int(g.integers(0, 900))
    return torch.arange(first, first + math.prod(shape), dtype=torch.float64).reshape(shape)


def distinct(g, *shape, dim=-1):
    """normal(), redrawn until no two numbers along dim are equal: at a tie the gradient of a maximum is not
    unique."""
    while True:
        x = normal(g, *shape)
        if (x.sort(dim).values.diff(dim=dim) > 0).all():
            return x


def draw_untied(draw):
    """draw(), redrawn until no two scores of a row are equal, for the reason given in `distinct`."""
    while True:
        case = draw()
        args = case.calls[0].args
        Q, K = (
            args[name].unflatten(-1, (args.get("num_heads", 1), -1)).transpose(-3, -2) for name in ("Q", "K")
        )
        scores = (Q @ K.transpose(-2, -1)).sort(-1).values  # (..., H, T_q, T_k)
        if (scores.diff(dim=-1) > 0).all():
            return case


def allow_large_scores(case):
    """The case with settings for scores in the thousands: a softmax computed in float32 must pass, so the
    tolerance is wider, and gradients and narrow dtypes are not graded."""
    return case.but(narrow=False, gradients=False, tolerance=2e-3)


def make_scores_large(case):
    """The case with two scores above 800 in one row of every head: exp overflows unless the maximum is
    subtracted, and clamping makes the two equal."""
    args = case.calls[0].args
    args["Q"][..., 0, :] = args["K"][..., 0, :] = 30
    args["K"][..., 1, :] = 29
    return allow_large_scores(case)


def far_below_zero(case, W_q, W_k, num_heads=3):
    """The case with scores near -1500 in every row but the last, and near +1500 in the last row.

    The low rows expose a mask fill that is not low enough, and a maximum shared by all rows; their
    differences stay the same, except at the last key, which is masked there. In the last row exp overflows
    unless the maximum is subtracted. To this end the first feature of each head becomes +46 in Q (-46 in the
    last token), and -46 in K (-45.3 in the last token). W_q and W_k name layers (out, in) of a module, or
    weights (in, out) among the arguments.
    """
    args = case.calls[0].args
    x = args["x"] if "x" in args else args["X"]
    x[..., -2:] = 8
    x[..., -1, -2:] = torch.tensor([-8, 7.875])
    d_head = x.shape[-1] // num_heads
    q, k = (case.weights[name] if name in case.weights else args[name].T for name in (W_q, W_k))  # (out, in)
    k[:, -2] = 0  # this feature of x is different in the last token, and must not change its key
    for weight, feature, value in ((q, -2, 5.75), (k, -1, -5.75)):
        rows = weight[::d_head]
        rows[:] = 0
        rows[:, feature] = value
    return allow_large_scores(case)


def token_of_zeros(case):
    """The case with zeros for token 1 of x (or of Q): its scores are exactly 0, which exposes an answer
    that masks every score equal to 0."""
    args = case.calls[0].args
    next(args[name] for name in ("x", "X", "Q") if name in args)[..., 1, :] = 0
    return case.but(gradients=False)


def draw_lengths(g, count, most):
    """`count` pairwise different lengths from 1 to `most`: (count,)."""
    return torch.from_numpy(1 + g.permutation(most)[:count])


def layers(g, names, *shape):
    """Weights for bias-free Linear layers, scaled so that unit-variance inputs give outputs of about unit
    variance."""
    out, inner = shape
    spread = max(1, round((192 / inner) ** 0.5))
    return {
        name: torch.from_numpy(g.integers(-spread, spread + 1, (out, inner)).astype(np.float64)) / 8
        for name in names
    }


def draw_cache(g, *shape):
    """Arguments cache_k and cache_v, the keys and values of earlier tokens: (B, H, T_cached, d_head)."""
    return {"cache_k": normal(g, *shape), "cache_v": normal(g, *shape)}


def causal_table(g, B, H, T):
    """Causal attention weights, (B, H, T, T): multiples of 1/64, some of them 0, with rows that sum to 1."""
    table = np.zeros((B, H, T, T))
    for b, h, i in np.ndindex(B, H, T):
        table[b, h, i, : i + 1] = g.multinomial(64, g.dirichlet(np.full(i + 1, 0.7))) / 64
    return torch.from_numpy(table)


def cache_of(call):
    """Arguments of a later call: the cache that the student's own call number `call` returned."""
    return {"cache_k": Back(call, "new_cache_k"), "cache_v": Back(call, "new_cache_v")}
