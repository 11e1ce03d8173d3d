"""A title and the body of a page come in; one HTML file for A4, without anything from a network, goes out."""

import html
from pathlib import Path

from ....show.card import box, code_spans, display_both
from ....show.card import code_spans as text
from ...carry import colab_files

HOW = (
    "To print it, open it in a tab of the browser: in JupyterLab by a right click on it in the list of "
    "files, *Open in New Browser Tab*. It needs no network."
)
NOT_WRITTEN = "Nothing was written: {} cannot be written to ({})."
CSS = """
@page { size: A4; margin: 14mm 15mm; }
:root { color-scheme: light; }
body { font: 10.5pt/1.4 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #111; background: #fff;
  max-width: 180mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 17pt; margin: 0 0 1mm; }
h2 { font-size: 12.5pt; margin: 5mm 0 1.5mm; border-bottom: 1px solid #999; break-after: avoid; }
h3 { font-size: 10.5pt; margin: 2.5mm 0 .5mm; break-after: avoid; }
p { margin: 0 0 1.5mm; }
ul { margin: 0 0 1.5mm; padding-left: 5mm; }
table { border-collapse: collapse; width: 100%; font: inherit; }
th, td { text-align: left; vertical-align: top; padding: .8mm 2.5mm .8mm 0; border-bottom: 1px solid #ddd; }
th { font-weight: 600; }
tr, li, .keep { break-inside: avoid; }
.quiet { color: #444; }
.number { text-align: right; white-space: nowrap; }
.scroll { overflow-x: auto; }
pre { background: #f3f3f3; padding: 2mm; margin: 1mm 0; white-space: pre-wrap; font-size: 9pt; }
code { background: #f3f3f3; padding: 0 1mm; }
.line { border-bottom: 1px solid #999; height: 7mm; }
@media print { body { margin: 0; padding: 0; max-width: none; } .screen { display: none; } }
"""


def document(title, body, script=""):
    """The whole file; body is HTML already."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{CSS}</style>\n</head>\n<body>\n{body}\n{script}</body>\n</html>\n"
    )


def bullets(lines):
    return f"<ul>{''.join(f'<li>{text(line)}</li>' for line in lines)}</ul>" if lines else ""


def table(heads, rows, numbers=()):
    """rows of texts; `numbers` are the columns that hold numbers."""

    def cells(name, row):
        return "".join(
            f"<{name}{' class=number' * (n in numbers)}>{text(str(cell))}</{name}>"
            for n, cell in enumerate(row)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{cells("th", heads)}</tr>{body}</table></div>'


def write(name, page, *lines):
    """Write the file beside the notebook, and show a card with a link to it and these lines."""
    try:
        Path(name).write_text(page, encoding="utf-8")
    except OSError as error:
        lines = [NOT_WRITTEN.format(name, type(error).__name__)]
        display_both(box("#3568a8", code_spans(lines[0])), lines[0])
        return
    lines = [*lines, HOW]
    colab = colab_files()
    if colab is not None:
        colab.download(name)
    link = f'<a href="{html.escape(name)}" target="_blank" rel="noopener">{html.escape(name)}</a>'
    below = "".join(f"<div>{code_spans(line)}</div>" for line in lines if line)
    where = f"Written: {Path(name).resolve()}"
    display_both(
        box("#3568a8", f"<div>Written: {link}</div>{below}"), "\n".join([where, *filter(None, lines)])
    )
