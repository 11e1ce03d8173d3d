"""One picture as one piece of HTML: style, still picture, script and data."""

import base64
import html
import io
import json
import secrets
from functools import cache
from pathlib import Path

from ..show.colours import EMPHASIS, HATCH, HEADS, INK, MASKED, SIGNED, WEIGHTS

FOLDER = Path(__file__).parent
STOPS = 17  # colours of a scale that the page mixes the others from


class Piece:
    """A picture that one can touch; a notebook displays it when it is the last line of a cell.

    script: the name of the script in this folder, which calls `touch.picture(draw)`, or names of several that
        are one together.
    data: what `draw(root, data)` gets: anything that JSON can hold; NaN and infinities are not among it.
    still: an image's data URI, which says the same where scripts do not run; without it, the words do.
    words: what the picture shows, for those who do not see it.
    """

    def __init__(self, script, data, still, words):
        self.script, self.data, self.still, self.words = script, data, still, words

    def _repr_mimebundle_(self, **_):
        return {"text/html": self.html(), "text/plain": f"Picture: {self.words}"}

    def html(self):
        """The HTML. Each has an id of its own; where a page holds one twice, both are started."""
        name = f"touch-{secrets.token_hex(4)}"
        words = html.escape(self.words)
        still = f'<img alt="{words}" src="{self.still}" style="max-width:100%">' if self.still else words
        scripts = [self.script] if isinstance(self.script, str) else self.script
        style, base, script = text_of("base.css"), text_of("base.js"), "\n".join(map(text_of, scripts))
        return (
            f'<div class="touch" data-touch="{name}"><style>{style}</style>'
            f'<div class="touch-still">{still}</div>'
            f"<script>(()=>{{{base}\n{script}\n"
            f'touch.start("{name}",{literal(self.data)},{literal(looks())})}})()</script></div>'
        )


def text_of(file):
    return (FOLDER / file).read_text(encoding="utf-8").strip()


def literal(value):
    """A value as a JavaScript literal that may stand in a script element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def looks():
    """The colours of `course_utils.show.colours`, for the script."""
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
    """So many colours of one of matplotlib's maps, as (red, green, blue) from 0 to 255."""
    from matplotlib import colormaps

    return [[round(255 * part) for part in colormaps[name](k / (stops - 1))[:3]] for k in range(stops)]


def in_base64(data):
    return base64.b64encode(data).decode()


def still_of(figure):
    """The data URI of a matplotlib figure as PNG of few colours, half of its SVG's bytes; and close it."""
    import matplotlib.pyplot as plt
    from PIL import Image  # matplotlib brings it

    page = io.BytesIO()
    figure.savefig(page, format="png", dpi=80, bbox_inches="tight", facecolor="white")
    plt.close(figure)
    return png_uri(Image.open(page).convert("RGB").quantize(128))


def png_uri(image, **options):
    """The data URI of one of Pillow's images, as small as it can make it; options: of its `save` instead."""
    page = io.BytesIO()
    image.save(page, "PNG", **options or {"optimize": True})
    return f"data:image/png;base64,{in_base64(page.getvalue())}"
