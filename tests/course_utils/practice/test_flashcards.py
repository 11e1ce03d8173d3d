"""flashcards(): what a learner sees, with typed calls and with clicks, and what is recorded."""

from datetime import timedelta

import ipywidgets
import pytest

from course_utils import flashcards
from course_utils.practice import log
from course_utils.practice.flashcards.deck import decks
from course_utils.practice.log import Fact, now, recall
from course_utils.practice.schedule import in_turn
from course_utils.practice.widget import QuestionWidget

CARDS = decks()
JUDGED_CARD, RATED_CARD = "fill_with_zero", "contiguous"
DAY = timedelta(days=1)


def answers():
    return [(fact.name, fact.right) for fact in recall()]


# ---- typed calls


def test_a_judged_card_takes_typed_answers_and_counts_the_first(output_of):
    assert "How much does it add" in output_of(flashcards, JUDGED_CARD)
    first, card = output_of(flashcards.answer, 0), CARDS[JUDGED_CARD]
    reason = "That would be the exponential of −∞."
    assert first.startswith(f"Not yet: Masked scores set to 0  (you said 0)\n{reason}")
    assert card.answer not in first
    assert "but got a list: type `flashcards.answer(7)`" in output_of(flashcards.answer, [])
    right = output_of(flashcards.answer, "1")
    assert right.startswith("Right: Masked scores set to 0  (you said 1)")
    assert all(text in right for text in (card.answer, card.why, card.then_answer))
    assert answers() == [(f"card:{JUDGED_CARD}", False)]


@pytest.mark.parametrize(("word", "right"), [(" Knew ", True), ("partly", False), ("not", False)])
def test_a_card_without_a_judge_is_rated_by_the_learner_and_only_knew_is_right(output_of, word, right):
    assert CARDS[RATED_CARD].answer not in output_of(flashcards, RATED_CARD)
    assert "See the answer first" in output_of(flashcards.rate, "knew")
    assert answers() == []
    assert CARDS[RATED_CARD].answer in output_of(flashcards.answer, "something")  # no program can judge it
    assert 'Rate with "knew", "partly" or "not"; got a list.' in output_of(flashcards.rate, ["knew"])
    assert ("Saved: it comes back later." in output_of(flashcards.rate, word)) == right
    assert "the result is saved" in output_of(flashcards.rate, "not")
    assert answers() == [(f"card:{RATED_CARD}", right)]


def test_an_answer_after_the_card_was_revealed_does_not_count(output_of):
    output_of(flashcards, JUDGED_CARD)
    assert "\nWith the numbers asked. 1\n" in output_of(flashcards.reveal)
    assert 'flashcards.rate("knew")' in output_of(flashcards.answer, 1)
    assert answers() == []
    output_of(flashcards, "mask_before_softmax")
    assert "\nThe choice. a · on the scores, before the softmax" in output_of(flashcards.reveal)


def test_cards_of_a_round_follow_each_other_and_the_caller_sets_the_last_line(output_of):
    assert output_of(flashcards).startswith("1 of 5 · masks")
    output_of(flashcards.answer, "a")
    for number in (2, 3, 4, 5):
        assert output_of(flashcards.next).startswith(f"{number} of 5 · masks")
    assert output_of(flashcards.next) == "`flashcards()` asks more.\n"
    flashcards.ask([CARDS[JUDGED_CARD]], "`elsewhere()` goes on.")
    flashcards.reveal()
    assert output_of(flashcards.rate, "knew").endswith("`elsewhere()` goes on.\n")
    assert "1 of 2" in output_of(flashcards.ask, [CARDS[JUDGED_CARD], CARDS[RATED_CARD]])


@pytest.mark.parametrize("name", [5, "", "nothing_like_it", ["kv_not_q"], object(), "x" * 999])
def test_an_unknown_card_name_gets_one_sentence(output_of, name):
    text = output_of(flashcards, name)
    assert text.count("\n") == 1
    assert "masks, heads, layer, cache, cost, today" in text


def test_without_an_open_card_every_call_explains_how_to_begin(output_of):
    for action in (flashcards.answer, flashcards.reveal, flashcards.rate, flashcards.next):
        assert output_of(action) == "No card is open: `flashcards()` asks a few.\n"
    assert repr(flashcards).startswith("`flashcards()` asks a few; `answer`, `reveal`, ")


# ---- choosing cards


def test_due_cards_come_first_then_new_ones_then_those_due_later(output_of):
    for name, days, right in (("a", 5, True), ("f", 2, False), ("b", 0, False), ("d", 0.1, True)):
        log.remember(Fact(f"card:{name}", now() - days * DAY, right))
    log.remember(Fact("c", now() - 2 * DAY, False))  # a question's, not a card's
    assert in_turn(list("abcdefg"), "card:", recall(), now()) == list("afcegdb")
    for name, card in CARDS.items():
        if card.topic == "cost":
            log.remember(Fact(f"card:{name}", now(), True))
    assert output_of(flashcards, "Cost ").startswith("1 of 5 · cost")


# ---- clicks


@pytest.fixture
def form_of(output_of):
    """form_of(name) opens a card or a topic as a new form."""

    def open_form(name):
        output_of(flashcards, name)
        return QuestionWidget(flashcards.round)

    return open_form


def buttons(form):
    rows = [row for row in form.box.children if isinstance(row, ipywidgets.HBox)]
    return {b.description: b for row in rows for b in row.children if isinstance(b, ipywidgets.Button)}


def test_a_multiple_choice_card_is_answered_by_clicks(form_of):
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


def test_two_forms_are_independent_and_typed_calls_continue_the_latest(form_of, output_of):
    first_form, form = form_of("heads"), form_of("heads")
    buttons(form)["Show the answer"].click()
    assert set(buttons(form)) >= {"I knew it", "partly", "I did not"}
    buttons(form)["partly"].click()
    assert "Saved as one to see again soon" in form.card.value
    assert "<strong>" in form.card.value
    buttons(form)["Next card"].click()
    assert form.card.value == ""
    assert "2 of 5 · heads" in form.box.children[0].value
    assert "1 of 5 · heads" in first_form.box.children[0].value
    assert "Show the answer" in buttons(first_form)
    assert answers() == [("card:variance_of_a_score", False)]
    output_of(flashcards.reveal)
    output_of(flashcards.rate, "knew")
    assert len(answers()) == 2
