"""to_additive_mask: 0 where allowed, -inf where masked."""

import torch

from autograder.authoring.exercise import Exercise, call

ex = Exercise(
    "to_additive_mask(mask, dtype=torch.float32)",
    {"additive": "T_q T_k"},
    gradients=False,
    hints=[
        "Which number changes nothing when it is added to a score? And which one makes exp of the sum exactly 0?",
        "0 and -inf. Multiplying does not work: 0 * -inf is NaN. Start from zeros and fill.",
        "torch.zeros(mask.shape, dtype=dtype, device=mask.device) and then masked_fill; or torch.where.",
    ],
)


@ex.reference
def to_additive_mask(mask, dtype=torch.float32):
    flat = [float("-inf") if m else 0.0 for m in mask.reshape(-1).tolist()]
    return torch.tensor(flat, dtype=dtype, device=mask.device).reshape(mask.shape)


@ex.case
def causal(g):
    return call(mask=torch.ones(4, 6, dtype=torch.bool).triu(1)).but(dtype="float32")


@ex.case
def four_axes(g):
    return call(mask=torch.from_numpy(g.random((2, 1, 3, 5)) < 0.5)).but(dtype="float32")


@ex.edge
def nothing_masked(g):
    return call(mask=torch.zeros(3, 2, dtype=torch.bool)).but(dtype="float32")


@ex.edge
def everything_masked(g):
    return call(mask=torch.ones(2, 3, dtype=torch.bool)).but(dtype="float32")


@ex.edge
def float64(g):
    return call(mask=torch.from_numpy(g.random((3, 4)) < 0.5), dtype="float64")


@ex.edge
def bfloat16(g):
    return call(mask=torch.from_numpy(g.random((5, 3)) < 0.5), dtype="bfloat16").but(dtype="bfloat16")


@ex.edge
def float16(g):
    return call(mask=torch.from_numpy(g.random((3, 5)) < 0.5), dtype="float16").but(dtype="float16")


@ex.edge
def not_contiguous(g):
    return call(mask=torch.from_numpy(g.random((3, 5)) < 0.5)).but(dtype="float32", strided=True)


def filled(value, allowed=0.0):
    """An implementation that puts `value` where masked and `allowed` elsewhere."""

    def implementation(mask, dtype=torch.float32):
        zeros = torch.full(mask.shape, allowed, dtype=dtype, device=mask.device)
        return torch.where(
            mask, torch.full_like(zeros, value if value != "min" else torch.finfo(dtype).min), zeros
        )

    return implementation


right = filled(-torch.inf)
ex.mistake(
    "minus_inf_times_zero",
    "0 * -inf is NaN: the allowed positions hold NaN instead of 0. Use masked_fill or torch.where",
    lambda mask, dtype=torch.float32: mask.to(dtype) * float("-inf"),
)
ex.mistake(
    "allowed_times_minus_inf",
    "(1 - mask) * -inf is -inf where allowed, and NaN (0 * inf) where masked: use masked_fill or torch.where",
    lambda mask, dtype=torch.float32: (~mask).to(dtype) * -torch.inf,
)
ex.mistake(
    "inverted",
    "the allowed positions hold -inf and the masked ones 0: True means masked (log(mask) does this too: take the logarithm of ~mask)",
    lambda mask, dtype=torch.float32: right(~mask, dtype),
)
ex.mistake(
    "finite_fill",
    "masked positions hold a large negative number, not -inf: here exactly -inf is wanted",
    *[filled(v) for v in (-1e4, -1e5, -1e6, -1e8, -1e9, -1e10, "min")],
    lambda mask, dtype=torch.float32: torch.full(mask.shape, -1e9, dtype=dtype).masked_fill(~mask, 0),
    lambda mask, dtype=torch.float32: torch.zeros(mask.shape, dtype=dtype).masked_fill(mask, -1e9),
)
ex.mistake(
    "plus_inf",
    "masked positions hold +inf: the sign is wrong, they would get all the weight",
    filled(torch.inf),
)
ex.mistake(
    "ones_where_allowed", "allowed positions hold 1: an additive mask adds 0 there", filled(-torch.inf, 1.0)
)
ex.mistake(
    "zero_one_mask",
    "the mask was only turned into numbers: it must be 0 where allowed and -inf where masked",
    lambda mask, dtype=torch.float32: mask.to(dtype),
    lambda mask, dtype=torch.float32: (~mask).to(dtype),
    lambda mask, dtype=torch.float32: -mask.to(dtype),
)
ex.mistake(
    "boolean_returned",
    "a boolean mask is returned: an additive mask holds numbers",
    lambda mask, dtype=torch.float32: mask,
    lambda mask, dtype=torch.float32: ~mask,
)
ex.mistake(
    "not_filled",
    "masked positions hold 0, or a tiny number near it: -inf is wanted (masked_fill returns a new tensor: keep its result)",
    filled(0.0),
)
