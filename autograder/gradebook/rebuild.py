"""The notebook that nbgrader works on: the released one, holding what the student wrote and nothing else of theirs."""
import html
from functools import cache

import nbformat

from ..released import NOTEBOOKS

OTHERS = "### Other code of the submission"


def rebuild(lesson, whole):
    """grade_whole's dict -> a notebook with every mark as it was released."""
    notebook = skeleton(lesson)
    cells = [*([about(whole)] if whole["notes"] else [])]
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        cells += [new_code(source) for source in whole["before"].get(grade_id, [])]
        cells.append(cell)
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = whole["texts"].get(grade_id, cell.source)
    if whole["after"]:
        cells += [nbformat.v4.new_markdown_cell(OTHERS), *map(new_code, whole["after"])]
    notebook.cells = cells
    return notebook


def is_lesson(name):
    return (NOTEBOOKS / name / f"{name}.ipynb").is_file()


def skeleton(lesson):
    """The released notebook, without the long copy of course_utils that it carries for Colab."""
    notebook = nbformat.reads(released(lesson), as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id != "course-copy"]
    return notebook


@cache
def released(lesson):
    return (NOTEBOOKS / lesson / f"{lesson}.ipynb").read_text(encoding="utf-8")


def about(whole):
    """What to know of the submission, above everything else."""
    title = "This submission could not be graded" if whole["status"] == "rejected" else "About this submission"
    sentences = "".join(f"<li>{html.escape(note)}</li>" for note in whole["notes"])
    return nbformat.v4.new_markdown_cell(f"<b>{title}</b>\n<ul>{sentences}</ul>")


def new_code(source):
    return nbformat.v4.new_code_cell(source)
