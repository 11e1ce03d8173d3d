"""Counted numbers move from x to the heads and back, or to where a wrong view or a learner's function puts
them."""

from operator import index as whole

import numpy as np

from ..show.colours import EMPHASIS, HEADS
from .piece import Piece, image_uri

LARGEST = {"T": 5, "H": 4, "d_head": 4}
MOST_NUMBERS, WIDEST = 240, 24  # of a learner's result: more numbers, or longer rows, are not shown
GAP = 0.9  # between two tables, in cells
WIDTH, HEIGHT = 340, 300  # pixels that a table of the still may have


def fly_numbers(T=4, H=3, d_head=2, *, wrong=False):
    """The numbers of one example x (T, d_model) on their way to the heads (H, T, d_head) and back. Returns a
    Piece.

    T, H, d_head: the sizes at first, at most those of LARGEST; sliders change them.
    wrong: does it begin with `view(H, T, d_head)`? A switch changes it.
    """
    sizes = {"T": T, "H": H, "d_head": d_head}
    for name, most in LARGEST.items():
        if not is_whole(sizes[name]) or not 1 <= sizes[name] <= most:
            raise ValueError(f"{name} is a whole number from 1 to {most}, but it is {sizes[name]!r}.")
    T, H, d_head = (int(size) for size in (T, H, d_head))
    x = np.arange(T * H * d_head).reshape(T, H * d_head)  # (T, d_model)
    right, scrambled = split(x, H), x.reshape(H, T, d_head)  # (H, T, d_head)
    data = {"mode": "steps", "T": T, "H": H, "d_head": d_head, "wrong": bool(wrong), "largest": LARGEST}
    words = (
        f"the numbers 0 to {x.size - 1} of x {x.shape} go through view {(T, H, d_head)} and transpose to the "
        f"heads {right.shape}, and back. {tables_in_words(right, 'head')}. With view{right.shape} "
        f"{placed(scrambled, right)} of {x.size} are in place. {tables_in_words(scrambled, 'head')}."
    )
    panels = [
        (f"x {x.shape}", x, None),
        (f"heads {right.shape}", right, None),
        (f"x.view{right.shape}: {placed(scrambled, right)} of {x.size} in place", scrambled, right),
    ]
    return Piece("fly.js", data, still(panels, *bands_of(right)), words)


def fly_arrangement(name, source, yours, wanted):
    """A learner's result of split_heads or merge_heads, to which the numbers of the argument move; or None.

    name: the exercise. given: its argument x, numbers counted up by 1. yours, wanted: the learner's result
    and the right one. Where both keep the examples of a batch apart, only the first is shown.
    Returns a Piece, or None where `yours` is not an arrangement of these numbers that can be drawn.
    """
    source, yours, wanted = (np.asarray(value.tolist()) for value in (source, yours, wanted))
    about = ""
    if yours.ndim and yours.shape[0] == source.shape[0] > 1 and same_numbers(yours[0], source[0]):
        source, yours, wanted = source[0], yours[0], wanted[0]
        about = "example 0"
    first = source.flat[0]
    if not np.array_equal(source.ravel(), np.arange(first, first + source.size)):
        return None
    if not same_numbers(yours, source) or not 1 <= yours.ndim <= 5 or yours.size > MOST_NUMBERS:
        return None
    if max(yours.shape[-1], source.shape[-1]) > WIDEST:
        return None
    heads = wanted if name == "split_heads" else source
    bands, tokens = bands_of(heads - first)
    stages = {"given": source, "yours": yours, "wanted": wanted}
    data = {
        "mode": "yours",
        "name": name,
        "about": about,
        "examples": 1 if about else len(source),
        "first": int(first),
        "bands": bands,
        "tokens": tokens,
        **{
            key: {
                "shape": value.shape,
                "order": numbers(value - first),
                "tables": "head" if value.shape == heads.shape and heads.ndim == 3 else None,
            }
            for key, value in stages.items()
        },
    }
    result = (
        f"{placed(yours, wanted)} of {yours.size} in place"
        if yours.shape == wanted.shape
        else f"the wanted shape is {wanted.shape}"
    )
    words = (
        f"the numbers {int(first)} to {int(first) + source.size - 1} go from x {source.shape} to your "
        f"{name} {yours.shape}: {result}. {tables_in_words(yours)}."
    )
    panels = [
        (f"x {source.shape}", source, None),
        (f"yours {yours.shape}", yours, wanted if yours.shape == wanted.shape else None),
        (f"wanted {wanted.shape}", wanted, None),
    ]
    return Piece("fly.js", data, still(panels, bands, tokens, int(first)), words)


