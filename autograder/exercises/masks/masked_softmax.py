"""masked_softmax: a softmax with exactly 0 at masked positions, and zeros in a fully masked row."""

import torch

from autograder.authoring.draws import allow_large_scores, call, distinct
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"weights": "B H T_q T_k"},
    points=3,
    narrow=("float32", "bfloat16", "float16"),
    uses=["softmax", "to_additive_mask"],
    hints="""
    After the softmax it is too late: the masked positions have already had their share of the sum. What must
    a score be for its exp to be exactly 0?

    -inf gives exp(-inf) = 0, in every dtype. But a row of nothing but -inf is 0/0 = NaN, and a NaN that is
    fixed afterwards may still come back in the gradients. Better to let no such row into the softmax.

    masked_fill (without the underscore) returns a new tensor. For fully masked rows: find them with
    mask.all(-1, keepdim=True), give them harmless scores, and set their weights to 0 afterwards.

        closed = mask.all(-1, keepdim=True)
        safe = scores.masked_fill(mask & ~closed, float('-inf'))
        return safe.softmax(-1).masked_fill(closed, 0.0)
    """,
)


@ex.reference
def masked_softmax(scores, mask):
    """Exponentials and sums over the allowed entries only; a row without any is divided by 1 and stays 0."""
    allowed = ~torch.broadcast_tensors(mask, scores)[0]
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
    return call(scores=distinct(g, 2, 3, 5, 4), mask=causal(5, 4))


@ex.case
def mask_with_batch(g):
    padded = (torch.arange(7) >= torch.tensor([7, 3])[:, None])[:, None, None]
    return call(scores=distinct(g, 2, 3, 4, 7), mask=causal(4, 7)[None, None] | padded)  # (B, 1, T_q, T_k)


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
    return allow_large_scores(call(scores=torch.where(mask, scores + 40, scores), mask=mask))


@ex.edge
def large_scores(g):
    return allow_large_scores(call(scores=distinct(g, 2, 1, 3, 4) * 1000, mask=nothing(3, 4)))


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


def filled(fill=-INF, mend=as_is, dim=-1, read=lambda mask: mask):
    """An implementation that fills masked scores, takes the softmax, and lets mend(weights, mask) correct the
    weights."""
    return lambda scores, mask: mend(torch.softmax(scores.masked_fill(read(mask), fill), dim), mask)


def of_weights(weights_of, mend=as_is):
    return lambda scores, mask: mend(weights_of(scores, mask), mask)


def by_hand(total, top=lambda scores: 0):
    """An implementation that divides exp(scores - top(scores)) of the allowed entries by total(row sums)."""

    def implementation(scores, mask):
        e = (scores - top(scores)).exp().masked_fill(mask, 0)
        return e / total(e.sum(-1, keepdim=True))

    return implementation


def one_row_empties_all(scores, mask):
    return torch.zeros_like(scores) if mask.all(-1).any() else filled()(scores, mask)


ex.wrong(
    "inverted: the mask is the wrong way round: the allowed positions are filled, and the masked ones keep their scores. True means masked",
    filled(mend=zero_rows, read=torch.logical_not),
    filled(read=torch.logical_not),
    filled(-1e9, read=torch.logical_not),
    "mask_ignored: the mask has no effect: masked positions keep their weight (masked_fill returns a new tensor; keep its result)",
    of_weights(lambda scores, mask: torch.softmax(scores, -1)),
    "masked_after_softmax: the mask is applied after the softmax, so the masked positions have already received weight and the rows do not sum to 1: mask before (or divide by the new sum)",
    of_weights(lambda scores, mask: torch.softmax(scores, -1), zero_masked),
    "filled_with_zero: masked scores are filled with 0 (or a tiny number near it), and exp(0) = 1 still gets weight: fill with -inf",
    filled(0.0, zero_rows),
    filled(0.0),
    "small_fill: masked scores are filled with a constant that is not low enough, so they get weight where the allowed scores are low as well: fill with -inf",
    filled(-10.0, zero_rows),
    filled(-100.0, zero_rows),
    filled(-1000.0, zero_rows),
    "nan_rows: a fully masked row gives NaN, but must give zeros: it is 0/0, whether its scores are all -inf or its weights are divided by a sum of 0",
    filled(),
    "uniform_rows: a fully masked row spreads equal weights over forbidden keys, because with a finite fill all its scores are the same: it must give zeros",
    filled(-1e9),
    lambda scores, mask: filled(torch.finfo(scores.dtype).min)(scores, mask),
    "number_added: a large negative number is added to the masked scores, so a fully masked row comes out as if nothing were masked: it must give zeros",
    of_weights(lambda scores, mask: torch.softmax(scores - mask.to(scores.dtype) * 1e4, -1)),
    "softmax_twice: the softmax is applied twice: the first one already gives the weights",
    of_weights(lambda scores, mask: torch.softmax(filled()(scores, mask).nan_to_num(), -1)),
    "fill_overflows_float16: the fill does not fit into float16 (its lowest number is -65504): use float('-inf') or torch.finfo(scores.dtype).min",
    filled(-1e9, zero_rows),
    "minus_inf_times_zero: allowed positions come out as NaN: mask * -inf is NaN where the mask is 0 (0 * inf). Use masked_fill or torch.where, which change only what is masked",
    of_weights(lambda scores, mask: torch.softmax(scores + mask * -INF, -1)),
    "softmax_over_queries: the softmax runs over the queries: each *row* (one query, all keys) must sum to 1, so dim=-1",
    filled(dim=-2),
    "one_row_empties_all: a single fully masked row turns everything into zeros: check each row on its own, mask.all(-1, keepdim=True)",
    one_row_empties_all,
    "unstable: `exp` overflows for large scores, and is 0 for very low ones: subtract each row's maximum first",
    by_hand(lambda sums: sums.clamp(min=1e-300)),
    by_hand(lambda sums: sums.masked_fill(sums == 0, 1)),
    by_hand(lambda sums: sums + 1e-9),
    lambda scores, mask: by_hand(lambda sums: sums)(scores, mask).nan_to_num(),
    "allowed_starved: where the allowed scores are very low, they get too little weight: masked scores still count in the sum (a fill that is not low enough), or a constant added to the sum outweighs them",
    filled(-100.0, zero_masked),
    by_hand(lambda sums: sums + 1e-9, torch.max),
    "mask_added_as_number: the boolean mask is added to the scores, where True counts as 1: fill with -inf where it is True",
    of_weights(lambda scores, mask: torch.softmax(scores + mask, -1)),
)
