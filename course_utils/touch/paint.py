"""An interactive grid in which a mask is painted and judged; a learner's own mask can be laid over it."""

from collections import namedtuple
from itertools import product

import torch

from ..figures.masks import draw_cells, plot_cached_mask, plot_mask, plot_padding
from ..figures.words import description
from ..show.colours import NEW, OLD, OPEN
from .piece import Piece, still_of

CAUSAL, PADDING = "create_causal_mask", "create_padding_mask"
CACHED, BOTH = "create_causal_mask_with_cache", "create_attention_mask"
ROWS, COLUMNS, LENGTHS = 8, 12, 3  # of the largest grid
T_Q, CACHE_LEN = 5, 6  # upper ends of the cached mask's sliders, or the initial sizes if larger

# The functions of one kind of mask. sizes: arguments of paint_mask -> {size: number}. Given these: ranges is
# {size: (low, high)} for the sliders, shape is the grid's (rows, columns), mask calls a learner's function.
Kind = namedtuple("Kind", "sizes ranges shape mask")
KINDS = {
    CAUSAL: Kind(
        lambda T_q, T_k=None: {"T_q": T_q, "T_k": T_q if T_k is None else T_k},
        lambda size: {},
        lambda size: (size["T_q"], size["T_k"]),
        lambda mine, size: mine(size["T_q"], size["T_k"]),
    ),
    PADDING: Kind(
        lambda lengths, max_len: {
            **{f"length_{b}": length for b, length in enumerate(lengths)},
            "B": len(lengths),
            "max_len": max_len,
        },
        lambda size: {f"length_{b}": (0, size["max_len"]) for b in range(size["B"])},
        lambda size: (size["B"], size["max_len"]),
        lambda mine, size: mine(
            torch.tensor([size[f"length_{b}"] for b in range(size["B"])]), size["max_len"]
        ),
    ),
    CACHED: Kind(
        lambda T_q, T_k, cache_len: {"T_q": T_q, "cache_len": cache_len},
        lambda size: {"T_q": (1, max(T_Q, size["T_q"])), "cache_len": (0, max(CACHE_LEN, size["cache_len"]))},
        lambda size: (size["T_q"], size["cache_len"] + size["T_q"]),
        lambda mine, size: mine(size["T_q"], size["cache_len"] + size["T_q"], size["cache_len"]),
    ),
    BOTH: Kind(
        lambda T, lengths: {"T": T, "length": lengths[0]},
        lambda size: {"length": (1, size["T"])},
        lambda size: (size["T"], size["T"]),
        lambda mine, size: mine(size["T"], key_padding_lengths=torch.tensor([size["length"]])),
    ),
}


def paint_mask(name, *arguments, mine=None):
    """Show an empty grid, to be painted where the mask of this exercise is True; the page says whether it is
    right, or which known mistake it is.

    name, arguments: the function that makes such a mask, and its arguments; at most 8 rows and 12 columns:
        "create_causal_mask", T_q, T_k (T_q by default)
        "create_padding_mask", lengths, max_len; up to 3 lengths, each with a slider
        "create_causal_mask_with_cache", T_q, T_k, cache_len; with sliders for T_q and cache_len
        "create_attention_mask", T, [length]; causal, one example, with a slider for its length
    mine: the learner's function; its mask can be laid over the drawing.

    Returns a Piece. The rules and the mistakes are in the script, which the grader's sandbox does not
    contain. Raises ValueError for sizes that do not fit, and if the function does not return such a mask.
    """
    start, ranges = start_and_ranges(name, arguments)
    masks = {}
    if mine is not None:
        for values in product(*(range(low, high + 1) for low, high in ranges.values())):
            mask = mask_of(mine, name, start | dict(zip(ranges, values, strict=True)))
            masks[",".join(map(str, values))] = "".join("01"[cell] for cell in mask.flatten().tolist())
    data = {
        "name": name,
        "sizes": start,
        "sliders": [[size, *ends] for size, ends in ranges.items()],
        "colours": [OLD, NEW],
        "mine": masks or None,
    }
    figure = draw_still(name, start, mine)
    rows, columns = KINDS[name].shape(start)
    words = f"an empty grid of {rows} rows and {columns} columns, to be painted where the mask is True"
    return Piece("paint.js", data, still_of(figure), words if mine is None else description(figure))


def start_and_ranges(name, arguments):
    """Return the initial sizes, and the ranges of those that have a slider."""
    try:
        start = KINDS[name].sizes(*arguments)
        ranges = KINDS[name].ranges(start)
        rows, columns = KINDS[name].shape(start | {size: high for size, (_, high) in ranges.items()})
        inside = all(low <= start[size] <= high for size, (low, high) in ranges.items())
    except (KeyError, TypeError, IndexError):
        raise ValueError(f"paint_mask does not know {name!r} with the arguments {arguments!r}.") from None
    most = LENGTHS if name == PADDING else ROWS
    if not inside or not 0 < rows <= most or not 0 < columns <= COLUMNS:
        raise ValueError(
            f"A grid has 1 to {ROWS} rows, 1 to {COLUMNS} columns and up to {LENGTHS} lengths, each at most "
            f"the number of columns; got {arguments!r}."
        )
    return start, ranges


def mask_of(function, name, sizes):
    """Call the function with these sizes, and return its mask as a bool tensor (rows, columns)."""
    mask, shape = KINDS[name].mask(function, sizes), KINDS[name].shape(sizes)
    wanted = (1, 1, *shape) if name == BOTH else shape
    if not isinstance(mask, torch.Tensor) or mask.dtype != torch.bool or mask.shape != wanted:
        answer = (
            f"{mask.dtype} of shape {tuple(mask.shape)}" if isinstance(mask, torch.Tensor) else repr(mask)
        )
        raise ValueError(f"The function returned {answer}; expected bools of shape {wanted}.")
    return mask.reshape(shape)


def draw_still(name, sizes, mine):
    """Draw the still for pages without scripts, the function's mask or an empty grid; returns the Figure."""
    if mine is None:
        rows, columns = KINDS[name].shape(sizes)
        ax = draw_cells(torch.zeros(rows, columns, dtype=torch.long).numpy(), [OPEN], [""])
        length = f" The length is {sizes['length']}." if name == BOTH else ""
        ax.set_title(f"Which cells are masked?{length}", fontsize=10)
        if name == PADDING:
            ax.set_yticks(range(rows), [f"length {sizes[f'length_{b}']}" for b in range(rows)])
        return ax.figure
    mask = mask_of(mine, name, sizes)
    if name == PADDING:
        return plot_padding(mask).figure
    if name == CACHED:
        return plot_cached_mask(mask, sizes["cache_len"]).figure
    return plot_mask(mask).figure