def is_whole(size):
    try:
        return whole(size) == size and not isinstance(size, bool)
    except TypeError:
        return False


def split(x, H):
    """x (T, d_model) -> (H, T, d_head)"""
    return x.reshape(len(x), H, -1).transpose(1, 0, 2)


def placed(yours, wanted):
    return int((yours == wanted).sum())


def same_numbers(numbers, others):
    return numbers.size == others.size and np.array_equal(
        np.sort(numbers, axis=None), np.sort(others, axis=None)
    )


def numbers(array):
    """The numbers of an array in its order, as JSON's whole numbers."""
    return [int(number) for number in array.ravel()]


def bands_of(heads):
    """For each of the numbers from 0 on in heads (..., H, T, d_head): its band and its token."""
    order = heads.ravel().astype(int).argsort()
    *_, band, token, _ = np.unravel_index(order, heads.shape)
    return band.tolist(), token.tolist()


def tables_in_words(array, name="table"):
    """'head 0: 0 1, 6 7; head 1: ...', of at most eight tables."""
    tables = array.reshape(-1, *array.shape[-2:]) if array.ndim > 1 else array.reshape(1, 1, -1)
    parts = (", ".join(" ".join(f"{number:.0f}" for number in row) for row in table) for table in tables[:8])
    more = "; …" if len(tables) > 8 else ""
    return "; ".join(f"{name} {k}: {part}" for k, part in enumerate(parts)) + more


# ---- what stands where scripts do not run: written by hand, since a check does not wait for matplotlib


def still(panels, bands, tokens, first=0):
    """The data URI of an SVG of panels (title, array, wanted array or None) side by side; what is not where
    it is wanted is outlined."""
    parts, left, height = [], 10, 0
    for title, array, wanted in panels:
        drawn, width, below = panel_svg(title, array, wanted, bands, tokens, first)
        parts.append(f'<g transform="translate({left:.0f})">{drawn}</g>')
        left, height = left + width + 26, max(height, below)
    size = f'width="{left:.0f}" height="{height:.0f}" viewBox="0 0 {left:.0f} {height:.0f}"'
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">'
    ground = '<rect width="100%" height="100%" fill="#fff"/>'
    return image_uri(f"{begin}{ground}{''.join(parts)}</svg>".encode(), "svg+xml")


def panel_svg(title, array, wanted, bands, tokens, first):
    """(SVG, width, height) of an array as tables of its last two axes, as many side by side as makes the
    cells largest."""
    rows, columns = array.shape[-2:] if array.ndim > 1 else (1, len(array))
    count = array.size // (rows * columns)
    cell, across = max(
        (min(28, WIDTH / (k * (columns + GAP)), HEIGHT / (count // k * (rows + GAP))), k)
        for k in range(1, count + 1)
        if count % k == 0
    )
    grounds, texts, outlines = {}, [], ""
    for place, value in enumerate(array.ravel()):
        table, inside = divmod(place, rows * columns)
        x = table % across * (columns + GAP) + inside % columns
        y = table // across * (rows + GAP) + inside // columns
        square = f"M{x:.4g} {y:.4g}h.92v.92h-.92z"
        fill = colour(bands[int(value) - first], tokens[int(value) - first], max(tokens))
        grounds[fill] = grounds.get(fill, "") + square
        texts.append(f'<text x="{x + 0.46:.4g}" y="{y + 0.6:.4g}">{value:.0f}</text>')
        if wanted is not None and wanted.flat[place] != value and placed(array, wanted):
            outlines += square  # where nothing is in place, outlines say nothing
    paths = "".join(f'<path fill="{fill}" d="{squares}"/>' for fill, squares in grounds.items())
    edges = f'<path fill="none" stroke="{EMPHASIS}" stroke-width=".08" d="{outlines}"/>'
    cells = f'<g transform="translate(0 30)scale({cell:.4g})" font-size=".38" text-anchor="middle">'
    width = max(cell * (min(count, across) * (columns + GAP) - GAP), 7.5 * len(title))
    head = f'<text y="19" font-size="13">{title}</text>'
    height = 40 + cell * (count // across) * (rows + GAP)
    return f"{head}{cells}{paths}{edges}{''.join(texts)}</g>", width, height


def colour(band, token, last):
    """The band's colour on white, stronger from token to token, as the script mixes it."""
    hue = [int(HEADS[band % len(HEADS)][k : k + 2], 16) for k in (1, 3, 5)]
    strength = 0.3 + 0.45 * (token / last if last else 0.5)
    return "#" + "".join(f"{round(255 + strength * (part - 255)):02x}" for part in hue)
