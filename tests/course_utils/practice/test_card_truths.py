"""Claims that cards make without asking are run here, and each card must contain the words."""

import math

import pytest
import torch
import torch.nn.functional as F

from autograder.exercises import load
from course_utils.practice.flashcards.deck import decks
from tests.course_utils.practice.test_card_numbers import (
    attention,
    experts_of_mixtral,
    numbers,
    projections,
    table,
)
from tests.tools.masks import causal

Q, K, V = (numbers(6, 4, seed=n) for n in range(3))
SCORES = Q @ K.mT / 2
close = torch.testing.assert_close


def says(name, *parts):
    text = " ".join(map(str, vars(decks()[name]).values()))
    assert [part for part in parts if part not in text] == [], text


def test_masking_after_softmax_leaks_and_renormalising_may_give_nan():
    says("mask_after_softmax", "makes all weights of the past smaller", "all rows but the last sum to less")
    says("mask_before_softmax", "gives the same weights", "all open weights are rounded to 0, and 0/0 is NaN")
    late = SCORES.softmax(-1).masked_fill(causal(6), 0)
    assert (late.sum(-1)[:-1] < 1 - 1e-6).all()
    close(late[-1].sum().item(), 1.0)
    close(late / late.sum(-1, keepdim=True), SCORES.masked_fill(causal(6), -torch.inf).softmax(-1))
    scaled = SCORES.clone()
    for addend, is_extreme in ((3, False), (2000, True)):
        scaled[0, 5] += addend
        weights = scaled.softmax(-1).masked_fill(causal(6), 0)
        assert weights[0, 0] < late[0, 0]
        assert (weights / weights.sum(-1, keepdim=True)).isnan().any() == is_extreme


def test_minus_1e9_overflows_float16_but_not_bfloat16():
    says("minus_1e9_in_float16", "float16 ends at ±65 504", "it becomes −∞", "raises an error instead")
    says("minus_1e9_in_float16", "bfloat16 and float32 can hold", "−131 008 is outside the range, so −∞")
    with pytest.raises(RuntimeError):
        torch.zeros(2, dtype=torch.float16).masked_fill(torch.tensor([True, False]), -1e9)
    assert torch.tensor(-1e9).half() == -math.inf
    assert torch.isfinite(torch.tensor(-1e9).bfloat16())
    assert torch.finfo(torch.float16).max == 65504
    assert torch.tensor(-65504.0).half() * 2 == -math.inf


def test_a_fully_masked_row_is_nan_uniform_or_zeros_depending_on_the_fill():
    says("fully_masked_row", "With −∞: NaN", "equal weights over keys", "The right result is zeros, and SDPA")
    says("fully_masked_row", "the row's gradient 0 is multiplied by NaN, which is NaN")
    row, everything = torch.randn(1, 4, requires_grad=True), torch.ones(1, 4, dtype=torch.bool)
    weights = row.masked_fill(everything, -math.inf).softmax(-1)
    assert weights.isnan().all()
    values = torch.ones(4, 1, requires_grad=True)
    (weights.detach() @ values * 0).sum().backward()
    assert values.grad.isnan().all()
    assert torch.equal(row.masked_fill(everything, -1e9).softmax(-1), torch.full((1, 4), 0.25))
    q = torch.ones(1, 1, 2)
    result = F.scaled_dot_product_attention(q, q, q, attn_mask=torch.zeros(1, 1, dtype=torch.bool))
    assert torch.equal(result, torch.zeros(1, 1, 2))


def test_weights_in_16_bits_sum_to_1_up_to_the_rounding_that_the_card_names():
    says("what_sums_to_1", "in float16 off by a few ten-thousandths, in bfloat16 by a few thousandths")
    for dtype, low, high in ((torch.float16, 1e-4, 1e-3), (torch.bfloat16, 1e-3, 1e-2)):
        scores = [numbers(200, T).to(dtype) for T in (8, 64, 512, 1024)]
        assert low < max((rows.softmax(-1).double().sum(-1) - 1).abs().max() for rows in scores) < high


def test_a_fully_masked_first_block_makes_an_online_softmax_nan():
    says("online_softmax", "exp(−∞) = 0", "A fully masked one does", "−∞ − (−∞) is NaN")
    assert math.exp(-math.inf - 2.0) == 0
    assert math.isnan(-math.inf - -math.inf)


def test_exp_overflows_where_the_card_says():
    says("stable_softmax", "in float32 between *e*⁸⁸ and *e*⁸⁹, in float16 just above *e*¹¹")
    for dtype, log in ((torch.float32, 88), (torch.float16, 11)):
        powers = torch.tensor([log, log + 1], dtype=dtype).exp()
        assert powers.isinf().tolist() == [False, True]


