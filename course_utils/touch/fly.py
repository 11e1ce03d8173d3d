"""Interactive numbers that move from x to the heads and back, or as a wrong view or a learner's code does."""

import numpy as np

from .piece import Piece, still_of

LARGEST = {"T": 5, "H": 4, "d_head": 4}
WIDEST = 24  # longest row of a learner's result that is drawn


def fly_numbers(T, H, d_head):
    """Show how the numbers of one example x (T, d_model) move to the heads (H, T, d_head) and back.

    T, H, d_head: the initial sizes, at most those of LARGEST; sliders change them. A switch shows where
        `view(H, T, d_head)` puts the numbers.

    Returns a Piece.
    """
    if not all(1 <= size <= most for size, most in zip((T, H, d_head), LARGEST.values(), strict=True)):
        raise ValueError(f"T, H and d_head are {T}, {H} and {d_head}, but the largest are {LARGEST}.")
    x = np.arange(T * H * d_head).reshape(T, H * d_head)  # (T, d_model)
    right, scrambled = x.reshape(T, H, d_head).transpose(1, 0, 2), x.reshape(H, T, d_head)  # (H, T, d_head)
    data = {"mode": "steps", "T": T, "H": H, "d_head": d_head, "largest": LARGEST}
    words = (
        f"the numbers 0 to {x.size - 1} of x {x.shape} go through view {(T, H, d_head)} and transpose to the "
        f"heads {right.shape}, and back. {tables_in_words(right, 'head')}. With view{right.shape} "
        f"{count_in_place(scrambled, right)} of {x.size} are in place. {tables_in_words(scrambled, 'head')}."
    )
    return Piece("fly.js", data, still_of(draw_still(T, H, d_head, scrambled)), words)


def fly_arrangement(name, source, yours, wanted):
    """Show where a learner's split_heads or merge_heads moves the numbers of its argument.

    name: the exercise. source: its argument x, of consecutive numbers. yours, wanted: the learner's result
        and the right one. If the result keeps the examples of a batch apart, only the first is shown.

    Returns a Piece, or None if `yours` is not an arrangement of these numbers that can be drawn.
    """
    source, yours, wanted = (np.asarray(value.tolist()) for value in (source, yours, wanted))
    about = ""
    if yours.ndim and yours.shape[0] == source.shape[0] > 1 and same_numbers(yours[0], source[0]):
        source, yours, wanted = source[0], yours[0], wanted[0]
        about = "example 0"
    first = source.flat[0]
    is_range = np.array_equal(source.ravel(), np.arange(first, first + source.size))
    if (
        not is_range
        or not same_numbers(yours, source)
        or not 1 <= yours.ndim <= 5
        or yours.shape[-1] > WIDEST
    ):
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
                "order": (value - first).astype(int).ravel().tolist(),  # whole numbers in JSON
                "tables": "head" if value.shape == heads.shape and heads.ndim == 3 else None,
            }
            for key, value in stages.items()
        },
    }
    result = (
        f"{count_in_place(yours, wanted)} of {yours.size} in place"
        if yours.shape == wanted.shape
        else f"the expected shape is {wanted.shape}"
    )
    words = (
        f"the numbers {int(first)} to {int(first) + source.size - 1} go from x {source.shape} to your "
        f"{name} {yours.shape}: {result}. {tables_in_words(yours)}."
    )
    return Piece("fly.js", data, "", words)  # no still: the card above shows the result


def count_in_place(yours, wanted):
    return int((yours == wanted).sum())


def same_numbers(numbers, more):
    return np.array_equal(np.sort(numbers, axis=None), np.sort(more, axis=None))


def bands_of(heads):
    """Return two lists: the band and the token of each number 0, 1, 2, ... in heads (..., H, T, d_head)."""
    order = heads.ravel().astype(int).argsort()
    *_, band, token, _ = np.unravel_index(order, heads.shape)
    return band.tolist(), token.tolist()


def tables_in_words(array, name="table"):
    """Describe at most eight tables, as in 'head 0: 0 1, 6 7; head 1: ...'."""
    tables = array.reshape(-1, *array.shape[-2:]) if array.ndim > 1 else array.reshape(1, 1, -1)
    parts = (", ".join(" ".join(f"{number:.0f}" for number in row) for row in table) for table in tables[:8])
    more = "; …" if len(tables) > 8 else ""
    return "; ".join(f"{name} {k}: {part}" for k, part in enumerate(parts)) + more


def draw_still(T, H, d_head, scrambled):
    """Draw how the numbers get to the heads and, below, where the wrong view puts them; returns a Figure."""
    import matplotlib.pyplot as plt  # imported here so that a check does not wait for it

    from ..figures.split import plot_head_tables, plot_split

    figure = plt.figure(figsize=(8, 8), layout="constrained")
    rows = figure.add_gridspec(2)
    plot_split(T, H, d_head, figure=figure.add_subfigure(rows[0]))
    plot_head_tables(scrambled, ax=figure.add_subfigure(rows[1]).subplots())
    return figure
