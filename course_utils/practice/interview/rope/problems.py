"""The two parts of the topic: from position 0, and from a later one."""

from ..ways import Problem
from ..words import second_axis
from .calls import all_ways
from .inputs import HINTS, draw
from .mistakes import RIGHTS, START, WRONGS
from .readings import readings


def axis_as_written(obj, way, reading):
    """The mistake of an answer that counts positions along the axis which its own words call heads."""
    layout, words = reading.key[0], second_axis(obj)
    wrong = (layout, words) in (("(B, T, H, d)", "heads"), ("(B, H, T, d)", "tokens"))
    return ("heads_axis", WRONGS["heads_axis"].sentence) if wrong else None


def problem(name, draws, forms, wrongs):
    return Problem(
        name=name,
        draws=draws,
        ways=lambda obj, said: all_ways(obj, said, draws[0], forms),
        readings=readings,
        rights=RIGHTS,
        wrongs=wrongs,
        look=axis_as_written,
        roles=tuple(HINTS),
    )


def base():
    draws = [draw(1, 2, 3, 5, 8), draw(2, 1, 1, 1, 6), draw(3, 3, 2, 7, 4), draw(4, 2, 5, 4, 10)]
    forms = [
        ("x",),
        ("q", "k"),
        ("x", "pos"),
        ("q", "k", "pos"),
        ("x", "cos", "sin"),
        ("q", "k", "cos", "sin"),
        ("x", "freqs"),
        ("q", "k", "freqs"),
        ("x", "T"),
        ("x", "base"),
        ("x", "pos", "base"),
        ("x", "d"),
        ("x", "pos", "d"),
        ("pos", "x"),
        ("q", "k", "T"),
        ("x", "d", "base"),
        ("q", "k", "pos", "base"),
        ("q", "k", "cos", "sin", "pos"),
    ]
    return problem("rope", draws, forms, WRONGS)


def later():
    draws = [draw(1, 2, 3, 5, 8, start=4), draw(2, 1, 1, 1, 6, start=9), draw(3, 3, 2, 4, 4, start=1)]
    forms = [("x", "pos"), ("q", "k", "pos"), ("pos", "x"), ("x", "pos", "base"), ("x", "T", "pos")]
    return problem("rope from a later position", draws, forms, {**START, **WRONGS})
