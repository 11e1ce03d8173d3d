"""A drawn figure -> SVG within the page, so that text and lines have the colour of its theme."""

import html
import io
import re

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.transforms import Bbox

from ..show.colours import INK, OPEN, readable

SETTINGS = {
    "svg.fonttype": "none",  # text stays text: smaller, and it can be marked and read aloud
    "svg.hashsalt": "course",  # equal pictures are equal bytes
    "font.sans-serif": ["DejaVu Sans", "Verdana"],  # as wide as each other: one of them is everywhere
}
NOT_SAID = dict.fromkeys(["Creator", "Date", "Format", "Type"])
SMALLEST = 7  # a narrow page makes letters no smaller than this many pixels: rather it scrolls
PIXELS = 4 / 3  # of a point
MARGIN = 0.04  # inches
NUMBERS = re.compile(r'\b(?:d|x|y|transform)="[^"]*"')
DECIMALS = re.compile(r"(\.\d{3})\d+")


def as_html(figure, text):
    """The figure as one piece of HTML, with `text` for those who do not see it.

    Panels that stand in one row become pictures of their own, which a narrow page puts below each other.
    """
    figure.canvas.draw()  # the layout is made here: hiding a panel below changes nothing of it
    figure.set_layout_engine("none")
    panels = row_of_panels(figure)
    if panels:
        pictures = [panel_svg(figure, ax, panels) for ax in panels]
    else:
        pictures = [svg(figure, figure.get_tightbbox().padded(MARGIN))]
    style = "display:flex;flex-wrap:wrap;gap:4px 14px;overflow-x:auto;color:inherit"
    return f'<div role="img" aria-label="{html.escape(text)}" style="{style}">{"".join(pictures)}</div>'


def row_of_panels(figure):
    """The Axes, from left to right, if they stand in one row and nothing is drawn across them; else []."""
    axes = [ax for ax in figure.axes if ax.get_visible()]
    if len(axes) < 2 or figure.texts or figure.legends or getattr(figure, "_suptitle", None):
        return []
    places = [ax.get_position() for ax in axes]
    in_one_row = max(place.y0 for place in places) < min(place.y1 for place in places)
    return sorted(axes, key=lambda ax: ax.get_position().x0) if in_one_row else []


def panel_svg(figure, ax, panels):
    """One of the panels, as high as all of them, so that they stand in line."""
    inches = figure.dpi_scale_trans.inverted()
    boxes = [inches.transform_bbox(other.get_tightbbox()) for other in panels]
    own = boxes[panels.index(ax)]
    box = Bbox([[own.x0, min(box.y0 for box in boxes)], [own.x1, max(box.y1 for box in boxes)]])
    other_panels = [other for other in panels if other is not ax]
    for other in other_panels:
        other.set_visible(False)
    picture = svg(figure, box.padded(MARGIN))
    for other in other_panels:
        other.set_visible(True)
    return picture


def svg(figure, box):
    """The part of a figure in the box, in inches, as an SVG element."""
    page = io.StringIO()
    with plt.rc_context(SETTINGS):
        figure.savefig(page, format="svg", transparent=True, bbox_inches=box, metadata=NOT_SAID)
    return for_the_page(page.getvalue(), *box.size * 72)


def for_the_page(page, width, height):
    """matplotlib's file as an element of a page: what is black takes the colour of the text around it."""
    inner = page[page.index(">", page.index("<svg")) + 1 :]
    inner = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>|<!--.*?-->", "", inner, flags=re.DOTALL)
    inner = re.sub(r'(<g) id="[^"]*"', r"\1", inner)
    inner = inner.replace("stroke: #000000", "stroke: currentColor")
    inner = re.sub(r"<text [^>]*>", text_in_the_theme, inner)
    inner = NUMBERS.sub(lambda match: DECIMALS.sub(r"\1", match[0]), inner)
    inner = re.sub(r"\s*\n\s*", "\n", inner).strip()
    sizes = [float(size) for size in re.findall(r"<text [^>]*?([\d.]+)px", inner)]
    least = width * min(PIXELS, SMALLEST / min(sizes, default=SMALLEST))
    style = f"width:{width * PIXELS:.0f}px;max-width:100%;min-width:{least:.0f}px;height:auto"
    about = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true"'
    lines = 'fill="currentColor" stroke-linejoin="round" stroke-linecap="butt"'
    return f'<svg {about} viewBox="0 0 {width:.2f} {height:.2f}" {lines} style="{style}">{inner}'


def text_in_the_theme(match):
    """A coloured text, mixed with the colour of the theme; texts on a cell stay as they are."""
    start = match[0]
    colour = re.search(r"fill: (#\w{6})", start)
    if not colour or colour[1].upper() in (INK, OPEN):
        return start
    return start.replace(colour[0], readable(colour[1], of="fill"))


def figure_of(axes):
    """The figure that holds these Axes, one or several."""
    return np.ravel(axes)[0].figure
