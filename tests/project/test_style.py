"""Habits that a program can look after: no forgotten name, no unsorted import, no misspelt word."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def look(*command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_ruff_finds_nothing():
    assert look("ruff", "check", "--quiet", "--no-cache", "--output-format=concise", ".") == ""


def test_words_are_spelt_right():
    assert look("codespell_lib") == ""
