"""to_additive_mask: 0 where allowed, -inf where masked."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"additive": "T_q T_k"},
    gradients=False,
    hints=[
        "Which number changes nothing when it is added to a score? And which one makes exp of the sum "
        "exactly 0?",
        "0 and -inf. Multiplying does not work: 0 * -inf is NaN. Start from zeros and fill.",
        "torch.zeros(mask.shape, dtype=dtype, device=mask.device) and then masked_fill; or torch.where.",
        "torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(mask, float('-inf'))",
    ],
)


@ex.reference
def to_additive_mask(mask, dtype=torch.float32):
    flat = [float("-inf") if m else 0.0 for m in mask.reshape(-1).tolist()]
    return torch.tensor(flat, dtype=dtype, device=mask.device).reshape(mask.shape)


def case(mask):
    return call(mask=mask).but(dtype="float32")


def drawn(g, *shape):
    return torch.from_numpy(g.random(shape) < 0.5)


ex.case(
    causal=lambda g: case(torch.ones(4, 6, dtype=torch.bool).triu(1)),
    four_axes=lambda g: case(drawn(g, 2, 1, 3, 5)),
)
ex.edge(
    nothing_masked=lambda g: case(torch.zeros(3, 2, dtype=torch.bool)),
    everything_masked=lambda g: case(torch.ones(2, 3, dtype=torch.bool)),
    float64=lambda g: call(mask=drawn(g, 3, 4), dtype="float64"),
    bfloat16=lambda g: call(mask=drawn(g, 5, 3), dtype="bfloat16").but(dtype="bfloat16"),
    float16=lambda g: call(mask=drawn(g, 3, 5), dtype="float16").but(dtype="float16"),
    not_contiguous=lambda g: case(drawn(g, 3, 5)).but(strided=True),
)


@ex.mistake
def minus_inf_times_zero(mask, dtype=torch.float32):
    """0 * -inf is NaN: the allowed positions hold NaN instead of 0. Use masked_fill or torch.where"""
    return mask.to(dtype) * float("-inf")


@ex.mistake
def allowed_times_minus_inf(mask, dtype=torch.float32):
    """(1 - mask) * -inf is -inf where allowed, and NaN (0 * inf) where masked: use masked_fill or
    torch.where"""
    return (~mask).to(dtype) * float("-inf")


@ex.mistake
def inverted(mask, dtype=torch.float32):
    """the allowed positions hold -inf and the masked ones 0: True means masked (log(mask) does this too: take
    the logarithm of ~mask)"""
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(~mask, float("-inf"))


@ex.mistake(fill=[-1e4, -1e5, -1e6, -1e8, -1e9, -1e10])
def finite_fill(mask, dtype=torch.float32, fill=0):
    """masked positions hold a large negative number, not -inf: here exactly -inf is wanted"""
    return torch.where(mask, torch.full(mask.shape, fill, dtype=dtype), 0)


@ex.another("finite_fill")
def smallest_number(mask, dtype=torch.float32):
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(mask, torch.finfo(dtype).min)


@ex.another("finite_fill")
def filled_where_allowed(mask, dtype=torch.float32):
    return torch.full(mask.shape, -1e9, dtype=dtype).masked_fill(~mask, 0)


@ex.another("finite_fill")
def filled_where_masked(mask, dtype=torch.float32):
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(mask, -1e9)


@ex.mistake(fill=[-1e4, -1e5, -1e9])
def filled_the_wrong_way_round(mask, dtype=torch.float32, fill=0):
    """the allowed positions hold a large negative number and the masked ones 0: True means masked, and
    exactly -inf is wanted there"""
    return (~mask).to(dtype) * fill


@ex.mistake
def plus_inf(mask, dtype=torch.float32):
    """masked positions hold +inf: the sign is wrong, they would get all the weight"""
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(mask, float("inf"))


@ex.mistake
def ones_where_allowed(mask, dtype=torch.float32):
    """allowed positions hold 1: an additive mask adds 0 there"""
    return torch.ones(mask.shape, dtype=dtype).masked_fill(mask, float("-inf"))


@ex.mistake
def zero_one_mask(mask, dtype=torch.float32):
    """the mask was only turned into numbers: it must be 0 where allowed and -inf where masked"""
    return mask.to(dtype)


ex.another("zero_one_mask", lambda mask, dtype=torch.float32: (~mask).to(dtype))
ex.another("zero_one_mask", lambda mask, dtype=torch.float32: -mask.to(dtype))


@ex.mistake
def boolean_returned(mask, dtype=torch.float32):
    """a boolean mask is returned: an additive mask holds numbers"""
    return mask


ex.another("boolean_returned", lambda mask, dtype=torch.float32: ~mask)


@ex.mistake
def not_filled(mask, dtype=torch.float32):
    """masked positions hold 0, or a tiny number near it: -inf is wanted (masked_fill returns a new tensor:
    keep its result)"""
    return torch.zeros(mask.shape, dtype=dtype)
