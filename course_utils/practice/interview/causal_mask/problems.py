"""The three parts of the topic: the mask, after a cache, with padding."""

from ..values import same
from ..ways import Problem
from .calls import all_ways
from .inputs import HINTS, SHAPES, draw
from .mistakes import OTHER_SENSE, PADDING, RIGHT, TOP_LEFT, WRONGS
from .readings import readings
from .rules import cells

SENSE = (
    "as_returned",
    "Its words call True what its numbers call False: by the words the past is masked and the future is "
    "open. Is it meant as the numbers are? Then say so: `interview.check(NAME, as_returned=True)`.",
    ("inverted",),
    ("inverted", WRONGS["inverted"].sentence),
)


def problem(name, draws, forms, dialects, wrongs, rights=None):
    return Problem(
        name=name,
        draws=draws,
        ways=lambda obj, said: all_ways(obj, said, draws, forms, dialects),
        readings=readings,
        rights={**(rights or {"right": RIGHT}), "other sense": OTHER_SENSE},
        wrongs=wrongs,
        roles=(*HINTS, "as_returned"),
        vague={"other sense": SENSE},
    )


def base():
    draws = [draw(1, 2, 5), draw(2, 1, 1), draw(3, 2, 7), draw(4, 1, 2)]
    dialects = [
        (library, what)
        for what in ("T", "(B, H, T, T)", "(T, T)", "x", "ones", "ids", *SHAPES)
        for library in ("torch", "numpy")
    ]
    return problem(
        "causal_mask",
        draws,
        [
            *(("T",), ("T", "pad_id"), (), ("q", "k"), ("scores", "q"), ("B", "q")),
            *(("q", "B"), ("H", "q"), ("q", "H"), ("B", "H", "q"), ("B", "q", "k"), ("B", "H", "q", "k")),
        ],
        dialects,
        WRONGS,
    )


def cached():
    draws = [draw(1, 2, 3, 4), draw(2, 1, 1, 5), draw(3, 2, 4, 1), draw(4, 1, 2, 6)]
    forms = [
        ("q", "k"),
        ("q", "past"),
        ("past", "q"),
        ("k", "q"),
        ("k", "past"),
        ("scores",),
        ("scores", "past"),
        ("past", "k"),
        ("q", "q", "past"),
        *(("B", "q", "past"), ("B", "q", "k"), ("B", "H", "q", "past"), ("B", "H", "q", "k")),
        *(("H", "q", "k"), ("H", "q", "past"), ("B", "past", "q"), ("T", "past"), ("T",)),
    ]
    dialects = [(library, what) for what in ("T", "(T, T)", "x", *SHAPES) for library in ("torch", "numpy")]
    return problem("causal_mask with a cache", draws, forms, dialects, {**TOP_LEFT, **WRONGS})


def padded():
    draws = [draw(1, 2, 5, lengths=[3, 5]), draw(2, 1, 1), draw(3, 3, 4, lengths=[2, 4, 1])]
    rights = {
        "keys": RIGHT,
        "keys and queries": cells(lambda ahead: ahead <= 0, pad="both", against=("", "comment")),
    }
    forms = [
        ("lengths", "q"),
        ("q", "lengths"),
        ("lengths",),
        ("pad",),
        ("pad", "q"),
        ("q", "pad"),
        ("scores", "lengths"),
        ("scores", "pad"),
    ]
    forms += [("pad", "pad_id"), ("pad", "pad_id", "q")]
    tables = ("real", "padded", "ones", "ids")
    dialects = [(lib, what) for lib in ("torch", "numpy", "list") for what in tables]
    found = problem("causal_mask with padding", draws, forms, dialects, {**PADDING, **WRONGS}, rights)
    found.look = masks_rows
    return found


def masks_rows(obj, way, reading):
    """The mistake of an answer that hides rows: with padding at the end and a causal mask it does not show,
    so
    it is looked at with padding at the start."""
    given = {**draw(7, 2, 5, lengths=[3, 4]), "left": True}
    outcome = way.run(given)
    if not {"pad"} & set(outcome.notes["plan"].values()):
        return None
    rows = cells(lambda ahead: ahead <= 0, pad="queries")(given)
    name = "padding_masks_queries"
    wrong = any(one.key == reading.key and same(one.array, rows, 1e-6) for one in readings(outcome, given))
    return (name, PADDING[name].sentence) if wrong else None
