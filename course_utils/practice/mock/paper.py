"""Cards come in; an HTML file for A4, without anything from a network, goes out beside the notebook."""

import html
from pathlib import Path

from ..card import Card, say
from ..saved import colab_files

CSS = Path(__file__).with_name("paper.css")
HOW = (
    "To print it, open it in a tab of the browser: in JupyterLab by a right click on it in the list of "
    "files, *Open in New Browser Tab*. It needs no network."
)
NOT_WRITTEN = "Nothing was written: {} cannot be written to ({})."


def document(title, cards):
    """The whole file: a title, and the cards below each other."""
    style, body = CSS.read_text(encoding="utf-8"), "\n".join(card.page for card in cards)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{style}</style>\n</head>\n<body>\n<h1>{html.escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


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
    card = Card().add(f"<div>Written: {link}</div>", f"Written: {Path(name).resolve()}")
    card.say(*lines, HOW, style="").show()
