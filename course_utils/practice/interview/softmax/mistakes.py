"""Known mistakes of a softmax: a sentence, and the references that make them."""

from ..ways import Wrong
from .reference import everywhere

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
        ],
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
        "The maximum is subtracted above the line and not below it: both exp need it.",
        everywhere(how="top above"),
        overflows=True,
    ),
    "clipped": Wrong(
        "Entries are cut off, or divided, so that exp stays small: that changes the weights. Subtracting the "
        "maximum does not.",
        [
            maker
            for how in (
                "clipped 20",
                "clipped 50",
                "clipped 80",
                "clipped 88",
                "clipped 100",
                "divided by top",
            )
            for maker in everywhere(how=how)
        ],
    ),
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
