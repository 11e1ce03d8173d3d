"""The flashcards as their authors wrote them: complete, judged soundly, and the lessons have their places."""

import re
from collections import Counter
from pathlib import Path

import pytest

from autograder.publish.questions import faults_of_answers
from course_utils.practice.card import as_html
from course_utils.practice.flashcards import deck
from course_utils.practice.flashcards.deck import TEXTS, decks
from course_utils.practice.formula import BRACES
from course_utils.practice.judge import judge
from tests.project.test_style import ROOT

CARDS = decks()
NAMES = Path(__file__).with_name("card_names.txt")  # of all cards that were ever given out
by_name = pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)


def sections():
    """{"4.2": its title} of all lessons' headings."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("solutions/*/*.py"))
    return dict(re.findall(r"^# ## (\d+\.\d+) (.+)$", text, re.M))


def test_there_are_the_topics_of_an_interview():
    assert len(CARDS) >= 65
    assert list(dict.fromkeys(card.topic for card in CARDS.values())) == [
        "masks",
        "heads",
        "layer",
        "cache",
        "cost",
        "today",
    ]


def test_a_name_stays_as_answers_are_remembered_by_it():
    assert set(NAMES.read_text().split()) == set(CARDS), (
        "a new name is added to names.txt, and none is taken away"
    )


def test_no_card_is_lost_by_having_the_name_of_another():
    names = re.findall(r'^name = "(\w+)"', "\n".join(p.read_text() for p in deck.FOLDER.glob("*.toml")), re.M)
    assert sorted(names) == sorted(CARDS)
    assert not set(names) & {card.topic for card in CARDS.values()}


@by_name
def test_a_card_says_all_in_a_few_sentences_and_names_a_section_that_exists(card):
    assert all(getattr(card, name).strip() for name in TEXTS)
    assert card.name.isidentifier()
    assert card.name == card.name.lower()
    assert card.section in sections()
    assert card.question.endswith("?")
    assert card.then.endswith("?")
    assert len(card.title) <= 50
    assert 1 <= len(re.findall(r"[.:;?](?: |$)", card.answer)) <= 8
    assert len(card.answer.split()) <= 95
    assert all(len(text.split()) <= 75 for text in (card.wrong, card.why, card.then_answer))
    assert not BRACES.search("".join(getattr(card, name) for name in TEXTS))


@by_name
def test_what_is_judged_is_judged_soundly(card):
    if card.check is None:
        return
    assert card.check.prompt.rstrip(")").endswith(("?", "will do.", "is two.", "two operations."))
    assert list(faults_of_answers(card.check)) == []
    assert judge(card.check, card.check.answer).right
    for wrong in card.check.wrong:
        assert judge(card.check, wrong.answer).reason == wrong.reason


def test_no_letter_is_right_most_of_the_time():
    letters = Counter(
        card.check.answer for card in CARDS.values() if card.check and card.check.kind == "choice"
    )
    assert max(letters.values()) <= 0.5 * letters.total()


@by_name
def test_markup_comes_out_as_a_page(card):
    """No star or backtick is left over, as a forgotten one is."""
    for name in TEXTS[3:]:
        page = as_html(getattr(card, name))
        assert not re.search("[*`]", page), page
