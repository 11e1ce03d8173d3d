"""`make lines` counts all code of a room once, and holds machinery, not content, to its budget."""

from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tools import lines


def test_a_file_belongs_to_the_nearest_room_around_it():
    places = {
        "course_utils/check.py": "course_utils, the rest",
        "course_utils/observe/crash/frames.py": "observe",
        "autograder/term/points.py": "term",
        "tests/answers/right/softmax.py": "sample programs",
    }
    assert {path: lines.room_of(Path(path)) for path in places} == places


def test_layout_and_comments_are_not_tokens():
    dense, airy = "x = f(1, 2)\n", "# a comment\n\nx = f(\n    1, 2\n)\n"
    assert lines.measures(dense) == {"lines": 1, "statements": 1, "tokens": 9}
    assert lines.measures(airy) == {"lines": 5, "statements": 1, "tokens": 9}


@pytest.mark.parametrize(("size", "code"), [(1100, 0), (1101, 1)])
def test_only_machinery_fails_and_only_when_asked(monkeypatch, size, code):
    counts = {room: Counter() for room in lines.ROOMS}
    counts["wild"]["lines"], counts["exercises"]["lines"] = size, 10**6
    monkeypatch.setattr(lines, "counts_of", lambda root: counts)
    app = lines.typer.Typer()
    app.command()(lines.main)
    assert CliRunner().invoke(app, []).exit_code == 0
    ran = CliRunner().invoke(app, ["--enforce"])
    assert ran.exit_code == code
    assert ("wild 1101 of 1000" in ran.output) is bool(code)
