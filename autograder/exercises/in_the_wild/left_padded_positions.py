"""left_padded_positions: the position of each token, where the padding stands on the left."""

import torch

from autograder.authoring.draws import call, drawn_lengths
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"positions": "B T"},
    gradients=False,
    hints=[
        "In a row of 5 places with a prompt of length 3, in which place does the prompt's first token "
        "stand? And which position does it have?",
        "The first max_len - length places are padding, so that many are to be subtracted from the number of "
        "the place. What comes out for a place of padding, and what is wanted there?",
        "torch.arange(max_len, device=lengths.device) is (max_len,), (max_len - lengths)[:, None] is (B, 1): "
        "subtract. .clamp(min=0) makes 0 of all that is negative.",
        "(torch.arange(max_len, device=lengths.device) - (max_len - lengths)[:, None]).clamp(min=0)",
    ],
)


@ex.reference
def left_padded_positions(lengths, max_len):
    rows = [[0] * (max_len - n) + list(range(n)) for n in lengths.tolist()]
    return torch.tensor(rows, dtype=torch.int64, device=lengths.device).reshape(len(rows), max_len)


@ex.case
def three_prompts(g):
    max_len = int(g.integers(5, 9))
    return call(lengths=drawn_lengths(g, 3, max_len - 1), max_len=max_len)


@ex.case
def two_prompts(g):
    max_len = int(g.integers(6, 13))
    return call(lengths=1 + drawn_lengths(g, 2, max_len - 2), max_len=max_len)


@ex.edge
def one_fills_the_row(g):
    max_len = int(g.integers(5, 9))
    return call(lengths=torch.tensor([max_len, *drawn_lengths(g, 2, max_len - 1).tolist()]), max_len=max_len)


@ex.edge
def one_is_a_single_token(g):
    max_len = int(g.integers(5, 9))
    return call(lengths=torch.tensor([1, int(g.integers(2, max_len))]), max_len=max_len)


@ex.edge
def one_prompt(g):
    max_len = int(g.integers(4, 12))
    return call(lengths=torch.from_numpy(g.integers(2, max_len, 1)), max_len=max_len)


@ex.edge
def as_many_prompts_as_places(g):
    return call(lengths=drawn_lengths(g, 5, 5), max_len=5)


ex.edge(one_token=lambda g: call(lengths=torch.tensor([1]), max_len=1))


def by_rule(position):
    """An implementation from a rule on places t (1, T) and lengths n (B, 1), for rows of T places."""

    def implementation(lengths, max_len):
        t, n = torch.arange(max_len, device=lengths.device)[None, :], lengths[:, None]
        return position(t, n, max_len)

    return implementation


def right(t, n, T):
    return (t - T + n).clamp(min=0)


def padded_with(number):
    """The right positions, but this number in the places of padding."""
    return by_rule(lambda t, n, T: torch.where(t < T - n, number, right(t, n, T)))


def from_one(t, n, T):
    return (t - T + n + 1).clamp(min=0)


def right_for(change):
    """The right positions, for lengths that are changed first."""
    return lambda lengths, max_len: left_padded_positions(change(lengths), max_len)


def changed(change):
    """The right positions, changed by change(positions)."""
    return lambda lengths, max_len: change(left_padded_positions(lengths, max_len))


def first_of_all(lengths):
    return lengths[:1].expand_as(lengths)


def longest(lengths):
    return lengths.max().expand_as(lengths)


def shortest(lengths):
    return lengths.min().expand_as(lengths)


def as_wide_as_the_longest(lengths, max_len):
    return left_padded_positions(lengths, int(lengths.max()))


def column_too_many(lengths, max_len):
    return left_padded_positions(lengths, max_len + 1)


def prompts_only(lengths, max_len):
    return torch.cat([torch.arange(n) for n in lengths.tolist()])


def last_places_kept(lengths, max_len):
    """The last n places keep their own numbers, the others become 0."""
    t = torch.arange(max_len)[None, :]
    return t * (t >= max_len - lengths[:, None])


