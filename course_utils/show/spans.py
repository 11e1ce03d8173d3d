"""A sentence -> HTML: `code` in back-quotes, and *starred* words."""

import html
import re

from .tables import tag

STARRED = re.compile(r"(?<![\w*])\*(\w(?:[^*\n]*\w)?)\*(?![\w*])")  # and not the stars of 2 * n or *args


def code_spans(text):
    """Escaped text; `back-quoted` parts become code, and *starred* words outside of them stand out."""
    parts = html.escape(text).split("`")
    return "".join(
        tag("code", "background:#8882;color:inherit", part) if i % 2 else STARRED.sub(r"<em>\1</em>", part)
        for i, part in enumerate(parts)
    )
