"""next_token_probabilities: logits to the probabilities from which the next token is drawn."""

import torch

from autograder.authoring.draws import call, distinct, in_thousands
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"probabilities": "B vocab"},
    hints=[
        "What does a division by a large number do to the differences between logits? And by a small one?",
        "Leave a token out before the softmax: exp(-inf) is exactly 0, and the softmax shares out the rest. "
        "Temperature 0 is a case of its own, as nothing can be divided by it.",
        "logits.topk(k).values are the k largest in falling order, so [:, -1:] is the smallest that stays. k "
        "must not be larger than the vocabulary. argmax gives the first of equals.",
        "smallest = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]\n"
        "logits = logits.masked_fill(logits < smallest, -torch.inf)",
    ],
)


@ex.reference
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """By rank: a token stays if fewer than top_k others are larger."""
    if temperature == 0:
        return first_largest(logits).to(logits.dtype)
    kept = logits.shape[-1] if top_k is None else top_k
    larger = (logits[:, None, :] > logits[:, :, None]).sum(-1)  # (B, vocab)
    return torch.softmax(torch.where(larger < kept, logits / temperature, -torch.inf), -1)


def first_largest(logits):
    """True at the first of the largest logits of a row."""
    largest = logits == logits.amax(-1, keepdim=True)
    return largest & (largest.cumsum(-1) == 1)


# ---- cases


def drawn_temperature(g, low=1.25, high=3):
    """A multiple of 1/4."""
    return int(g.integers(low * 4, high * 4 + 1)) / 4


ex.case(
    defaults=lambda g: call(logits=distinct(g, 2, 5)),
    warm=lambda g: call(logits=distinct(g, 3, 7), temperature=drawn_temperature(g)),
    cold=lambda g: call(logits=distinct(g, 4, 6), temperature=drawn_temperature(g, 0.25, 0.75)),
    some_kept=lambda g: call(logits=distinct(g, 3, 8), top_k=int(g.integers(3, 6))),
    warm_and_some_kept=lambda g: call(
        logits=distinct(g, 2, 9), temperature=drawn_temperature(g), top_k=int(g.integers(3, 7))
    ),
    as_many_rows_as_tokens=lambda g: call(logits=distinct(g, 5, 5), temperature=0.5, top_k=2),
)


def cold_as_ice(logits, **more):
    """Temperature 0: nothing is divided, and no gradient flows."""
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
    """A constant in the place of -inf would be larger than what stays, and exp without a shift gives 0/0."""
    return in_thousands(call(logits=distinct(g, 2, 7) - 1800, top_k=4))


@ex.edge
def nearly_0(g):
    """Scores in the thousands: exp without a shift overflows."""
    return in_thousands(call(logits=distinct(g, 3, 5) + 2, temperature=1 / 512))


# ---- mistakes


def all_but(logits, top_k, largest=True, kept=None):
    """True at what is left out; kept(top_k, vocab) says how many stay."""
    vocab = logits.shape[-1]
    if top_k is None:
        return torch.zeros_like(logits, dtype=torch.bool)
    count = (kept or min)(top_k, vocab)
    order = logits.argsort(-1, descending=largest).argsort(-1)
    return order >= count


def cooled(logits, temperature):
    return logits / temperature


def filled(scores, out):
    return scores.masked_fill(out, -torch.inf)


def row_softmax(scores):
    return torch.softmax(scores, -1)


def one_hot_first(logits):
    return first_largest(logits).to(logits.dtype)


def built(
    cool=cooled, leave_out=all_but, fill=filled, normalise=row_softmax, finish=lambda p: p, zero=one_hot_first
):
    """An implementation from its parts; zero(logits) is what temperature 0 gives."""

    def implementation(logits, temperature=1.0, top_k=None):
        if temperature == 0 and zero is not None:
            return zero(logits)
        out = leave_out(logits, top_k)
        return finish(normalise(fill(cool(logits, temperature), out)))

    return implementation


def by_cooling(cool):
    return built(cool=cool)


def by_leaving_out(leave_out):
    return built(leave_out=leave_out)


def by_filling(fill):
    return built(fill=fill)


def by_finish(finish):
    return built(finish=finish)


def by_zero(zero):
    return built(zero=zero)


@ex.mistake(through=by_cooling)
def multiplied(logits, temperature):
    """the logits are multiplied by the temperature: they are divided by it, so that a high one makes
    probabilities alike"""
    return logits * temperature


@ex.mistake(through=by_cooling)
def temperature_ignored(logits, temperature):
    """the temperature changes nothing, as if it were not used or only added: divide the logits by it"""
    return logits


@ex.mistake(through=by_cooling)
def square_root_of_temperature(logits, temperature):
    """the logits are divided by the square root of the temperature: divide by the temperature itself"""
    return logits / temperature**0.5


@ex.mistake(through=by_cooling)
def temperature_limited(logits, temperature):
    """temperatures above 1 are treated as 1: a higher one makes probabilities more alike"""
    return logits / min(temperature, 1.0)


