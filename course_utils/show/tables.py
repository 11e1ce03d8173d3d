"""A Picture -> two small tables, yours and the wanted one, with differing entries outlined and tinted."""

import html
import re
from typing import NamedTuple

import torch

from ..model.result import MOST_SHOWN as MOST
from .colours import EMPHASIS, MASKED_CSS, readable

STARRED = re.compile(r"(?<![\w*])\*(\w(?:[^*\n]*\w)?)\*(?![\w*])")  # but not in 2 * n or *args
PAIR = "data-pair"  # on the element around two tables of the same shape: hover.js looks for it
OFF = "data-off"  # on a wrong entry of yours: by how much; empty if no number can say
DECIMALS = range(3, 7)
WRONG, RIGHT = f"2px solid {EMPHASIS}", "1px solid #8886"
PLAIN = "border:0;background:none;padding:0 5px"
FAINT, STRONG = 0.08, 0.45  # opacity of a wrong entry's tint; text stays readable on it
HEADER = f"{PLAIN};font-weight:normal;text-align:right;opacity:.75"
CAPTION = "caption-side:top;text-align:left;white-space:nowrap;padding:0;color:inherit;opacity:.75"


class Table(NamedTuple):
    """The part of a matrix that is shown. wrong: which entries are outlined; None: not marked. off: by how
    much yours are off; None: unknown, or not yours. start: where it begins in the matrix. more: do rows and
    columns follow?"""

    title: str
    entries: torch.Tensor
    wrong: torch.Tensor | None
    off: torch.Tensor | None
    decimals: int
    start: tuple
    more: tuple


def both_html(picture):
    """The tables side by side; in yours, the tint of a wrong entry shows how far off it is."""
    yours, target = tables_of(picture)
    own = table_html(yours, mark=True), table_html(target)
    panels = (tag("div", "margin-right:1.6em;max-width:100%;overflow-x:auto", each) for each in own)
    pair = "" if yours.off is None else f" {PAIR}"
    both = f'<div{pair} style="display:flex;flex-wrap:wrap;margin-top:.45em">{"".join(panels)}</div>'
    tinted = "the stronger the tint, the further off" if pair and varied(yours.off) else ""
    below = "; ".join(filter(None, [axes_of(picture), tinted]))
    return both + (small(below) if below else "")


def small(text):
    return tag("div", "opacity:.75;font-size:90%", html.escape(text))


def tag(name, style, inner):
    """An HTML element; inner is HTML already."""
    return f'<{name} style="{style}">{inner}</{name}>' if style else f"<{name}>{inner}</{name}>"


def code_spans(text):
    """Escape the text; `back-quoted` parts become code, and *starred* words outside them are emphasised."""
    parts = html.escape(text).split("`")
    return "".join(
        tag("code", "background:#8882;color:inherit", part) if i % 2 else STARRED.sub(r"<em>\1</em>", part)
        for i, part in enumerate(parts)
    )


def both_text(picture):
    """The two tables as lines of text."""
    lines = []
    for table in tables_of(picture):
        lines += [table.title, *("  " + line for line in rows_text(table))]
    return [*lines, *filter(None, [axes_of(picture)])]


def tables_of(picture):
    """The Tables of yours and of the target."""
    yours, wanted, place = first_difference(picture.yours, picture.wanted)
    off, wrong, start = distances(yours, wanted), None, (0, 0)
    if off is not None:
        wrong = differing(yours, wanted)
        start = window(wrong)
    decimals = decimals_for(yours, wanted, wrong)
    at = f" at {list(place)}" if place else ""
    at += "".join(f", {word} from {n}" for word, n in zip(("rows", "columns"), start, strict=True) if n)
    outlined = None if wrong is None or (wrong.all() and wrong.numel() > 1) else wrong
    rows, columns = (slice(n, n + MOST) for n in start)

    def table(name, matrix, whole, off):
        title, shown = f"{name} {tuple(whole.shape)}{at}", matrix[rows, columns]
        marks, distance = (None if each is None else each[rows, columns] for each in (outlined, off))
        more = tuple(n > begin + MOST for n, begin in zip(matrix.shape, start, strict=True))
        return Table(title, shown, marks, distance, decimals, start, more)

    own = table(f"{picture.whose}: {picture.fact}", yours, picture.yours, off)
    return own, table("expected:", wanted, picture.wanted, None)


