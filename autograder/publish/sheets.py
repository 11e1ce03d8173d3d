"""Exercises -> course_utils/answers/*.json: numbers and sentences that a student's check can run from."""

import json
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import torch

from autograder.exercises import load, names

SOLUTION = re.compile(r"nbgrader=(\{.*?\})\s*$", re.M)


def publish_all(root):
    """Write every sheet and the order of the lessons; remove the sheets of exercises that are gone."""
    folder = Path(root) / "course_utils" / "answers"
    folder.mkdir(exist_ok=True)
    with ProcessPoolExecutor() as pool:
        texts = dict(zip(names(), pool.map(sheet_text, names()), strict=True))
    texts["lessons"] = json.dumps(lesson_order(root), indent=1) + "\n"
    for path in folder.glob("*.json"):
        if path.stem not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def sheet_text(name):
    torch.set_num_threads(1)  # the tensors are tiny: more threads only wait for each other
    return load(name).sheet().to_json()


def lesson_order(root):
    """{lesson: its exercises, in order}, from the grade ids of the lessons' solution cells."""
    order = {}
    for source in sorted(Path(root).glob("solutions/[0-9]*/*.py")):
        cells = [json.loads(text) for text in SOLUTION.findall(source.read_text(encoding="utf-8"))]
        order[source.stem] = [c["grade_id"] for c in cells if c.get("solution") and c["grade_id"] in names()]
    return order