@ex.mistake
def probabilities_divided(logits, temperature=1.0, top_k=None):
    """the probabilities are divided by the temperature: divide the logits, before the softmax, and the rows
    sum to 1"""
    return one_hot_first(logits) if temperature == 0 else built()(logits, 1.0, top_k) / temperature


@ex.mistake
def divided_twice(logits, temperature=1.0, top_k=None):
    """the logits are divided by the temperature twice"""
    return one_hot_first(logits) if temperature == 0 else built()(logits, temperature**2, top_k)


@ex.mistake
def temperature_only_without_top_k(logits, temperature=1.0, top_k=None):
    """with top_k the temperature is not used: both count in one call"""
    return built()(logits, temperature if top_k is None or temperature == 0 else 1.0, top_k)


@ex.mistake
def top_k_only_without_temperature(logits, temperature=1.0, top_k=None):
    """with a temperature top_k is not used: both count in one call"""
    return built()(logits, temperature, top_k if temperature == 1 else None)


@ex.mistake(through=by_leaving_out)
def top_k_ignored(logits, top_k):
    """top_k is not used: all but the k largest get probability 0"""
    return all_but(logits, None)


@ex.mistake(through=by_leaving_out)
def smallest_kept(logits, top_k):
    """the k smallest logits are kept: keep the k largest"""
    return all_but(logits, top_k, largest=False)


@ex.mistake(through=by_leaving_out)
def largest_left_out(logits, top_k):
    """the k largest are left out, and the others kept: it is the other way round"""
    return all_but(logits, None) if top_k is None else ~all_but(logits, top_k)


@ex.mistake(through=by_leaving_out)
def one_too_many_kept(logits, top_k):
    """one token too many is kept, k + 1 of them"""
    return all_but(logits, top_k, kept=lambda k, vocab: k + 1)


@ex.mistake(through=by_leaving_out)
def one_too_few_kept(logits, top_k):
    """one token too few is kept: the smallest of the k largest stays too, so compare with <, not <="""
    return all_but(logits, top_k, kept=lambda k, vocab: min(k, vocab) - 1)


@ex.mistake(through=by_leaving_out)
def k_of_all_rows(logits, top_k):
    """the k largest are looked for in all rows together: each row keeps k of its own"""
    if top_k is None:
        return all_but(logits, None)
    return logits < logits.flatten().topk(min(top_k, logits.shape[-1])).values[-1]


@ex.mistake(through=by_leaving_out)
def threshold_of_one_row(logits, top_k):
    """the smallest logit that stays is taken from one row and used for all: each row has its own"""
    return logits < kth(logits, top_k)[0]


ex.another("threshold_of_one_row", through=by_leaving_out)(
    lambda logits, top_k: logits < kth(logits, top_k)[-1]
)


@ex.mistake(through=by_leaving_out)
def threshold_without_its_axis(logits, top_k):
    """the smallest logits that stay, one for each row, line up with the tokens instead of with the rows: keep
    their axis, as in values[:, -1:]"""
    return logits < (kth(logits, top_k) if top_k is None else kth(logits, top_k)[:, 0])


def kth(logits, top_k):
    """The smallest logit of each row that stays: (B, 1)."""
    if top_k is None:
        return torch.full_like(logits[:, :1], -torch.inf)
    return logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]


@ex.mistake(through=by_leaving_out)
def first_k_kept(logits, top_k):
    """the first k tokens of the vocabulary are kept: keep those with the k largest logits"""
    if top_k is None:
        return all_but(logits, None)
    return (torch.arange(logits.shape[-1]) >= top_k).expand(logits.shape)


@ex.mistake(through=by_leaving_out)
def large_k_not_treated(logits, top_k):
    """a top_k that is larger than the vocabulary leaves nothing out: topk raises there, so take
    min(top_k, logits.shape[-1])"""
    return all_but(logits, None) if top_k is None else logits < logits.topk(top_k).values[:, -1:]


@ex.another("large_k_not_treated", through=by_leaving_out)
def sorted_place(logits, top_k):
    return all_but(logits, None) if top_k is None else logits < logits.sort(-1).values[:, [-top_k]]


@ex.mistake(through=by_leaving_out)
def k_times_the_vocabulary(logits, top_k):
    """with a top_k as large as the vocabulary, or larger, only the largest logit is left: nothing is left out
    there"""
    return all_but(logits, top_k, kept=lambda k, vocab: k if k < vocab else 1)


@ex.mistake(through=by_filling)
def zero_for_minus_infinity(scores, out):
    """what is left out gets the logit 0, and exp(0) = 1 is a share like any other: give it -inf"""
    return scores.masked_fill(out, 0)


ex.another("zero_for_minus_infinity", through=by_filling)(lambda scores, out: scores * ~out)


@ex.mistake(through=by_filling, low=[-10.0, -20.0, -50.0, -100.0, -1000.0])
def not_low_enough(scores, out, low):
    """what is left out gets a logit that is not low enough: its probability must be exactly 0, so give it
    -inf"""
    return scores.masked_fill(out, low)


