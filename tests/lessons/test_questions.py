"""The answers to the lessons' questions equal what torch, or counting item by item, gives."""

import math
from itertools import cycle, islice, product
from pathlib import Path

import pytest
import torch
from torch import nn

from autograder.publish.questions import all_questions
from course_utils import standins
from course_utils.practice.drawn import all_numbers, with_numbers
from course_utils.practice.questions import judge

BY_LESSON = all_questions(Path(__file__).resolve().parents[2])
QUESTIONS = {question.name: question for questions in BY_LESSON.values() for question in questions}
WITH_DRAWS = [name for name, question in QUESTIONS.items() if question.draw]
WORKED_OUT = "02_split_concat", "03_self_attention"  # all their numbers and shapes are computed here
GIB, MIB, KIB = 2**30, 2**20, 2**10


# ---- numbers that are drawn for each learner


def cache(tokens, layers, kv_heads, head_dim, bytes_per_value=2):
    """Bytes of a cache, counted one layer at a time, keys and values separately."""
    return sum(tokens * kv_heads * head_dim * bytes_per_value for _ in range(layers) for _ in "KV")


def decoder_parameters(layers, d):
    """Parameters, counted on torch's own layers, which exist only as shapes."""
    layer = nn.TransformerEncoderLayer(d, 1, 4 * d, bias=False, device="meta")
    return layers * sum(p.numel() for name, p in layer.named_parameters() if not name.startswith("norm"))


def texts_that_fit(billions, kib, tokens):
    size = kib * KIB * tokens
    return len(range(size, 80 * 10**9 - 2 * billions * 10**9 + 1, size))


