"""Attach pictures to a lesson's text: `![words](attachment:name.png)` embeds name.png from the lesson's
folder.

An attachment is part of the notebook, so it is visible wherever the notebook is opened, before any cell has
run. Only bitmap pictures: JupyterLab does not show an attached SVG.
"""

import base64
import re

from .lesson import LessonError

KINDS = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
PICTURE = re.compile(r"!\[[^\]]*\]\(attachment:([^)\s]+)\)")


def add_pictures(nb, py):
    """Attach the files; LessonError when one is missing or has an unsupported type."""
    for cell in nb.cells:
        names = PICTURE.findall(cell.source) if cell.cell_type == "markdown" else []
        if names:
            cell["attachments"] = {name: attachment(py.with_name(name), py) for name in names}


def attachment(file, py):
    """{MIME type: base64 data}, as a notebook stores an attachment."""
    kind = KINDS.get(file.suffix.lower())
    if kind is None:
        raise LessonError(f"{py.name}: JupyterLab does not show an attached {file.name}: use a .png file.")
    if not file.is_file():
        raise LessonError(f"{py.name}: there is no {file.name} next to it.")
    return {kind: base64.b64encode(file.read_bytes()).decode()}
