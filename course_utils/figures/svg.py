"""Convert a matplotlib figure to inline SVG, whose text and lines take the colours of the page's theme."""

import html
import io
import re
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.transforms import Bbox

from ..show.colours import INK, OPEN, readable

FONTS = ["DejaVu Sans", "Verdana"]  # equally wide, and every system has one of them
OMITTED_METADATA = dict.fromkeys(["Creator", "Date", "Format", "Type"])
MIN_LETTER_PIXELS = 7  # least height of letters: if the page is too narrow for it, the figure scrolls
PIXELS = 4 / 3  # per typographic point
MARGIN = 0.04  # inches
GAP = 14  # pixels between two panels of a row
NUMBERS = re.compile(r'\b(?:d|x|y|transform)="[^"]*"')
DECIMALS = re.compile(r"(\.\d{3})\d+")


@dataclass
class Drawing:
    """A figure or one of its panels as SVG. Lengths are in pixels."""

    elements: str
    width: float
    height: float
    legible: float  # the least width at which its text is legible


def as_html(figure, text):
    """Convert a figure to one piece of HTML, with `text` as its description for screen readers.

    Panels in one row become separate SVGs, all of them in a row or, on a narrow page, one below another.
    """
    figure.canvas.draw()  # computes the layout, which then stays when panels are hidden
    figure.set_layout_engine("none")
    panels = row_of_panels(figure)
    if panels:
        drawings = [draw_panel(figure, ax, panels) for ax in panels]
    else:
        drawings = [draw(figure, figure.get_tightbbox().padded(MARGIN))]
    style = f"display:flex;flex-wrap:wrap;gap:4px {GAP}px;overflow-x:auto;color:inherit"
    pictures = "".join(row_of_svgs(drawings))
    return f'<div role="img" aria-label="{html.escape(text)}" style="{style}">{pictures}</div>'


def row_of_svgs(drawings):
    """Yield SVG elements that share the page's width if all are legible then; otherwise each may fill it."""
    gaps = GAP * (len(drawings) - 1)
    whole = sum(drawing.width for drawing in drawings)
    narrowest = gaps + whole * max(drawing.legible / drawing.width for drawing in drawings)
    for drawing in drawings:
        share = f"(100% - {gaps}px)*{0.9999 * drawing.width / whole:.5f}"
        yield svg(drawing, f"min(100%,max({share},({narrowest:.0f}px - 100%)*9999))")


def row_of_panels(figure):
    """Return the Axes from left to right if they form one row and share no title, text or legend; else []."""
    axes = [ax for ax in figure.axes if ax.get_visible()]
    if len(axes) < 2 or figure.texts or figure.legends or getattr(figure, "_suptitle", None):
        return []
    places = [ax.get_position() for ax in axes]
    in_one_row = max(place.y0 for place in places) < min(place.y1 for place in places)
    return sorted(axes, key=lambda ax: ax.get_position().x0) if in_one_row else []


def draw_panel(figure, ax, panels):
    """Draw one panel, with the height of the whole row, so that the panels line up."""
    inches = figure.dpi_scale_trans.inverted()
    boxes = [inches.transform_bbox(other.get_tightbbox()) for other in panels]
    own = boxes[panels.index(ax)]
    box = Bbox([[own.x0, min(box.y0 for box in boxes)], [own.x1, max(box.y1 for box in boxes)]])
    other_panels = [other for other in panels if other is not ax]
    for other in other_panels:
        other.set_visible(False)
    drawing = draw(figure, box.padded(MARGIN))
    for other in other_panels:
        other.set_visible(True)
    return drawing


def draw(figure, box):
    """Draw the part of a figure inside a box, in inches."""
    page = io.StringIO()
    # text stays text: smaller, selectable, and readable aloud; the salt gives equal figures equal bytes
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "course", "font.sans-serif": FONTS}):
        figure.savefig(page, format="svg", transparent=True, bbox_inches=box, metadata=OMITTED_METADATA)
    elements = elements_of(page.getvalue())
    sizes = [float(size) for size in re.findall(r"<text [^>]*?([\d.]+)px", elements)]
    width, height = box.size * 72 * PIXELS
    legible = width * min(1, MIN_LETTER_PIXELS / PIXELS / min(sizes, default=MIN_LETTER_PIXELS))
    return Drawing(elements, width, height, legible)


def elements_of(page):
    """Return the elements of matplotlib's SVG file; black becomes the colour of the page's text."""
    inner = page[page.index(">", page.index("<svg")) + 1 :]
    inner = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>|<!--.*?-->", "", inner, flags=re.DOTALL)
    inner = re.sub(r'(<g) id="[^"]*"', r"\1", inner)
    inner = inner.replace("stroke: #000000", "stroke: currentColor")
    inner = re.sub(r"<text [^>]*>", themed_text, inner)
    inner = NUMBERS.sub(lambda match: DECIMALS.sub(r"\1", match[0]), inner)
    return re.sub(r"\s*\n\s*", "\n", inner).strip()


def svg(drawing, most):
    """Return the SVG element of a drawing. most: its greatest width, in CSS."""
    size = f"{drawing.width / PIXELS:.2f} {drawing.height / PIXELS:.2f}"
    style = f"width:{drawing.width:.0f}px;max-width:{most};min-width:{drawing.legible:.0f}px;height:auto"
    about = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true"'
    lines = 'fill="currentColor" stroke-linejoin="round" stroke-linecap="butt"'
    return f'<svg {about} viewBox="0 0 {size}" {lines} style="{style}">{drawing.elements}'


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
