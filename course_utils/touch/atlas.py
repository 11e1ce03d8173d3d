"""Many heads in one palette PNG, which is both a picture and the data that a script reads.

A pixel's index is a level: 0 to LEVELS stand for weights in steps of STEP; MASKED is a masked key, and lies
between the heads, too; PAPER is behind the names. A weight is at most 1/254 away from its level, which three
decimals say exactly.
"""

import base64
import struct
import zlib

import numpy as np

from ..show.colours import MASKED as GREY
from ..show.colours import WEIGHTS

STEP, LEVELS, MASKED, PAPER = 0.007, 143, 254, 255
GAP, TEXT = 1, 12  # pixels
UP = 0.438  # a level holds weights up to 0.438 steps below it and 0.562 above: more zeros, and fewer bytes
SMALLEST = 700  # a picture's width in pixels that is aimed at, where heads are few and small


def as_levels(weights, masked):
    """Weights (..., T, T) and what is masked (T, T) as levels, uint8."""
    levels = (weights / STEP + UP).astype(np.uint8)
    np.copyto(levels, MASKED, where=masked)
    return levels


def pool(levels, block):
    """(..., T, T) to (..., n, n): the largest level of every block × block cells, MASKED where all are."""
    T = levels.shape[-1]
    n = -(-T // block)
    order = np.where(levels == MASKED, 0, levels + np.uint8(1))  # masked below every weight
    room = [(0, 0)] * (levels.ndim - 2) + [(0, n * block - T)] * 2
    order = np.pad(order, room).reshape(*levels.shape[:-2], n, block, n, block)
    order = order.max(axis=-1).max(axis=-2)  # (..., n, n)
    return np.where(order == 0, MASKED, order - np.uint8(1)).astype(np.uint8)


def draw_atlas(levels, row_names, column_names):
    """Heads (rows, columns, n, n), with their names in the margins: (the PNG's bytes, where the heads are).

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
    text = Image.new("L", (page.shape[1], page.shape[0]))
    pen = ImageDraw.Draw(text)
    for row, name in enumerate(row_names):
        pen.text((left - 5 * grow, top + row * step + side / 2), name, 255, font, "rm")
    for column, name in enumerate(column_names):
        pen.text((left + column * step + side / 2, top - 4 * grow), name, 255, font, "ms")
    for margin in (np.s_[:top], np.s_[:, :left]):
        ink = np.asarray(text)[margin]
        page[margin] = np.where(ink > 127, LEVELS, PAPER)
    return as_png(page), {"left": left, "top": top, "step": step, "scale": scale}


def as_png(levels):
    """Levels (height, width) as a palette PNG whose rows are not filtered.

    Weights are nearly noise, in which hardly anything but runs is found: looking for runs alone takes a sixth
    of the time that Pillow takes, and fewer bytes.
    """
    height, width = levels.shape
    rows = np.zeros((height, 1 + width), np.uint8)  # each row begins with its filter, 0
    rows[:, 1:] = levels
    squeeze = zlib.compressobj(1, zlib.DEFLATED, 15, 7, zlib.Z_RLE)
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0),  # 8 bits, with a palette
        b"PLTE": palette(),
        b"IDAT": squeeze.compress(rows) + squeeze.flush(),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts.items()
    )


def palette():
    """The colours of all levels, 256 times red, green and blue."""
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    colours = np.ones((256, 3))
    colours[: LEVELS + 1] = colormaps[WEIGHTS](np.linspace(0, 1, LEVELS + 1))[:, :3]
    colours[MASKED] = to_rgb(GREY)
    return (255 * colours).round().astype(np.uint8).tobytes()


def in_base64(data):
    return base64.b64encode(data).decode()
