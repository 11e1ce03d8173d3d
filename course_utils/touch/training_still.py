"""The still of a training: the heads at the first, a middle and the last step, and the loss curve, as an SVG.

Written by hand, for matplotlib's SVG of the same is six times as large.
"""

import html
import io

import numpy as np

from ..show.colours import HATCH, INK, LINES, MASKED, WEIGHTS
from .piece import image_uri

SIDE, GAP = 160, 2  # pixels of a table's side; keys between two tables
LEFT, TOP, CURVE = 46, 22, 200  # pixels for what stands left of the tables and above them; the curve's width


def still(tokens, steps, frames, losses):
    """A data URI. tokens: T texts; steps: (F,); frames: weights (F, H, T, T); losses: of each step."""
    T, H = len(tokens), frames.shape[1]
    times = list(dict.fromkeys((0, len(steps) // 2, len(steps) - 1)))
    cell = SIDE / T
    apart = cell * (T + GAP)  # pixels from one table to the next
    width, height = LEFT + H * apart, TOP + len(times) * apart
    parts = [tables(frames[times], cell), *letters(tokens, cell, H, len(times))]
    parts += [text(LEFT + h * apart + SIDE / 2, TOP - 8, f"head {h}", 13) for h in range(H)]
    for row, n in enumerate(times):
        x, y = 14, TOP + row * apart + SIDE / 2
        parts.append(text(x, y, f"after {steps[n]} steps", 13, f'transform="rotate(-90 {x} {y:.0f})"'))
    parts += curve(losses, steps[times], width + 24, height - TOP - apart + SIDE)
    page = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + CURVE + 60:.0f} {height + 14:.0f}"'
        f' width="{width + CURVE + 60:.0f}" font-family="sans-serif" fill="{INK}">'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>'
    )
    return image_uri(page.encode(), "svg+xml")


def tables(frames, cell):
    """All weights (rows, H, T, T) as one image, a pixel for each; over each table's future a hatch."""
    from matplotlib import colormaps
    from PIL import Image  # matplotlib brings it

    rows, H, T, _ = frames.shape
    pixels = np.zeros((rows, T + GAP, H, T + GAP, 4), np.uint8)  # see-through between the tables
    pixels[:, :T, :, :T] = colormaps[WEIGHTS](frames.transpose(0, 2, 1, 3), bytes=True)
    png = io.BytesIO()
    Image.fromarray(pixels.reshape(rows * (T + GAP), H * (T + GAP), 4)).save(png, "PNG", optimize=True)
    stairs = "M1 0" + "".join(f"V{i + 1}" + f"H{i + 2}" * (i < T - 1) for i in range(T)) + "V0Z"
    over = "".join(
        f'<use href="#t" x="{h * (T + GAP)}" y="{row * (T + GAP)}"/>' for row in range(rows) for h in range(H)
    )
    line = T / 40
    return (
        f'<defs><pattern id="h" width="{2.4 * line}" height="9" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="9" height="9" fill="{MASKED}"/>'
        f'<rect width="{line / 2}" height="9" fill="{HATCH}"/></pattern><g id="t">'
        f'<path d="{stairs}" fill="url(#h)"/><rect width="{T}" height="{T}" fill="none" stroke="#888" '
        f'stroke-width="{line / 4}"/></g></defs>'
        f'<g transform="translate({LEFT} {TOP}) scale({cell:.4f})"><image width="{H * (T + GAP)}" '
        f'height="{rows * (T + GAP)}" style="image-rendering:pixelated" '
        f'href="{image_uri(png.getvalue(), "png")}"/>{over}</g>'
    )


def letters(tokens, cell, H, rows):
    """The tokens left of the first tables and below the last ones; positions where they are long."""
    names = tokens if short(tokens) else [str(i) for i in range(len(tokens))]
    size, apart = min(10, cell), cell * (len(tokens) + GAP)
    yield f'<g font-size="{size:.0f}" text-anchor="middle">'
    for i, name in enumerate(map(html.escape, names)):
        middle = (i + 0.5) * cell
        for row in range(rows):
            yield f'<text x="{LEFT - 7}" y="{TOP + row * apart + middle + size / 3:.0f}">{name}</text>'
        for h in range(H):
            x, y = LEFT + h * apart + middle, TOP + (rows - 1) * apart + SIDE + 11
            yield f'<text x="{x:.0f}" y="{y:.0f}">{name}</text>'
    yield "</g>"


def curve(losses, steps, left, height):
    """The loss against the step, with dots at some steps."""
    most, total = losses.max(), len(losses)
    shown = range(0, total, max(1, total // 160))

    def at(step):
        loss = losses[min(step, total - 1)] / most
        return f"{left + step / total * CURVE:.0f}", f"{TOP + (1 - loss) * height:.0f}"

    yield text(left + CURVE / 2, TOP - 8, "loss", 13)
    frame = f"M{left:.0f} {TOP}v{height:.0f}h{CURVE}"
    yield f'<path d="{frame}" fill="none" stroke="#888"/>'
    line = "L".join(" ".join(at(step)) for step in shown)
    yield f'<path d="M{line}" fill="none" stroke="{LINES[0]}" stroke-width="2"/>'
    for step in steps:
        x, y = at(step)
        yield f'<circle cx="{x}" cy="{y}" r="5" fill="{LINES[0]}"/>'
        loss, ends = losses[min(step, total - 1)], step > total / 2
        words, side = f"{loss:.3f} after {step}", f'text-anchor="{"end" if ends else "start"}"'
        yield text(float(x) + (0 if ends else 9), float(y) + (-9 if ends else 4), words, 12, side)
    yield text(left + CURVE / 2, TOP + height + 14, "step", 12)


def text(x, y, words, size, more=""):
    anchor = "" if "text-anchor" in more else ' text-anchor="middle"'
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}"{anchor} {more}>{html.escape(words)}</text>'


def short(tokens):
    return max(map(len, tokens)) <= 2
