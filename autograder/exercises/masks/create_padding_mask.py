"""create_padding_mask: True at the padding positions of each sequence."""

import torch

from autograder.authoring.draws import call, draw_lengths, each_changed
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "B T"},
    gradients=False,
    hints="""
    When is position t of a sequence of length n padding? Is it padding when t == n?

    Positions are 0, 1, ..., max_len-1; a sequence of length 2 fills the positions 0 and 1. So the first
    padded position is t == length.

    torch.arange(max_len, device=lengths.device)[None, :] is (1, max_len), lengths[:, None] is (B, 1): compare
    them.

        torch.arange(max_len, device=lengths.device)[None, :] >= lengths[:, None]  # (B, max_len)
    """,
)


@ex.reference
def create_padding_mask(lengths, max_len):
    rows = [[t >= n for t in range(max_len)] for n in lengths.tolist()]
    return torch.tensor(rows, dtype=torch.bool, device=lengths.device).reshape(len(rows), max_len)


@ex.case
def three_lengths(g):
    return call(lengths=torch.tensor([3, 1, 4]), max_len=5)


@ex.case
def two_lengths(g):
    max_len = int(g.integers(7, 16))
    lengths = draw_lengths(g, 2, max_len - 1)
    return each_changed(call(lengths=lengths, max_len=max_len), lengths=lengths.flip(0), max_len=max_len + 1)


@ex.edge
def empty_and_full(g):
    max_len = int(g.integers(6, 12))
    between = draw_lengths(g, 2, max_len - 1).tolist()
    return call(lengths=torch.tensor([0, max_len, *between]), max_len=max_len)


@ex.edge
def all_shorter(g):
    max_len = int(g.integers(7, 12))
    return call(lengths=draw_lengths(g, 3, max_len - 2), max_len=max_len)


@ex.edge
def one_sequence(g):
    max_len = int(g.integers(3, 12))
    return call(lengths=torch.from_numpy(g.integers(1, max_len, 1)), max_len=max_len)


@ex.edge
def as_many_sequences_as_positions(g):
    return call(lengths=draw_lengths(g, 5, 5), max_len=5)


def by_rule(padded):
    """An implementation that returns padded(t, n), with positions t (1, T) and lengths n (B, 1)."""

    def implementation(lengths, max_len):
        t, n = torch.arange(max_len, device=lengths.device)[None, :], lengths[:, None]
        return padded(t, n)  # (B, T)

    return implementation


right = by_rule(lambda t, n: t >= n)
ex.wrong(
    "off_by_one_late: the padding starts one position too late: position `length` itself is already padding, so compare with >=",
    by_rule(lambda t, n: t > n),
    "off_by_one_early: the padding starts one position too early: the last real token is masked too",
    by_rule(lambda t, n: t >= n - 1),
    "only_the_length: only the position `length` itself is marked: everything from there on is padding, so use >=, not ==",
    by_rule(lambda t, n: t == n),
    "full_row_masked: a sequence that fills the whole width is masked everywhere (a slice from -0 starts at 0): start at `length` instead",
    by_rule(lambda t, n: (t >= n) | (n == t.shape[1])),
    "inverted: True and False are swapped: True means padding (masked), False a real token",
    by_rule(lambda t, n: t < n),
    "inverted_off_by_one: True and False are swapped, and the boundary is off by one: real tokens are the positions < length, and True marks the others",
    by_rule(lambda t, n: t <= n),
    "left_padding: the padding is put on the left: the real tokens come first, then the padding",
    lambda lengths, max_len: right(lengths, max_len).flip(-1),
    "padding_on_the_left_inverted: the last `length` positions are True: the padding, which must be True, starts at position `length`",
    lambda lengths, max_len: ~right(lengths, max_len).flip(-1),
    "longest_for_max_len: the mask is only as wide as the longest sequence: its width must be max_len",
    lambda lengths, max_len: right(lengths, int(lengths.max())),
    "first_length_for_all: every row uses the first sequence's length: compare with lengths[:, None]",
    lambda lengths, max_len: right(lengths[:1].expand_as(lengths), max_len),
    "max_length_for_all: every row uses the longest length: compare with lengths[:, None]",
    lambda lengths, max_len: right(lengths.max().expand_as(lengths), max_len),
    "transposed: sequences and positions are on the wrong axes: the mask has a row for each sequence and a column for each position, so lengths need an axis of their own, lengths[:, None]",
    lambda lengths, max_len: right(lengths, max_len).T,
    lambda lengths, max_len: torch.arange(max_len) >= lengths,
)
