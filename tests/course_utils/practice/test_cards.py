"""The flashcards, as their authors wrote them, are complete, can be judged, and refer to real sections."""

import re
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest

from autograder.publish.questions import faults_of_answers
from course_utils.practice.card import as_html
from course_utils.practice.flashcards import deck
from course_utils.practice.flashcards.deck import decks
from course_utils.practice.formula import BRACES
from course_utils.practice.questions import judge
from tests.project.test_style import ROOT

CARDS = decks()
NAMES = Path(__file__).with_name("card_names.txt")  # names of all cards that were ever handed out
TEXTS = [field.name for field in fields(deck.Flashcard)][1:-1]
SECTIONS = re.findall(
    r"^# ## (\d+\.\d+) ", "\n".join(p.read_text() for p in ROOT.glob("solutions/*/*.py")), re.M
)


def test_decks_cover_all_topics_with_unique_names_that_never_disappear():
    topics = list(dict.fromkeys(card.topic for card in CARDS.values()))
    assert topics == ["masks", "heads", "layer", "cache", "cost", "today"]
    assert set(NAMES.read_text().split()) == set(CARDS), "answers are remembered by a card's name"
    names = re.findall(r'^name = "(\w+)"', "\n".join(p.read_text() for p in deck.FOLDER.glob("*.toml")), re.M)
    assert sorted(names) == sorted(CARDS)
    assert not set(names) & set(topics)
    letters = Counter(c.check.answer for c in CARDS.values() if c.check and c.check.kind == "choice")
    assert max(letters.values()) <= 0.5 * letters.total()  # no letter is right most of the time


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_a_card_is_complete_short_and_judged_correctly(card):
    assert all(getattr(card, name).strip() for name in TEXTS)
    assert card.section in SECTIONS
    assert card.question.endswith("?")
    assert card.then.endswith("?")
    assert len(card.title) <= 50
    assert 1 <= len(re.findall(r"[.:;?](?: |$)", card.answer)) <= 8
    assert len(card.answer.split()) <= 95
    assert all(len(text.split()) <= 75 for text in (card.wrong, card.why, card.then_answer))
    assert not BRACES.search("".join(getattr(card, name) for name in TEXTS))
    for name in TEXTS[3:]:
        page = as_html(getattr(card, name))
        assert not re.search("[*`]", page), page  # markup that is not closed would remain
    if card.check:
        assert card.check.prompt.rstrip(")").endswith(("?", "will do.", "is two.", "two operations."))
        assert list(faults_of_answers(card.check)) == []
        assert judge(card.check, card.check.answer).right
        assert [judge(card.check, wrong.answer).reason for wrong in card.check.wrong] == [
            wrong.reason for wrong in card.check.wrong
        ]
