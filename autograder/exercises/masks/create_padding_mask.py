"""create_padding_mask: True from each length on."""

import torch

from autograder.authoring.draws import call, drawn_lengths
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "B T"},
    gradients=False,
    hints=[
        "When is position t of a sequence of length n padding? Is it padding when t == n?",
        "Positions are 0, 1, ..., max_len-1; a sequence of length 2 fills the positions 0 and 1. So the "
        "first padded position is t == length.",
        "torch.arange(max_len, device=lengths.device)[None, :] is (1, max_len), lengths[:, None] is (B, 1): "
        "compare them.",
        "torch.arange(max_len, device=lengths.device)[None, :] >= lengths[:, None]  # (B, max_len)",
    ],
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
    return call(lengths=drawn_lengths(g, 2, max_len - 1), max_len=max_len)


@ex.edge
def empty_and_full(g):
    max_len = int(g.integers(6, 12))
    between = drawn_lengths(g, 2, max_len - 1).tolist()
    return call(lengths=torch.tensor([0, max_len, *between]), max_len=max_len)


@ex.edge
def all_shorter(g):
    max_len = int(g.integers(7, 12))
    return call(lengths=drawn_lengths(g, 3, max_len - 2), max_len=max_len)


@ex.edge
def one_sequence(g):
    max_len = int(g.integers(3, 12))
    return call(lengths=torch.from_numpy(g.integers(1, max_len, 1)), max_len=max_len)


@ex.edge
def as_many_sequences_as_positions(g):
    return call(lengths=drawn_lengths(g, 5, 5), max_len=5)


def by_rule(padded):
    """An implementation from a rule on positions t (1, T) and lengths n (B, 1)."""

    def implementation(lengths, max_len):
        t, n = torch.arange(max_len, device=lengths.device)[None, :], lengths[:, None]
        return padded(t, n)  # (B, T)

    return implementation


@by_rule
def right(t, n):
    return t >= n


@ex.mistake(through=by_rule)
def off_by_one_late(t, n):
    """the padding starts one too late: position `length` itself is padding already, so compare with >="""
    return t > n


@ex.mistake(through=by_rule)
def off_by_one_early(t, n):
    """the padding starts one too early: the last real token is masked too"""
    return t >= n - 1


@ex.mistake(through=by_rule)
def only_the_length(t, n):
    """only the position `length` itself is marked: everything from there on is padding, >= and not =="""
    return t == n


@ex.mistake(through=by_rule)
def full_row_masked(t, n):
    """a sequence that fills the whole width is masked everywhere, because a slice from -0 begins at 0: begin
    at `length` instead"""
    return (t >= n) | (n == t.shape[1])


@ex.mistake(through=by_rule)
def inverted(t, n):
    """True and False are swapped: True means padding (masked), False a real token"""
    return t < n


@ex.mistake(through=by_rule)
def inverted_off_by_one(t, n):
    """True and False are swapped, and the boundary is one off: real tokens are the positions < length, and
    True marks the others"""
    return t <= n


@ex.mistake
def left_padding(lengths, max_len):
    """the padding is put on the left: the real tokens come first, padding follows them"""
    return right(lengths, max_len).flip(-1)


@ex.mistake
def padding_on_the_left_inverted(lengths, max_len):
    """the last `length` positions are marked: it is the ones from `length` on that are padding, and True"""
    return ~right(lengths, max_len).flip(-1)


@ex.mistake
def one_column_too_many(lengths, max_len):
    """there is one column too many: positions go from 0 to max_len - 1, torch.arange(max_len)"""
    return right(lengths, max_len + 1)


@ex.mistake
def longest_for_max_len(lengths, max_len):
    """the mask is as wide as the longest sequence: its width is max_len"""
    return right(lengths, int(lengths.max()))


@ex.mistake
def first_length_for_all(lengths, max_len):
    """every row uses the first sequence's length: compare with lengths[:, None]"""
    return right(lengths[:1].expand_as(lengths), max_len)


ex.another("first_length_for_all", lambda lengths, max_len: right(lengths[:1], max_len)[0])


@ex.mistake
def max_length_for_all(lengths, max_len):
    """every row uses the longest length: compare with lengths[:, None]"""
    return right(lengths.max().expand_as(lengths), max_len)


ex.another("max_length_for_all", lambda lengths, max_len: right(lengths.max()[None], max_len)[0])


@ex.mistake
def head_axes_added(lengths, max_len):
    """there are axes for heads and queries already: this mask is (B, max_len); the attention mask adds them
    later"""
    return right(lengths, max_len)[:, None, None, :]


ex.another("head_axes_added", lambda lengths, max_len: right(lengths, max_len)[:, None, :])


@ex.mistake(dtype=[torch.float32, torch.int64, torch.int32])
def numbers_for_booleans(lengths, max_len, dtype):
    """the mask holds numbers, not booleans: a comparison gives a torch.bool tensor by itself"""
    return right(lengths, max_len).to(dtype)


@ex.mistake
def transposed(lengths, max_len):
    """sequences and positions are on each other's axes: one row for each sequence, one column for each
    position, so lengths need an axis of their own, lengths[:, None]"""
    return right(lengths, max_len).T


ex.another("transposed", lambda lengths, max_len: torch.arange(max_len) >= lengths)
ex.another("transposed", lambda lengths, max_len: torch.arange(max_len)[:, None] >= lengths)