def test_scaled_dot_product_attention_reads_masks_as_the_cards_say():
    says("one_token_mask", "only key 0 is open, and the output is value 0")
    close(F.scaled_dot_product_attention(Q[None, :1], K[None], V[None], is_causal=True)[0], V[:1])
    says("what_true_means", "With the mask inverted the first token reads only later ones")
    result = F.scaled_dot_product_attention(Q[None], K[None], V[None], attn_mask=causal(6))[0]
    close(result[0], SCORES[0, 1:].softmax(-1) @ V[1:])


def test_token_order_matters_from_the_second_causal_layer_and_within_a_chunk():
    says("no_positions", "f(P X) = P f(X)", "In one layer the last output still does not notice")
    x, order = numbers(6, 4), torch.tensor([3, 0, 2, 1, 4, 5])

    def layer(x, mask=None):
        return attention(x, x, x, mask)

    close(layer(x[order]), layer(x)[order])
    close(layer(x[order], causal(6))[-1], layer(x, causal(6))[-1])
    first, second = (layer(layer(item, causal(6)), causal(6))[-1] for item in (x, x[order]))
    assert (first - second).abs().max() > 1e-3
    says("order_of_cached_keys", "nothing depends on where a key is stored", "hides the wrong keys")
    close(attention(Q[5:], K, V), attention(Q[5:], K[order], V[order]))
    rows = causal(6)[2:]
    assert not torch.allclose(attention(Q[2:], K, V, rows), attention(Q[2:], K[order], V[order], rows))


def test_scores_have_at_most_rank_d_head_and_weights_may_have_more():
    says("too_many_heads", "rank the keys in the same order, or in reverse", "its rank is at most d_head")
    orders = {tuple(row.argsort().tolist()) for row in Q[:, :1] @ K[:, :1].T}
    assert len(orders) == 2
    assert tuple(reversed(min(orders))) == max(orders)
    says("rank_of_scores", "it and the mask can raise the rank up to T")
    narrow = Q[:, :2] @ K[:, :2].T
    assert torch.linalg.matrix_rank(narrow) == 2
    assert torch.linalg.matrix_rank(narrow.masked_fill(causal(6), -torch.inf).softmax(-1)) == 6


