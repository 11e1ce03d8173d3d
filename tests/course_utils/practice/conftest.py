"""Fixtures for practice: a lesson's folder, a fresh kernel, a clock, a right and a wrong causal mask."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
import torch

from course_utils.practice import drawn, from_memory, log, questions, schedule
from course_utils.practice.flashcards import flashcards
from course_utils.practice.interview import interview
from course_utils.practice.schedule import Kind
from tests.course_utils.questions_for_tests import ALL, DRAWN

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def mask(T):
    return torch.ones(T, T).triu(1).bool()


def own_key_masked(T):
    return ~np.tri(T, k=-1).astype(bool)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A lesson's folder, in which a kernel has just started."""
    folder = tmp_path / "00_first"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(log, "_backlog", {})
    monkeypatch.setattr(log, "_notes", [])
    monkeypatch.setattr(from_memory, "_asked_names", set())
    monkeypatch.setattr(drawn, "_questions", {})
    monkeypatch.setattr(flashcards, "round", None)
    monkeypatch.setattr(interview, "_tries", {})
    return folder


@pytest.fixture
def clock(monkeypatch):
    """clock(minutes=3) advances the time."""
    time = {"now": START}
    monkeypatch.setattr(log, "now", lambda: time["now"])

    def advance(**by):
        time["now"] += timedelta(**by)

    return advance


@pytest.fixture
def output_of(capsys):
    """output_of(action, ...) returns what the call prints, and requires that it returns None."""

    def text_of(action, *arguments, **keywords):
        capsys.readouterr()
        assert action(*arguments, **keywords) is None
        return capsys.readouterr().out

    return text_of


@pytest.fixture
def lessons(tmp_path, monkeypatch):
    """Two lessons that ask the questions of questions_for_tests; the last question has drawn numbers."""
    folder, published = tmp_path / "published", [*ALL, DRAWN]
    folder.mkdir()
    for lesson in {question.lesson for question in published}:
        text = questions.to_json([question for question in published if question.lesson == lesson])
        (folder / f"{lesson}.json").write_text(text)
    monkeypatch.setattr(questions, "FOLDER", folder)
    questions.published.cache_clear()
    yield
    questions.published.cache_clear()


@pytest.fixture
def two_kinds(monkeypatch):
    """Two kinds of items: forty questions of one minute and eight others of four minutes."""
    kinds = []
    for prefix, word, number, minutes in (("", "question", 40, 1), ("other:", "other", 8, 4)):
        names = {f"{word}_{n}": minutes for n in range(number)}
        kind = Kind(
            prefix=prefix,
            minutes=lambda names=names: names,
            title=lambda name: f"Item {name}",
            ask=lambda names: [print(f"What about {name}?") for name in names],
        )
        kinds.append(kind)
    monkeypatch.setattr(schedule, "kinds_of", lambda _: kinds)
