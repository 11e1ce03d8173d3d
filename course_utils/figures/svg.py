"""Convert a matplotlib figure to inline SVG, whose text and lines take the colours of the page's theme."""

import html
import io
import re

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.transforms import Bbox

from ..show.colours import INK, OPEN, readable

SETTINGS = {
    "svg.fonttype": "none",  # text stays text: smaller, selectable, and readable aloud
    "svg.hashsalt": "course",  # equal figures give equal bytes
    "font.sans-serif": ["DejaVu Sans", "Verdana"],  # equally wide, and every system has one of them
}
OMITTED_METADATA = dict.fromkeys(["Creator", "Date", "Format", "Type"])
MIN_LETTER_PIXELS = (
    7  # least height of letters in pixels: if the page is too narrow for it, the figure scrolls
)
PIXELS = 4 / 3  # per typographic point
MARGIN = 0.04  # inches
NUMBERS = re.compile(r'\b(?:d|x|y|transform)="[^"]*"')
DECIMALS = re.compile(r"(\.\d{3})\d+")


def as_html(figure, text):
    """Convert a figure to one piece of HTML, with `text` as its description for screen readers.

    Panels in one row become separate SVGs, which a narrow page puts below each other.
    """
    figure.canvas.draw()  # computes the layout, which then stays when panels are hidden
    figure.set_layout_engine("none")
    panels = row_of_panels(figure)
    if panels:
        pictures = [panel_svg(figure, ax, panels) for ax in panels]
    else:
        pictures = [svg(figure, figure.get_tightbbox().padded(MARGIN))]
    style = "display:flex;flex-wrap:wrap;gap:4px 14px;overflow-x:auto;color:inherit"
    return f'<div role="img" aria-label="{html.escape(text)}" style="{style}">{"".join(pictures)}</div>'


def row_of_panels(figure):
    """Return the Axes from left to right if they form one row and share no title, text or legend; else []."""
    axes = [ax for ax in figure.axes if ax.get_visible()]
    if len(axes) < 2 or figure.texts or figure.legends or getattr(figure, "_suptitle", None):
        return []
    places = [ax.get_position() for ax in axes]
    in_one_row = max(place.y0 for place in places) < min(place.y1 for place in places)
    return sorted(axes, key=lambda ax: ax.get_position().x0) if in_one_row else []


def panel_svg(figure, ax, panels):
    """Convert one panel to SVG, with the height of the whole row, so that the panels line up."""
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
    """Convert the part of a figure inside a box, in inches, to an SVG element."""
    page = io.StringIO()
    with plt.rc_context(SETTINGS):
        figure.savefig(page, format="svg", transparent=True, bbox_inches=box, metadata=OMITTED_METADATA)
    return inline_svg(page.getvalue(), *box.size * 72)


def inline_svg(page, width, height):
    """Turn matplotlib's SVG file into an element for a page, in which black becomes the text colour."""
    inner = page[page.index(">", page.index("<svg")) + 1 :]
    inner = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>|<!--.*?-->", "", inner, flags=re.DOTALL)
    inner = re.sub(r'(<g) id="[^"]*"', r"\1", inner)
    inner = inner.replace("stroke: #000000", "stroke: currentColor")
    inner = re.sub(r"<text [^>]*>", themed_text, inner)
    inner = NUMBERS.sub(lambda match: DECIMALS.sub(r"\1", match[0]), inner)
    inner = re.sub(r"\s*\n\s*", "\n", inner).strip()
    sizes = [float(size) for size in re.findall(r"<text [^>]*?([\d.]+)px", inner)]
    least = width * min(PIXELS, MIN_LETTER_PIXELS / min(sizes, default=MIN_LETTER_PIXELS))
    style = f"width:{width * PIXELS:.0f}px;max-width:100%;min-width:{least:.0f}px;height:auto"
    about = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true"'
    lines = 'fill="currentColor" stroke-linejoin="round" stroke-linecap="butt"'
    return f'<svg {about} viewBox="0 0 {width:.2f} {height:.2f}" {lines} style="{style}">{inner}'


def themed_text(match):
    """Mix the colour of a text element with that of the theme; black and white text on cells stays."""
    start = match[0]
    colour = re.search(r"fill: (#\w{6})", start)
    if not colour or colour[1].upper() in (INK, OPEN):
        return start
    return start.replace(colour[0], readable(colour[1], of="fill"))


def figure_of(axes):
    """Return the figure of these Axes, one or several."""
    return np.ravel(axes)[0].figure
