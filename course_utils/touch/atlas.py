"""Many heads in one palette PNG, which is both a picture and the data that a script reads.

A pixel's index is a level: 0 to LEVELS stand for weights in steps of STEP; MASKED is a masked key, and lies
between the heads, too; PAPER is behind the names. A weight is at most 1/254 away from its level, which three
decimals say exactly.
"""

import numpy as np

from ..show.colours import MASKED as GREY
from ..show.colours import WEIGHTS

STEP, LEVELS, MASKED, PAPER = 0.007, 143, 254, 255
GAP, TEXT = 1, 12  # pixels
UP = 0.438  # a level holds weights up to 0.438 steps below it and 0.562 above: more zeros, and fewer bytes
SMALLEST = 700  # a picture's width in pixels that is aimed at, where heads are few and small


def as_levels(weights, masked):
    """Weights (..., T, T) and what is masked (T, T) as levels, uint8."""
    return np.where(masked, MASKED, weights / STEP + UP).astype(np.uint8)


def draw_atlas(levels, row_names, column_names):
    """Heads (rows, columns, n, n), with their names in the margins: (Pillow's image, where the heads are).

    Cell (i, j) of the head in a row and a column begins at pixel (top + row * step + i * scale,
    left + column * step + j * scale).
    """
    from matplotlib import get_data_path
    from PIL import Image, ImageDraw, ImageFont

    rows, columns, n, _ = levels.shape
    scale = max(1, min(160, SMALLEST // columns) // n)
    side = n * scale
    grow = max(1, columns * (side + GAP) / SMALLEST)  # a wide picture is shown smaller, and its text with it
    font = ImageFont.truetype(f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf", round(TEXT * grow))
    left = round(max(map(font.getlength, row_names), default=0) + 8 * grow)
    top = round((TEXT + 7) * grow)
    step = side + GAP

    page = np.full((top + rows * step, left + columns * step), MASKED, np.uint8)
    tiles = page[top:, left:].reshape(rows, step, columns, step)[:, :side, :, :side]  # a view
    tiles[:] = levels.repeat(scale, -1).repeat(scale, -2).transpose(0, 2, 1, 3)
    text = Image.new("L", page.shape[::-1])
    pen = ImageDraw.Draw(text)
    for row, name in enumerate(row_names):
        pen.text((left - 5 * grow, top + row * step + side / 2), name, 255, font, "rm")
    for column, name in enumerate(column_names):
        pen.text((left + column * step + side / 2, top - 4 * grow), name, 255, font, "ms")
    for margin in (np.s_[:top], np.s_[:, :left]):
        page[margin] = np.where(np.asarray(text)[margin] > 127, LEVELS, PAPER)
    image = Image.fromarray(page)
    image.putpalette(palette())
    return image, {"left": left, "top": top, "step": step, "scale": scale}


def palette():
    """The colours of all levels, 256 times red, green and blue."""
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    colours = np.ones((256, 3))
    colours[: LEVELS + 1] = colormaps[WEIGHTS](np.linspace(0, 1, LEVELS + 1))[:, :3]
    colours[MASKED] = to_rgb(GREY)
    return (255 * colours).round().astype(np.uint8).tobytes()
