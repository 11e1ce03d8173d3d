"""What part 7 asks has the answers that counting gives, for every draw."""

import math
from itertools import product
from pathlib import Path

import pytest
import torch

from autograder.publish.questions import questions_of
from course_utils import standins
from course_utils.practice.drawn import all_numbers, with_numbers
from course_utils.practice.judge import judge

LESSON = Path(__file__).resolve().parents[2] / "solutions" / "07_today" / "07_today.py"
ASKED = {question.name: question for question in questions_of(LESSON)}
DRAWN = [name for name, question in ASKED.items() if question.draw]
GIB, MIB, KIB = 2**30, 2**20, 2**10


def cache(tokens, layers, kv_heads, head_dim, bytes_per_value=2):
    """Bytes: counted one kind, one layer at a time."""
    return sum(tokens * kv_heads * head_dim * bytes_per_value for _ in range(layers) for _ in "KV")


def slot(window, sinks, position):
    """Where a token lands when all are written one by one."""
    slots = [None] * window
    for place, token in enumerate(range(sinks, position + 1)):
        slots[place % window] = token
    return slots.index(position)


def texts_that_fit(billions, kib, tokens):
    free, texts = 80 * 10**9 - 2 * billions * 10**9, 0
    while free >= kib * KIB * tokens:
        free, texts = free - kib * KIB * tokens, texts + 1
    return texts


def decoder_parameters(layers, d):
    """Counted on torch's own layers, of which only the shapes exist."""
    with torch.device("meta"):
        layer = torch.nn.TransformerEncoderLayer(d, 1, 4 * d, bias=False)
    weights = [p for name, p in layer.named_parameters() if not name.startswith("norm")]
    return layers * sum(p.numel() for p in weights)


COUNTED = {
    "cache_with_windows": lambda pairs, window, kilo: (
        (cache(window, pairs, 8, 64) + cache(kilo * 1024, pairs, 8, 64)) / MIB
    ),
    "slot_of_a_token": slot,
    "bytes_of_the_scores": lambda heads, kilo: (
        torch.empty(1, heads, kilo * 1024, kilo * 1024, dtype=torch.bfloat16, device="meta").nbytes / GIB
    ),
    "bytes_of_a_latent": lambda heads, latent: cache(1, 1, heads, 128) / (latent * 2),
    "parameters_of_a_decoder": lambda layers, d: decoder_parameters(layers, d) / 1e9,
    "bytes_of_weights": lambda billions, bits: billions * 1e9 * bits / 8 / 1e9,
    "cache_of_one_token": lambda layers, kv_heads, group: cache(1, layers, kv_heads, 128) / KIB,
    "operations_of_training": lambda billions, trillions: (2 + 4) * billions * 1e9 * trillions * 1e12 / 1e21,
    "ridge_point": lambda speed, bandwidth: (speed * 1e12) / (bandwidth * 1e12),
    "intensity_of_a_batch": lambda texts, d, wide: sum(2 * d * d for _ in range(texts)) / (d * d * wide),
    "tokens_a_second_at_best": lambda billions, wide, bandwidth: (
        1 / (billions * 1e9 * wide / (bandwidth * 1e12))
    ),
    "largest_batch": texts_that_fit,
    "cache_on_each_gpu": lambda gpus, layers: cache(1, layers, 8 // gpus, 128) / KIB,
}


def test_every_drawn_question_is_counted_here():
    assert set(COUNTED) == set(DRAWN)


@pytest.mark.parametrize("name", DRAWN)
def test_every_draw_has_the_answer_that_counting_gives_and_three_digits_are_enough(name):
    for numbers in all_numbers(ASKED[name].draw):
        question = with_numbers(ASKED[name], numbers)
        wanted = COUNTED[name](**numbers)
        assert question.answer == pytest.approx(wanted, rel=1e-12), numbers
        assert judge(question, wanted).right
        whole = name in ("largest_batch", "slot_of_a_token")
        assert judge(question, float(question.answer if whole else f"{question.answer:.3g}")).right, numbers


@pytest.mark.parametrize("name", DRAWN)
def test_no_text_of_a_drawn_question_says_its_answer_before_it_is_given(name):
    for numbers in all_numbers(ASKED[name].draw):
        question = with_numbers(ASKED[name], numbers)
        assert "{" not in question.prompt + question.right + "".join(wrong.reason for wrong in question.wrong)
        assert "answer" not in question.prompt


# ---- the questions whose numbers are fixed


def test_tokens_behind_three_windows():
    layer = (~standins.sliding_window_mask(20, 20, 4)).long()
    assert ASKED["tokens_behind_three_windows"].answer == int(((layer @ layer @ layer)[-1] > 0).sum())
    wrong = {item.answer for item in ASKED["tokens_behind_three_windows"].wrong}
    assert int((layer[-1] > 0).sum()) in wrong
    assert int((layer @ layer @ layer)[-1].sum()) in wrong  # the ways


def test_block_of_a_token():
    table, blocks = torch.tensor([7, 2, 9, 4, 0, 5]), torch.zeros(10, 16, 1, 2)
    for block, place in product(range(10), range(16)):
        blocks[block, place, 0] = torch.tensor([block, place])
    block, place = standins.gather_paged(blocks, table, 96)[0, 45].tolist()
    assert ASKED["block_of_a_token"].answer == block
    assert place in [wrong.answer for wrong in ASKED["block_of_a_token"].wrong]


def test_more_gpus_than_kv_heads():
    assert ASKED["more_gpus_than_kv_heads"].answer == "c"
    read_by = [{head // 8 for head in range(4 * gpu, 4 * gpu + 4)} for gpu in range(16)]
    assert sum(map(len, read_by)) == 2 * 8


def test_a_ring_that_is_updated_first_has_lost_keys_of_the_chunks_first_query():
    assert ASKED["window_and_chunk"].answer == "b"
    ring = standins.RingKVCache(1, 1, 4, 2)
    ring.update(*torch.zeros(2, 1, 1, 4, 2))
    held = set(ring.update(*torch.zeros(2, 1, 1, 3, 2))[2].tolist())  # tokens 4, 5 and 6
    first = {int(key) for key in (~standins.sliding_window_mask(7, 7, 4))[4].nonzero()}
    assert first - held == {1, 2}


def test_a_new_token_at_position_zero_is_wrong_in_its_first_step_and_right_in_the_prefill():
    assert ASKED["new_token_at_position_zero"].answer == "b"
    q, k = torch.randn(2, 1, 1, 5, 4, dtype=torch.float64)
    rope, positions = standins.apply_rope, torch.arange(5)
    right = rope(q, positions) @ rope(k, positions).mT
    zero = torch.cat([positions[:4], torch.tensor([0])])
    wrong = rope(q, zero) @ rope(k, zero).mT
    differs = (right - wrong).abs() > 1e-9
    assert not differs[..., :4, :4].any()
    assert differs[..., 4, :4].all()
    assert not differs[..., 4, 4]


def test_no_single_query_fits_all_latents_when_keys_are_turned():
    assert ASKED["why_rope_needs_its_own_key"].answer == "b"
    g = torch.Generator().manual_seed(0)
    U, q = torch.randn(4, 3, generator=g), torch.randn(4, generator=g)

    def turn(p):
        return standins.apply_rope(torch.eye(4)[None, None], torch.full((4,), p))[0, 0].T  # (d_head, d_head)

    absorbed = [U.T @ turn(p).T @ q for p in (0, 1)]
    assert math.dist(*map(torch.Tensor.tolist, absorbed)) > 0.1
