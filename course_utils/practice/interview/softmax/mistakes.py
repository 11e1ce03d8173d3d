"""Known mistakes of a softmax: a sentence, and the references that make them."""

from ..ways import Wrong
from .reference import everywhere

LIMITS = (10, 20, 30, 50, 60, 80, 85, 88, 100, 500, 700, 709)  # usual ones

WRONGS = {
    "no_maximum": Wrong(
        "It overflows for large entries: exp(1000) is infinite. Subtract the row's maximum first; the result "
        "stays the same.",
        everywhere(top="none"),
        overflows=True,
    ),
    "another_top": Wrong(
        "What is subtracted is not the maximum of the row, so exp can still overflow, or all of a row can "
        "become 0.",
        [
            *everywhere(top="mean"),
            *everywhere(top="min"),
            *everywhere(top="abs"),
            *everywhere(top="added"),
            *everywhere(top="column"),
            *everywhere(top="first"),
            *everywhere(top="last"),
        ],
        overflows=True,
    ),
    "starts_at_0": Wrong(
        "The maximum is never below 0: where all entries are far below 0, every exp becomes 0. Begin with "
        "the first entry, or with -inf.",
        everywhere(top="from 0"),
        overflows=True,
    ),
    "one_maximum_for_all": Wrong(
        "One maximum is taken of all rows: a row far below it becomes 0 / 0. Each row needs its own.",
        everywhere(top="all"),
        overflows=True,
    ),
    "wrong_axis": Wrong(
        "It runs along the wrong axis: a row sums to 1 along the last axis.",
        [
            *everywhere(axis=0),
            *everywhere(axis=-2),
            *everywhere(axis=0, top="all"),
            *everywhere(axis=0, top="none"),
            *everywhere(axis=None),
            *everywhere(how="columns of exp"),
            *everywhere(how="columns of exp, before"),
            *everywhere(how="columns of exp", top="all"),
        ],
    ),
    "sum_of_all": Wrong(
        "It divides by the sum of all rows: each row has a sum of its own.",
        [
            *everywhere(how="rows of exp"),
            *everywhere(how="rows of exp", top="none"),
            *everywhere(how="rows of exp", top="all"),
        ],
    ),
    "not_divided": Wrong(
        "The division by the sum is missing.",
        [*everywhere(how="unnormalised"), *everywhere(how="unnormalised", top="none")],
    ),
    "divided_by_max": Wrong(
        "It divides by the largest exp: divide by their sum.", everywhere(how="divided by max")
    ),
    "maximum_in_one_place": Wrong(
        "The maximum is subtracted above the line or below it alone: both exp need it.",
        [*everywhere(how="top above"), *everywhere(how="top below")],
        overflows=True,
    ),
    "clipped": Wrong(
        "Entries are cut off, or divided, so that exp stays small: that changes the weights. Subtracting the "
        "maximum does not.",
        [
            maker
            for how in (
                *(f"{how} {limit}" for how in ("clipped", "capped") for limit in LIMITS),
                "divided by top",
            )
            for maker in everywhere(how=how)
        ],
    ),
    "sign_turned": Wrong(
        "The sign is turned: it takes exp(maximum - entry), so the smallest entry gets the largest weight.",
        [*everywhere(how="sign"), *everywhere(how="sign of both"), *everywhere(how="sign", top="none")],
        overflows=True,
    ),
    "no_exp": Wrong(
        "There is no exp: the entries themselves are divided.",
        [
            *everywhere(how="no exp"),
            *everywhere(how="no exp", top="min"),
            *everywhere(how="no exp, no maximum"),
        ],
    ),
    "base_2": Wrong("It takes powers of 2, and not of e.", everywhere(how="base 2")),
    "divided_by_entries": Wrong(
        "It divides by the sum of the entries: divide by the sum of their exp.",
        [
            *everywhere(how="entries"),
            *everywhere(how="shifted entries"),
            *everywhere(how="entries", top="none"),
        ],
        overflows=True,
    ),
    "divided_by_mean": Wrong("It divides by the mean of exp: divide by the sum.", everywhere(how="mean")),
    "twice": Wrong("Softmax is taken of a softmax: once is enough.", everywhere(how="twice")),
    "log": Wrong("These are logarithms: the task asks for weights that sum to 1.", everywhere(how="log")),
}
MASKED = {
    "mask_ignored": Wrong("The mask changes nothing.", everywhere(mask=True, how="ignored")),
    "mask_inverted": Wrong(
        "It counts what is masked and leaves out what is open.", everywhere(mask=True, how="inverted")
    ),
    "filled_with_zero": Wrong(
        "Masked entries become 0 before exp, and exp(0) is 1: make them -inf.",
        everywhere(mask=True, how="zero"),
    ),
    "row_of_nan": Wrong(
        "A row in which everything is masked becomes NaN: give zeros there.", everywhere(mask=True, how="nan")
    ),
    "even_row": Wrong(
        "A row in which everything is masked gets even weights, on masked entries: give zeros there.",
        everywhere(mask=True, how="low"),
    ),
    "mask_after": Wrong(
        "The mask comes after the division: what is left does not sum to 1.",
        everywhere(mask=True, how="late"),
    ),
}