COUNTED = {
    "cache_with_windows": lambda pairs, window, kilo: (
        (cache(window, pairs, 8, 64) + cache(kilo * 1024, pairs, 8, 64)) / MIB
    ),
    "slot_of_a_token": lambda window, sinks, position: next(
        islice(cycle(range(window)), position - sinks, None)
    ),
    "bytes_of_the_scores": lambda heads, kilo: (
        torch.empty(heads, kilo * 1024, kilo * 1024, dtype=torch.bfloat16, device="meta").nbytes / GIB
    ),
    "bytes_of_a_latent": lambda heads, latent: cache(1, 1, heads, 128) / (latent * 2),
    "parameters_of_a_decoder": lambda layers, d: decoder_parameters(layers, d) / 1e9,
    "bytes_of_weights": lambda billions, bits: billions * 1e9 * bits / 8 / 1e9,
    "cache_of_one_token": lambda layers, kv_heads, group: cache(1, layers, kv_heads, 128) / KIB,
    "operations_of_training": lambda billions, trillions: (2 + 4) * billions * 1e9 * trillions * 1e12 / 1e21,
    "ridge_point": lambda speed, bandwidth: (speed * 1e12) / (bandwidth * 1e12),
    "intensity_of_a_batch": lambda texts, d, wide: sum(2 * d * d for _ in range(texts)) / (d * d * wide),
    "tokens_a_second_at_best": lambda billions, wide, bandwidth: bandwidth * 1e12 / (billions * 1e9 * wide),
    "largest_batch": texts_that_fit,
    "cache_on_each_gpu": lambda gpus, layers: cache(1, layers, 8 // gpus, 128) / KIB,
}
WHOLE = "largest_batch", "slot_of_a_token"


@pytest.mark.parametrize("name", WITH_DRAWS)
def test_every_drawn_question_has_the_counted_answer_and_accepts_three_digits(name):
    for numbers in all_numbers(QUESTIONS[name].draw):
        question = with_numbers(QUESTIONS[name], numbers)
        counted = COUNTED[name](**numbers)
        assert question.answer == pytest.approx(counted, rel=1e-12), numbers
        short = question.answer if name in WHOLE else f"{question.answer:.3g}"
        assert judge(question, counted).right
        assert judge(question, float(short)).right, numbers
        assert "{" not in question.prompt + question.right + "".join(item.reason for item in question.wrong)
        assert "answer" not in question.prompt


# ---- numbers and shapes that are the same for everybody


def split(x, H):
    """(B, T, d_model) -> (B, H, T, d_head), head by head."""
    return torch.stack(x.chunk(H, -1), dim=1)


def wrong_view(x, H):
    B, T, d_model = x.shape
    return x.contiguous().view(B, H, T, d_model // H)


def behind_the_last_output():
    """The number of tokens (of six) that the last output depends on, with the wrong view before and after."""
    x = torch.randn(1, 6, 8, requires_grad=True)
    heads = wrong_view(x, 2)  # (B, H, T, d_head) in name only
    output = nn.functional.scaled_dot_product_attention(heads, heads, heads, is_causal=True)
    output.view(1, 6, 8)[0, -1].sum().backward()
    return (x.grad[0].abs().sum(-1) > 0).sum()


@torch.no_grad()
def changed_by_a_new_token():
    layer, x = standins.MultiHeadAttentionWithCache(24, 6), torch.randn(1, 8, 24)
    return ((layer(x)[0][:, :7] - layer(x[:, :7])[0]).abs().amax(-1) > 1e-5).sum()


def place_in_pages():
    """(block, slot in it) of token 45, read from blocks whose entries are their own (block, slot)."""
    places = torch.tensor([*product(range(10), range(16))]).view(10, 16, 1, 2)
    return standins.gather_paged(places, torch.tensor([7, 2, 9, 4, 0, 5]), 96)[0, 45]


x, narrow = torch.arange(2 * 5 * 12).view(2, 5, 12), split(torch.zeros(1, 8, 12), 6)
window = (~standins.sliding_window_mask(20, 20, 4)).long()
stages = standins.trace_causal_attention(torch.randn(2, 5, 12), *torch.randn(4, 12, 12), 3).values()
ratio = math.exp(1 / math.sqrt(2))
RIGHT = {
    "longer_dot_products": math.sqrt(64) / math.sqrt(16),
    "second_number_of_head_one": 0.05 * 9 + 0.90 * 6 + 0.05 * 2,
    "tokens_behind_the_last_output": behind_the_last_output(),
    "divisor_of_the_scores": math.sqrt(768 / 12),
    "sums_that_are_one": torch.randn(2, 3, 4, 7).softmax(-1).sum(-1).numel(),
    "first_number_of_output_one": 10 * ratio / (1 + ratio),
    "stages_that_are_tables": sum(stage.shape == (2, 3, 5, 5) for stage in stages),
    "parameters_of_a_small_layer": 4 * nn.Linear(12, 12, bias=False).weight.numel(),
    "weights_between_two_sequences": (split(x, 3) @ split(torch.arange(168).view(2, 7, 12), 3).mT).shape,
    "shape_of_split_queries": split(x, 3).shape,
    "shape_of_keys_in_the_product": split(x, 3).mT.shape,
    "shape_of_all_weights": (split(x, 3) @ split(x, 3).mT).shape,
    "shape_of_merged_heads": x.shape,
    "place_of_a_feature": (split(x, 3) == x[1, 2, 7]).nonzero()[0],
    "weight_of_linear": nn.Linear(3, 5).weight.shape,
    "shape_of_a_projection": nn.Linear(12, 12)(torch.zeros(1, 8, 12)).shape,
    "shape_of_six_narrow_heads": narrow.shape,
    "shape_of_six_score_tables": (narrow @ narrow.mT).shape,
    "shape_of_a_block_of_w_o": torch.zeros(12, 12)[2:4].shape,
    "shape_of_in_proj_weight": nn.MultiheadAttention(12, 6).in_proj_weight.shape,
    "cache_in_gib": standins.kv_cache_bytes(1, 80, 8, 8192, 128) / GIB,
    "old_outputs_that_change": changed_by_a_new_token(),
    "tokens_behind_three_windows": ((window @ window @ window)[-1] > 0).sum(),
    "block_of_a_token": place_in_pages()[0],
}


def test_every_number_and_shape_question_has_a_computed_answer_here():
    questions = [question for lesson in WORKED_OUT for question in BY_LESSON[lesson]]
    assert {question.name for question in questions if question.kind in ("number", "shape")} <= {*RIGHT}
    assert {*COUNTED} == {*WITH_DRAWS}


@pytest.mark.parametrize("name", RIGHT)
def test_a_published_answer_equals_the_computed_one(name):
    right, question = torch.as_tensor(RIGHT[name], dtype=torch.float64), QUESTIONS[name]
    assert right.tolist() == pytest.approx(question.answer, abs=(question.tolerance or 0) + 1e-9)


# ---- choices


def chosen_text(name):
    question = QUESTIONS[name]
    return question.choices[question.letters.index(question.answer)]


def test_the_wrong_view_is_right_for_one_token_and_for_one_head():
    assert chosen_text("where_the_wrong_view_is_right") == "when T = 1 or H = 1"
    for T, H, d_head in product(range(1, 6), range(1, 6), range(1, 4)):
        numbers = torch.arange(T * H * d_head).view(1, T, H * d_head)
        assert torch.equal(wrong_view(numbers, H), split(numbers, H)) == (T == 1 or H == 1)


def test_attention_over_an_identity_input_is_not_the_identity():
    assert chosen_text("output_of_identities") == "[.5, .7311]"
    heads = split(torch.eye(2)[None], 2)  # (B, H, T, d_head)
    output = (heads @ heads.mT).softmax(-1) @ heads
    assert output[0, :, 1, 0].tolist() == pytest.approx([0.5, 0.7311], abs=5e-5)


def test_a_head_slot_holds_consecutive_features():
    assert chosen_text("features_of_a_place") == "`x[0, 4, 8:12]`"
    assert torch.equal(split(x, 3)[0, 2, 4], x[0, 4, 8:12])


def test_renormalising_rows_repairs_masking_after_the_softmax():
    assert chosen_text("repair_after_the_softmax") == "divide each row by its sum"
    scores, future = torch.randn(6, 6, dtype=torch.float64), torch.ones(6, 6).triu(1).bool()  # (T_q, T_k)
    late, right = scores.softmax(-1).masked_fill(future, 0), scores.masked_fill(future, -math.inf).softmax(-1)
    torch.testing.assert_close(late / late.sum(-1, keepdim=True), right)
    assert not torch.allclose(late * 6, right)
    assert not torch.allclose(late.softmax(-1), right)


def test_writing_into_a_static_caches_view_changes_the_cache():
    layer = standins.StaticKVCache(1, 1, 3, 2)
    view, _ = layer.update(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    view[:] = 9.0
    rows = layer.update(torch.ones(1, 1, 1, 2), torch.ones(1, 1, 1, 2))[0][0, 0, :, 0].tolist()
    assert (QUESTIONS["a_view_written_into"].answer, rows) == ("b", [9.0, 9.0, 1.0])


def test_updating_a_ring_cache_before_attending_loses_keys_of_the_first_query():
    assert QUESTIONS["window_and_chunk"].answer == "b"
    ring = standins.RingKVCache(1, 1, 4, 2)
    ring.update(*torch.zeros(2, 1, 1, 4, 2))
    remaining = set(ring.update(*torch.zeros(2, 1, 1, 3, 2))[2].tolist())  # tokens 4, 5 and 6
    visible_keys = {int(key) for key in (~standins.sliding_window_mask(7, 7, 4))[4].nonzero()}
    assert visible_keys - remaining == {1, 2}


def test_position_zero_for_a_new_token_changes_only_its_own_row_of_scores():
    assert QUESTIONS["new_token_at_position_zero"].answer == "b"
    q, k = torch.randn(2, 1, 1, 5, 4, dtype=torch.float64)
    right, wrong = (
        standins.apply_rope(q, positions) @ standins.apply_rope(k, positions).mT
        for positions in (torch.arange(5), torch.tensor([0, 1, 2, 3, 0]))
    )
    differs = ((right - wrong).abs() > 1e-9)[0, 0]
    assert differs[4].tolist() == [True] * 4 + [False]
    assert not differs[:4, :4].any()


def test_rotated_keys_allow_no_single_absorbed_query_for_all_latents():
    assert QUESTIONS["why_rope_needs_its_own_key"].answer == "b"
    U, q = torch.arange(12.0).view(4, 3), torch.ones(4)
    turns = [standins.apply_rope(torch.eye(4)[None, None], torch.full((4,), p))[0, 0].T for p in (0, 1)]
    first, second = (U.T @ turn.T @ q for turn in turns)  # turn: (d_head, d_head)
    assert (first - second).norm() > 0.1