def test_the_wrong_view_splits_tokens_and_a_transpose_cannot_be_viewed():
    says("view_and_transpose", "gives head 0 the first tokens", "With one head or with one token")
    x = torch.arange(24).view(1, 4, 6)
    assert torch.equal(x.view(1, 2, 4, 3)[0, 0].flatten(), x[0, :2].flatten())
    for T, H in ((1, 2), (4, 1)):
        y = torch.arange(T * 6).view(1, T, 6)
        assert torch.equal(y.view(1, H, T, 6 // H), y.view(1, T, H, 6 // H).transpose(1, 2))
    says("contiguous", "A transpose moves nothing in memory", "so it fails. `reshape` copies the numbers")
    heads = x.view(1, 4, 2, 3).transpose(1, 2)
    assert heads.data_ptr() == x.data_ptr()
    with pytest.raises(RuntimeError):
        heads.view(1, 4, 6)


def test_multiply_add_counts_are_those_of_the_cards():
    says("crossover_at_2d", "At T = 2 D", "has T² D, so T = 4 D", "it is T = 6 D")
    D, H = 64, 4
    assert table(2 * D, 2 * D, D, H) == projections(2 * D, D)
    assert table(4 * D, 4 * D, D, H) / 2 == projections(4 * D, D)
    assert table(6 * D, 6 * D, D, H) == projections(6 * D, D, [1, 1, 1, 1, 4, 4])  # two of the MLP
    says("time_of_attention", "Not at all in multiply-adds")
    assert len({table(48, 48, D, H) for H in (1, 4, 64)}) == 1
    says("cost_of_a_cached_step", "which is t times as much")
    assert table(48, 48, D, H) + projections(48, D) == 48 * (table(1, 48, D, H) + projections(1, D))


def test_published_models_have_the_sizes_on_the_cards():
    says("mlp", "In GPT-2's blocks attention holds a third")
    block = torch.nn.TransformerEncoderLayer(768, 12, 4 * 768, bias=False, device="meta")
    sizes = {name: p.numel() for name, p in block.named_parameters() if p.dim() == 2}
    assert 3 * sum(size for name, size in sizes.items() if "self_attn" in name) == sum(sizes.values())
    says("cache_bytes", "128 KiB for one token, 1 GiB for 8192")
    says("cache_bytes", "Llama-2-7B keeps 512 KiB for one token and Llama-2-70B 320 KiB")
    models = [(8192, 32, 8, 2**30), (1, 32, 32, 512 * 2**10), (1, 80, 8, 320 * 2**10)]
    for tokens, layers, kv_heads, size in models:
        assert load("kv_cache_bytes").implementation(1, layers, kv_heads, tokens, 128, 2) == size


def test_arithmetic_intensities_of_an_h100_and_llama_3_8b_match_the_cards():
    says("arithmetic_intensity", "At 295 operations per byte", "For a B200 it is 281, for an A100 153")
    data_sheets = [(989e12, 3.35e12, 295), (2.25e15, 8e12, 281), (312e12, 2.039e12, 153)]
    assert all(round(speed / bandwidth) == ridge for speed, bandwidth, ridge in data_sheets)

    def intensity(T, D=4096):  # of one layer's attention
        return (projections(T, D) + table(T, T, D, 32)) / (4 * D**2 + 2 * T * D)

    says("prefill_and_decode", "a prompt of 64 tokens is memory-bound on an H100")
    assert 60 < intensity(64) < 295 < intensity(4096)
    says("batch_in_decode", "59.9 operations per byte (63.8 if the embedding table is counted as well)")
    D, hidden, kv, vocab, T = 4096, 14336, 1024, 128256, 2048
    weights = 32 * (2 * D * D + 2 * D * kv + 3 * D * hidden) + vocab * D
    operations, cache = 2 * weights + 32 * 4 * T * D, T * 128 * 2**10  # for each text
    assert round(operations / cache, 1) == 59.9
    assert round((operations + 2 * vocab * D) / cache, 1) == 63.8


def test_attentions_backward_pass_is_the_one_on_the_card():
    says("backward_of_attention", "dV = Pᵀ dO and dP = dO Vᵀ", "dS = P · (dP − δ)", "the row sum of O · dO")
    q, k, v = (item.clone().requires_grad_() for item in (Q, K, V))
    P = (q @ k.mT / 2).masked_fill(causal(6), -math.inf).softmax(-1)
    dO = numbers(6, 4, seed=9)
    (P @ v).backward(dO)
    P = P.detach()
    dP = dO @ V.mT
    close((P * dP).sum(-1), (P @ V * dO).sum(-1))
    dS = P * (dP - (P * dP).sum(-1, keepdim=True))
    assert (dS[causal(6)] == 0).all()
    for own, right in ((v.grad, P.mT @ dO), (q.grad, dS @ K / 2), (k.grad, dS.mT @ Q / 2)):
        close(own, right)


def test_linear_attention_and_sinusoids_do_what_their_cards_say():
    says("linear_attention", "S = Σ φ(k) vᵀ, and the output is φ(q) S")
    q, k = Q.exp(), K.exp()
    states = torch.stack([k[: t + 1].mT @ V[: t + 1] for t in range(6)])
    close((q @ k.mT).masked_fill(causal(6), 0) @ V, (q[:, None] @ states)[:, 0])
    says("sinusoids", "multiplied by one rotation that depends on n alone")
    angles = 0.3 * torch.arange(9.0, dtype=torch.float64)
    pairs = torch.stack([angles.sin(), angles.cos()], 1)
    turn = torch.tensor(
        [[math.cos(0.6), -math.sin(0.6)], [math.sin(0.6), math.cos(0.6)]], dtype=torch.float64
    )
    close(pairs[:-2] @ turn, pairs[2:])


def test_a_temperature_changes_the_set_of_top_p_and_not_that_of_top_k():
    says("order_of_sampling", "more tokens are needed to reach p", "a positive temperature keeps the order")
    logits = numbers(20)
    for kept, changes in ((lambda x: x.topk(5).indices.tolist(), False), (of_top_p, True)):
        assert (kept(logits / 0.7) != kept(logits / 1.3)) == changes


def of_top_p(logits, p=0.8):
    probs, order = logits.softmax(-1).sort(descending=True)
    return order[probs.cumsum(-1) - probs < p].tolist()


def test_formats_and_parameter_counts_are_those_of_the_cards():
    says("fp8", "E4M3 has 4 bits of exponent and 3 of mantissa and ends at 448")
    assert torch.finfo(torch.float8_e4m3fn).max == 448
    assert torch.finfo(torch.float8_e5m2).max > 448
    says("mixture_of_experts", "has 5.64 billion parameters", "has 1.6 billion", "46.7 billion in all")
    expert, others = experts_of_mixtral()
    assert (round(expert, 2), round(others, 1), round(8 * expert + others, 1)) == (5.64, 1.6, 46.7)
    says("swiglu", "14,336 = 3.5 · D", "more than four times the weights of its attention")
    assert 3 * 14336 > 4 * (2 * 4096 + 2 * 1024)
    says("weight_tying", "0.5 of 8 billion", "V = 128,256")
    assert round(128256 * 4096 / 1e9, 1) == 0.5
