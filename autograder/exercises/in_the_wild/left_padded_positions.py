"""left_padded_positions: the position of each token in prompts that are padded on the left."""

import torch

from autograder.authoring.draws import call, draw_lengths, each_changed
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"positions": "B T"},
    gradients=False,
    hints="""
    In a row of 5 places with a prompt of length 3, where is the prompt's first token? And what is its position?

    The first max_len - length places are padding, so subtract that many from the number of the place. What comes out for
    a place of padding, and what should it be?

    torch.arange(max_len, device=lengths.device) is (max_len,), (max_len - lengths)[:, None] is (B, 1): subtract.
    .clamp(min=0) turns everything negative into 0.

    (torch.arange(max_len, device=lengths.device) - (max_len - lengths)[:, None]).clamp(min=0)
    """,
)


@ex.reference
def left_padded_positions(lengths, max_len):
    rows = [[0] * (max_len - n) + list(range(n)) for n in lengths.tolist()]
    return torch.tensor(rows, dtype=torch.int64, device=lengths.device).reshape(len(rows), max_len)


@ex.case
def three_prompts(g):
    max_len = int(g.integers(5, 9))
    return call(lengths=draw_lengths(g, 3, max_len - 1), max_len=max_len)


@ex.case
def two_prompts(g):
    max_len = int(g.integers(6, 13))
    lengths = 1 + draw_lengths(g, 2, max_len - 2)
    return each_changed(call(lengths=lengths, max_len=max_len), lengths=lengths.flip(0), max_len=max_len + 1)


@ex.edge
def one_fills_the_row(g):
    max_len = int(g.integers(5, 9))
    return call(lengths=torch.tensor([max_len, *draw_lengths(g, 2, max_len - 1).tolist()]), max_len=max_len)


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
    return call(lengths=draw_lengths(g, 5, 5), max_len=5)


ex.edge(one_token=lambda g: call(lengths=torch.tensor([1]), max_len=1))


# ---- mistakes


def rule(position):
    """An implementation that returns position(t, n, T), with places t (1, T) and lengths n (B, 1)."""

    def implementation(lengths, max_len):
        t, n = torch.arange(max_len, device=lengths.device)[None, :], lengths[:, None]
        return position(t, n, max_len).expand(len(n), -1)

    return implementation


def right(t, n, T):
    return (t - T + n).clamp(min=0)


def padded_with(number):
    """An implementation with the right positions for tokens, and number(t, n, T) for padding."""
    return rule(lambda t, n, T: torch.where(t < T - n, number(t, n, T), right(t, n, T)))


ex.wrong(
    "places_for_positions: positions are counted from the start of the row, as if there were no padding: a prompt's first token has position 0, wherever it is",
    rule(lambda t, n, T: t),
    "places_zero_in_padding: padding has position 0, but the tokens are still counted from the start of the row: a prompt's first token has position 0, so subtract the padding before it",
    rule(lambda t, n, T: t * (t >= T - n)),
    "right_padding: this assumes padding on the right: here a prompt fills the *last* places of its row",
    rule(lambda t, n, T: torch.where(t < n, t, 0)),
    "padding_negative: padding has negative positions: an embedding cannot look them up. Use 0 there, .clamp(min=0)",
    rule(lambda t, n, T: t - T + n),
    "padding_minus_one: padding has position -1: an embedding cannot look it up. Use 0",
    padded_with(lambda t, n, T: -1),
    "padding_one: padding has position 1, as in `generate` of transformers 4: here, as in version 5, it has position 0",
    padded_with(lambda t, n, T: 1),
    "from_one: the first token has position 1: positions start at 0 (a cumsum over the mask counts from 1, so subtract 1)",
    rule(lambda t, n, T: (t - T + n + 1).clamp(min=0)),
    "first_length_for_all: every row uses the first prompt's length: lengths[:, None] gives each row its own",
    rule(lambda t, n, T: right(t, n[:1], T)),
    "transposed: the lengths run along the last axis, where the places belong: there is one row for each prompt, so make the lengths a column, lengths[:, None]",
    lambda lengths, max_len: rule(right)(lengths, max_len).T,
    lambda lengths, max_len: (torch.arange(max_len) - max_len + lengths).clamp(min=0),
)
