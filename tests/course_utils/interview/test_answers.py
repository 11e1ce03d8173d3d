"""Programs by people who know a topic's name only: right ones pass, wrong ones do not, and most are named."""

import pytest

from tests.tools.cells import read_cells
from tests.tools.interviews import FOLDER, Answer, answers, is_named, tried

RIGHT, WRONG = answers("right"), answers("wrong")
TOGETHER = pytest.mark.xdist_group("wrong interview answers")  # so that one process judges them, once
SURE = {  # names that have to be these: the two could be told apart by nothing else
    ("mha", "no_scale"): "no_scale",
    ("mha", "naive_softmax_in_numpy"): "no_maximum",
    ("mha", "naive_softmax_in_a_numpy_class"): "no_maximum",
    ("mha", "naive_softmax_and_no_scale"): "no_scale",
    ("gqa", "naive_softmax_in_numpy"): "no_maximum",
    ("mha", "scale_of_D"): "scale_sqrt_D",
    ("mha", "own_key_masked"): "own_key_masked",
    ("mha", "past_masked"): "mask_inverted",
    ("mha", "softmax_over_queries"): "softmax_over_queries",
    ("mha", "view_alone"): "split_by_view",
    ("mha", "mask_ignored"): "mask_ignored",
    ("cached_mha", "new_first"): "new_before_old",
    ("cached_mha", "top_left"): "top_left",
    ("cached_mha", "positions_one_less"): "later_mask_off",
    ("cached_mha", "whole_static_cache"): "empty_places",
    ("cached_mha", "naive_in_numpy"): "no_maximum",
    ("gqa", "repeat"): "tiled",
    ("online_softmax", "not_scaled"): "sum_not_scaled",
    ("online_softmax", "two_passes"): "not_online",
    ("generate_loop", "prompt_lost"): "prompt_not_returned",
    ("generate_loop", "one_token_at_least"): "one_for_none",
    ("generate_loop", "top_k_one_more"): "top_k_one_more",
    ("generate_loop", "top_k_left_out"): "top_k_inverted",
    ("generate_loop", "top_k_zeros"): "top_k_filled_with_zero",
    ("generate_loop", "top_k_even"): "top_k_even",
    ("generate_loop", "top_p_crossing_dropped"): "top_p_one_fewer",
    ("generate_loop", "top_p_not_sorted"): "top_p_unsorted",
    ("generate_loop", "temperature_of_weights"): "temperature_of_weights",
    ("generate_loop", "temperature_of_nothing"): "temperature_ignored",
    ("generate_loop", "penalty_for_all_signs"): "penalty_divides_negative",
    ("generate_loop", "penalty_times_all"): "penalty_multiplies_positive",
    ("generate_loop", "presence_added"): "penalty_turned",
    ("generate_loop", "seeded_in_the_loop"): "seeded_each_step",
    ("generate_loop", "seed_of_another_library"): "seed_ignored",
    ("generate_loop", "flag_turned"): "flag_inverted",
    ("generate_loop", "one_place_on"): "one_token_on",
    ("generate_loop", "context_of_the_beginning"): "oldest_kept",
    ("generate_loop", "context_one_less"): "context_one_less",
    ("generate_loop", "text_cut"): "text_cut",
    ("generate_loop", "strategy_topk_places"): "place_in_the_top_k",
    ("generate_loop", "min_p_absolute"): "min_p_own_weight",
    ("generate_loop", "top_p_greater"): "top_p_inverted",
    ("generate_loop", "top_k_ascending"): "top_k_least",
    ("online_softmax", "kept_in_a_class"): "kept_as_they_came",
    ("online_softmax", "kept_in_a_property"): "kept_as_they_came",
    ("online_softmax", "last_block_cut_to_the_length"): "last_dropped",
    ("online_softmax", "divided_each_block"): "divided_each_time",
    ("online_softmax", "newest_maximum"): "last_maximum",
    ("online_softmax", "no_maximum_above"): "maximum_in_one_place",
    ("stable_softmax", "starts_at_0"): "starts_at_0",
    ("stable_softmax", "starts_at_0_clamped"): "starts_at_0",
    ("stable_softmax", "starts_at_0_initial"): "starts_at_0",
    ("stable_softmax", "first_entry"): "another_top",
    ("stable_softmax", "column_sums"): "wrong_axis",
    ("stable_softmax", "top_below"): "maximum_in_one_place",
    ("stable_softmax", "top_below_logsumexp"): "maximum_in_one_place",
    ("stable_softmax", "sign_turned"): "sign_turned",
    ("stable_softmax", "no_maximum"): "no_maximum",
    ("stable_softmax", "one_by_one_without_maximum"): "no_maximum",
    ("stable_softmax", "columns"): "wrong_axis",
    ("stable_softmax", "sum_along_the_last_axis"): "axis_ignored",
    ("stable_softmax", "axis_unused"): "axis_ignored",
    ("rope", "mixed_half"): "layouts_mixed",
    ("causal_mask", "one_ahead"): "one_ahead",
    ("causal_mask", "weights_late"): "mask_after_softmax",
    ("causal_mask", "weights_of_zero"): "filled_with_zero",
    ("causal_mask", "weights_columns"): "softmax_over_queries",
    ("causal_mask", "shape_strict"): "own_key_masked",
    ("causal_mask", "config_ahead"): "one_ahead",
    ("mha", "dropout_in_eval"): "dropout_in_eval",
    ("mha", "dropout_of_a_number"): "dropout_in_eval",
    ("mha", "first_values"): "one_head_for_all",
    ("mha", "heads_summed"): "heads_added",
    ("mha", "keys_not_projected"): "not_projected",
    ("mha", "sum_over_queries"): "weights_not_normalised",
    ("mha", "key_weights_own_bias"): "projection_used_twice",
    ("mha", "padding_on_queries"): "padding_masks_queries",
    ("mha", "keys_by_view"): "split_by_view",
    ("gqa", "group_softmax"): "softmax_over_group",
    ("gqa", "mean_queries"): "mean_of_queries",
    ("gqa", "along_time"): "repeated_along_time",
    ("gqa", "width_of_keys"): "scale_other",
    ("gqa", "first_of_stacked"): "first_kv_head",
    ("gqa", "heads_backwards"): "",  # another layout would give a name, which is not what is wrong
    ("cached_mha", "keys_for_values"): "values_are_keys",
    ("cached_mha", "scaled_once_more"): "scaled_again",
    ("cached_mha", "empty_for_one"): "empty_places",
    ("cached_mha", "shared_by_methods"): "shared_default",
    ("cached_mha", "values_in_front"): "new_before_old",
    ("cached_mha", "mask_off_later"): "later_mask_off",
    ("cached_mha", "first_call_lost"): "first_call_lost",
    ("rope", "keys_back"): "keys_turned_back",
    ("rope", "keys_from_one"): "queries_and_keys_differ",
    ("rope", "list_overwritten"): "overwritten",
    ("rope", "own_angle_each"): "angle_of_a_feature",
    ("rope", "half_unturned"): "not_turned",
}


