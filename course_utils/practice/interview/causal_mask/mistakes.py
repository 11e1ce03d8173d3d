"""What is right, and the known mistakes."""

from ..ways import Wrong
from .readings import OTHER, ZERO
from .rules import cells

LOW = -1e9  # a row in which all scores are this becomes even, and not NaN
RIGHT = cells(lambda ahead: ahead <= 0, against=("", "comment"))
OTHER_SENSE = cells(lambda ahead: ahead <= 0, against=("docstring",))
WRONGS = {
    "own_key_masked": Wrong(
        "The diagonal is on the wrong side: a token may attend to itself, so its own cell stays open.",
        [cells(lambda ahead: ahead < 0), cells(lambda ahead: ahead < 0, low=LOW)],
    ),
    "one_ahead": Wrong(
        "One key too many is open: the cell right of the diagonal is the next token, which is the future.",
        [cells(lambda ahead: ahead <= 1)],
    ),
    "inverted": Wrong(
        "It is the wrong way round: the past is hidden, and the future is open. Rows are queries.",
        [
            cells(lambda ahead: ahead >= 0),
            cells(lambda ahead: ahead > 0),
            cells(lambda ahead: ahead > 0, low=LOW),
        ],
    ),
    "filled_with_zero": Wrong(
        "Masked scores become 0, and exp(0) is 1: they keep weight. Make them -inf.",
        [cells(lambda ahead: ahead <= 0, hidden=ZERO), cells(lambda ahead: ahead < 0, hidden=ZERO)],
    ),
    "too_small": Wrong(
        "Masked cells get a number that is not far below the scores: make it -inf.",
        [cells(lambda ahead: ahead <= 0, hidden=OTHER)],
    ),
    "mask_after_softmax": Wrong(
        "The mask comes after the softmax: the rows no longer sum to 1. Mask the scores.",
        [cells(lambda ahead: ahead <= 0, late=True)],
    ),
    "softmax_over_queries": Wrong(
        "The softmax runs over the queries: the weights of one query sum to 1 along the keys, the last axis.",
        [cells(lambda ahead: ahead <= 0, axis=-2)],
    ),
    "zero_times_infinity": Wrong(
        "Open cells are no numbers: 0 times -inf is NaN. Choose between 0 and -inf, and do not multiply.",
        [cells(lambda ahead: ahead <= 0, kept=OTHER)],
    ),
    "no_mask": Wrong("No cell is masked: every query sees all keys.", [cells(lambda ahead: ahead == ahead)]),
    "all_masked": Wrong("Every cell is masked.", [cells(lambda ahead: ahead != ahead)]),
    "only_itself": Wrong("Only the diagonal is open: the past is to be seen too.", [cells(lambda a: a == 0)]),
    "only_future": Wrong("The diagonal alone is masked.", [cells(lambda ahead: ahead != 0)]),
    "window": Wrong(
        "Only a few keys back are open: all of the past is.", [cells(lambda a: (a <= 0) & (a >= -1))]
    ),
}
TOP_LEFT = {
    "top_left": Wrong(
        "The mask begins at the top left: with a cache the first new query comes after all cached keys, so "
        "its row starts further to the right.",
        [cells(lambda ahead: ahead <= 0, top_left=True)],
    )
}
PADDING = {
    "padding_ignored": Wrong("Padding is not masked.", [cells(lambda a: a <= 0, pad="none")]),
    "padding_inverted": Wrong(
        "The padding is the wrong way round: real keys are hidden.", [cells(lambda a: a <= 0, pad="inverted")]
    ),
    "padding_or_causal": Wrong(
        "A cell is open where one of the two masks opens it: a key has to be real and not in the future.",
        [cells(lambda a: a <= 0, pad="or")],
    ),
    "padding_one_off": Wrong(
        "A sentence of length n has the places 0 to n - 1: one key too many is open.",
        [cells(lambda a: a <= 0, pad="one_off")],
    ),
    "padding_masks_queries": Wrong(
        "Padding masks queries, the rows: mask the keys, the columns.",
        [cells(lambda a: a <= 0, pad="queries")],
    ),
    "padding_alone": Wrong("The future is open: mask it too.", [cells(lambda ahead: ahead == ahead)]),
}
