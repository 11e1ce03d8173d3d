"""The questions between the parts: their answers, counted in another way, and their foreseen wrong ones."""

import math

import pytest

from course_utils.practice.interview.questions import QUESTIONS
from course_utils.practice.judge import judge


def test_the_sum_after_a_block_is_that_of_all_entries_at_once():
    old = [3, 3, 3, 3]  # maximum 3, sum 4
    whole = sum(math.exp(x - 5) for x in [*old, 5, 5])
    assert judge(QUESTIONS["sum_after_a_block"], round(whole, 2)).right


def test_exps_are_counted_in_a_loop():
    count = 0
    for _ in range(0, 1024, 128):
        count += 1  # exp(old maximum - new maximum)
        for _ in range(128):
            count += 1
    assert judge(QUESTIONS["exps_of_blocks"], count).right


def test_a_whole_turn_is_counted_token_by_token():
    angle, tokens = 0.0, 0
    while angle < 2 * math.pi:
        angle += 10_000 ** (-2 * 16 / 64)
        tokens += 1
    assert judge(QUESTIONS["whole_turn_of_rope"], tokens).right


def test_products_are_counted_feature_by_feature():
    of_a_vector = sum(2 for _ in range(64))  # each feature that comes out is a sum of two products
    assert judge(QUESTIONS["products_of_rope"], of_a_vector * 8 * 512 * 2).right


def test_the_three_loops_read_each_entry_three_times_only_where_nothing_is_stored():
    assert "nothing stored but maximum and sum" in QUESTIONS["passes_of_softmax"].prompt


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_foreseen_wrong_answers_are_wrong_and_each_gets_its_own_reason(question):
    for wrong in question.wrong:
        verdict = judge(question, wrong.answer)
        assert not verdict.right
        assert wrong.reason in verdict.reason
