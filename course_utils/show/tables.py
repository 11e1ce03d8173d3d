"""Picture -> two small tables, yours and the wanted one, the entries that differ outlined."""

import html

import torch

MOST = 12
DECIMALS = range(3, 7)
WRONG, RIGHT = "2px solid #d9592b", "1px solid #8886"


def both_html(picture):
    """The tables side by side."""
    panels = "".join(
        tag("div", "margin-right:1.6em", small(title) + table_html(*table))
        for title, *table in panels_of(picture)
    )
    below = small(axes_of(picture)) if axes_of(picture) else ""
    return tag("div", "display:flex;flex-wrap:wrap;margin-top:.45em", panels) + below


def small(text):
    return tag("div", "opacity:.75;font-size:90%", html.escape(text))


def tag(name, style, inner):
    """An HTML element; inner is HTML already."""
    return f'<{name} style="{style}">{inner}</{name}>' if style else f"<{name}>{inner}</{name}>"


def both_text(picture):
    """The same as lines of text."""
    lines = []
    for title, matrix, _, decimals in panels_of(picture):
        lines += [title, *("  " + line for line in rows_text(matrix, decimals))]
    return [*lines, *filter(None, [axes_of(picture)])]


def panels_of(picture):
    """(title, table, which entries differ or None, decimals) for yours and for the target."""
    yours, wanted, place = first_difference(picture.yours, picture.wanted)
    wrong = differing(yours, wanted) if yours.shape == wanted.shape else None
    decimals = decimals_for(yours, wanted, wrong)
    at = f" at {list(place)}" if place else ""
    return [
        (f"yours: {picture.fact} {tuple(picture.yours.shape)}{at}", yours, wrong, decimals),
        (f"wanted: {tuple(picture.wanted.shape)}{at}", wanted, wrong, decimals),
    ]


def axes_of(picture):
    """'rows T_q, columns T_k', where the target has two axes or more and both are named."""
    axes, rank = picture.axes, picture.wanted.dim()
    return f"rows {axes[-2]}, columns {axes[-1]}" if rank == len(axes) >= 2 else ""


def first_difference(yours, wanted):
    """The last two axes at the first place where they differ, and that place; of each alone when the
    shapes differ."""
    if yours.shape != wanted.shape or not yours.numel():
        return first_matrix(yours), first_matrix(wanted), ()
    mine, target = matrices(yours), matrices(wanted)
    n = next((n for n in range(len(mine)) if differing(mine[n], target[n]).any()), 0)
    place = torch.unravel_index(torch.tensor(n), yours.shape[:-2]) if yours.dim() > 2 else ()
    return mine[n], target[n], tuple(int(i) for i in place)


def matrices(value):
    value = value[None] if value.dim() == 1 else value[None, None] if value.dim() == 0 else value
    return value.reshape(-1, *value.shape[-2:])


def first_matrix(value):
    return matrices(value)[0] if value.numel() else value.reshape(0, 0)


def differing(mine, target):
    mine, target = mine.double().nan_to_num(7.7e7), target.double().nan_to_num(7.7e7)
    return (mine - target).abs() > 1e-4 * (1 + target.abs())


def decimals_for(yours, wanted, wrong):
    """Three, or as many as it takes to see that something differs; none where all are whole numbers."""
    entries = torch.cat([table.double().flatten() for table in (yours, wanted)])
    entries = entries[entries.isfinite()]
    if bool((entries == entries.round()).all()):
        return 0
    if wrong is None or not wrong.any():
        return DECIMALS[0]
    pairs = list(zip(yours[wrong], wanted[wrong], strict=True))
    return next((d for d in DECIMALS if any(number(a, d) != number(b, d) for a, b in pairs)), DECIMALS[-1])


def table_html(matrix, wrong, decimals):
    rows, columns = matrix.shape
    lines = []
    for i in range(min(rows, MOST)):
        wrong_here = [wrong is not None and bool(wrong[i, j]) for j in range(columns)]
        cells = [cell_html(matrix[i, j], wrong_here[j], decimals) for j in range(min(columns, MOST))]
        lines.append("".join(cells) + "<td>…</td>" * (columns > MOST))
    lines += ["<td>…</td>"] * (rows > MOST)
    body = "".join(tag("tr", "background:none", line) for line in lines)
    return tag("table", "border-collapse:collapse;font:12px monospace;margin:.2em 0", body)


def cell_html(entry, wrong, decimals):
    """A mask's entry is a filled or an empty square; a number keeps its number."""
    style = f"border:{WRONG if wrong else RIGHT};padding:1px 5px;text-align:"
    if entry.dtype.is_floating_point or entry.dtype.is_complex:
        return tag("td", f"{style}right", number(entry, decimals))
    masked = entry.dtype.itemsize == 1 and bool(entry)
    ground = "background:#5b7fb5;color:#fff" if masked else "background:transparent;"
    return tag("td", f"{style}center;{ground}", number(entry, decimals))


def rows_text(matrix, decimals):
    rows = [[number(x, decimals) for x in row[:MOST]] for row in matrix[:MOST]]
    width = max((len(text) for row in rows for text in row), default=0)
    lines = [
        " ".join(f"{text:>{width}}" for text in row) + (" ..." if matrix.shape[1] > MOST else "")
        for row in rows
    ]
    return lines + ["..."] * (len(matrix) > MOST)


def number(entry, decimals):
    """An entry as it is read: T and F, whole numbers, 0 where it is exactly that, else all with the same
    decimals."""
    value = entry.item()
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, (int, complex)) or value == 0:
        return f"{value:.3g}" if isinstance(value, complex) else str(int(value))
    size = abs(value)
    if size != size or size == float("inf"):
        return str(value)
    return f"{value:.{decimals}f}" if 0.5 * 10**-decimals <= size < 1e5 else f"{value:.1e}"
