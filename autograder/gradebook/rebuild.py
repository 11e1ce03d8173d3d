"""The notebook that nbgrader works on: the released one, holding what the student wrote and nothing else of theirs."""

import html
from functools import cache

import nbformat

from autograder.releases.released import NOTEBOOKS

from .clean import NO_MATH

OTHERS = "### Other code of the submission"


def rebuild(lesson, whole):
    """grade_whole's dict -> a notebook with every mark as it was released."""
    notebook, cells = skeleton(lesson), [about(whole)]
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        cells += [
            nbformat.v4.new_code_cell(source) for source in whole["before"].get(marks.get("grade_id"), [])
        ]
        cells.append(cell)
        if marks.get("solution"):
            cell.source = whole["texts"].get(marks.grade_id, cell.source)
    if whole["after"]:
        cells += [nbformat.v4.new_markdown_cell(OTHERS), *map(nbformat.v4.new_code_cell, whole["after"])]
    notebook.cells = cells
    notebook.metadata.course["grading"] = nbformat.from_dict(remembered(whole))
    return notebook


def remembered(whole):
    """What a later run reads in the page: of what it was made, and what was said."""
    said = {
        name: {"mistake": one["mistake"], "message": one["message"]}
        for name, one in whole["exercises"].items()
    }
    kept = {key: whole[key] for key in ("seed", "status", "notes", "waits", "for_a_person")}
    return {"submission": whole["fingerprint"], "exercises": said, **kept}


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
    """What to know of the submission and of each exercise, above everything else."""
    title = (
        "This submission could not be graded" if whole["status"] == "rejected" else "About this submission"
    )
    lines = [html.escape(note) for note in whole["notes"]]
    lines += [
        f'<a href="#test_{name}">{name}</a>: {sentence}' for name, (*_, sentence) in whole["cards"].items()
    ]
    items = "".join(f"<li>{line}</li>" for line in lines)
    return nbformat.v4.new_markdown_cell(f'<div class="{NO_MATH}"><b>{title}</b>\n<ul>{items}</ul></div>')
