"""What the tests of the schedule share: a lesson's folder, a new kernel, two small kinds."""

from types import SimpleNamespace

import pytest

from course_utils.practice import memory, questions
from course_utils.practice.schedule import from_memory, kinds
from tests.course_utils.questions_for_tests import ALL


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    folder = tmp_path / "00_first"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(memory, "_not_kept", [])
    monkeypatch.setattr(from_memory, "_asked", set())
    return folder


@pytest.fixture
def lessons(tmp_path, monkeypatch):
    """Lessons that ask the questions for tests."""
    published = tmp_path / "published"
    published.mkdir()
    for lesson in {question.lesson for question in ALL}:
        text = questions.to_json([question for question in ALL if question.lesson == lesson])
        (published / f"{lesson}.json").write_text(text)
    monkeypatch.setattr(questions, "FOLDER", published)
    questions.published.cache_clear()
    yield
    questions.published.cache_clear()


def small_kind(prefix, number, minutes):
    """A kind of so many items."""
    names = {f"{prefix.rstrip(':') or 'question'}_{n}": minutes for n in range(number)}
    return SimpleNamespace(
        PREFIX=prefix,
        items=lambda: names,
        title=lambda name: f"Item {name}",
        ask=lambda name: print(f"What about {name}?"),
    )


@pytest.fixture
def two_kinds(monkeypatch):
    """Forty questions of one minute, and eight other items of four."""
    found = {"": small_kind("", 40, 1), "other:": small_kind("other:", 8, 4)}
    monkeypatch.setattr(kinds, "HERE", found)
    return found
