"""to_additive_mask: 0 where allowed, -inf where masked."""

from functools import partial

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"additive": "T_q T_k"},
    gradients=False,
    hints="""
    Which number changes nothing when it is added to a score? And which one makes the exp of the sum exactly 0?

    0 and -inf. Multiplying does not work: 0 * -inf is NaN. Start from zeros and fill.

    torch.zeros(mask.shape, dtype=dtype, device=mask.device) and then masked_fill; or torch.where.

        torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(mask, float('-inf'))
    """,
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


INF = float("inf")


def filled(mask, dtype=torch.float32, fill=-INF, ground=0):
    return torch.full(mask.shape, ground, dtype=dtype).masked_fill(mask, fill)


ex.wrong(
    "minus_inf_times_zero: 0 * -inf is NaN: the allowed positions hold NaN instead of 0. Use masked_fill or torch.where",
    lambda mask, dtype=torch.float32: mask.to(dtype) * -INF,
    "inverted: the allowed positions hold -inf and the masked ones 0: True means masked (log(mask) does this too: take the logarithm of ~mask)",
    lambda mask, dtype=torch.float32: filled(~mask, dtype),
    "finite_fill: masked positions hold a large negative number, not -inf: use exactly -inf",
    partial(filled, fill=-1e4),
    lambda mask, dtype=torch.float32: filled(mask, dtype, torch.finfo(dtype).min),
    "plus_inf: masked positions hold +inf: the sign is wrong, and the softmax would give NaN",
    partial(filled, fill=INF),
    "ones_where_allowed: allowed positions hold 1: an additive mask adds 0 there",
    partial(filled, ground=1),
    "zero_one_mask: the result holds 0 and 1, the numbers of False and True: it must be 0 where allowed and -inf where masked (in a tensor of bools, -inf becomes True: fill one of floats)",
    lambda mask, dtype=torch.float32: mask.to(dtype),
    "not_filled: masked positions hold 0, or a tiny number near it: use -inf (masked_fill returns a new tensor: keep its result)",
    partial(filled, fill=0),
)