ex.another("not_low_enough", through=by_filling)(
    lambda scores, out: scores.masked_fill(out, scores.amin().item() - 1)
)


@ex.mistake
def not_shared_out_again(logits, temperature=1.0, top_k=None):
    """the k largest keep the shares that they have among all tokens, so the rows do not sum to 1: leave
    tokens out before the softmax, or divide by what is left"""
    return built(finish=lambda p: p)(logits, temperature).masked_fill(
        all_but(logits, top_k if temperature else None), 0
    )


@ex.mistake
def softmax_again(logits, temperature=1.0, top_k=None):
    """a softmax is taken twice: its argument must be logits, not probabilities"""
    return one_hot_first(logits) if temperature == 0 else built()(row_softmax(logits), temperature, top_k)


ex.another("softmax_again", built(finish=row_softmax))


@ex.mistake(through=by_finish)
def log_probabilities(p):
    """these are logarithms of probabilities: take torch.softmax, not log_softmax"""
    return p.log()


@ex.mistake
def softmax_over_the_batch(logits, temperature=1.0, top_k=None):
    """the softmax runs over the batch: each row sums to 1, so take it along the last axis"""
    return built(normalise=lambda scores: torch.softmax(scores, 0))(logits, temperature, top_k)


@ex.mistake
def logits_returned(logits, temperature=1.0, top_k=None):
    """logits are returned: take their softmax, so that the rows sum to 1"""
    return built(normalise=lambda scores: scores)(logits, temperature, top_k)


@ex.mistake
def only_k_columns(logits, temperature=1.0, top_k=None):
    """with top_k only k probabilities of a row come back: the others are 0, and each token keeps its place in
    (B, vocab)"""
    if top_k is None or temperature == 0:
        return built()(logits, temperature, None)
    return row_softmax(logits.topk(min(top_k, logits.shape[-1])).values / temperature)


@ex.mistake
def in_falling_order(logits, temperature=1.0, top_k=None):
    """with top_k the probabilities come back in falling order: each token keeps its place in (B, vocab)"""
    p = built()(logits, temperature, top_k)
    return p if top_k is None else p.sort(-1, descending=True).values


@ex.mistake
def unstable(logits, temperature=1.0, top_k=None):
    """`exp` overflows where the temperature is low, or is 0 in a whole row: use torch.softmax, or subtract
    the largest logit of each row first"""

    def by_hand(scores):
        return scores.exp() / scores.exp().sum(-1, keepdim=True)

    return built(normalise=by_hand)(logits, temperature, top_k)


@ex.mistake
def temperature_0_not_treated(logits, temperature=1.0, top_k=None):
    """temperature 0 divides by 0: give probability 1 to the largest logit there"""
    return built(zero=None)(logits, temperature, top_k)


@ex.mistake(through=by_zero)
def equals_share(logits):
    """at temperature 0 equally large logits share the 1: the first of them gets it all, as argmax gives it"""
    largest = logits == logits.amax(-1, keepdim=True)
    return largest / largest.sum(-1, keepdim=True, dtype=logits.dtype)


for tiny in (1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10):
    ex.another("equals_share", by_zero(lambda logits, tiny=tiny: row_softmax(logits / tiny)))


@ex.mistake(through=by_zero)
def every_equal_gets_1(logits):
    """at temperature 0 each of several equally large logits gets 1: only the first of them does"""
    return (logits == logits.amax(-1, keepdim=True)).to(logits.dtype)


@ex.mistake(through=by_zero)
def last_of_equals(logits):
    """at temperature 0 the last of equally large logits gets the 1: the first of them does"""
    return one_hot_first(logits.flip(-1)).flip(-1)


@ex.mistake(through=by_zero)
def uniform_at_0(logits):
    """at temperature 0 all tokens get the same probability: that is what a very high temperature comes near
    to. The largest logit gets 1"""
    return torch.full_like(logits, 1 / logits.shape[-1])


@ex.mistake(through=by_zero)
def plain_softmax_at_0(logits):
    """at temperature 0 the plain softmax comes back: the largest logit gets 1, all others 0"""
    return row_softmax(logits)


@ex.mistake(through=by_zero)
def token_at_0(logits):
    """at temperature 0 the number of the largest logit comes back: give a row of probabilities, 1 at its
    place and 0 elsewhere"""
    return logits.argmax(-1)


ex.another("token_at_0", through=by_zero)(lambda logits: logits.argmax(-1, keepdim=True))


@ex.mistake(through=by_zero)
def largest_of_all_rows(logits):
    """at temperature 0 the largest logit of all rows gets the 1: each row has one of its own"""
    return (logits == logits.max()).to(logits.dtype)


@ex.another("largest_of_all_rows", through=by_zero)
def one_place_for_all(logits):
    return torch.nn.functional.one_hot(logits.flatten().argmax(), logits.numel()).view(logits.shape).double()


@ex.mistake(through=by_zero)
def one_row_at_0(logits):
    """at temperature 0 the place of the first row's largest logit gets the 1 in all rows: each row has its
    own"""
    return one_hot_first(logits)[:1].expand(logits.shape)
