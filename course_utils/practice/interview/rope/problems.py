"""The two parts of the topic: from position 0, and from a later one."""

from ..judge import attempt
from ..values import same
from ..ways import Problem
from ..words import first_axis, second_axis
from .calls import all_ways, takes_table
from .inputs import HINTS, draw
from .mistakes import RIGHTS, START, WRONGS
from .readings import readings

TABLES = [("x", "cos", "sin"), ("q", "k", "cos", "sin"), ("x", "freqs"), ("q", "k", "freqs")]
PLACED_TABLES = [(*form, "pos") for form in TABLES]


def axis_as_written(obj, way, reading):
    """The mistake of an answer that counts positions along the axis which its own words call heads. Where the
    table of angles comes in, that axis is the caller's choice."""
    if takes_table(way):
        return None
    layout = reading.key[0]
    four = (layout, second_axis(obj)) in (("(B, T, H, d)", "heads"), ("(B, H, T, d)", "tokens"))
    three = (layout, first_axis(obj)) in (
        *(("(T, H, d)", "heads"), ("(H, T, d)", "tokens"), ("(B, T, d)", "tokens")),
    )
    batch = (layout, first_axis(obj)) == ("(T, H, d)", "batch")
    name = "heads_axis" if four or three else "batch_axis" if batch else ""
    return (name, WRONGS[name].sentence) if name else None


def place_as_handed(given):
    """A look: the mistake of an answer that is right for a table cut at its tokens, and takes a position too
    which it does not use."""

    def look(obj, way, reading):
        if not takes_table(way) or "pos" in way.plan.values():
            return axis_as_written(obj, way, reading)
        for other in all_ways(obj, {}, given, PLACED_TABLES):
            outcome = attempt(other, given)
            for one in readings(outcome, given) if outcome else ():
                if any(same(one.array, maker(one.given), 1e-4) for maker in START["start_ignored"].makers):
                    return "start_ignored", START["start_ignored"].sentence
        return None

    return look


def problem(name, draws, forms, wrongs, look=axis_as_written):
    return Problem(
        name=name,
        draws=draws,
        ways=lambda obj, said: all_ways(obj, said, draws[0], forms),
        readings=readings,
        rights=RIGHTS,
        wrongs=wrongs,
        look=look,
        roles=tuple(HINTS),
    )


def base():
    draws = [draw(1, 2, 3, 5, 8), draw(2, 1, 1, 1, 6), draw(3, 3, 2, 7, 4), draw(4, 2, 5, 4, 10)]
    forms = [
        ("x",),
        ("q", "k"),
        ("x", "pos"),
        ("q", "k", "pos"),
        *TABLES,
        ("x", "T"),
        ("x", "base"),
        ("x", "pos", "base"),
        ("x", "d"),
        ("x", "pos", "d"),
        ("pos", "x"),
        ("q", "k", "T"),
        ("x", "d", "base"),
        ("q", "k", "pos", "base"),
        *(("x", "d", "pos"), ("x", "pos", "T"), ("x", "T", "base"), ("x", "T", "d"), ("x", "T", "d", "base")),
        *(("q", "k", "base"), ("q", "k", "d"), ("q", "k", "pos", "d"), ("q", "k", "T", "d")),
        *(("q", "k", "d", "base"), ("pos", "q", "k"), ("x", "pos", "d", "base")),
        *PLACED_TABLES,
    ]
    return problem("rope", draws, forms, WRONGS)


def later():
    draws = [draw(1, 2, 3, 5, 8, start=4), draw(2, 1, 1, 1, 6, start=9), draw(3, 3, 2, 4, 4, start=1)]
    forms = [("x", "pos"), ("q", "k", "pos"), ("pos", "x"), ("x", "pos", "base"), ("x", "T", "pos")]
    forms += [("q", "k", "pos", "base"), ("x", "d", "pos"), ("x", "pos", "d"), ("pos", "q", "k")]
    forms += [("x", "pos", "d", "base"), ("q", "k", "pos", "d"), *PLACED_TABLES, *TABLES]
    wrongs = {**START, **WRONGS}
    return problem("rope from a later position", draws, forms, wrongs, place_as_handed(draws[0]))
