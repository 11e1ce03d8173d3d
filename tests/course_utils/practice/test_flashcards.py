"""flashcards(): what a learner sees, with typed calls and with clicks, and what is recorded. Nothing
raises."""

from datetime import timedelta

import ipywidgets
import pytest

from course_utils import flashcards
from course_utils.practice import flashcards as kind
from course_utils.practice import log
from course_utils.practice.due import in_turn
from course_utils.practice.flashcards.deck import decks
from course_utils.practice.forms import Form
from course_utils.practice.log import Fact, now, recall

CARDS = decks()
CHECKED, RATED = "fill_with_zero", "contiguous"
DAY = timedelta(days=1)


def answers():
    return [(fact.name, fact.right) for fact in recall()[0]]


# ---- typed calls


def test_a_card_that_is_checked_is_typed_and_its_first_answer_counts(printed_by):
    assert "How much does it add" in printed_by(flashcards, CHECKED)
    first, card = printed_by(flashcards.answer, 0), CARDS[CHECKED]
    reason = "That would be the exponential of −∞."
    assert first.startswith(f"Not yet: Masked scores set to 0  (you said 0)\n{reason}")
    assert card.answer not in first
    assert "but got a list: type `flashcards.answer(7)`" in printed_by(flashcards.answer, [])
    right = printed_by(flashcards.answer, "1")
    assert right.startswith("Right: Masked scores set to 0  (you said 1)")
    assert all(text in right for text in (card.answer, card.why, card.then_answer))
    assert answers() == [(f"card:{CHECKED}", False)]


@pytest.mark.parametrize(("word", "right"), [(" Knew ", True), ("partly", False), ("not", False)])
def test_a_card_that_is_not_checked_is_shown_and_rated_and_only_what_was_known_is_right(
    printed_by, word, right
):
    assert CARDS[RATED].answer not in printed_by(flashcards, RATED)
    assert "See the answer first" in printed_by(flashcards.rate, "knew")
    assert answers() == []
    assert CARDS[RATED].answer in printed_by(flashcards.answer, "something")  # since no program can judge it
    assert 'Rate with "knew", "partly" or "not"; got a list.' in printed_by(flashcards.rate, ["knew"])
    assert ("Saved: it comes back later." in printed_by(flashcards.rate, word)) == right
    assert "the result is saved" in printed_by(flashcards.rate, "not")
    assert answers() == [(f"card:{RATED}", right)]


def test_an_answer_that_was_read_off_the_back_is_not_counted(printed_by):
    printed_by(flashcards, CHECKED)
    assert "\nWith the numbers asked. 1\n" in printed_by(flashcards.reveal)
    assert 'flashcards.rate("knew")' in printed_by(flashcards.answer, 1)
    assert answers() == []
    printed_by(flashcards, "mask_before_softmax")
    assert "\nThe choice. a · on the scores, before the softmax" in printed_by(flashcards.reveal)


def test_several_cards_come_one_after_the_other_and_whoever_asks_says_what_follows(printed_by):
    assert printed_by(flashcards).startswith("1 of 5 · masks")
    printed_by(flashcards.answer, "a")
    for number in (2, 3, 4, 5):
        assert printed_by(flashcards.next).startswith(f"{number} of 5 · masks")
    assert printed_by(flashcards.next) == "`flashcards()` asks more.\n"
    flashcards.ask([CHECKED], "`elsewhere()` goes on.")
    flashcards.reveal()
    assert printed_by(flashcards.rate, "knew").endswith("`elsewhere()` goes on.\n")
    assert "1 of 2" in printed_by(kind.ask_all, [CHECKED, RATED])


@pytest.mark.parametrize("name", [5, "", "nothing_like_it", ["kv_not_q"], object(), "x" * 999])
def test_what_is_no_card_is_one_sentence(printed_by, name):
    text = printed_by(flashcards, name)
    assert text.count("\n") == 1
    assert "masks, heads, layer, cache, cost, today" in text


def test_without_an_open_card_every_call_says_how_to_begin(printed_by):
    for action in (flashcards.answer, flashcards.reveal, flashcards.rate, flashcards.next):
        assert printed_by(action) == "No card is open: `flashcards()` asks a few.\n"
    assert repr(flashcards).startswith("`flashcards()` asks a few; `answer`, `reveal`, ")


# ---- choosing cards


def test_what_is_due_comes_first_then_what_is_new_then_what_will_be_due(printed_by):
    for name, ago, right in (("a", 5, True), ("f", 2, False), ("b", 0, False), ("d", 0.1, True)):
        log.remember(Fact(f"card:{name}", now() - ago * DAY, right))
    log.remember(Fact("c", now() - 2 * DAY, False))  # a question's, not a card's
    assert in_turn(list("abcdefg"), "card:", recall()[0], now()) == list("afcegdb")
    for name, card in CARDS.items():
        if card.topic == "cost":
            log.remember(Fact(f"card:{name}", now(), True))
    assert printed_by(flashcards, "Cost ").startswith("1 of 5 · cost")


# ---- clicks


@pytest.fixture
def form_of(printed_by):
    """form_of(name) opens a card or a topic as a new form."""

    def opened(name):
        printed_by(flashcards, name)
        return Form(flashcards.round)

    return opened


def buttons(form):
    rows = [row for row in form.widget.children if isinstance(row, ipywidgets.HBox)]
    return {b.description: b for row in rows for b in row.children if isinstance(b, ipywidgets.Button)}


def test_a_choice_is_clicked(form_of):
    form = form_of("softmax_axis")
    assert set(buttons(form)) == {"Answer", "Show the answer"}
    form.field.value = "a"
    buttons(form)["Answer"].click()
    buttons(form)["Show the answer"].click()
    assert "Heads are independent" in form.card.value
    assert "Each query shares out" in form.card.value
    form.field.value = "c"
    buttons(form)["Answer"].click()
    assert form.card.value.count("Each query shares out") == 1
    assert answers() == [("card:softmax_axis", False)]


def test_cards_are_turned_and_rated_by_clicks_in_two_forms_and_typed_calls_go_on_with_the_last(
    form_of, printed_by
):
    other, form = form_of("heads"), form_of("heads")
    buttons(form)["Show the answer"].click()
    assert set(buttons(form)) >= {"I knew it", "partly", "I did not"}
    buttons(form)["partly"].click()
    assert "Saved as one to see again soon" in form.card.value
    assert "<strong>" in form.card.value
    buttons(form)["Next card"].click()
    assert form.card.value == ""
    assert "2 of 5 · heads" in form.widget.children[0].value
    assert "1 of 5 · heads" in other.widget.children[0].value
    assert "Show the answer" in buttons(other)
    assert answers() == [("card:variance_of_a_score", False)]
    printed_by(flashcards.reveal)
    printed_by(flashcards.rate, "knew")
    assert len(answers()) == 2
