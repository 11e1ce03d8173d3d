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
def test_nothing_is_found_by(command):
    done = subprocess.run([sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout + done.stderr, done.returncode) == ("", 0)
