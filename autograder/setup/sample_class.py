"""Make sample submissions from the lessons themselves, for the demo and for tests."""

import json
from pathlib import Path

from autograder.publish.solutions import answers
from autograder.releases.release import grade_id

ROOT = Path(__file__).resolve().parents[2]


def untouched(lesson):
    """Return a lesson's notebook as students get it, as plain data."""
    return json.loads((ROOT / "notebooks" / lesson / f"{lesson}.ipynb").read_text(encoding="utf-8"))


def solved(lesson, changes=None):
    """Return it with the lesson's answers. changes: {exercise: [(old text, new text), ...]} to spoil some."""
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
    """Return the notebook as Colab saves it: format 4.0, cell ids and Colab's own entries in the metadata."""
    cells = [colab_cell(n, cell) for n, cell in enumerate(notebook["cells"])]
    layout = {"model_module": "@jupyter-widgets/base", "model_name": "LayoutModel", "state": {}}
    own = {
        "colab": {"provenance": [], "collapsed_sections": []},
        "widgets": {"application/vnd.jupyter.widget-state+json": {"9f86d081": layout}},
        "kernelspec": {"display_name": "Python 3", "name": "python3"},
    }
    return {"nbformat": 4, "nbformat_minor": 0, "metadata": own, "cells": cells}


def colab_cell(number, cell):
    own = {**cell["metadata"], "id": f"Xy{number:04d}colab"}
    saved = {**cell, "source": "".join(cell["source"]).splitlines(keepends=True), "metadata": own}
    saved.pop("id", None)
    if cell["cell_type"] == "code":
        user = {"displayName": "A Student", "userId": "01234567890123456789"}
        begun = {"timestamp": 1790000000000 + number, "user_tz": -120, "elapsed": 5}
        own["executionInfo"] = {"status": "ok", **begun, "user": user}
    return saved


def as_bytes(notebook):
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()
