"""An HTML file for A4, without anything from a network: the pieces that it is made of, and how it is
written."""

import html
from pathlib import Path

from ...show.card import code_spans as text
from ..card import Card, say
from ..saved import colab_files

CSS = Path(__file__).with_name("paper.css")
HOW = (
    "To print it, open it in a tab of the browser: in JupyterLab by a right click on it in the list of "
    "files, *Open in New Browser Tab*. It needs no network."
)
NOT_WRITTEN = "Nothing was written: {} cannot be written to ({})."


def document(title, body, script=""):
    """The whole file; body is HTML already."""
    style = CSS.read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{style}</style>\n</head>\n<body>\n{body}\n{script}</body>\n</html>\n"
    )


def block(heading, content, level=3):
    """A heading with its content, kept together on a page; nothing without content."""
    return f"<div class=keep><h{level}>{text(heading)}</h{level}>{content}</div>" if content else ""


def bullets(lines):
    return f"<ul>{''.join(f'<li>{text(line)}</li>' for line in lines)}</ul>" if lines else ""


def pairs(some):
    """[(what stands out, what follows)] as a list."""
    lines = "".join(f"<li><b>{text(first)}</b> {text(rest)}</li>" for first, rest in some)
    return f"<ul>{lines}</ul>" if lines else ""


def table(heads, rows, numbers=()):
    """rows of texts; `numbers` are the columns that hold numbers."""

    def cells(name, row):
        pairs = ((" class=number" * (n in numbers), text(str(cell))) for n, cell in enumerate(row))
        return "".join(f"<{name}{kind}>{cell}</{name}>" for kind, cell in pairs)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{cells("th", heads)}</tr>{body}</table></div>'


def write(name, page, *lines):
    """Write the file beside the notebook, and show a card with a link to it and these lines."""
    try:
        Path(name).write_text(page, encoding="utf-8")
    except OSError as error:
        say(NOT_WRITTEN.format(name, type(error).__name__))
        return
    colab = colab_files()
    if colab is not None:
        colab.download(name)
    link = f'<a href="{html.escape(name)}" target="_blank" rel="noopener">{html.escape(name)}</a>'
    Card().add(f"<div>Written: {link}</div>", f"Written: {Path(name).resolve()}").say(
        *lines, HOW, style=""
    ).show()
