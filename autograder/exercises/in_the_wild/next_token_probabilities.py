"""next_token_probabilities: logits -> the probabilities from which the next token is sampled."""

import torch

from autograder.authoring.draws import allow_large_scores, call, distinct
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"probabilities": "B vocab"},
    hints="""
    What does dividing by a large number do to the differences between logits? And by a small one?

    Leave tokens out before the softmax: exp(-inf) is exactly 0, and the others still sum to 1. Temperature 0 is a special
    case, since you cannot divide by it.

    logits.topk(k).values are the k largest in descending order, so [:, -1:] is the smallest that stays. k must not be
    larger than the vocabulary. On ties, argmax gives the first.

        largest = logits.topk(min(top_k, logits.shape[-1])).values
        logits = logits.masked_fill(logits < largest[:, -1:], -torch.inf)
    """,
)


@ex.reference
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Uses ranks: a token stays if fewer than top_k logits are larger than its own."""
    if temperature == 0:
        return first_largest(logits)
    k = logits.shape[-1] if top_k is None else top_k
    larger = (logits[:, None, :] > logits[:, :, None]).sum(-1)  # (B, vocab)
    return torch.softmax(torch.where(larger < k, logits / temperature, -torch.inf), -1)


def first_largest(logits):
    """1 at the first of the row's largest logits, 0 elsewhere."""
    largest = logits == logits.amax(-1, keepdim=True)
    return (largest & (largest.cumsum(-1) == 1)).to(logits.dtype)


# ---- cases


def drawn_temperature(g, low=1.25, high=3.0):
    """A random multiple of 1/4 from low to high."""
    return int(g.integers(low * 4, high * 4 + 1)) / 4


ex.case(
    defaults=lambda g: call(logits=distinct(g, 2, 5)),
    warm=lambda g: call(logits=distinct(g, 3, 7), temperature=drawn_temperature(g)),
    cold=lambda g: call(logits=distinct(g, 4, 6), temperature=drawn_temperature(g, 0.25, 0.75)),
    some_kept=lambda g: call(logits=distinct(g, 3, 8), top_k=int(g.integers(4, 6))),
    warm_and_some_kept=lambda g: call(
        logits=distinct(g, 2, 9), temperature=drawn_temperature(g), top_k=int(g.integers(3, 7))
    ),
    as_many_rows_as_tokens=lambda g: call(logits=distinct(g, 5, 5), temperature=0.5, top_k=2),
)


def cold_as_ice(logits, **more):
    """A case with temperature 0, where nothing is divided and no gradient flows."""
    return call(logits=logits, temperature=0.0, **more).but(gradients=False)


@ex.edge
def temperature_0(g):
    return cold_as_ice(distinct(g, 3, 6))


@ex.edge
def temperature_0_and_equals(g):
    logits = distinct(g, 4, 7)
    for row in logits:
        row[g.permutation(7)[:3].tolist()] = row.max() + 1
    return cold_as_ice(logits)


ex.edge(
    temperature_0_and_some_kept=lambda g: cold_as_ice(distinct(g, 2, 5), top_k=3),
    one_kept=lambda g: call(logits=distinct(g, 3, 5), top_k=1).but(gradients=False),
    all_kept=lambda g: call(logits=distinct(g, 2, 6), top_k=6),
    more_than_all_kept=lambda g: call(logits=distinct(g, 3, 4), temperature=2.0, top_k=50),
    one_row=lambda g: call(logits=distinct(g, 1, 9), temperature=1.5, top_k=4).but(strided=True),
)


@ex.edge
def far_below_zero(g):
    """Logits near -1800: a finite mask fill would be larger than the logits that stay, and exp gives 0/0
    unless the maximum is subtracted."""
    return allow_large_scores(call(logits=distinct(g, 2, 7) - 1800, top_k=4))


@ex.edge
def nearly_0(g):
    """A temperature near 0 makes scores in the thousands: exp overflows unless the maximum is subtracted."""
    return allow_large_scores(call(logits=distinct(g, 3, 5) + 2, temperature=1 / 512))


# ---- mistakes


def all_but(logits, top_k, count=min):
    """True for the tokens that are left out; count(top_k, vocab) is the number of tokens that stay."""
    if top_k is None:
        return torch.zeros_like(logits, dtype=torch.bool)
    order = logits.argsort(-1, descending=True).argsort(-1)
    return order >= count(top_k, logits.shape[-1])


