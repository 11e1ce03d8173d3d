"""What a person decided when they looked at a submission again -> its graded page, and its short page."""

import html
import json
import os
import re

import nbformat

from autograder.gradebook.clean import NO_MATH

MARK = "decision"  # in the cell's metadata
TITLE = "Looked at again"
BEGIN, END = "<!-- decisions -->", "<!-- end of decisions -->"
OLD = re.compile(f"{BEGIN}.*?{END}", re.S)


def decision_cells(decisions):
    """One cell with all sentences; none without any."""
    if not decisions:
        return []
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in decisions)
    cell = nbformat.v4.new_markdown_cell(f'<div class="{NO_MATH}"><b>{TITLE}</b>\n<ul>{items}</ul></div>')
    cell.metadata.course = {MARK: True}
    return [cell]


def put_on_short_page(path, decisions):
    """Below its heading, in the place of earlier decisions; where there is no such page, nothing."""
    if not path.exists():
        return
    text = OLD.sub("", path.read_text(encoding="utf-8"))
    items = "".join(f'<p class="said">{html.escape(sentence)}</p>' for sentence in decisions)
    section = f'{BEGIN}<section class="open"><h2>{TITLE}</h2>{items}</section>{END}' if decisions else ""
    replace(path, text.replace("</h1>", f"</h1>{section}", 1))


def put_on_page(path, decisions):
    """Into a page that was written before, below its first cell, in the place of earlier decisions."""
    try:
        page = nbformat.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return  # no page: the submission will be graded again, and its new page gets the decisions
    first, *others = [cell for cell in page.cells if MARK not in cell.metadata.get("course", {})]
    page.cells = [first, *decision_cells(decisions), *others]
    replace(path, nbformat.writes(page, version=4) + "\n")


def replace(path, text):
    """In one piece, and as readable as it was."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, encoding="utf-8")
    new.chmod(path.stat().st_mode & 0o777)
    os.replace(new, path)
