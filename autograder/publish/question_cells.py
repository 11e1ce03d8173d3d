"""A lesson's cells `predict("name")`: the question's text is put above each, so that it is written once."""

import re

import nbformat

from course_utils.practice.drawn import example

from .lesson import LessonError
from .questions import place, questions_of

MARKER = re.compile(r"""predict\(\s*["']([^"']*)["']\s*\)""")
EXAMPLE = "*Example numbers: the cell below draws its own.*"
NAMED = re.compile(r"""\bpredict\(\s*["']([^"']*)["']""")


def add_questions(nb, py):
    """Put a markdown cell with the question above each cell that is its marker; LessonError for a slip."""
    questions, cells = {question.name: question for question in questions_of(py)}, []
    for cell in nb.cells:
        source = cell.source.strip() if cell.cell_type == "code" else ""
        for name in NAMED.findall(source):
            if name not in questions:
                raise LessonError(f"{py.name}: predict asks {name!r}, which is not in {place(py.stem)}.")
        if match := MARKER.fullmatch(source):
            cells.append(nbformat.v4.new_markdown_cell(text_of(questions[match[1]])))
        cells.append(cell)
    nb.cells = cells


def text_of(question):
    """What stands above the cell, which shows the choices itself; drawn numbers are those of an example."""
    text = example(question).prompt.strip()
    return f"{text}\n\n{EXAMPLE}" if question.draw else text
