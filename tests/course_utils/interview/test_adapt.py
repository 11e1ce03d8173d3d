"""An object is adapted to the offered signature: tensor layouts, lines to copy, and what is never guessed."""

import numpy as np
import pytest

from autograder.publish.topic_sheets import cut_to_cases
from course_utils.model.sheet import load_sheet, published_names
from course_utils.practice.interview import judge
from course_utils.practice.interview.topics import REVISE, names, tables, topic
from tests.answers import adapted


def outcome_of(name, obj, part=0):
    return judge.check(topic(name), part, obj)


def test_an_inverted_mask_is_refused_although_a_line_to_adapt_it_is_offered():
    def masked(n):
        return ~np.tri(n, dtype=bool)  # True = may attend

    outcome = outcome_of("causal_mask", masked)
    assert outcome.result.mistake == "inverted"
    assert outcome.line == "interview.check(lambda n: ~masked(n))"
    nameless = outcome_of("causal_mask", lambda n: ~np.tri(n, dtype=bool))
    assert nameless.line == "interview.check(lambda n: ~mine(n))"
    assert outcome_of("causal_mask", eval(outcome.line[16:-1], {"masked": masked})).result.passed


def test_a_layer_without_a_mask_is_refused_as_a_cached_layer():
    assert not outcome_of("cached_mha", adapted.NoMaskOnceCached).result.passed


def test_a_program_that_fits_no_signature_gets_a_partly_filled_line_to_copy():
    def mine(x, wq, wk, wv, wo, n_heads, something, other):
        raise TypeError("argument")

    names = "x, W_Q, W_K, W_V, W_O, n_heads"
    assert outcome_of("mha", mine).line == f"interview.check(lambda {names}: mine({names}, ..., ...))"


def test_every_part_has_a_question_or_a_signature_and_its_stub_compiles():
    for name in tables():
        for part in topic(name).parts:
            assert part.text
            assert bool(part.signature) != bool(part.question)
            if part.stub:
                compile(part.stub, name, "exec")


def test_every_exercise_is_a_topic():
    assert set(published_names()) <= set(names())
    assert outcome_of("merge_heads", lambda x: x.transpose(1, 2).flatten(2)).result.passed
    assert not outcome_of("merge_heads", lambda x: x.flatten(2)).result.passed


def test_a_topic_that_lists_no_cases_keeps_all_cases_of_its_exercise():
    sheet = load_sheet("merge_heads")
    assert [case.name for case in cut_to_cases(sheet).cases] == [case.name for case in sheet.cases]


@pytest.mark.parametrize("function", [adapted.numpy_split_heads, adapted.numpy_online_softmax_attention])
def test_an_exercise_accepts_a_numpy_program(function):
    assert outcome_of(function.__name__.removeprefix("numpy_"), function).result.passed


def test_every_mistake_with_a_section_to_revise_is_declared_on_a_sheet():
    mistake_names = {mistake.name for name in published_names() for mistake in load_sheet(name).mistakes}
    assert set(REVISE) <= mistake_names
