"""How a person sees a Result: a card in a notebook, plain text elsewhere."""
import html
import sys

STATUS = {"passed": ("Right", "#0b7a4b"), "wrong": ("Not yet", "#b3401a"), "not_started": ("Not started", "#6b6b6b"), "broken": ("The check broke", "#7a3fa0")}
MATRIX_LIMIT = 12


def show(result):
    """Draw the result's card: HTML with its text twin in a notebook, the text outside one."""
    display_both(as_html(result), as_text(result))


def show_text(*lines):
    """A few plain lines, as a quiet card."""
    body = "".join(f"<div>{html.escape(line)}</div>" for line in lines)
    display_both(box("#3568a8", body), "\n".join(lines))


def display_both(page, text):
    if in_notebook():
        from IPython.display import display

        display({"text/html": page, "text/plain": text}, raw=True)
    else:
        print(text)


def in_notebook():
    """Is there a kernel that shows HTML? (IPython is not imported for this: a notebook has it already.)"""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


def as_text(result):
    word = STATUS[result.status][0]
    lines = [f"{word}: {result.name}  ({result.points:g} of {result.max_points:g} points)", result.message]
    if result.picture:
        lines += [f"yours: {result.picture['label']} {tuple(result.picture['yours'].shape)}", indent(table_text(result.picture["yours"]))]
        lines += [f"wanted: {tuple(result.picture['wanted'].shape)}", indent(table_text(result.picture["wanted"]))]
    lines += [line for line in (result.look_at, tally(result), printed(result), result.note) if line]
    return "\n".join(lines)


def as_html(result, cases="the visible cases"):
    """Colours are mid-tones on a transparent ground: they read on light and on dark themes alike."""
    word, colour = STATUS[result.status]
    head = f'<div><b style="color:{colour};filter:brightness(1.25)">{word}</b> <b>{html.escape(result.name)}</b> <span style="opacity:.75">{result.points:g} of {result.max_points:g} points on {cases}</span></div>'
    body = f'<div style="margin-top:.35em">{code_spans(result.message)}</div>'
    if result.picture:
        body += side_by_side(result.picture)
    if result.look_at:
        body += f'<div style="margin-top:.35em;opacity:.85">{html.escape(result.look_at)}</div>'
    body += dots(result)
    for extra in (printed(result), result.note):
        body += f'<pre style="margin:.35em 0 0;opacity:.85">{html.escape(extra)}</pre>' if extra else ""
    return box(colour, head + body)


def box(colour, inner):
    return f'<div style="border:1px solid {colour}66;border-left:5px solid {colour};border-radius:4px;padding:.5em .8em;margin:.3em 0;max-width:60em;line-height:1.45">{inner}</div>'


def code_spans(text):
    """Escaped text; `back-quoted` parts become code."""
    parts = html.escape(text).split("`")
    return "".join(f'<code style="background:#8882;color:inherit">{part}</code>' if i % 2 else part for i, part in enumerate(parts))


def dots(result):
    """One mark a case: filled right, hollow wrong; a dash where it was not looked at."""
    if not result.trail:
        return ""
    marks = {True: ("●", "#0b7a4b"), False: ("○", "#b3401a"), None: ("–", "#888")}
    cells = " ".join(f'<span style="margin-right:1em;white-space:nowrap"><span style="color:{marks[ok][1]};filter:brightness(1.25)">{marks[ok][0]}</span> {html.escape(name)}</span>' for name, ok in result.trail)
    return f'<div style="margin-top:.45em;font-size:90%;opacity:.9">{cells}</div>'


def tally(result):
    return "  ".join(f"[{'ok' if ok else '--' if ok is None else 'no'}] {name}" for name, ok in result.trail)


def printed(result):
    return f"Your code printed:\n{result.printed.rstrip()}" if result.printed else ""


def side_by_side(picture):
    """Yours beside the target, differing entries outlined."""
    yours, wanted = last_matrix(picture["yours"], picture["wanted"])
    panels = "".join(
        f'<div style="margin-right:1.6em"><div style="opacity:.75;font-size:90%">{title}</div>{table_html(mine, other)}</div>'
        for title, mine, other in ((f"yours: {html.escape(picture['label'])} {tuple(picture['yours'].shape)}", yours, wanted), (f"wanted: {tuple(picture['wanted'].shape)}", wanted, yours))
    )
    return f'<div style="display:flex;flex-wrap:wrap;margin-top:.45em">{panels}</div>'


def last_matrix(yours, wanted):
    """The last two axes of the first slice where they differ (of each alone when the shapes differ)."""
    if yours.shape != wanted.shape:
        return first_matrix(yours), first_matrix(wanted)
    flat_yours, flat_wanted = matrices(yours), matrices(wanted)
    for mine, target in zip(flat_yours, flat_wanted, strict=True):
        if differing(mine, target).any():
            return mine, target
    return flat_yours[0], flat_wanted[0]


def matrices(value):
    value = value[None] if value.dim() == 1 else value[None, None] if value.dim() == 0 else value
    return value.reshape(-1, *value.shape[-2:])


def first_matrix(value):
    return matrices(value)[0] if value.numel() else value.reshape(0, 0)


def differing(mine, target):
    mine, target = mine.double().nan_to_num(7.7e7), target.double().nan_to_num(7.7e7)
    return (mine - target).abs() > 1e-4 * (1 + target.abs())


def table_html(matrix, other):
    rows, columns = matrix.shape
    wrong = differing(matrix, other) if matrix.shape == other.shape else None
    body = ""
    for i in range(min(rows, MATRIX_LIMIT)):
        cells = "".join(cell_html(matrix[i, j], wrong is not None and bool(wrong[i, j])) for j in range(min(columns, MATRIX_LIMIT)))
        body += f"<tr style='background:none'>{cells}{'<td>…</td>' if columns > MATRIX_LIMIT else ''}</tr>"
    body += "<tr><td>…</td></tr>" if rows > MATRIX_LIMIT else ""
    return f'<table style="border-collapse:collapse;font:12px monospace;margin:.2em 0">{body}</table>'


def cell_html(entry, wrong):
    """A mask's entry is a filled or an empty square; a number keeps its number."""
    border = "2px solid #d9592b" if wrong else "1px solid #8886"
    if entry.dtype.is_floating_point or entry.dtype.is_complex:
        return f'<td style="border:{border};padding:1px 5px;text-align:right">{number(entry)}</td>'
    masked = entry.dtype.itemsize == 1 and bool(entry)
    ground = "#5b7fb5" if masked else "transparent"
    return f'<td style="border:{border};padding:1px 5px;text-align:center;background:{ground};{"color:#fff" if masked else ""}">{number(entry)}</td>'


def number(entry):
    value = entry.item()
    if isinstance(value, bool):
        return "T" if value else "F"
    return str(value) if isinstance(value, int) else f"{value:.3g}" if abs(value) < 1e4 or abs(value) == float("inf") else f"{value:.2e}"


def table_text(value):
    matrix = first_matrix(value)
    rows = [" ".join(f"{number(x):>6}" for x in row[:MATRIX_LIMIT]) for row in matrix[:MATRIX_LIMIT]]
    return "\n".join(rows) + (" ..." if max(matrix.shape) > MATRIX_LIMIT else "")


def indent(text):
    return "\n".join("  " + line for line in text.splitlines())
