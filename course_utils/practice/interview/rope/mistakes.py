"""What is right, and the known mistakes."""

from ..ways import Wrong
from .turns import added, turn, unturned

STYLES = ("half", "interleaved", "regrouped")
RIGHTS = {style: turn(style) for style in STYLES}


def of_each(**slip):
    return [turn(style, **slip) for style in STYLES]


WRONGS = {
    "turned_back": Wrong(
        "The vectors are turned the other way: the pair (a, b) becomes (a cos - b sin, a sin + b cos).",
        of_each(direction=-1),
    ),
    "from_one": Wrong(
        "Positions begin at 1: the first token has position 0, and is not turned.", of_each(first=1)
    ),
    "layouts_mixed": Wrong(
        "Two layouts are mixed: the features that are turned together do not have the same angle. Half-split "
        "pairs j with j + d / 2, interleaved pairs 2j with 2j + 1.",
        [turn("half", mixed=True), turn("interleaved", mixed=True)],
    ),
    "exponent": Wrong(
        "The angles are off: pair j turns by position * base ** (-2j / d).",
        [
            *of_each(exponent=1.0),
            *of_each(exponent=4.0),
            *of_each(how="upwards"),
            *of_each(how="one rate"),
            *of_each(exponent=-2.0),
            *of_each(how="no base"),
            *of_each(exponent=0.5),
        ],
    ),
    "base": Wrong(
        "The base of the angles is another one than 10 000.",
        [maker for base in (2.0, 10.0, 100.0, 1000.0, 1e5, 5e5, 1e6) for maker in of_each(base=base)],
    ),
    "degrees": Wrong(
        "The angles are taken as degrees: sine and cosine want radians.", of_each(how="degrees")
    ),
    "not_turned": Wrong(
        "This is no rotation, as lengths change: the pair (a, b) becomes (a cos - b sin, a sin + b cos).",
        [
            *of_each(how="both plus"),
            *of_each(how="both minus"),
            *of_each(how="own sine"),
            *of_each(how="own minus"),
            *of_each(how="swapped"),
        ],
    ),
    "overwritten": Wrong(
        "One feature of a pair is overwritten before the other is worked out from it: keep both until then.",
        of_each(how="overwritten"),
    ),
    "heads_axis": Wrong(
        "Positions are counted along the axis of heads: count them along the tokens.", of_each(axis=-3)
    ),
    "added": Wrong("A position is added to the vectors: RoPE turns them.", [added]),
    "unchanged": Wrong("Nothing is turned: what comes back is what went in.", [unturned]),
    "k_alone": Wrong(
        "Only one of queries and keys is turned: turn both.",
        [*of_each(how="k alone"), *of_each(how="q alone")],
    ),
}
START = {
    "start_ignored": Wrong(
        "The positions that came in are not used: with a cache the first new token is not at position 0.",
        of_each(start=False),
    )
}
