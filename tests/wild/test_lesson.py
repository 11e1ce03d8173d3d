"""Lesson 6 with every library that it knows: no cell says that one is missing, and each gives the course's
numbers. (For tests/wild/test_lesson.py, once the lesson is published.)"""

import shutil
import sys
from pathlib import Path

import pytest

from tests.tools.executed import execute_from_here

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "06_in_the_wild" / "06_in_the_wild.ipynb"


@pytest.mark.system
@pytest.mark.xdist_group("other libraries")
def test_the_lesson_runs_every_library(library, tmp_path):
    for name in ("transformers", "onnx", "flax"):
        library(name)
    ran = execute_from_here(sys.executable, Path(shutil.copy(NOTEBOOK, tmp_path)))
    outputs = [output for cell in ran.cells for output in cell.get("outputs", [])]
    printed = "".join(output.text for output in outputs if output.output_type == "stream")
    assert "is not installed" not in printed
    for name in ("GPT-2 in transformers", "GPT-NeoX in transformers", "Flax", "ONNX Attention"):
        assert f"{name}: largest difference" in printed
