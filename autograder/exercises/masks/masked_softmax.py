"""masked_softmax: weights where masked positions get exactly 0, and a fully masked row gives zeros."""

import torch

from autograder.authoring.draws import call, distinct, in_thousands
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"weights": "B H T_q T_k"},
    points=3,
    narrow=("float32", "bfloat16", "float16"),
    uses=["softmax", "to_additive_mask"],
    hints=[
        "After the softmax it is too late: the masked positions have had their share of the sum. What must "
        "a score be so that exp of it is exactly 0?",
        "-inf gives exp(-inf) = 0, in every dtype. But a row of only -inf is 0/0 = NaN, and a NaN that is "
        "mended afterwards may still come back in the gradients. Better that no such row enters the "
        "softmax.",
        "masked_fill (without the underscore) returns a new tensor. For fully masked rows: find them with "
        "mask.all(-1, keepdim=True), give them harmless scores, and set their weights to 0 afterwards.",
        "closed = mask.all(-1, keepdim=True)\nsafe = scores.masked_fill(mask & ~closed, "
        "float('-inf'))\nreturn safe.softmax(-1).masked_fill(closed, 0.0)",
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


def nothing(*shape):
    return torch.zeros(shape, dtype=torch.bool)


@ex.case
def causal_mask(g):
    return call(scores=distinct(g, 2, 3, 5, 5), mask=causal(5, 5))


@ex.case
def mask_with_batch(g):
    padded = (torch.arange(6) >= torch.tensor([6, 3])[:, None])[:, None, None]
    return call(scores=distinct(g, 2, 3, 4, 6), mask=causal(4, 6)[None, None] | padded)  # (B, 1, T_q, T_k)


@ex.case
def mask_for_each_head(g):
    mask = torch.from_numpy(g.random((1, 4, 3, 5)) < 0.4)
    mask[..., 2] = False
    return call(scores=distinct(g, 2, 4, 3, 5), mask=mask)


@ex.edge
def nothing_masked(g):
    return call(scores=distinct(g, 2, 5), mask=nothing(2, 5))


@ex.edge
def fully_masked_row(g):
    mask = causal(4, 4).repeat(3, 2, 1, 1)
    mask[:, 1, 1] = mask[2, :, 3] = True
    return call(scores=distinct(g, 3, 2, 4, 4), mask=mask)


@ex.edge
def everything_masked(g):
    return call(scores=distinct(g, 2, 1, 3, 3), mask=~nothing(2, 1, 1, 3))


@ex.edge
def allowed_far_below_zero(g):
    scores = distinct(g, 1, 2, 4, 5) - 1500
    mask = torch.from_numpy(g.random((4, 5)) < 0.5)
    mask[:, 0], mask[:, 4] = False, True
    return in_thousands(call(scores=torch.where(mask, scores + 40, scores), mask=mask))


@ex.edge
def large_scores(g):
    return in_thousands(call(scores=distinct(g, 2, 1, 3, 4) * 1000, mask=nothing(3, 4)))


@ex.edge
def half_precision(g):
    scores, mask = distinct(g, 1, 3, 4, 4) - 20, causal(4, 4)
    case = call(scores=torch.where(mask, scores + 8, scores), mask=mask)
    return case.but(dtype="float16", narrow=False, gradients=False)


@ex.edge
def one_token(g):
    return call(scores=distinct(g, 2, 3, 1, 1), mask=nothing(1, 1))


INF = float("inf")


def as_is(weights, mask):
    return weights


def zero_rows(weights, mask):
    return torch.where(mask.all(-1, keepdim=True), 0, weights)


def zero_masked(weights, mask):
    return weights.masked_fill(mask, 0)


def zero_for_nan(weights, mask):
    return torch.nan_to_num(weights, 0.0)


def mended(wrong):
    """An implementation of what is wrong, whose fully masked rows are set to zeros."""
    return lambda scores, mask: zero_rows(wrong(scores, mask), mask)


def fill_and_softmax(scores, mask, fill=-INF, mend=as_is, dim=-1):
    return mend(torch.softmax(scores.masked_fill(mask, fill), dim), mask)


def allowed_exp(scores, mask):
    return scores.exp().masked_fill(mask, 0)


def row_sum(e):
    return e.sum(-1, keepdim=True)


def shifted_exp(scores, mask, top=None):
    top = scores.amax(-1, keepdim=True) if top is None else top(scores)
    return allowed_exp(scores - top, mask)


@ex.mistake(mend=[zero_rows, as_is, zero_for_nan])
def inverted(scores, mask, fill=-INF, mend=as_is):
    """the mask is the wrong way round: the allowed positions are filled, and the masked ones keep their
    scores. True means masked"""
    return fill_and_softmax(scores, ~mask, fill, mend)


ex.another("inverted", lambda scores, mask: inverted(scores, mask, fill=-1e9))


@ex.mistake
def mask_ignored(scores, mask):
    """the mask has no effect: masked positions keep their weight (masked_fill returns a new tensor; keep its
    result)"""
    return torch.softmax(scores, -1)


ex.another("mask_ignored", mended(mask_ignored))


@ex.mistake
def masked_after_softmax(scores, mask):
    """the mask is applied after the softmax, so the masked positions still took their share and the rows do
    not sum to 1: mask before (or divide by the new sum)"""
    return torch.softmax(scores, -1).masked_fill(mask, 0)


@ex.mistake(fill=[1e-9, 0.0], mend=[zero_rows, as_is])
def filled_with_zero(scores, mask, fill, mend):
    """masked scores are filled with 0 (or with a tiny number near it), and exp(0) = 1 is a full share of the
    weight: fill with -inf"""
    return fill_and_softmax(scores, mask, fill, mend)


ex.another("filled_with_zero", lambda scores, mask: torch.softmax(scores * ~mask, -1))


@ex.mistake(fill=[-10.0, -20.0, -50.0, -100.0, -1000.0], mend=[zero_rows, as_is])
def small_fill(scores, mask, fill, mend):
    """masked scores are filled with a small constant, which leaks where the allowed scores are lower still:
    fill with -inf"""
    return fill_and_softmax(scores, mask, fill, mend)


@ex.mistake
def filled_with_plus_inf(scores, mask):
    """masked scores are filled with +inf: the sign is wrong, and the softmax gives NaN"""
    return fill_and_softmax(scores, mask, INF)


@ex.mistake
def nan_rows(scores, mask):
    """a fully masked row gives NaN: it must give zeros. Such a row is 0/0, whether its scores are all -inf or
    its weights are divided by a sum that is 0"""
    return fill_and_softmax(scores, mask)


@ex.another("nan_rows")
def renormalised(scores, mask):
    weights = torch.softmax(scores, -1).masked_fill(mask, 0)
    return weights / row_sum(weights)


@ex.mistake
def uniform_rows(scores, mask):
    """a fully masked row gives equal weights over forbidden keys: with a finite fill all its scores are the
    same. It must give zeros"""
    return fill_and_softmax(scores, mask, -1e9)


ex.another("uniform_rows", lambda scores, mask: fill_and_softmax(scores, mask, torch.finfo(scores.dtype).min))


@ex.mistake(number=[1e4, 1e5, 1e9])
def number_added(scores, mask, number):
    """a large negative number is added to the masked scores, so a fully masked row gets the same number
    everywhere: its weights come out as if nothing were masked. It must give zeros"""
    return torch.softmax(scores - mask.to(scores.dtype) * number, -1)


@ex.mistake
def softmax_twice(scores, mask):
    """the softmax is applied twice: what comes out of the first one are the weights already"""
    return torch.softmax(fill_and_softmax(scores, mask, -INF).nan_to_num(), -1)


@ex.mistake
def fill_overflows_float16(scores, mask):
    """the fill does not fit into float16 (its smallest number is -65504): use float('-inf') or
    torch.finfo(scores.dtype).min"""
    return fill_and_softmax(scores, mask, -1e9, zero_rows)


@ex.mistake
def minus_inf_times_zero(scores, mask):
    """allowed positions come out as NaN: mask * -inf is NaN where the mask is 0 (0 * inf), and a row of which
    nothing but -inf is left is 0/0. Use masked_fill or torch.where, for what is masked only"""
    return torch.softmax(scores + mask * -INF, -1)


@ex.mistake
def all_weights_zero(scores, mask):
    """every weight is 0, of the allowed positions too, as when the masked ones are kept and the others set to
    0 (True means masked), or when the NaN that `mask * -inf` gives becomes 0"""
    return torch.nan_to_num(minus_inf_times_zero(scores, mask))


@ex.mistake(mend=[as_is, zero_rows, zero_for_nan])
def softmax_over_queries(scores, mask, fill=-INF, mend=as_is):
    """the softmax runs over the queries: each *row* (one query, all keys) must sum to 1, so dim=-1"""
    return fill_and_softmax(scores, mask, fill, mend, -2)


ex.another("softmax_over_queries", lambda scores, mask: softmax_over_queries(scores, mask, -1e9))


@ex.mistake(fill=[-1e9, -INF])
def softmax_over_heads(scores, mask, fill):
    """the softmax runs over the second axis (heads): dim=-1 is wanted"""
    return fill_and_softmax(scores, mask, fill, dim=1)


@ex.mistake(fill=[-INF, -1e9])
def softmax_over_batch(scores, mask, fill):
    """the softmax runs over the first axis: dim=-1 is wanted"""
    return fill_and_softmax(scores, mask, fill, dim=0)


@ex.mistake(fill=[-INF, -1e9])
def scores_returned(scores, mask, fill):
    """the masked scores are returned, without a softmax"""
    return scores.masked_fill(mask, fill)


@ex.mistake
def one_row_empties_all(scores, mask):
    """a single fully masked row turns everything into zeros: find such rows one by one, mask.all(-1,
    keepdim=True)"""
    return torch.zeros_like(scores) if mask.all(-1).any() else fill_and_softmax(scores, mask)


@ex.mistake
def unstable(scores, mask):
    """`exp` overflows for large scores, and is 0 for very low ones: subtract the row's maximum first"""
    e = allowed_exp(scores, mask)
    return e / row_sum(e).clamp(min=1e-300)


@ex.another("unstable")
def unstable_without_nan(scores, mask):
    e = allowed_exp(scores, mask)
    return torch.nan_to_num(e / row_sum(e))


@ex.another("unstable")
def unstable_without_zero_sums(scores, mask):
    e = allowed_exp(scores, mask)
    return e / row_sum(e).masked_fill(row_sum(e) == 0, 1)


@ex.another("unstable", eps=[1e-9, 1e-12])
def unstable_with_epsilon(scores, mask, eps):
    e = allowed_exp(scores, mask)
    return e / (row_sum(e) + eps)


@ex.mistake(eps=[1e-2, 1e-3])
def epsilon(scores, mask, eps, top=None):
    """a constant is added to the sum, so the rows no longer sum to 1: with the row's maximum subtracted
    nothing needs to be added"""
    e = shifted_exp(scores, mask, top)
    return e / (row_sum(e) + eps)


@ex.mistake(fill=[-10.0, -20.0, -50.0, -100.0, -1000.0])
def allowed_starved(scores, mask, fill):
    """where the allowed scores are very low they are left with too little: masked scores still count in
    the sum (a fill that is not low enough), or a constant in the sum, added or as its least value,
    outweighs it"""
    return fill_and_softmax(scores, mask, fill, zero_masked)


@ex.another("allowed_starved", eps=[1e-6, 1e-8, 1e-9, 1e-12], top=[torch.max, None])
def starved_by_epsilon(scores, mask, eps, top):
    return epsilon(scores, mask, eps, top)


@ex.mistake(mend=[as_is, zero_rows])
def own_causal_mask(scores, mask, mend):
    """the mask that is handed in is not used, but a causal one of its own"""
    return mend(fill_and_softmax(scores, causal(*scores.shape[-2:])), mask)


@ex.mistake
def any_for_all(scores, mask):
    """every row with a masked key is set to zeros: only a row in which *all* keys are masked is, mask.all(-1,
    keepdim=True)"""
    return fill_and_softmax(scores, mask, -1e4).masked_fill(mask.any(-1, keepdim=True), 0)


@ex.mistake(fill=[-INF, -1e4], mend=[as_is, zero_rows, zero_masked])
def log_softmax(scores, mask, fill, mend):
    """this is the logarithm of the weights: they must be positive and sum to 1"""
    return mend(torch.log_softmax(scores.masked_fill(mask, fill), -1), mask)


@ex.mistake
def mask_added_as_number(scores, mask):
    """the boolean mask is added to the scores, where True counts as 1: fill with -inf where it is True"""
    return torch.softmax(scores + mask, -1)


ex.another("mask_added_as_number", mended(mask_added_as_number))


@ex.mistake(through=mended)
def masked_not_zero(scores, mask):
    """masked scores are lowered, not removed: subtracting a constant still leaves them a share"""
    return torch.softmax(scores - 10 * mask, -1)
