"""Sample submissions, made from the lessons themselves: for the demonstration and for tests."""

import json
from pathlib import Path

from autograder.publish.solutions import answers, grade_id

ROOT = Path(__file__).resolve().parents[2]


def untouched(lesson):
    """A lesson as students get it, as plain data."""
    return json.loads((ROOT / "notebooks" / lesson / f"{lesson}.ipynb").read_text(encoding="utf-8"))


def solved(lesson, changes=None):
    """The same with the lesson's own answers; changes: {exercise: [(old text, new text), ...]} spoil some."""
    notebook, texts = untouched(lesson), answers(lesson)
    for exercise, edits in (changes or {}).items():
        texts[exercise] = changed(texts[exercise], edits, exercise)
    for cell in notebook["cells"]:
        cell["source"] = texts.get(grade_id(cell), cell["source"])
    return notebook


def changed(text, edits, name):
    for old, new in edits:
        if old not in text:
            raise ValueError(f"The answer of {name} no longer says {old!r}: choose another way to spoil it.")
        text = text.replace(old, new)
    return text


def saved_by_colab(notebook):
    """The notebook as Colab saves it: format 4.0, ids among the metadata, metadata of its own."""
    cells = [colab_cell(n, cell) for n, cell in enumerate(notebook["cells"])]
    kernel = {"display_name": "Python 3", "name": "python3"}
    own = {
        "colab": {"provenance": [], "collapsed_sections": []},
        "widgets": {
            WIDGETS: {
                "9f86d081": {
                    "model_module": "@jupyter-widgets/base",
                    "model_name": "LayoutModel",
                    "state": {},
                }
            }
        },
        "kernelspec": kernel,
    }
    return {"nbformat": 4, "nbformat_minor": 0, "metadata": own, "cells": cells}


WIDGETS = "application/vnd.jupyter.widget-state+json"


def colab_cell(number, cell):
    own = {**cell["metadata"], "id": f"Xy{number:04d}colab"}
    lines = "".join(cell["source"]).splitlines(keepends=True)
    if cell["cell_type"] != "code":
        return {"cell_type": cell["cell_type"], "source": lines, "metadata": own}
    user = {"displayName": "A Student", "userId": "01234567890123456789"}
    own["executionInfo"] = {
        "status": "ok",
        "timestamp": 1790000000000 + number,
        "user_tz": -120,
        "elapsed": 5,
        "user": user,
    }
    outputs = {key: cell.get(key) for key in ("execution_count", "outputs")}
    return {"cell_type": "code", "source": lines, "metadata": own, **outputs}


def as_bytes(notebook):
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()
