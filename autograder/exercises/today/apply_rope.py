"""apply_rope: pairs of features turned by angles that grow with the position."""

import math

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"rotated": "B H T d_head"},
    points=3,
    hints=[
        "With d_head = 4 there are two pairs. Which two features belong to pair 0, and by which angle does "
        "it turn at position 3?",
        "A pair (a, b) turned by an angle becomes (a * cos - b * sin, b * cos + a * sin). Feature j of the "
        "first half is a, feature j of the second half is b.",
        "positions[..., None] * speeds gives the angles, (T, d_head / 2) or (B, T, d_head / 2). The second "
        "form needs an axis for the heads: [:, None].",
        "torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)  # (B, H, T, d_head)",
    ],
)


@ex.reference
def apply_rope(x, positions, base=10000.0):
    """Each pair as one complex number, which is multiplied by a number on the unit circle."""
    B, H, T, d_head = x.shape
    speeds = [base ** (-2 * j / d_head) for j in range(d_head // 2)]
    speeds = torch.tensor(speeds, dtype=torch.float64, device=x.device)
    angles = positions.double().expand(B, T)[:, None, :, None] * speeds  # (B, 1, T, d_head / 2)
    first, second = x.double().split(d_head // 2, -1)
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([turned.real, turned.imag], -1).to(x.dtype)


def rope_case(g, B, H, T, d_head, positions, **settings):
    """A case that an answer with float32 angles passes, too: these are exact to about 4e-6.

    B, H, T, d_head and d_head / 2 are pairwise different, but for sizes of 1: nothing fits by accident.
    """
    case = call(x=normal(g, B, H, T, d_head), positions=positions, **settings)
    return case.but(tolerance=3e-5)


def drawn_positions(g, *shape, below=50, start=2):
    """Different positions in any order, counted neither from 0 nor from 1."""
    count = math.prod(shape)
    return torch.from_numpy(start + g.permutation(below)[:count].reshape(shape))


def padded_positions(g, B, T):
    """Positions of prompts that end at the same place: what stands before a prompt has position 0."""
    lengths = 2 + torch.from_numpy(g.permutation(T - 1)[:B])
    return (torch.arange(T) - T + lengths[:, None]).clamp(min=0)  # (B, T)


@ex.case
def in_order(g):
    """Positions that do not start at 0, as behind a cache."""
    first = int(g.integers(2, 30))
    return rope_case(g, 2, 3, 5, 8, torch.arange(first, first + 5))


ex.case(
    each_example_its_own=lambda g: rope_case(g, 3, 2, 4, 10, drawn_positions(g, 3, 4)),
    other_base=lambda g: rope_case(g, 1, 2, 3, 8, drawn_positions(g, 3), base=float(g.integers(4, 13))),
)


@ex.edge
def left_padding(g):
    return rope_case(g, 3, 1, 5, 4, padded_positions(g, 3, 5))


@ex.edge
def one_pair(g):
    return rope_case(g, 1, 3, 4, 2, drawn_positions(g, 4))


@ex.edge
def one_token(g):
    return rope_case(g, 2, 1, 1, 6, drawn_positions(g, 2, 1))


@ex.edge
def one_example(g):
    return rope_case(g, 1, 2, 5, 6, drawn_positions(g, 1, 5))


@ex.edge
def not_contiguous(g):
    return rope_case(g, 2, 4, 5, 6, drawn_positions(g, 2, 5)).but(strided=True)


@ex.edge
def far_away(g):
    """Float32 angles are exact to about 2e-4 here; bfloat16 has every eighth of the positions at best."""
    positions = drawn_positions(g, 4, below=1000, start=2000)
    return rope_case(g, 1, 2, 4, 6, positions).but(dtype="float32", tolerance=1e-3, gradients=False)


@ex.edge
def bfloat16(g):
    """bfloat16 has only every fourth of these positions, and none of those that are drawn."""
    positions = 4 * drawn_positions(g, 5, below=100, start=128) + torch.from_numpy(g.integers(1, 4, 5))
    case = rope_case(g, 3, 1, 5, 4, positions)
    return case.but(dtype="bfloat16", tolerance=None, narrow=False, gradients=False)


# ---- an implementation with parts that can be exchanged


def halves(x):
    return x.chunk(2, -1)


def joined_halves(first, second):
    return torch.cat([first, second], -1)


def neighbours(x):
    return x[..., 0::2], x[..., 1::2]


def woven(first, second):
    return torch.stack([first, second], -1).flatten(-2)


def exponents(d):
    return 2 * torch.arange(d // 2) / d


def all_heads(angles):
    """(T, n) as it is, (B, T, n) -> (B, 1, T, n)."""
    return angles[:, None] if angles.dim() == 3 else angles


def turned(first, second, cos, sin):
    return first * cos - second * sin, second * cos + first * sin


def rope(
    split=halves,
    join=joined_halves,
    exponent=exponents,
    speed=lambda base, exponent: base**-exponent,
    count=lambda positions, x: positions,
    placed=all_heads,
    angle=lambda angles: angles,
    turn=turned,
):
    """An implementation from its parts; each of them does one step."""

    def implementation(x, positions, base=10000.0):
        speeds = speed(base, exponent(x.shape[-1]).double())  # (d_head / 2,)
        angles = angle(placed(count(positions, x)[..., None] * speeds))
        first, second = split(x.double())
        rotated = join(*turn(first, second, angles.cos(), angles.sin()))
        return rotated.to(x.dtype)

    return implementation


def by_angle(angle):
    return rope(angle=angle)


def by_count(count):
    return rope(count=count)


def by_exponent(exponent):
    return rope(exponent=exponent)


def by_turn(turn):
    return rope(turn=turn)


def by_speed(speed):
    return rope(speed=speed)


def by_place(placed):
    return rope(placed=placed)


right = rope()


# ---- which features belong together


@ex.mistake
def interleaved(x, positions, base=10000.0):
    """this is the interleaved convention, in which neighbours (2j, 2j + 1) are a pair: here the half-split
    one is wanted, in which feature j of the first half and feature j of the second are a pair"""
    return rope(neighbours, woven)(x, positions, base)


@ex.mistake
def interleaved_in_halves_out(x, positions, base=10000.0):
    """neighbours (2j, 2j + 1) are read as pairs, and written as two halves: read the first half and the
    second, x[..., :d_head // 2] and x[..., d_head // 2 :]"""
    return rope(split=neighbours)(x, positions, base)


@ex.mistake
def halves_in_interleaved_out(x, positions, base=10000.0):
    """pairs are read from the two halves, and written side by side (stack and flatten): put the two halves
    one behind the other with torch.cat"""
    return rope(join=woven)(x, positions, base)


def rotate_half(x):
    first, second = halves(x)
    return torch.cat([-second, first], -1)


def rotate_neighbours(x):
    first, second = neighbours(x)
    return woven(-second, first)


def with_table(spread, other, exponent=exponents, speed=lambda base, exponent: base**-exponent):
    """An implementation with cos and sin for every feature: x * cos + other(x) * sin."""

    def implementation(x, positions, base=10000.0):
        speeds = speed(base, exponent(x.shape[-1]).double())
        angles = all_heads(spread(positions[..., None] * speeds))  # (..., T, d_head)
        return (x.double() * angles.cos() + other(x.double()) * angles.sin()).to(x.dtype)

    return implementation


@ex.mistake
def angles_side_by_side(x, positions, base=10000.0):
    """the angles are those of the interleaved convention, each twice side by side: feature j and feature
    j + d_head / 2 are a pair, so repeat the whole row of angles, torch.cat([angles, angles], -1)"""
    return with_table(lambda a: a.repeat_interleave(2, -1), rotate_half)(x, positions, base)


@ex.mistake
def neighbours_with_angles_of_halves(x, positions, base=10000.0):
    """the angles are laid out for two halves, but neighbours (2j, 2j + 1) are turned: feature j and feature
    j + d_head / 2 are a pair"""
    return with_table(lambda a: torch.cat([a, a], -1), rotate_neighbours)(x, positions, base)


@ex.mistake(exponent=[lambda d: torch.arange(d) / d, lambda d: 2 * torch.arange(d) / d])
def an_angle_for_each_feature(x, positions, base=10000.0, exponent=None):
    """each feature has an angle of its own: the two features of a pair turn by the same one, so there are
    only d_head / 2 angles"""
    return with_table(lambda a: a, rotate_half, exponent)(x, positions, base)


@ex.mistake
def halves_swapped(x, positions, base=10000.0):
    """the two halves of the result are in the wrong order: first the turned first half"""
    return rope(join=lambda first, second: joined_halves(second, first))(x, positions, base)


@ex.mistake
def half_of_the_features(x, positions, base=10000.0):
    """only the first half of the features is turned: all d_head features are turned, in d_head / 2 pairs"""
    turning = x.shape[-1] // 2 // 2 * 2
    return torch.cat([right(x[..., :turning], positions, base), x[..., turning:]], -1)


@ex.another("half_of_the_features")
def with_the_speeds_of_all(x, positions, base=10000.0):
    turning, d = x.shape[-1] // 2 // 2 * 2, x.shape[-1]
    speeds = by_exponent(lambda own: 2 * torch.arange(own // 2) / d)
    return torch.cat([speeds(x[..., :turning], positions, base), x[..., turning:]], -1)


@ex.mistake
def one_half_returned(x, positions, base=10000.0):
    """only the turned first half is returned: put both halves together, (B, H, T, d_head)"""
    return halves(right(x, positions, base))[0]


@ex.mistake
def first_half_kept(x, positions, base=10000.0):
    """only the second half is turned, and the first comes back as it was: both change, as the two coordinates
    of a point that turns"""
    return joined_halves(halves(x)[0], halves(right(x, positions, base))[1])


@ex.mistake
def second_half_kept(x, positions, base=10000.0):
    """only the first half is turned, and the second comes back as it was: both change, as the two coordinates
    of a point that turns"""
    return joined_halves(halves(right(x, positions, base))[0], halves(x)[1])


# ---- how a pair is turned


@ex.mistake(through=by_turn)
def wrong_way_round(first, second, cos, sin):
    """the pairs turn the other way round: the first is first * cos - second * sin, the second is
    second * cos + first * sin"""
    return first * cos + second * sin, second * cos - first * sin


@ex.mistake(through=by_turn)
def cos_and_sin_swapped(first, second, cos, sin):
    """cos and sin are exchanged: at position 0 the angle is 0, cos is 1, and x must come back unchanged"""
    return turned(first, second, sin, cos)


@ex.mistake(through=by_turn)
def no_minus(first, second, cos, sin):
    """there is no minus: the first half is first * cos - second * sin"""
    return first * cos + second * sin, second * cos + first * sin


@ex.mistake(through=by_turn)
def two_minuses(first, second, cos, sin):
    """both halves have a minus: the second is second * cos + first * sin"""
    return first * cos - second * sin, second * cos - first * sin


@ex.mistake(through=by_turn)
def mirrored(first, second, cos, sin):
    """the second half is first * sin - second * cos, which mirrors a pair instead of turning it: it is
    second * cos + first * sin"""
    return first * cos - second * sin, first * sin - second * cos


@ex.mistake(through=by_turn)
def only_scaled(first, second, cos, sin):
    """each feature is only multiplied by its cos: a turned pair also has a part with sin, taken from the
    other feature of the pair"""
    return first * cos, second * cos


ex.another("only_scaled", lambda first, second, cos, sin: (first * cos, second * sin), through=by_turn)


@ex.mistake(through=by_turn)
def own_sin(first, second, cos, sin):
    """the part with sin is taken from the feature itself: it comes from the other feature of the pair"""
    return first * cos - first * sin, second * cos + second * sin


@ex.mistake(through=by_turn)
def added(first, second, cos, sin):
    """sines and cosines are added to x, as for sinusoidal positions: here pairs of features are turned, x is
    multiplied"""
    return first + sin, second + cos


ex.another("added", lambda first, second, cos, sin: (first + cos, second + sin), through=by_turn)
ex.another("added", rope(neighbours, woven, turn=added), rope(turn=lambda a, b, c, s: (a + c - s, b + c + s)))


@ex.mistake(through=by_turn)
def new_first_for_old(first, second, cos, sin):
    """the second half is worked out from the first half that has been turned already: keep the old one until
    both are done"""
    new = first * cos - second * sin
    return new, second * cos + new * sin


@ex.mistake
def turned_twice(x, positions, base=10000.0):
    """everything is turned twice, by double the angle: turn it once"""
    return right(right(x, positions, base), positions, base)


# ---- the angles


@ex.mistake(through=by_exponent)
def exponent_without_2(d):
    """the exponent is -j / d_head, half of the right one: it is -2 * j / d_head, j counts the pairs"""
    return torch.arange(d // 2) / d


@ex.mistake(through=by_exponent)
def exponent_doubled(d):
    """the exponent is twice the right one: it is -2 * j / d_head with j = 0, 1, ... (torch.arange(0, d_head,
    2) holds the 2 already)"""
    return 4 * torch.arange(d // 2) / d


@ex.mistake(through=by_exponent)
def exponent_from_1(d):
    """j is counted from 1: pair 0 turns by the position itself, base ** 0 = 1"""
    return 2 * (1 + torch.arange(d // 2)) / d


@ex.mistake(through=by_exponent)
def exponent_reaches_1(d):
    """the exponents run up to 1, as by linspace: the last of them is -(d_head - 2) / d_head"""
    return torch.linspace(0, 1, d // 2)


@ex.mistake(through=by_exponent)
def one_speed(d):
    """all pairs turn at the same speed: pair j turns by position * base ** (-2 * j / d_head)"""
    return torch.zeros(d // 2)


@ex.mistake(through=by_exponent)
def slowest_first(d):
    """the pairs' speeds are in the opposite order: pair 0 is the fastest, and turns by the position itself"""
    return exponents(d).flip(0)


@ex.mistake
def exponent_over_d_model(x, positions, base=10000.0):
    """the exponent divides by d_model = H * d_head: it divides by d_head, as each head has all the speeds"""
    return by_exponent(lambda d: exponents(d) / x.shape[1])(x, positions, base)


@ex.mistake(through=by_speed)
def speeds_grow(base, exponent):
    """the minus in the exponent is missing, so the later pairs turn ever faster: base ** (-2 * j / d_head)"""
    return base**exponent


@ex.mistake(through=by_speed)
def power_first(base, exponent):
    """`base ** -2 * j / d_head` raises to -2 first: write base ** (-2 * j / d_head)"""
    return base**-2 * exponent / 2


@ex.mistake(through=by_speed)
def divided_by_base(base, exponent):
    """the base is multiplied by the exponent: it is raised to it, base ** (-2 * j / d_head)"""
    return 1 / (base * exponent).clamp(min=1)


@ex.mistake(through=by_speed)
def base_ignored(base, exponent):
    """`base` is ignored: it need not be 10000"""
    return 10000.0**-exponent


@ex.mistake(through=by_speed)
def e_for_base(base, exponent):
    """the powers are those of e: exp(-2 * j / d_head * log(base)), or base ** (-2 * j / d_head)"""
    return torch.exp(-exponent)


@ex.mistake(through=by_angle)
def in_degrees(angles):
    """the angles are taken for degrees: they are radians already, which is what torch.cos and torch.sin
    take"""
    return torch.deg2rad(angles)


ex.another("in_degrees", torch.rad2deg, through=by_angle)


@ex.mistake(through=by_angle)
def full_turns(angles):
    """the angles are multiplied by 2 * pi: position * base ** (-2 * j / d_head) is the angle itself"""
    return angles * 2 * math.pi


@ex.mistake
def angles_in_the_dtype_of_x(x, positions, base=10000.0):
    """the angles are worked out in the dtype of x: bfloat16 has no odd number above 256, so other positions
    are taken. Work them out in float32, and give only cos and sin the dtype of x"""
    d = x.shape[-1]
    speeds = (base ** -exponents(d)).to(x.dtype)
    angles = all_heads(positions.to(x.dtype)[..., None] * speeds)
    return joined_halves(*turned(*halves(x), angles.cos(), angles.sin()))


@ex.another("angles_in_the_dtype_of_x")
def positions_in_the_dtype_of_x(x, positions, base=10000.0):
    return rope(count=lambda positions, x: positions.to(x.dtype).double())(x, positions, base)


# ---- the positions


@ex.mistake(through=by_count)
def positions_ignored(positions, x):
    """`positions` is ignored: the tokens are counted 0, 1, 2, ... instead"""
    return torch.arange(x.shape[2])


@ex.mistake(through=by_count)
def positions_from_one(positions, x):
    """1 is added to the positions: a token at position 0 is not turned"""
    return positions + 1


ex.another("positions_from_one", lambda positions, x: torch.arange(1, x.shape[2] + 1), through=by_count)


@ex.mistake(through=by_count)
def positions_from_zero(positions, x):
    """the first position is subtracted from all of them: take the positions as they come"""
    return positions - positions[..., :1]


@ex.mistake(through=by_count)
def counted_backwards(positions, x):
    """the positions are read from the end: position t belongs to token t"""
    return positions.flip(-1)


@ex.mistake(through=by_count)
def last_position_for_all(positions, x):
    """all tokens are turned by the angle of one position: each has its own"""
    return positions[..., -1:].expand_as(positions)


ex.another(
    "last_position_for_all", lambda positions, x: positions[..., :1].expand_as(positions), through=by_count
)


@ex.mistake(through=by_count)
def first_row_for_all(positions, x):
    """the first example's positions are used for all: positions (B, T) has a row for each example"""
    return positions.reshape(-1, positions.shape[-1])[0]


@ex.mistake(through=by_place)
def no_axis_for_heads(angles):
    """positions (B, T) give angles (B, T, d_head / 2), in which B stands where x has its heads: put an axis
    of size 1 there, angles[:, None]"""
    return angles


@ex.mistake
def axis_in_the_middle(x, positions, base=10000.0):
    """the new axis of the positions stands second, positions[:, None]: for positions (B, T) too, the speeds'
    axis is the last, positions[..., None]"""
    angles = positions[:, None] * base ** -exponents(x.shape[-1]).double()
    return joined_halves(*turned(*halves(x.double()), angles.cos(), angles.sin())).to(x.dtype)


@ex.mistake(through=by_place)
def along_the_heads(angles):
    """the angles' tokens meet the heads of x: in (B, H, T, d_head) the tokens are the third axis"""
    return angles[..., None, :]


@ex.mistake
def head_for_token(x, positions, base=10000.0):
    """the head's number is taken for the position: every head of a token is turned by the token's position"""
    heads = torch.arange(x.shape[1])
    return right(x.transpose(1, 2), heads, base).transpose(1, 2)


@ex.mistake
def example_for_token(x, positions, base=10000.0):
    """the example's number in the batch is taken for the position: each token is turned by its own"""
    return right(x, torch.arange(x.shape[0])[:, None].expand(-1, x.shape[2]), base)


@ex.mistake
def nothing_turned(x, positions, base=10000.0):
    """x comes back unchanged: only a token at position 0 does"""
    return x.clone()
