"""masked_softmax: weights where masked positions get exactly 0, and a fully masked row gives zeros."""

import torch

from autograder.authoring.exercise import Exercise, call, distinct, in_thousands

ex = Exercise(
    "masked_softmax(scores, mask)",
    {"weights": "B H T_q T_k"},
    points=3,
    narrow=("float32", "bfloat16", "float16"),
    uses=["softmax", "to_additive_mask"],
    hints=[
        "After the softmax it is too late: the masked positions have had their share of the sum. What must a score be so that exp of it is exactly 0?",
        "-inf gives exp(-inf) = 0, in every dtype. But a row of only -inf is 0/0 = NaN, and a NaN that is mended afterwards may still come back in the gradients. Better that no such row enters the softmax.",
        "masked_fill (without the underscore) returns a new tensor. For fully masked rows: find them with mask.all(-1, keepdim=True), give them harmless scores, and set their weights to 0 afterwards.",
    ],
)


@ex.reference
def masked_softmax(scores, mask):
    """exp and sum over the allowed entries; where there is none, nothing is divided."""
    allowed = ~mask.expand(torch.broadcast_shapes(scores.shape, mask.shape))
    top = torch.where(allowed, scores, scores.amin()).amax(-1, keepdim=True).detach()
    e = torch.where(allowed, torch.where(allowed, scores - top, 0).exp(), 0)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, 1)


def causal(T_q, T_k):
    return torch.ones(T_q, T_k, dtype=torch.bool).triu(1)


@ex.case
def causal_mask(g):
    return call(scores=distinct(g, 2, 3, 5, 5), mask=causal(5, 5))


@ex.case
def mask_with_batch(g):
    mask = (
        causal(4, 6)[None, None] | (torch.arange(6) >= torch.tensor([6, 3])[:, None])[:, None, None]
    )  # (B, 1, T_q, T_k)
    return call(scores=distinct(g, 2, 3, 4, 6), mask=mask)


@ex.case
def mask_for_each_head(g):
    mask = torch.from_numpy(g.random((1, 4, 3, 5)) < 0.4)
    mask[..., 2] = False
    return call(scores=distinct(g, 2, 4, 3, 5), mask=mask)


@ex.edge
def nothing_masked(g):
    return call(scores=distinct(g, 2, 5), mask=torch.zeros(2, 5, dtype=torch.bool))


@ex.edge
def fully_masked_row(g):
    mask = causal(4, 4).repeat(3, 2, 1, 1)
    mask[:, 1, 1] = mask[2, :, 3] = True
    return call(scores=distinct(g, 3, 2, 4, 4), mask=mask)


@ex.edge
def everything_masked(g):
    return call(scores=distinct(g, 2, 1, 3, 3), mask=torch.ones(2, 1, 1, 3, dtype=torch.bool))


@ex.edge
def allowed_far_below_zero(g):
    scores = distinct(g, 1, 2, 4, 5) - 1500
    mask = torch.from_numpy(g.random((4, 5)) < 0.5)
    mask[:, 0], mask[:, 4] = False, True
    return in_thousands(call(scores=torch.where(mask, scores + 40, scores), mask=mask))


@ex.edge
def large_scores(g):
    return in_thousands(call(scores=distinct(g, 2, 1, 3, 4) * 1000, mask=torch.zeros(3, 4, dtype=torch.bool)))


@ex.edge
def half_precision(g):
    scores = distinct(g, 1, 3, 4, 4) - 20
    mask = causal(4, 4)
    return call(scores=torch.where(mask, scores + 8, scores), mask=mask).but(
        dtype="float16", narrow=False, gradients=False
    )


@ex.edge
def one_token(g):
    return call(scores=distinct(g, 2, 3, 1, 1), mask=torch.zeros(1, 1, dtype=torch.bool))


def zero_rows(weights, mask):
    return torch.where(mask.all(-1, keepdim=True), 0, weights)


def filled(value, mend=zero_rows, dim=-1):
    """Fill masked scores with `value`, softmax over dim, mend fully masked rows."""

    def implementation(scores, mask):
        return mend(torch.softmax(scores.masked_fill(mask, value), dim), mask)

    return implementation


def as_is(weights, mask):
    return weights


def masked_to_zero(weights, mask):
    return weights.masked_fill(mask, 0)


def nan_mended(weights, mask):
    return torch.nan_to_num(weights, 0.0)


