"""A sentence -> HTML, with `code` in back-quotes and *starred* words."""

import html
import re

from .tables import tag

STARRED = re.compile(r"(?<![\w*])\*(\w(?:[^*\n]*\w)?)\*(?![\w*])")  # but not in 2 * n or *args


def code_spans(text):
    """Escape the text; `back-quoted` parts become code, and *starred* words outside them are emphasised."""
    parts = html.escape(text).split("`")
    return "".join(
        tag("code", "background:#8882;color:inherit", part) if i % 2 else STARRED.sub(r"<em>\1</em>", part)
        for i, part in enumerate(parts)
    )
