"""One interactive picture as one piece of HTML: style, still picture, script and data."""

import base64
import html
import io
import json
import secrets
from functools import cache
from pathlib import Path

from ..show.colours import EMPHASIS, HATCH, HEADS, INK, MASKED, SIGNED, WEIGHTS

FOLDER = Path(__file__).parent
STOPS = 17  # colours of a scale, between which the page interpolates


class Piece:
    """An interactive picture; a notebook displays it when it is the last line of a cell.

    script: a script in this folder, which calls `touch.picture(draw)`, or a list of scripts to be joined.
    data: what `draw(root, data)` gets: JSON without NaN and infinities.
    still: the data URI of an image for pages without scripts; if it is empty, the words are shown instead.
    words: a description of the picture for screen readers.
    """

    def __init__(self, script, data, still, words):
        self.script, self.data, self.still, self.words = script, data, still, words

    def _repr_mimebundle_(self, **_):
        return {"text/html": self.html(), "text/plain": f"Picture: {self.words}"}

    def html(self):
        """Return the HTML, with a new random id each time; a page that contains it twice starts both."""
        name = f"touch-{secrets.token_hex(4)}"
        words = html.escape(self.words)
        still = f'<img alt="{words}" src="{self.still}" style="max-width:100%">' if self.still else words
        scripts = [self.script] if isinstance(self.script, str) else self.script
        style, base = read_asset("base.css"), read_asset("base.js")
        script = "\n".join(map(read_asset, scripts))
        return (
            f'<div class="touch" data-touch="{name}"><style>{style}</style>'
            f'<div class="touch-still">{still}</div>'
            f"<script>(()=>{{{base}\n{script}\n"
            f'touch.start("{name}",{js_literal(self.data)},{js_literal(script_colours())})}})()</script></div>'
        )


def read_asset(file):
    return (FOLDER / file).read_text(encoding="utf-8").strip()


def js_literal(value):
    """Convert a value to a JavaScript literal that is safe inside a script element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def script_colours():
    """Return the colours of `course_utils.show.colours` that the scripts use."""
    return {
        "weights": scale(WEIGHTS),
        "signed": scale(SIGNED),
        "heads": HEADS,
        "emphasis": EMPHASIS,
        "masked": MASKED,
        "hatch": HATCH,
        "ink": INK,
    }


@cache
def scale(name, stops=STOPS):
    """Sample one of matplotlib's colour maps at `stops` points, as (red, green, blue) from 0 to 255."""
    from matplotlib import colormaps

    return [[round(255 * part) for part in colormaps[name](k / (stops - 1))[:3]] for k in range(stops)]


def in_base64(data):
    return base64.b64encode(data).decode()


def still_of(figure):
    """Convert a figure to the data URI of a PNG with few colours, half the size of its SVG, and close it."""
    import matplotlib.pyplot as plt
    from PIL import Image  # installed with matplotlib

    page = io.BytesIO()
    figure.savefig(page, format="png", dpi=80, bbox_inches="tight", facecolor="white")
    plt.close(figure)
    return png_uri(Image.open(page).convert("RGB").quantize(128))


def png_uri(image, **options):
    """Convert a Pillow image to the data URI of a PNG. options: for its `save`, by default optimize=True."""
    page = io.BytesIO()
    image.save(page, "PNG", **options or {"optimize": True})
    return f"data:image/png;base64,{in_base64(page.getvalue())}"
