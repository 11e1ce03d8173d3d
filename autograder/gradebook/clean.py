"""Sanitizes what students wrote before a page shows it.

Markdown is rendered first and cleaned afterwards, because rendering alone can produce a script.
"""

import html
import re

import nh3
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.token import STANDARD_TYPES

DATA_PICTURE = re.compile(r"data:image/(png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]*")
PASTED = "attachment:"
LINK = re.compile(r"https?://|mailto:|#", re.I)
LONGEST_LINE, EMPTY_LINES = 500, "\n" * 20
NO_MATH = "tex2jax_ignore"
CARD_FUNCTIONS = re.compile(  # the only CSS functions allowed: those that course_utils/show/ writes
    r"color-mix\(in srgb,#\w{6} \d+%,currentColor\)"
    r"|repeating-linear-gradient\(135deg(,#\w{6}( \d+px){2}){2}\)"
)
STYLES = {
    "background", "border", "border-collapse", "border-left", "border-radius", "caption-side", "color",
    "display", "flex-wrap", "font", "font-size", "font-weight", "line-height", "margin", "margin-right",
    "margin-top", "max-width", "opacity", "overflow-x", "padding", "text-align", "white-space",
}  # fmt: skip
MATH_TRICKS = re.compile(
    r"\\(href|url|require|class|cssId|style|data|toggle|action|mmltip|texttip|unicode|bbox|fcolorbox"
    r"|mmlToken)"
    r"(?![a-zA-Z])"
)


def allowed_attribute(tag, name, value):
    """Return an attribute's value, or None to remove the attribute. A link may lead elsewhere, but opening a
    page must not fetch anything, so pictures must be embedded."""
    if name == "href":
        return value if LINK.match(value.strip()) else None
    if name == "src":
        return value if DATA_PICTURE.fullmatch(value.strip()) else None
    return None if name == "style" and "(" in CARD_FUNCTIONS.sub("", value) else value


STYLED = "div", "span", "b", "code", "pre", "table", "caption", "tr", "th", "td"
COLOURED = {name for name in STANDARD_TYPES.values() if name} | {"highlight", "anchor-link", NO_MATH}
CLEANER = nh3.Cleaner(
    tags=nh3.ALLOWED_TAGS - {"map", "area", "bdo", "wbr"},  # MathJax joins a command that a wbr splits
    attributes={
        **nh3.ALLOWED_ATTRIBUTES,
        **{tag: nh3.ALLOWED_ATTRIBUTES.get(tag, set()) | {"style"} for tag in STYLED},
        "a": {"href", "title"},
        "img": {"src", "alt", "width", "height"},
        "details": {"open"},
    },
    allowed_classes=dict.fromkeys(("a", "div", "pre", "code", "span"), COLOURED),
    filter_style_properties=STYLES,
    attribute_filter=allowed_attribute,
    url_schemes={"http", "https", "mailto", "data"},
    clean_content_tags={"script", "style", "svg"},  # removed with the text in them
)


def render_code(source, language=None, metadata=None):
    """Highlight a code cell as plain Python, unless long lines or many empty ones would make that slow."""
    lines = source.splitlines()
    is_long = max(map(len, lines), default=0) > LONGEST_LINE
    has_gap = EMPTY_LINES in "\n".join(map(str.strip, lines))
    return Highlight2HTML()(source, "text" if is_long or has_gap else "python3")


class Renderer(IPythonRenderer):
    """Renders Markdown to HTML, without highlighting code and without pictures missing from the file."""

    def block_code(self, code, info=None):
        """Do not highlight: a text may name any language, and some of their lexers take hours."""
        return super().block_code(code)

    def image(self, text, url, title=None):
        """Show a note in place of a picture that was pasted into the cell, as its data are not available."""
        if url.startswith(PASTED):
            name = html.escape(url.removeprefix(PASTED))
            return f"<em>(A pasted picture, {name}: open the notebook that was handed in to see it.)</em>"
        return super().image(text, url, title)


def markdown(source):
    """Like nbconvert's markdown2html, but the result is cleaned, and headings get no anchor links.

    It is enclosed in its own box, as a formula could move its letters over a score at the top of the page.
    """
    renderer = Renderer(escape=False, exclude_anchor_links=True)
    page = CLEANER.clean(MarkdownWithMath(renderer=renderer).render(source))
    return f'<div style="overflow:auto">{plain_math(page)}</div>\n'


def output(page):
    """Clean an output's HTML: cards keep their looks, active content is removed, dollars make no formulas."""
    page = CLEANER.clean(page.decode("utf-8", "replace") if isinstance(page, bytes) else str(page))
    return f'<div class="{NO_MATH}">{plain_math(page)}</div>'


def plain_math(page):
    """Break the MathJax commands that create links. A page is cleaned first, so no tag splits a command."""
    return MATH_TRICKS.sub(r"\\ \1", page)


def unchanged(text):
    """Replaces nbconvert's strip_files_prefix, which turns "files/javascript:..." into a script."""
    return text
