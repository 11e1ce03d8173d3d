"""A mask that is painted by hand, and judged in the page; a function's own mask can be laid over it."""

from itertools import product

import torch

from ..figures.masks import draw_cells, plot_cached_mask, plot_mask, plot_padding
from ..figures.words import description
from ..show.colours import NEW, OLD, OPEN
from .piece import Piece, still_of

CAUSAL, PADDING = "create_causal_mask", "create_padding_mask"
CACHED, BOTH = "create_causal_mask_with_cache", "create_attention_mask"
ROWS, COLUMNS = 8, 12  # the largest grid
T_Q, CACHE_LEN = 5, 6  # how far the sliders of the cached mask go, if they need not go further


def paint_mask(name, *sizes, mine=None):
    """An empty grid, to be painted where the mask of this exercise is True; the page says whether it is
    right, or which known mistake it is.

    name, sizes: the function that makes such a mask, and its arguments:
        "create_causal_mask", T_q, T_k (the same as T_q if not given)
        "create_padding_mask", lengths, max_len; up to 3 lengths, each with a slider
        "create_causal_mask_with_cache", T_q, T_k, cache_len; with sliders for T_q and cache_len
        "create_attention_mask", T, [length]; causal, one example, with a slider for its length
    mine: such a function. Its mask can be laid over the drawing.
    Returns a Piece. The rules and the mistakes are in the script, which the sandbox of the grader does not
    have. Raises ValueError, in a sentence, for sizes that do not fit and for results that are no such mask.
    """
    start, ranges = start_and_ranges(name, sizes)
    data = {
        "name": name,
        "sizes": start,
        "sliders": [[size, *ends] for size, ends in ranges.items()],
        "colours": [OLD, NEW],
        "mine": None
        if mine is None
        else {
            ",".join(map(str, values)): bits(
                mask_of(mine, name, start | dict(zip(ranges, values, strict=True)))
            )
            for values in product(*(range(low, high + 1) for low, high in ranges.values()))
        },
    }
    figure = draw_still(name, start, mine)
    rows, columns = shape_of(name, start)
    words = f"an empty grid of {rows} rows and {columns} columns, to be painted where the mask is True"
    return Piece("paint.js", data, still_of(figure), words if mine is None else description(figure))


def start_and_ranges(name, arguments):
    """(sizes, ranges): {name: number} at first, {name: (low, high)} of those that have a slider."""
    try:
        start, ranges = read_sizes(name, arguments)
    except (TypeError, ValueError, IndexError):
        raise ValueError(f"paint_mask does not know {name!r} with the arguments {arguments!r}.") from None
    rows, columns = shape_of(name, {**start, **{size: high for size, (_, high) in ranges.items()}})
    if min(shape_of(name, start)) < 1 or rows > ROWS or columns > COLUMNS:
        raise ValueError(
            f"A grid that is painted has 1 to {ROWS} rows and 1 to {COLUMNS} columns, which {arguments!r} do "
            "not give."
        )
    for size, (low, high) in ranges.items():
        if not low <= start[size] <= high:
            raise ValueError(f"{size} goes from {low} to {high}, but it is {start[size]}.")
    return start, ranges


def read_sizes(name, arguments):
    """As start_and_ranges, without asking whether the numbers fit."""
    if name == CAUSAL:
        T_q, T_k = (
            arguments if len(arguments) == 2 and arguments[1] is not None else (arguments[0], arguments[0])
        )
        return {"T_q": int(T_q), "T_k": int(T_k)}, {}
    if name == PADDING:
        lengths, max_len = arguments
        lengths = {f"length_{b}": int(length) for b, length in enumerate(lengths)}
        start = lengths | {"B": len(lengths), "max_len": int(max_len)}
        return start, dict.fromkeys(lengths, (0, int(max_len)))
    if name == CACHED:
        T_q, T_k, cache_len = map(int, arguments)
        if T_k != cache_len + T_q:
            raise ValueError
        ranges = {"T_q": (1, max(T_Q, T_q)), "cache_len": (0, max(CACHE_LEN, cache_len))}
        return {"T_q": T_q, "cache_len": cache_len}, ranges
    if name == BOTH:
        T, (length,) = arguments
        return {"T": int(T), "length": int(length)}, {"length": (1, int(T))}
    raise ValueError


def shape_of(name, sizes):
    """(rows, columns) of the grid."""
    if name == CAUSAL:
        return sizes["T_q"], sizes["T_k"]
    if name == PADDING:
        return (sizes["B"] if sizes["B"] <= 3 else ROWS + 1), sizes["max_len"]
    if name == CACHED:
        return sizes["T_q"], sizes["cache_len"] + sizes["T_q"]
    return sizes["T"], sizes["T"]


def mask_of(mine, name, sizes):
    """What the function gives for these sizes, as a bool table (rows, columns); ValueError for anything
    else."""
    if name == CAUSAL:
        mask = mine(sizes["T_q"], sizes["T_k"])
    elif name == PADDING:
        lengths = [sizes[f"length_{b}"] for b in range(sizes["B"])]
        mask = mine(torch.tensor(lengths), sizes["max_len"])
    elif name == CACHED:
        mask = mine(sizes["T_q"], sizes["cache_len"] + sizes["T_q"], sizes["cache_len"])
    else:
        mask = mine(sizes["T"], key_padding_lengths=torch.tensor([sizes["length"]]))
    rows, columns = shape_of(name, sizes)
    wanted = (1, 1, rows, columns) if name == BOTH else (rows, columns)
    table = torch.as_tensor(mask)
    if table.dtype != torch.bool or tuple(table.shape) != wanted:
        raise ValueError(
            f"The function gives {table.dtype} of shape {tuple(table.shape)} in the place of bools of shape "
            f"{wanted}."
        )
    return table.reshape(rows, columns)


def bits(mask):
    """A bool table as "0110...", row by row."""
    return "".join("01"[value] for value in mask.flatten().tolist())


def draw_still(name, sizes, mine):
    """The Figure that stands where scripts do not run: the function's mask, or an empty grid for a pencil."""
    if mine is None:
        rows, columns = shape_of(name, sizes)
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
