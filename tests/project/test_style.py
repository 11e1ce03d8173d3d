"""What tools can check: formatting, undefined names, import order, and spelling."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "command",
    [
        "ruff check --quiet --no-cache --output-format=concise .",
        "ruff format --check --quiet --no-cache .",
        "codespell_lib",
    ],
)
def test_ruff_and_codespell_find_nothing(command):
    result = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True
    )
    assert (result.stdout + result.stderr, result.returncode) == ("", 0)