ex.switches(
    by_rule,
    {
        "places_for_positions": (
            "each place has its own number as its position, as if there were no padding: the first token of "
            "a prompt has position 0 wherever it stands",
            {"position": lambda t, n, T: t.expand(len(n), -1)},
        ),
        "places_zero_in_padding": (
            "the padding has position 0, but the prompt's tokens have the numbers of their places: its first "
            "token has position 0 wherever it stands, so subtract the padding before it",
            last_places_kept,
        ),
        "right_padding": (
            "the padding is taken to be on the right: here a prompt fills the *last* places of its row",
            {"position": lambda t, n, T: torch.where(t < n, t, 0)},
        ),
        "places_up_to_the_length": (
            "the positions begin with the row and stop growing at the length: here a prompt fills the *last* "
            "places of its row",
            {"position": lambda t, n, T: torch.minimum(t, n - 1)},
            {"position": lambda t, n, T: torch.minimum(t, n)},
        ),
        "padding_negative": (
            "padding has negative positions: an embedding cannot look them up, and 0 is wanted, "
            ".clamp(min=0)",
            {"position": lambda t, n, T: t - T + n},
        ),
        "padding_minus_one": (
            "padding has position -1: an embedding cannot look it up, and 0 is wanted",
            padded_with(-1),
        ),
        "padding_one": (
            "padding has position 1: here it has position 0",
            padded_with(1),
        ),
        "padding_counts_on": (
            "padding has positions of its own: it has position 0 everywhere",
            {"position": lambda t, n, T: torch.where(t < T - n, t, right(t, n, T))},
            {"position": lambda t, n, T: (t - T + n) % T},
            {"position": lambda t, n, T: torch.remainder(t - T + n, n)},
            {"position": lambda t, n, T: (t - T + n).abs()},
        ),
        "padding_gets_the_length": (
            "padding has the position after the prompt's last token, or that of its last one: it has "
            "position 0",
            {"position": lambda t, n, T: torch.where(t < T - n, n, right(t, n, T))},
            {"position": lambda t, n, T: torch.where(t < T - n, n - 1, right(t, n, T))},
        ),
        "padding_gets_the_last_place": (
            "padding has the largest position, or one beyond all places: it has position 0",
            padded_with(10_000),
            {"position": lambda t, n, T: torch.where(t < T - n, T - 1, right(t, n, T))},
            {"position": lambda t, n, T: torch.where(t < T - n, T, right(t, n, T))},
        ),
        "from_one": (
            "the first token has position 1: positions are counted from 0 (a cumsum over the mask counts "
            "from 1, so subtract 1)",
            {"position": from_one},
        ),
        "first_two_zero": (
            "the first two tokens have position 0: one too much is subtracted",
            {"position": lambda t, n, T: (t - T + n - 1).clamp(min=0)},
        ),
        "length_for_padding": (
            "the length is subtracted, as if it were the number of places of padding: there are max_len - "
            "length of them",
            {"position": lambda t, n, T: (t - n).clamp(min=0)},
        ),
        "counted_backwards": (
            "the positions are counted from the right: the prompt's first token has position 0, and its last "
            "one length - 1 (a flip of the row does this too)",
            {"position": lambda t, n, T: torch.where(t < T - n, 0, T - 1 - t)},
            {"position": lambda t, n, T: T - 1 - t + 0 * n},
        ),
        "length_forgotten_in_the_sum": (
            "max_len - 1 is subtracted in each row: the number of places of padding depends on the row's "
            "length",
            {"position": lambda t, n, T: (t - T + 1).clamp(min=0) + 0 * n},
            {"position": lambda t, n, T: (t - T + 1) + 0 * n},
        ),
        "mask_returned": (
            "this is the mask of padding, not the positions: count the tokens of each prompt",
            {"position": lambda t, n, T: t < T - n},
            {"position": lambda t, n, T: t >= T - n},
        ),
        "ones_for_tokens": (
            "each token has 1 and each place of padding 0: that is the mask in numbers. The positions are "
            "its running sum, less 1",
            {"position": lambda t, n, T: (t >= T - n).long()},
        ),
        "whole_row_summed": (
            "every place has the number of tokens of its row: cumsum gives the running sum",
            {"position": lambda t, n, T: n + 0 * t},
        ),
        "clamped_at_one": (
            "the smallest position is 1: the padding, and the prompt's first token, have position 0",
            {"position": lambda t, n, T: (t - T + n).clamp(min=1)},
        ),
    },
)
ex.switches(
    changed,
    {
        "first_length_for_all": (
            "every row uses the first prompt's length: lengths[:, None] gives each row its own",
            right_for(first_of_all),
            lambda lengths, max_len: left_padded_positions(lengths[:1], max_len),
            lambda lengths, max_len: left_padded_positions(lengths[:1], max_len)[0],
        ),
        "longest_for_all": (
            "every row uses the longest prompt's length: lengths[:, None] gives each row its own",
            right_for(longest),
        ),
        "shortest_for_all": (
            "every row uses the shortest prompt's length: lengths[:, None] gives each row its own",
            right_for(shortest),
        ),
        "as_wide_as_the_longest": (
            "the rows are as wide as the longest prompt: they have max_len places",
            as_wide_as_the_longest,
        ),
        "one_column_too_many": (
            "there is one place too many: places go from 0 to max_len - 1, torch.arange(max_len)",
            column_too_many,
            lambda lengths, max_len: by_rule(right)(lengths - 1, max_len + 1),
        ),
        "prompts_only": (
            "the padding is left out: the result has max_len places in each row, (B, max_len)",
            prompts_only,
        ),
        "last_row_only": (
            "there is one row only: each prompt has its own, (B, max_len)",
            changed(lambda positions: positions[-1]),
            changed(lambda positions: positions[-1:]),
        ),
        "transposed": (
            "prompts and places are on each other's axes: one row for each prompt, so lengths need an axis "
            "of their own, lengths[:, None]",
            changed(lambda positions: positions.T),
            lambda lengths, max_len: (torch.arange(max_len) - max_len + lengths).clamp(min=0),
        ),
        "axes_added": (
            "there is an axis too many: the positions are (B, max_len)",
            changed(lambda positions: positions[:, None]),
            changed(lambda positions: positions[:, None, None]),
            changed(lambda positions: positions[..., None]),
        ),
    },
)
