"""A Crash -> HTML and text: the student's line, the operands, and what the operation required."""

import html

from .colours import EMPHASIS
from .tables import code_spans, tag

MARKED = f"border-bottom:2px solid {EMPHASIS}"


def crash_text(crash):
    """Lines of text: the source with carets below what failed, one line per operand, the sentence."""
    begin = f"{crash.place}: "
    first, *rest = crash.line.split("\n")
    lines = [begin + first, *(" " * len(begin) + line for line in rest)]
    if crash.mark:
        start, end = crash.mark
        lines.append(" " * (len(begin) + start) + "^" * (end - start))
    lines += [f"  {text}: {description}" for text, description in crash.operands]
    return [*lines, crash.wanted] if crash.wanted else lines


def crash_html(crash):
    """The same as HTML; the failing expression is underlined."""
    number = tag("div", "opacity:.75;font-size:90%", code_spans(crash.place))
    style = "margin:0;padding:.2em .5em;background:#8882;color:inherit;white-space:pre;overflow-x:auto"
    body = number + tag("pre", style, underlined(crash))
    if crash.operands:
        body += tag("table", "border-collapse:collapse;margin:.35em 0 0", "".join(map(row, crash.operands)))
    if crash.wanted:
        body += tag("div", "margin-top:.35em", code_spans(crash.wanted))
    return tag("div", "margin-top:.45em", body)


def underlined(crash):
    if not crash.mark:
        return html.escape(crash.line)
    start, end = crash.mark
    parts = crash.line[:start], crash.line[start:end], crash.line[end:]
    before, failed, after = map(html.escape, parts)
    return before + tag("span", MARKED, failed) + after


def row(operand):
    text, description = map(html.escape, operand)
    plain = "border:0;background:none;text-align:left;vertical-align:top;padding:0"
    name = tag("td", f"{plain} 1em 0 .5em;font-family:monospace", text)
    return tag("tr", "background:none", name + tag("td", f"{plain};font-family:monospace", description))