def renormalised(scores, mask):
    weights = torch.softmax(scores, -1).masked_fill(mask, 0)
    return weights / weights.sum(-1, keepdim=True)


def additive_product(scores, mask):
    return torch.softmax(scores + mask * float("-inf"), -1)


ex.mistake(
    "inverted",
    "the mask is the wrong way round: the allowed positions are filled, and the masked ones keep their scores. True means masked",
    lambda scores, mask: filled(-torch.inf)(scores, ~mask),
    lambda scores, mask: filled(-torch.inf, as_is)(scores, ~mask),
    lambda scores, mask: filled(-torch.inf, nan_mended)(scores, ~mask),
    lambda scores, mask: filled(-1e9, as_is)(scores, ~mask),
)
ex.mistake(
    "mask_ignored",
    "the mask has no effect: masked positions keep their weight (masked_fill returns a new tensor; keep its result)",
    lambda scores, mask: torch.softmax(scores, -1),
    lambda scores, mask: zero_rows(torch.softmax(scores, -1), mask),
)
ex.mistake(
    "masked_after_softmax",
    "the mask is applied after the softmax, so the masked positions still took their share and the rows do not sum to 1: mask before (or divide by the new sum)",
    lambda scores, mask: torch.softmax(scores, -1).masked_fill(mask, 0),
)
ex.mistake(
    "filled_with_zero",
    "masked scores are filled with 0 (or with a tiny number near it), and exp(0) = 1 is a full share of the weight: fill with -inf",
    filled(1e-9),
    filled(1e-9, as_is),
    filled(0.0),
    filled(0.0, as_is),
    lambda scores, mask: torch.softmax(scores * ~mask, -1),
)
ex.mistake(
    "small_fill",
    "masked scores are filled with a small constant, which leaks where the allowed scores are lower still: fill with -inf",
    *[filled(-float(c), mend) for c in (10, 20, 50, 100, 1000) for mend in (zero_rows, as_is)],
)
ex.mistake(
    "filled_with_plus_inf",
    "masked scores are filled with +inf: the sign is wrong, and the softmax gives NaN",
    filled(torch.inf, as_is),
)
ex.mistake(
    "nan_rows",
    "a fully masked row gives NaN: it must give zeros. Such a row is 0/0, whether its scores are all -inf or its weights are divided by a sum that is 0",
    filled(-torch.inf, as_is),
    renormalised,
)
ex.mistake(
    "uniform_rows",
    "a fully masked row gives equal weights over forbidden keys: with a finite fill all its scores are the same. It must give zeros",
    filled(-1e9, as_is),
    lambda scores, mask: torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), -1),
    lambda scores, mask: torch.softmax(scores - mask.to(scores.dtype) * 1e9, -1),
)
ex.mistake(
    "fill_overflows_float16",
    "the fill does not fit into float16 (its smallest number is -65504): use float('-inf') or torch.finfo(scores.dtype).min",
    filled(-1e9),
)
ex.mistake(
    "minus_inf_times_zero",
    "allowed positions come out as NaN: mask * -inf is NaN where the mask is 0 (0 * inf), and a row of which nothing but -inf is left is 0/0. Use masked_fill or torch.where, for what is masked only",
    additive_product,
)
ex.mistake(
    "all_weights_zero",
    "every weight is 0, of the allowed positions too, as when the masked ones are kept and the others set to 0 (True means masked), or when the NaN that `mask * -inf` gives becomes 0",
    lambda scores, mask: torch.nan_to_num(additive_product(scores, mask)),
)
ex.mistake(
    "softmax_over_queries",
    "the softmax runs over the queries: each *row* (one query, all keys) must sum to 1, so dim=-1",
    filled(-torch.inf, as_is, -2),
    filled(-torch.inf, zero_rows, -2),
    filled(-torch.inf, nan_mended, -2),
    filled(-1e9, as_is, -2),
)
ex.mistake(
    "softmax_over_heads",
    "the softmax runs over the second axis (heads): dim=-1 is wanted",
    lambda scores, mask: torch.softmax(scores.masked_fill(mask, -1e9), 1),
    lambda scores, mask: torch.softmax(scores.masked_fill(mask, -torch.inf), 1),
)
ex.mistake(
    "softmax_over_batch",
    "the softmax runs over the first axis: dim=-1 is wanted",
    lambda scores, mask: torch.softmax(scores.masked_fill(mask, -torch.inf), 0),
    lambda scores, mask: torch.softmax(scores.masked_fill(mask, -1e9), 0),
)
ex.mistake(
    "scores_returned",
    "the masked scores are returned, without a softmax",
    lambda scores, mask: scores.masked_fill(mask, -torch.inf),
    lambda scores, mask: scores.masked_fill(mask, -1e9),
)
ex.mistake(
    "one_row_empties_all",
    "a single fully masked row turns everything into zeros: find such rows one by one, mask.all(-1, keepdim=True)",
    lambda scores, mask: (
        torch.zeros_like(scores)
        if mask.all(-1).any()
        else torch.softmax(scores.masked_fill(mask, -torch.inf), -1)
    ),
)
ex.mistake(
    "unstable",
    "`exp` overflows for large scores, and is 0 for very low ones: subtract the row's maximum first",
    lambda scores, mask: (e := scores.exp().masked_fill(mask, 0)) / e.sum(-1, keepdim=True).clamp(min=1e-300),
    lambda scores, mask: torch.nan_to_num((e := scores.exp().masked_fill(mask, 0)) / e.sum(-1, keepdim=True)),
    lambda scores, mask: (
        (e := scores.exp().masked_fill(mask, 0))
        / (total := e.sum(-1, keepdim=True)).masked_fill(total == 0, 1)
    ),
    *[
        lambda scores, mask, eps=eps: (
            (e := scores.exp().masked_fill(mask, 0)) / (e.sum(-1, keepdim=True) + eps)
        )
        for eps in (1e-9, 1e-12)
    ],
)
ex.mistake(
    "epsilon",
    "a constant is added to the sum, so the rows no longer sum to 1: with the row's maximum subtracted nothing needs to be added",
    *[
        lambda scores, mask, eps=eps: (
            (e := (scores - scores.amax(-1, keepdim=True)).exp().masked_fill(mask, 0))
            / (e.sum(-1, keepdim=True) + eps)
        )
        for eps in (1e-2, 1e-3)
    ],
)
ex.mistake(
    "allowed_starved",
    "where the allowed scores are very low they are left with too little: masked scores still count in the sum (a fill that is not low enough), or a constant in the sum, added or as its least value, outweighs it",
    *[filled(-float(c), masked_to_zero) for c in (10, 20, 50, 100, 1000)],
    *[
        lambda scores, mask, eps=eps, top=top: (
            (e := (scores - top(scores)).exp().masked_fill(mask, 0)) / (e.sum(-1, keepdim=True) + eps)
        )
        for eps in (1e-6, 1e-8, 1e-9, 1e-12)
        for top in (torch.max, lambda s: s.amax(-1, keepdim=True))
    ],
)
ex.mistake(
    "own_causal_mask",
    "the mask that is handed in is not used, but a causal one of its own",
    *[
        lambda scores, mask, mend=mend: mend(
            filled(-torch.inf, as_is)(scores, causal(*scores.shape[-2:])), mask
        )
        for mend in (as_is, zero_rows)
    ],
)
ex.mistake(
    "any_for_all",
    "every row with a masked key is set to zeros: only a row in which *all* keys are masked is, mask.all(-1, keepdim=True)",
    lambda scores, mask: filled(-1e4, as_is)(scores, mask).masked_fill(mask.any(-1, keepdim=True), 0),
)
ex.mistake(
    "log_softmax",
    "this is the logarithm of the weights: they must be positive and sum to 1",
    *[
        lambda scores, mask, fill=fill, mend=mend: mend(
            torch.log_softmax(scores.masked_fill(mask, fill), -1), mask
        )
        for fill in (-torch.inf, -1e4)
        for mend in (as_is, zero_rows, masked_to_zero)
    ],
)
ex.mistake(
    "mask_added_as_number",
    "the boolean mask is added to the scores, where True counts as 1: fill with -inf where it is True",
    lambda scores, mask: torch.softmax(scores + mask, -1),
    lambda scores, mask: zero_rows(torch.softmax(scores + mask, -1), mask),
)
ex.mistake(
    "masked_not_zero",
    "masked scores are lowered, not removed: subtracting a constant still leaves them a share",
    lambda scores, mask: zero_rows(torch.softmax(scores - 10 * mask, -1), mask),
)