def window(wrong):
    """The (row, column) where a cut table begins: (0, 0) if that part shows a difference or there is none;
    else the first difference is in the middle."""
    if not wrong.numel() or not wrong.any() or wrong[:MOST, :MOST].any():
        return 0, 0
    first = wrong.nonzero()[0].tolist()
    sizes = zip(first, wrong.shape, strict=True)
    return tuple(max(0, min(at - MOST // 2, size - MOST)) for at, size in sizes)


def axes_of(picture):
    """'rows T_q, columns T_k' if the target has at least two axes and all have names; else empty."""
    axes, rank = picture.axes, picture.wanted.dim()
    return f"rows {axes[-2]}, columns {axes[-1]}" if rank == len(axes) >= 2 else ""


def first_difference(yours, wanted):
    """The first pair of matrices (last two axes) that differ, and their place; the first matrix of each if
    the shapes differ."""
    if yours.shape != wanted.shape or not yours.numel():
        return first_matrix(yours), first_matrix(wanted), ()
    own, target = matrices(yours), matrices(wanted)
    n = next((n for n in range(len(own)) if differing(own[n], target[n]).any()), 0)
    place = torch.unravel_index(torch.tensor(n), yours.shape[:-2]) if yours.dim() > 2 else ()
    return own[n], target[n], tuple(int(i) for i in place)


def matrices(value):
    value = value[None] if value.dim() == 1 else value[None, None] if value.dim() == 0 else value
    return value.reshape(-1, *value.shape[-2:])


def first_matrix(value):
    return matrices(value)[0] if value.numel() else value.reshape(0, 0)


def differing(own, target):
    own, target = own.double().nan_to_num(7.7e7), target.double().nan_to_num(7.7e7)
    return (own - target).abs() > 1e-4 * (1 + target.abs())


def distances(yours, wanted):
    """How far off each entry is, as float64 with the sign of yours - wanted: 0 if it is right, inf if one of
    the two is infinite or NaN, NaN if no number can say (booleans). None if the shapes differ."""
    if yours.shape != wanted.shape:
        return None
    wrong = differing(yours, wanted)
    if torch.bool in (yours.dtype, wanted.dtype) or yours.is_complex() or wanted.is_complex():
        return torch.where(wrong, torch.nan, 0.0).double()
    off = (yours.double() - wanted.double()).nan_to_num(torch.inf, torch.inf, torch.inf)
    return torch.where(wrong, off, 0.0)


def varied(off):
    """Are some wrong entries much further off than others?"""
    sizes = off[(off != 0) & ~off.isnan()].abs()
    return bool(sizes.numel()) and bool(sizes.max() > 1.5 * sizes.min())


def tints(off):
    """The opacity of each entry's tint as two hexadecimal digits, "" for no tint."""
    finite = off[off.isfinite()].abs()
    most = finite.max().item() if finite.numel() else 0

    def tint(x):
        share = 1 if x in (torch.inf, -torch.inf) else abs(x) / most
        return f"{round(255 * (FAINT + (STRONG - FAINT) * share)):02x}"

    return [["" if x == 0 or x != x else tint(x) for x in row] for row in off.tolist()]


def decimals_for(yours, wanted, wrong):
    """Three, or as many as it takes to show a difference; none if all entries are whole numbers."""
    entries = torch.cat([table.double().flatten() for table in (yours, wanted)])
    entries = entries[entries.isfinite()]
    if bool((entries == entries.round()).all()):
        return 0
    if wrong is None or not wrong.any():
        return DECIMALS[0]
    pairs = list(zip(yours[wrong], wanted[wrong], strict=True))
    return next((d for d in DECIMALS if any(looks(a, d) != looks(b, d) for a, b in pairs)), DECIMALS[-1])


def looks(entry, decimals):
    """The text of an entry, with no difference between a rounded 0 and an exact one."""
    text = number(entry, decimals)
    return "0" if text == f"{0:.{decimals}f}" else text


def table_html(table, mark=False):
    """The table with row and column numbers; dots replace what is left out. `mark` puts a sign before each
    wrong entry."""
    (rows, columns), (row, column) = table.entries.shape, table.start
    before, after = "<td>…</td>" * (column > 0), "<td>…</td>" * table.more[1]
    numbers = "".join(tag("th", HEADER, str(column + j)) for j in range(columns))
    lines = [tag("td", PLAIN, "") + before + numbers] if rows and columns else []
    lines += ["<td>…</td>"] * (row > 0)
    shades = [] if table.off is None else tints(table.off)
    for i in range(rows):
        cells = ""
        for j in range(columns):
            wrong = table.wrong is not None and bool(table.wrong[i, j])
            shade, off = (shades[i][j], table.off[i, j].item()) if table.off is not None else ("", 0.0)
            offset = offset_text(off, table.decimals)
            cells += cell_html(table.entries[i, j], wrong, table.decimals, mark, shade, offset)
        lines.append(tag("th", HEADER, str(row + i)) + before + cells + after)
    lines += ["<td>…</td>"] * table.more[0]
    body = "".join(tag("tr", "background:none", line) for line in lines)
    caption = tag("caption", CAPTION, html.escape(table.title))
    return tag("table", "border-collapse:collapse;font:12px monospace;margin:.2em 0", caption + body)


def cell_html(entry, wrong, decimals, mark=False, shade="", off=None):
    """One entry. If it is masked (True or -inf), it is hatched as in the figures.

    shade: the opacity of its tint, two hexadecimal digits; off: the value of OFF, by how much it is off, or
    None.
    """
    is_number = entry.dtype.is_floating_point or entry.dtype.is_complex
    masked = entry.item() == float("-inf") if is_number else entry.dtype.itemsize == 1 and bool(entry)
    style = (
        f"border:{WRONG if wrong else RIGHT};padding:1px 5px;text-align:{'right' if is_number else 'center'}"
    )
    sign = tag("span", f"font-weight:bold;{readable(EMPHASIS)}", "≠") if wrong and mark else ""
    ground = MASKED_CSS if masked else f"background:{EMPHASIS}{shade}" if shade else "background:transparent"
    offset = "" if off is None else f' {OFF}="{off}"'
    return f'<td style="{style};{ground}"{offset}>{sign}{number(entry, decimals)}</td>'


def offset_text(off, decimals):
    """'0.250 too large'; "" if no number can say; None if the entry is right."""
    if off == 0:
        return None
    if off != off or off in (torch.inf, -torch.inf):
        return ""
    size = abs(off)
    text = f"{size:.{decimals}f}"
    text = text if size < 1e5 and float(text) else f"{size:.1e}"
    return f"{text} too {'large' if off > 0 else 'small'}"


def rows_text(table):
    rows = [[number(x, table.decimals) for x in row] for row in table.entries]
    width = max((len(text) for row in rows for text in row), default=0)
    before, after = "... " * (table.start[1] > 0), " ..." * table.more[1]
    lines = [before + " ".join(f"{text:>{width}}" for text in row) + after for row in rows]
    return ["..."] * (table.start[0] > 0) + lines + ["..."] * table.more[0]


def number(entry, decimals):
    """The text of an entry: T and F, whole numbers, 0 only for exactly 0; all others with the same number of
    decimals, enough for every difference that counts."""
    value = entry.item()
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, (int, complex)) or value == 0:
        return f"{value:.3g}" if isinstance(value, complex) else str(int(value))
    size = abs(value)
    if size != size or size == float("inf"):
        return str(value)
    if size < 0.5 * 10**-decimals:
        return f"{0:.{decimals}f}"
    return f"{value:.{decimals}f}" if size < 1e5 else f"{value:.1e}"