def kth_largest(logits, top_k):
    """The smallest logit of each row that stays, (B,)."""
    return logits.topk(min(top_k, logits.shape[-1])).values[:, -1] if top_k else torch.tensor(-torch.inf)


def row_softmax(scores):
    return torch.softmax(scores, -1)


def variant(
    cool=lambda logits, temperature: logits / temperature,
    leave_out=all_but,
    fill=lambda scores, out: scores.masked_fill(out, -torch.inf),
    normalise=row_softmax,
    finish=lambda p, out: p,
    zero=first_largest,
):
    """An implementation with these steps; zero(logits) is the result at temperature 0 (None: not treated)."""

    def implementation(logits, temperature=1.0, top_k=None):
        if temperature == 0 and zero is not None:
            return zero(logits)
        out = leave_out(logits, top_k)
        return finish(normalise(fill(cool(logits, temperature), out)), out)

    return implementation


def by_hand(scores):
    return scores.exp() / scores.exp().sum(-1, keepdim=True)


ex.wrong(
    "multiplied: the logits are multiplied by the temperature: divide by it, so that a high temperature makes the probabilities more even",
    variant(lambda logits, temperature: logits * temperature),
    "divided_twice: the logits are divided by the temperature twice: once is enough",
    variant(lambda logits, temperature: logits / temperature**2),
    "first_columns_kept: the first k tokens of the vocabulary are kept: keep the k with the largest logits",
    variant(
        leave_out=lambda logits, top_k: (torch.arange(logits.shape[-1]) >= (top_k or torch.inf)).expand_as(
            logits
        )
    ),
    "threshold_without_axis: the smallest logit that stays is (B,), one for each row: keep its axis, [:, -1:], so that it meets the rows and not the columns",
    variant(leave_out=lambda logits, top_k: logits < kth_largest(logits, top_k)),
    "temperature_ignored: the temperature has no effect: divide the logits by it",
    variant(lambda logits, temperature: logits),
    "one_too_many_kept: one token too many is kept, k + 1 of them",
    variant(leave_out=lambda logits, top_k: all_but(logits, top_k, count=lambda k, vocab: k + 1)),
    "one_too_few_kept: one token too few is kept: the smallest of the k largest stays too, so compare with <, not <=",
    variant(leave_out=lambda logits, top_k: all_but(logits, top_k, count=lambda k, vocab: min(k, vocab) - 1)),
    "large_k_not_treated: topk raises if top_k is larger than the vocabulary: such a top_k keeps every token, so use min(top_k, logits.shape[-1])",
    variant(
        leave_out=lambda logits, top_k: logits < (logits.topk(top_k).values[:, -1:] if top_k else -torch.inf)
    ),
    "zero_for_minus_infinity: the tokens left out get the logit 0, but exp(0) = 1 is a weight like any other: give them -inf",
    variant(fill=lambda scores, out: scores.masked_fill(out, 0)),
    "not_low_enough: the tokens left out get a logit that is not low enough: their probabilities must be exactly 0, so give them -inf",
    *(
        variant(fill=lambda scores, out, low=low: scores.masked_fill(out, low))
        for low in (-10.0, -100.0, -1000.0)
    ),
    "not_shared_out_again: the k most likely tokens keep their probabilities from a softmax over all tokens, so the rows do not sum to 1: leave tokens out before the softmax, or divide by the new sum",
    variant(fill=lambda scores, out: scores, finish=lambda p, out: p.masked_fill(out, 0)),
    "softmax_again: the softmax is applied twice: its input must be logits, not probabilities",
    variant(lambda logits, temperature: row_softmax(logits) / temperature),
    "unstable: `exp` overflows at low temperatures, or underflows to 0 in a whole row: use torch.softmax, or subtract the largest logit of each row first",
    variant(normalise=by_hand),
    "temperature_0_not_treated: temperature 0 leads to a division by 0: give probability 1 to the largest logit instead",
    variant(zero=None),
    "equals_share: at temperature 0 tied logits share the probability: give all of it to the first of them, as argmax does",
    variant(
        zero=lambda logits: row_softmax(
            torch.where(logits == logits.amax(-1, keepdim=True), 0, -torch.inf).to(logits)
        )
    ),
    *(variant(zero=lambda logits, tiny=tiny: row_softmax(logits / tiny)) for tiny in (1e-3, 1e-6, 1e-10)),
)
