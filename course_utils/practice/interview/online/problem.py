"""The topic online_softmax: softmax in one pass over its entries, with a running maximum and sum."""

from ..attention.calls import is_class, libraries
from ..simple import ways
from ..ways import Problem, Wrong
from .calls import DIALECTS, HINTS, draw, meant, readings, value
from .reference import softmax
from .streams import streams
from .watch import is_online

READY_MADE = ("softmax", "log_softmax", "logsumexp", "Softmax", "LogSoftmax", "scaled_dot_product_attention")


STEPS = (1, 2, 3, 4, 5, 6, 8, 16, 32, 64, 128)  # the usual sizes of a block


def of(*hows, steps=STEPS):
    return [softmax(how, step) for how in hows for step in steps]


WRONGS = {
    "sum_not_scaled": Wrong(
        "The running sum is not scaled when the maximum grows: what is in it belongs to the old maximum, so "
        "multiply it by exp(old - new).",
        of("sum not scaled", "nothing scaled"),
    ),
    "output_not_scaled": Wrong(
        "The output that was collected is not scaled when the maximum grows: multiply it by exp(old - "
        "new), as the sum.",
        of("output not scaled"),
    ),
    "scaled_inversely": Wrong(
        "The sum is scaled by exp(new - old): it has to shrink when the maximum grows, by exp(old - new).",
        of("inverted"),
    ),
    "last_maximum": Wrong(
        "The maximum is that of the newest entries alone: it is the larger of the old one and theirs.",
        of("last maximum", "newest maximum"),
    ),
    "starts_at_0": Wrong(
        "The running maximum begins at 0: where all entries are far below 0, the sum becomes 0. Begin at "
        "-inf.",
        of("starts at 0"),
        overflows=True,
    ),
    "not_divided": Wrong("The division by the sum is missing at the end.", of("not divided")),
    "last_dropped": Wrong(
        "What is left over after the last full block is not read.",
        of("last dropped", "last cut", "last dropped of a long one"),
    ),
    "kept_as_they_came": Wrong(
        "Each weight is taken with the maximum of its own moment: all need the last one.",
        of("kept as they came"),
    ),
    "no_maximum": Wrong(
        "No maximum is subtracted: large entries overflow.", of("no maximum"), overflows=True
    ),
    "one_too_many": Wrong("The running sum begins at 1: it begins at 0.", of("one too many")),
    "own_maximum": Wrong(
        "A block's exp are taken with the block's own maximum, and added to sums that belong to the running "
        "one: take both with the same.",
        of("own maximum", steps=STEPS[1:]),
    ),
    "blocks_averaged": Wrong(
        "Each block is normalised by itself, and their results count alike: a block counts by its sum "
        "of exp.",
        of("averaged", steps=(*STEPS, -2, -3, -4)),
    ),
    "divided_each_time": Wrong(
        "The output is divided by the sum after each entry or block: divide once, at the end.",
        of("divided each time", "divided each time and at the end", "shares of its moment"),
    ),
    "scaled_to_the_block": Wrong(
        "What was collected is scaled to the maximum of the newest block: scale it to the running maximum.",
        of("scaled to the block"),
    ),
    "starts_anew": Wrong(
        "When the maximum grows, what was summed before is thrown away: scale it by exp(old - new).",
        of("starts anew"),
    ),
    "maximum_not_counted": Wrong(
        "An entry that is the new maximum is not counted itself: it adds exp(0), which is 1.",
        of("maximum not counted"),
    ),
    "maximum_in_one_place": Wrong(
        "The sum belongs to the maximum, and the exp above the line does not: subtract it in both.",
        of("top below"),
        overflows=True,
    ),
    "first_dropped": Wrong("The first entry is not counted.", of("first dropped")),
}


def all_ways(obj, said, first, forms):
    if is_class(obj):
        yield from streams(obj, first)
    order = libraries(obj)
    dialects = sorted(DIALECTS, key=lambda one: order.index(one[0]) if one[0] in order else len(order))
    yield from ways(obj, said, first, forms, HINTS, value, dialects)


def base():
    draws = [
        draw(1, 7),
        draw(2, 1),
        draw(3, 9, 700.0, "up"),
        draw(4, 12, 3.0, "down", shift=-900.0),
        draw(5, 300),
    ]
    forms = [
        ("x",),
        ("x", "block"),
        ("q", "k", "v"),
        ("q", "k", "v", "block"),
        ("x", "v"),
        ("x", "v", "block"),
        ("q", "k", "v", "n", "d", "block"),
        ("q", "k", "v", "n", "d"),
        ("q", "pairs"),
        ("pairs", "q"),
        ("q", "k", "v", "block", "block"),
    ]
    return Problem(
        "online_softmax",
        draws,
        lambda obj, said: all_ways(obj, said, draws[0], forms),
        readings,
        {"right": softmax()},
        WRONGS,
        look=is_online,
        roles=tuple(HINTS),
        ready_made=READY_MADE,
        meant=meant,
    )
