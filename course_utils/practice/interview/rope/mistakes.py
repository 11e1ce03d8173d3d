"""What is right, and the known mistakes."""

from ..ways import Wrong
from .turns import added, by_feature, turn, unturned

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
            *of_each(how="one later"),
            *of_each(how="over d - 2"),
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
            *of_each(how="own, minus first"),
            *of_each(how="own, plus first"),
            *of_each(how="sine and cosine"),
            *of_each(how="one alone"),
            *of_each(how="cosine alone"),
        ],
    ),
    "overwritten": Wrong(
        "One feature of a pair is overwritten before the other is worked out from it: keep both until then.",
        of_each(how="overwritten"),
    ),
    "heads_axis": Wrong(
        "Positions are counted along the axis of heads: count them along the tokens.", of_each(axis=-3)
    ),
    "batch_axis": Wrong(
        "Positions are counted along the batch: count them along the tokens.", of_each(axis=-4)
    ),
    "keys_turned_back": Wrong(
        "Queries and keys are turned in opposite directions: their product then depends on the sum of two "
        "positions. Turn both the same way.",
        [*of_each(of_k={"direction": -1}), *of_each(of_q={"direction": -1})],
    ),
    "queries_and_keys_differ": Wrong(
        "Queries and keys are not turned by the same angles: the same position is the same angle for both.",
        [
            maker
            for slip in ({"first": 1}, {"axis": -3}, {"exponent": 1.0}, {"base": 100.0}, {"base": 1e5})
            for maker in (*of_each(of_k=slip), *of_each(of_q=slip))
        ],
    ),
    "angle_of_a_feature": Wrong(
        "The two features of a pair have different angles: there is one for each pair, d / 2 in all.",
        [by_feature(style, exponent) for style in ("half", "interleaved") for exponent in (1.0, 2.0)],
    ),
    "added": Wrong("A position is added to the vectors: RoPE turns them.", [added]),
    "unchanged": Wrong("Nothing is turned: what comes back is what went in.", [unturned]),
    "k_alone": Wrong(
        "Only one of queries and keys is turned: turn both.",
        [*of_each(of_q="left"), *of_each(of_k="left")],
    ),
}
START = {
    "start_ignored": Wrong(
        "The positions that came in are not used: with a cache the first new token is not at position 0.",
        of_each(start=False),
    ),
    "start_of_one_alone": Wrong(
        "The position that came in counts for queries alone, or for keys alone: it counts for both.",
        [*of_each(of_q={"start": False}), *of_each(of_k={"start": False})],
    ),
}
