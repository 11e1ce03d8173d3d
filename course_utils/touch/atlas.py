"""Draw many heads into one palette PNG, which is both a picture and the data that a script reads.

The palette index of a pixel is a level: 0 to LEVELS are weights in steps of STEP; MASKED is a masked key or a
gap between heads; PAPER is the background of names. Weights differ from their level by at most 1/254, and
three decimals write a level exactly.
"""

import numpy as np

from ..show.colours import MASKED as GREY
from ..show.colours import WEIGHTS

STEP, LEVELS, MASKED, PAPER = 0.007, 143, 254, 255
GAP, TEXT = 1, 12  # pixels
UP = 0.438  # a level covers weights from 0.438 steps below it to 0.562 above: more zeros, fewer bytes
SMALLEST = 700  # target width in pixels of a picture with few and small heads


def as_levels(weights, masked):
    """Convert weights (..., T, T) to levels (uint8); `masked` (T, T) is True at masked keys."""
    return np.where(masked, MASKED, weights / STEP + UP).astype(np.uint8)


def draw_atlas(levels, row_names, column_names):
    """Draw heads (rows, columns, n, n) with names in the margins; returns (Pillow image, {name: pixels}).

    Cell (i, j) of the head in a row and a column begins at pixel (top + row * step + i * scale,
    left + column * step + j * scale).
    """
    from matplotlib import get_data_path
    from PIL import Image, ImageDraw, ImageFont

    rows, columns, n, _ = levels.shape
    scale = max(1, min(160, SMALLEST // columns) // n)
    side = n * scale
    grow = max(1, columns * (side + GAP) / SMALLEST)  # a page shrinks a wide picture, so its text is larger
    font = ImageFont.truetype(f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf", round(TEXT * grow))
    left = round(max(map(font.getlength, row_names), default=0) + 8 * grow)
    top = round((TEXT + 7) * grow)
    step = side + GAP

    page = np.full((top + rows * step, left + columns * step), MASKED, np.uint8)
    tiles = page[top:, left:].reshape(rows, step, columns, step)[:, :side, :, :side]  # a view
    tiles[:] = levels.repeat(scale, -1).repeat(scale, -2).transpose(0, 2, 1, 3)
    text = Image.new("L", (page.shape[1], page.shape[0]))
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
    """Return the colours of all levels as bytes: 256 times red, green and blue."""
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    colours = np.ones((256, 3))
    colours[: LEVELS + 1] = colormaps[WEIGHTS](np.linspace(0, 1, LEVELS + 1))[:, :3]
    colours[MASKED] = to_rgb(GREY)
    return (255 * colours).round().astype(np.uint8).tobytes()
