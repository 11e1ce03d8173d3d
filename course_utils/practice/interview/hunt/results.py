"""Two outcomes come in, what differs between them goes out, as (HTML, [line of text])."""

import html

import torch

from ....show.tables import decimals_for, differing, first_difference, rows_text, table_html, tag, window
from ..cards import paragraphs
from .trial import difference

MOST_NUMBERS = 12


def both_results(verdict, who):
    """(HTML, [text]) of the first place where the two outcomes differ."""
    words, one, other = difference(verdict.shown, verdict.right) or ("", verdict.shown.error, "")
    one, other = (verdict.shown.error or one), (verdict.right.error or other)
    where = f", {words}" if words else ""
    heads = [f"{who}{where}", f"right{where}"]
    if all(isinstance(value, torch.Tensor) for value in (one, other)):
        return tables(heads, one, other)
    lines = [f"{head}: {as_text(value)}" for head, value in zip(heads, (one, other), strict=True)]
    return "".join(tag("div", "margin-top:.35em;font-size:90%", html.escape(line)) for line in lines), lines


def tables(heads, one, other):
    if one.shape == other.shape and one.dtype != other.dtype:
        lines = [f"{head}: {value.dtype}" for head, value in zip(heads, (one, other), strict=True)]
        return paragraphs(lines), lines
    mine, target, place = first_difference(one, other)
    wrong = differing(mine, target) if mine.shape == target.shape else None
    decimals = decimals_for(mine, target, wrong)
    start = window(wrong) if wrong is not None else (0, 0)
    at = f" at {list(place)}" if place else ""
    page, text = "", []
    for head, whole, matrix, own in zip(heads, (one, other), (mine, target), (True, False), strict=True):
        caption = f"{head} {tuple(whole.shape)}{at}"
        table = table_html(matrix, wrong, decimals, start, caption=caption, mark=own)
        page += tag("div", "margin-right:1.6em;max-width:100%;overflow-x:auto", table)
        text += [caption, *("  " + row for row in rows_text(matrix, decimals, start))]
    return tag("div", "display:flex;flex-wrap:wrap;margin-top:.45em", page), text


def as_text(value):
    """A result that is no tensor, rounded and short."""
    if isinstance(value, torch.Tensor):
        value = value.tolist() if value.numel() <= MOST_NUMBERS else f"numbers of shape {tuple(value.shape)}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        text = (
            "[" + ", ".join(as_text(one) for one in value[:12]) + (", ..." if len(value) > 12 else "") + "]"
        )
        return text if len(text) <= 300 else text[:297] + "..."
    return str(value)
