"""Make a class for measuring: submissions with right and wrong answers in many people's styles, and with
everything else that people hand in."""

import copy
import json
import os
import random
import shutil
from functools import cache
from pathlib import Path

from autograder.setup.sample_class import answers, untouched
from tests.programs import all_programs

ROOT = Path(__file__).resolve().parents[1]
LIMITS = {
    "endless": "while True: pass",
    "exit": "import os; os._exit(1)",
    "memory": "hoard = []\nwhile True: hoard.append(bytearray(50_000_000))",
}
KINDS = ("malformed", "empty", "link", "duplicated", "bom", "other")


def make_class(folder, lesson="01_masks", students=20, bad=0.0, limits=0, seed=0):
    """Write nbgrader_config.py and submitted/ into `folder`; return {student: kind}: "honest", one of KINDS,
    or one of LIMITS."""
    folder, g = Path(folder), random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    kinds = ["honest"] * students
    for n, place in enumerate(g.sample(range(students), round(bad * students) + limits)):
        kinds[place] = list(LIMITS)[n % len(LIMITS)] if n < limits else KINDS[n % len(KINDS)]
    kind_of = {f"student{n:04}": kind for n, kind in enumerate(kinds)}
    for student, kind in kind_of.items():
        hand_in(folder, student, lesson, kind, g)
    return kind_of


def hand_in(folder, student, lesson, kind, g):
    place = Path(folder, "submitted", student, lesson)
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{lesson}.ipynb"
    if kind == "link":
        os.symlink("/etc/passwd", path)
    else:
        path.write_bytes(content(kind, honest(lesson, g), g))


def content(kind, notebook, g):
    """The bytes of a submission of this kind."""
    if kind in LIMITS:
        solution = next(
            cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")
        )
        solution["source"] = f"{solution['source']}\n{LIMITS[kind]}"
    if kind == "duplicated":
        place = next(
            n for n, cell in enumerate(notebook["cells"]) if cell["metadata"].get("nbgrader", {}).get("grade")
        )
        notebook["cells"].insert(place + 1, copy.deepcopy(notebook["cells"][place]) | {"id": "copy"})
    text = json.dumps(notebook).encode()
    return {
        "malformed": text[: len(text) // 2],
        "empty": b"",
        "bom": b"\xef\xbb\xbf" + text,
        "other": b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    }.get(kind, text)


def honest(lesson, g):
    """The released notebook with an answer, right, wrong or none, in every solution cell."""
    notebook = untouched(lesson)
    for cell in notebook["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("solution") and cell["cell_type"] == "code":
            cell["source"] = answer(lesson, marks["grade_id"], cell["source"], g)
        elif marks.get("solution"):
            cell["source"] = (
                f"Head {g.randrange(4)} looks at the previous letter, but that alone explains nothing."
            )
    return notebook


def answer(lesson, name, stub, g):
    """Usually the lesson's own answer; sometimes one in another style, a wrong one, or the empty stub."""
    kind = g.choices(("own", "right", "wrong", "none"), (50, 20, 20, 10))[0]
    if kind == "none":
        return stub
    programs = [p.source for p in all_programs() if p.exercise == name and p.is_right == (kind == "right")]
    return g.choice(programs) if kind != "own" and programs else lesson_answers(lesson)[name]


lesson_answers = cache(answers)
