"""What these tests share: a lesson's folder, a clock that stands still, and made-up bugs and flashcards."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from course_utils.practice import memory
from course_utils.practice.interview import desk as interview_desk
from course_utils.practice.interview import events
from course_utils.practice.interview import record as interview_record
from course_utils.practice.interview.mock import desk, others, record

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock(tmp_path, monkeypatch):
    """A folder, a kernel that was just started, and a clock that stands still until it is set."""
    folder = tmp_path / "08_interview"
    folder.mkdir()
    monkeypatch.chdir(folder)
    time = {"now": START}
    for module in (interview_record, record, memory):
        monkeypatch.setattr(module, "_not_kept", [])
    monkeypatch.setattr(desk, "AT_ONCE", timedelta(0))  # the clock stands still, and parts are gone through
    for module in (interview_desk, desk, events, memory):
        monkeypatch.setattr(module, "now", lambda: time["now"])

    def later(**by):
        time["now"] += timedelta(**by)

    later.file = folder / ".progress" / "mocks.jsonl"
    return later


@pytest.fixture
def said(capsys):
    """What a call prints; it returns nothing."""

    def said(action, *given, **named):
        capsys.readouterr()
        assert action(*given, **named) is None
        return capsys.readouterr().out

    return said


class Kind:
    """A kind with questions called NAME0, NAME1 and so on; `asked` are those that were shown."""

    def __init__(self, prefix, minutes):
        self.PREFIX, self.minutes, self.asked = f"{prefix}:", minutes, []

    def items(self):
        return {f"{self.PREFIX[:-1]}{n}": minutes for n, minutes in enumerate(self.minutes)}

    def title(self, name):
        return f"Title of {name}"

    def ask(self, name, then="", since=None):
        self.asked.append(name)
        self.then, self.since = then, since
        print(f"asked {name}, then {then}")


@pytest.fixture
def kinds(monkeypatch):
    """30 bugs and 50 flashcards; flashcard n belongs to section 1.n, 2.n and so on up to 7."""
    bugs, cards = Kind("hunt", [4] * 10 + [6] * 10 + [9] * 10), Kind("card", [1] * 50)
    deck = {name: card(n, name) for n, name in enumerate(cards.items())}
    modules = {
        ("hunt", "kind"): bugs,
        ("cards", "kind"): cards,
        ("cards", "deck"): SimpleNamespace(decks=lambda: (deck, [])),
        ("hunt", "files"): SimpleNamespace(load=program),
    }
    monkeypatch.setattr(others, "found", lambda kind, name="kind": modules.get((kind, name)))
    return SimpleNamespace(hunt=bugs, cards=cards)


def card(n, name):
    return SimpleNamespace(
        name=name, section=f"{n % 7 + 1}.{n}", question=f"Why {n}?", answer="So.", wrong="Not so", why="No."
    )


def program(name):
    return SimpleNamespace(
        title=f"Program {name}",
        lines=["def f(x):", "    return x < 1"],
        bug=2,
        fixed="    return x > 1",
        why="The sign is turned.",
        mistake="create_causal_mask.one_ahead",
    )


@pytest.fixture
def nothing_else(monkeypatch):
    """A notebook that has neither bugs nor flashcards."""
    monkeypatch.setattr(others, "found", lambda kind, name="kind": None)
