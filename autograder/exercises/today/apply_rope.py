"""apply_rope: rotate pairs of features by angles that grow with the position."""

import math

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"rotated": "B H T d_head"},
    points=3,
    hints="""
    With d_head = 4 there are two pairs. Which two features belong to pair 0, and by what angle does it rotate at
    position 3?

    A pair (a, b) rotated by an angle becomes (a * cos - b * sin, b * cos + a * sin). Feature j of the first half is
    a, feature j of the second half is b.

    positions[..., None] * speeds gives the angles, (T, d_head / 2) or (B, T, d_head / 2). The second form needs an
    axis for the heads: [:, None].

    torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)  # (B, H, T, d_head)
    """,
)


@ex.reference
def apply_rope(x, positions, base=10000.0):
    """Treats each pair as a complex number, and multiplies it by a number on the unit circle."""
    B, H, T, d_head = x.shape
    speeds = [base ** (-2 * j / d_head) for j in range(d_head // 2)]
    speeds = torch.tensor(speeds, dtype=torch.float64, device=x.device)
    angles = positions.double().expand(B, T)[:, None, :, None] * speeds  # (B, 1, T, d_head / 2)
    first, second = x.double().split(d_head // 2, -1)
    rotated = torch.complex(first, second) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([rotated.real, rotated.imag], -1).to(x.dtype)


def rope_case(g, B, H, T, d_head, positions, **settings):
    """A case with a tolerance that lets float32 angles pass, which are exact to about 4e-6.

    B, H, T, d_head and d_head / 2 should differ pairwise (except 1), so that no wrong shape fits by accident.
    """
    case = call(x=normal(g, B, H, T, d_head), positions=positions, **settings)
    return case.but(tolerance=3e-5)


def drawn_positions(g, *shape, below=50, start=2):
    """Different positions in random order, from `start` on."""
    count = math.prod(shape)
    return torch.from_numpy(start + g.permutation(below)[:count].reshape(shape))


def padded_positions(g, B, T):
    """Positions of left-padded prompts; padding has position 0."""
    lengths = 2 + torch.from_numpy(g.permutation(T - 1)[:B])
    return (torch.arange(T) - T + lengths[:, None]).clamp(min=0)  # (B, T)


@ex.case
def in_order(g):
    """Positions that start above 0, as after a cache."""
    first = int(g.integers(2, 30))
    return rope_case(g, 2, 3, 5, 8, torch.arange(first, first + 5))


ex.case(
    each_example_its_own=lambda g: rope_case(g, 3, 2, 4, 10, drawn_positions(g, 3, 4)),
    other_base=lambda g: rope_case(g, 1, 2, 3, 8, drawn_positions(g, 3), base=float(g.integers(4, 13))),
)
ex.edge(
    left_padding=lambda g: rope_case(g, 3, 1, 5, 4, padded_positions(g, 3, 5)),
    one_pair=lambda g: rope_case(g, 1, 3, 4, 2, drawn_positions(g, 4)),
    one_token=lambda g: rope_case(g, 2, 1, 1, 6, drawn_positions(g, 2, 1)),
    one_example=lambda g: rope_case(g, 1, 2, 5, 6, drawn_positions(g, 1, 5)),
    not_contiguous=lambda g: rope_case(g, 2, 4, 5, 6, drawn_positions(g, 2, 5)).but(strided=True),
)


@ex.edge
def same_sizes_again(g):
    """Three calls with the same sizes: a table of angles stored by size has the wrong positions or base."""
    case = rope_case(g, 2, 3, 4, 6, drawn_positions(g, 4)).but(narrow=False, gradients=False)
    case = case.call(x=normal(g, 2, 3, 4, 6), positions=drawn_positions(g, 4, start=12))
    return case.call(x=normal(g, 2, 3, 4, 6), positions=drawn_positions(g, 4), base=float(g.integers(20, 90)))


@ex.edge
def far_away(g):
    """Float32 angles are exact to about 2e-4 here; bfloat16 can represent at most every eighth position."""
    positions = drawn_positions(g, 4, below=1000, start=2000)
    return rope_case(g, 1, 2, 4, 6, positions).but(dtype="float32", tolerance=1e-3, gradients=False)


@ex.edge
def bfloat16(g):
    """bfloat16 can represent only every fourth of these positions, and none of those drawn."""
    positions = 4 * drawn_positions(g, 5, below=100, start=128) + torch.from_numpy(g.integers(1, 4, 5))
    case = rope_case(g, 3, 1, 5, 4, positions)
    return case.but(dtype="bfloat16", tolerance=None, narrow=False, gradients=False)


# ---- mistakes: an implementation whose steps can be replaced


def halves(x):
    return x.chunk(2, -1)


def joined(first, second):
    return torch.cat([first, second], -1)


def neighbours(x):
    return x[..., 0::2], x[..., 1::2]


def woven(first, second):
    return torch.stack([first, second], -1).flatten(-2)


def exponents(d):
    return 2 * torch.arange(d // 2) / d


def all_heads(angles):
    """Add an axis for the heads: (B, T, n) -> (B, 1, T, n); (T, n) stays."""
    return angles[:, None] if angles.dim() == 3 else angles


def rotated(a, b, cos, sin):
    return a * cos - b * sin, b * cos + a * sin


def rope(
    split=halves,
    join=joined,
    exponent=exponents,
    speed=lambda base, exponent: base**-exponent,
    count=lambda positions, x: positions,
    placed=all_heads,
    turn=rotated,
):
    def implementation(x, positions, base=10000.0):
        speeds = speed(base, exponent(x.shape[-1]).double())  # (d_head / 2,)
        angles = placed(count(positions, x)[..., None] * speeds)
        a, b = split(x.double())
        return join(*turn(a, b, angles.cos(), angles.sin())).to(x.dtype)

    return implementation


def angles_in_the_dtype_of_x(x, positions, base=10000.0):
    speeds = (base ** -exponents(x.shape[-1])).to(x.dtype)
    angles = all_heads(positions.to(x.dtype)[..., None] * speeds)
    a, b = halves(x)
    return joined(*rotated(a, b, angles.cos(), angles.sin()))


def with_full_angles(spread, split, join):
    """An implementation x * cos + turned(x) * sin; spread(angles) gives an angle to each feature."""

    def implementation(x, positions, base=10000.0):
        speeds = base ** -exponents(x.shape[-1]).double()
        angles = spread(all_heads(positions[..., None] * speeds))  # (..., T, d_head)
        first, second = split(x.double())
        return (x * angles.cos() + join(-second, first) * angles.sin()).to(x.dtype)

    return implementation


ex.wrong(
    "interleaved: this is the interleaved convention, which pairs neighbours (2j, 2j + 1): here feature j of the first half and feature j of the second are a pair (half-split)",
    rope(neighbours, woven),
    "angles_of_neighbours: the angles are laid out for neighbouring pairs (each twice in a row), and the features are paired as halves: repeat the whole row of angles, torch.cat([angles, angles], -1)",
    with_full_angles(lambda angles: angles.repeat_interleave(2, -1), halves, joined),
    "halves_of_angles: the features are paired as neighbours, and the angles are laid out for halves: here the halves are pairs, with the same angles for both",
    with_full_angles(lambda angles: torch.cat([angles, angles], -1), neighbours, woven),
    "positions_from_one: each position is one too large: use the positions as they are",
    rope(count=lambda positions, x: positions + 1),
    "wrong_way_round: the pairs rotate in the wrong direction: the first half is first * cos - second * sin, the second half is second * cos + first * sin",
    rope(turn=lambda a, b, cos, sin: (a * cos + b * sin, b * cos - a * sin)),
    "cos_and_sin_swapped: cos and sin are swapped: at position 0 the angle is 0 and cos is 1, so x must come back unchanged",
    rope(turn=lambda a, b, cos, sin: rotated(a, b, sin, cos)),
    "no_minus: a minus is missing: the first half is first * cos - second * sin",
    rope(turn=lambda a, b, cos, sin: (a * cos + b * sin, b * cos + a * sin)),
    "added: sines and cosines are added to x, as in the original Transformer: RoPE adds nothing, it rotates pairs of features",
    rope(turn=lambda a, b, cos, sin: (a + sin, b + cos)),
    "exponent_without_2: the exponent is -j / d_head, half of what it should be: it is -2 * j / d_head, where j counts the pairs",
    rope(exponent=lambda d: torch.arange(d // 2) / d),
    "base_ignored: `base` is ignored: it isn't always 10000",
    rope(speed=lambda base, exponent: 10000.0**-exponent),
    "angles_in_the_dtype_of_x: the angles are computed in the dtype of x: bfloat16 has no odd number above 256, so positions get rounded. Compute the angles in float32, and convert only cos and sin to the dtype of x",
    angles_in_the_dtype_of_x,
    "positions_ignored: `positions` is ignored: the tokens are numbered 0, 1, 2, ... instead",
    rope(count=lambda positions, x: torch.arange(x.shape[2])),
    "positions_from_zero: the first position is subtracted from all of them: use the positions as they are",
    rope(count=lambda positions, x: positions - positions[..., :1]),
    "first_row_for_all: the first example's positions are used for all: positions (B, T) has a row for each example",
    rope(count=lambda positions, x: positions.reshape(-1, positions.shape[-1])[0]),
    "no_axis_for_heads: positions (B, T) give angles (B, T, d_head / 2), so B lines up with the head axis of x: add an axis of size 1 there, angles[:, None]",
    rope(placed=lambda angles: angles),
)
