"""Rotary positions: from position 0, as in CS336 (neighbours are pairs), and with tables of cosines and sines."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise
from autograder.exercises.today.apply_rope import ex as lesson
from autograder.exercises.today.apply_rope import halves, joined, neighbours, rotated, woven

from .draws import eighths

TURNS = {
    "wrong_way_round": lambda a, b, cos, sin: (a * cos + b * sin, b * cos - a * sin),
    "cos_and_sin_swapped": lambda a, b, cos, sin: rotated(a, b, sin, cos),
    "no_minus": lambda a, b, cos, sin: (a * cos + b * sin, b * cos + a * sin),
    "added": lambda a, b, cos, sin: (a + sin, b + cos),
}
SENTENCES = {mistake.name: mistake.sentence for mistake in lesson.mistakes}
SENTENCES["wrong_way_round"] = (
    "the pairs rotate in the wrong direction: (a, b) becomes (a cos - b sin, b cos + a sin)"
)
SENTENCES["no_minus"] = "a minus is missing: (a, b) becomes (a cos - b sin, b cos + a sin)"
HALVES, NEIGHBOURS = (halves, joined), (neighbours, woven)


def angles_of(positions, width, theta=10_000.0, factor=2):
    return positions[..., None] * theta ** (-factor * torch.arange(width // 2).double() / width)


def turned(x, angles, pairs=HALVES, turn=rotated):
    """x (..., T, d) with its pairs rotated by angles (..., T, d / 2)."""
    split, join = pairs
    return join(*turn(*split(x), angles.cos(), angles.sin()))


def by_complex_numbers(x, angles, pairs):
    """The same, from numbers on the unit circle: an independent way."""
    split, join = pairs
    product = torch.complex(*(part.contiguous() for part in split(x))) * torch.polar(
        torch.ones_like(angles), angles
    )
    return join(product.real, product.imag)


def add_mistakes(ex, make, **more):
    """The mistakes of every form, made by make(turn=...), make(factor=...); `more`: {name: (sentence, function)}."""
    for name, turn in TURNS.items():
        ex.add_mistake(name, SENTENCES[name], [make(turn=turn)])
    for name, (sentence, function) in more.items():
        ex.add_mistake(name, SENTENCES.get(name) or sentence, [function])


# ---- rope(x)

from_zero = Exercise({"rotated": "B H T d_head"}, probes=False)


@from_zero.reference
def rope(x):
    T, d = x.shape[-2:]
    return by_complex_numbers(x, angles_of(torch.arange(T), d), HALVES)


from_zero.case(
    two_heads=lambda g: call(x=eighths(g, 2, 3, 5, 6)), long=lambda g: call(x=eighths(g, 1, 2, 14, 4))
)
from_zero.edge(
    one_pair=lambda g: call(x=eighths(g, 1, 3, 4, 2)), one_token=lambda g: call(x=eighths(g, 2, 1, 1, 6))
)


def wrong_rope(positions=lambda x: torch.arange(x.shape[-2]), factor=2, **more):
    return lambda x: turned(x, angles_of(positions(x), x.shape[-1], factor=factor), **more)


def along_heads(x):
    return wrong_rope()(x.transpose(1, 2)).transpose(1, 2)


add_mistakes(
    from_zero,
    wrong_rope,
    interleaved=("", wrong_rope(pairs=NEIGHBOURS)),
    exponent_without_2=("", wrong_rope(factor=1)),
    positions_from_one=("positions begin at 1: the first token stands at 0", wrong_rope(lambda x: torch.arange(x.shape[-2]) + 1)),
    heads_as_tokens=("the positions run along the axis of the heads: the tokens are the third axis of x", along_heads),
)  # fmt: skip

# ---- CS336's RoPE(theta, d_k, max_seq_len), called with (x, token_positions)

cs336 = Exercise({"rotated": "B T d_k"}, probes=False)


@cs336.reference
def cs336_rope(theta, d_k, max_seq_len, x, token_positions):
    return by_complex_numbers(x, angles_of(token_positions, d_k, theta), NEIGHBOURS)


def cs336_case(g, B, T, d_k, theta):
    positions = torch.stack([torch.arange(T) + int(first) for first in 2 + g.permutation(50)[:B]])
    return call(theta=theta, d_k=d_k, max_seq_len=64, x=eighths(g, B, T, d_k), token_positions=positions)


cs336.case(
    in_order=lambda g: cs336_case(g, 2, 5, 8, 10_000.0), other_theta=lambda g: cs336_case(g, 3, 4, 6, 100.0)
)
cs336.edge(
    one_token=lambda g: cs336_case(g, 2, 1, 4, 10_000.0), one_pair=lambda g: cs336_case(g, 1, 3, 2, 10_000.0)
)


def wrong_cs336(
    positions=lambda given, x: given, factor=2, pairs=NEIGHBOURS, theta=lambda theta: theta, **more
):
    def implementation(theta_, d_k, x, token_positions):
        return turned(x, angles_of(positions(token_positions, x), d_k, theta(theta_), factor), pairs, **more)

    return lambda theta, d_k, max_seq_len, x, token_positions: implementation(theta, d_k, x, token_positions)


add_mistakes(
    cs336,
    wrong_cs336,
    exponent_without_2=("", wrong_cs336(factor=1)),
    halves_for_neighbours=(
        "this pairs feature j of the first half with feature j of the second: in this form neighbours are pairs, 2j and 2j + 1",
        wrong_cs336(pairs=HALVES),
    ),
    positions_not_used=(
        "`token_positions` is not used: the tokens are numbered 0, 1, 2, ... instead",
        wrong_cs336(lambda given, x: torch.arange(x.shape[1])),
    ),
    first_row_of_positions=(
        "the first example's positions are used for all: token_positions (B, T) has a row for each example",
        wrong_cs336(lambda given, x: given[0]),
    ),
    theta_not_used=("`theta` is not used: it isn't always 10000", wrong_cs336(theta=lambda theta: 10_000.0)),
)

# ---- apply_rotary_pos_emb(q, k, cos, sin)

tables = Exercise({"q": "B H T d", "k": "B H_kv T d"}, container="tuple", probes=False)


@tables.reference
def with_tables(q, k, cos, sin):
    angles = torch.atan2(sin, cos)[:, None, :, : cos.shape[-1] // 2]
    return tuple(by_complex_numbers(x, angles.expand(*x.shape[:-1], -1), HALVES) for x in (q, k))


def tables_case(g, B, H, H_kv, T, d):
    positions = torch.stack([torch.arange(T) + int(first) for first in 1 + g.permutation(50)[:B]])
    angles = angles_of(positions, d).repeat(1, 1, 2)
    return call(q=eighths(g, B, H, T, d), k=eighths(g, B, H_kv, T, d), cos=angles.cos(), sin=angles.sin())


tables.case(
    two_kv_heads=lambda g: tables_case(g, 2, 4, 2, 3, 6), one_example=lambda g: tables_case(g, 1, 3, 3, 5, 4)
)
tables.edge(one_token=lambda g: tables_case(g, 3, 2, 2, 1, 4))


def wrong_tables(keys=True, **more):
    def implementation(q, k, cos, sin):
        angles = torch.atan2(sin, cos)[:, None, :, : cos.shape[-1] // 2]
        return turned(q, angles, **more), turned(k, angles, **more) if keys else k

    return implementation


add_mistakes(
    tables,
    wrong_tables,
    interleaved=("", wrong_tables(pairs=NEIGHBOURS)),
    keys_not_rotated=("the keys come back as they were: rotate both", wrong_tables(keys=False)),
)
FORMS = {"rope": from_zero, "cs336_rope": cs336, "cos_and_sin": tables}
