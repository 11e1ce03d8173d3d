"""Pictures in a lesson's text: `![words](attachment:name.png)` carries the file that stands beside the .py.

An attachment is part of the notebook, so it is seen wherever the notebook is opened, before any cell has run.
JupyterLab shows no SVG that is attached: only pictures of pixels.
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
    """Attach the files; LessonError when one is missing, or is no picture."""
    for cell in nb.cells:
        names = PICTURE.findall(cell.source) if cell.cell_type == "markdown" else []
        if names:
            cell["attachments"] = {name: attachment(py.with_name(name), py) for name in names}


def attachment(file, py):
    """{kind: data} as a notebook holds it."""
    kind = KINDS.get(file.suffix.lower())
    if kind is None:
        raise LessonError(f"{py.name}: JupyterLab does not show an attached {file.name}: use a .png file.")
    if not file.is_file():
        raise LessonError(f"{py.name}: there is no {file.name} beside it.")
    return {kind: base64.b64encode(file.read_bytes()).decode()}