@pytest.mark.parametrize("answer", RIGHT, ids=lambda one: f"{one.topic}-{one.name}")
def test_a_right_answer_passes_with_at_most_one_question(answer):
    judgement = tried(answer)
    if answer.said:
        assert not judgement.right
        assert judgement.question[0] in answer.said
        judgement = tried(answer, answer.said)
    assert judgement.right, judgement.sentences
    assert len(answer.said) <= 1


@pytest.fixture(scope="module")
def verdicts():
    return [(answer, tried(answer)) for answer in WRONG]


@TOGETHER
def test_no_wrong_answer_passes(verdicts):
    assert [(one.topic, one.name) for one, judgement in verdicts if judgement.right] == []
    assert all(len(judgement.sentences) == 1 for _, judgement in verdicts)
    assert not any("The check ended" in judgement.sentences[0] for _, judgement in verdicts)


@TOGETHER
def test_most_wrong_answers_are_named(verdicts):
    assert sum(is_named(judgement) for _, judgement in verdicts) >= 0.8 * len(verdicts)


@TOGETHER
def test_a_name_is_the_right_one(verdicts):
    found = {(one.topic, one.name): judgement.mistake for one, judgement in verdicts}
    assert {key: found[key] for key in SURE} == SURE


def test_there_are_enough_of_them():
    topics = {one.topic for one in RIGHT}
    assert min(sum(one.topic == topic for one in RIGHT) for topic in topics) >= 7
    assert len(RIGHT) >= 60
    assert len(WRONG) >= 120


FOLLOWUPS = list(read_cells(FOLDER / "followups.py"))


@pytest.mark.parametrize("cell", FOLLOWUPS, ids=lambda cell: cell[0].replace(" ", "-"))
def test_a_stage_that_follows_is_judged_too(cell):
    place, wanted, source = cell
    topic, stage, name = place.split()
    judgement = tried(Answer(topic, name, {}, source), stage=int(stage))
    got = "right" if judgement.right else judgement.mistake or judgement.sentences[0]
    assert wanted in got


def test_a_layer_that_raises_for_several_tokens_is_asked_whether_one_is_meant():
    answer = next(one for one in WRONG if one.name == "raises_for_several")
    judgement = tried(answer)
    assert not judgement.right
    assert judgement.question[0] == "one_token"
