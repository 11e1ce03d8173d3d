"""What cards state without asking for it, tried: edges of formats, leaks, ranks, orders, sizes of models."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from tests.course_utils.practice.test_card_numbers import attention, empty, flops, numbers

CAUSAL = torch.ones(6, 6, dtype=torch.bool).triu(1)
Q, K, V = (numbers(6, 4, seed=n) for n in range(3))
SCORES = Q @ K.mT / 2


def weights_masked_late(scores):
    return scores.softmax(-1).masked_fill(CAUSAL, 0)


# ---- masks


def test_a_mask_after_the_softmax_leaks_through_the_sum_and_dividing_again_mends_it_until_it_underflows():
    late = weights_masked_late(SCORES)
    early = SCORES.masked_fill(CAUSAL, -torch.inf).softmax(-1)
    louder = SCORES.clone()
    louder[0, 5] += 3
    assert weights_masked_late(louder)[0, 0] < late[0, 0]
    assert (late.sum(-1)[:-1] < 1 - 1e-6).all()
    assert late.sum(-1)[-1] == pytest.approx(1)
    torch.testing.assert_close(late / late.sum(-1, keepdim=True), early)
    louder[0, 5] += 2000
    late = weights_masked_late(louder)
    assert (late / late.sum(-1, keepdim=True))[0].isnan().any()


def test_float16_has_no_minus_1e9_and_bfloat16_has():
    half = torch.zeros(2, dtype=torch.float16)
    with pytest.raises(RuntimeError):
        half.masked_fill(torch.tensor([True, False]), -1e9)
    assert torch.tensor(-1e9).half() == -math.inf
    with np.errstate(over="ignore"):
        assert np.float64(-1e9).astype(np.float16) == -np.inf
    assert torch.isfinite(torch.tensor(-1e9).bfloat16())
    assert torch.finfo(torch.float16).max == 65504
    smallest = torch.tensor(-65504.0).half()
    assert smallest + smallest == -math.inf


def test_a_row_with_nothing_open_is_nan_or_uniform_or_zeros():
    row = torch.randn(1, 4, requires_grad=True)
    everything = torch.ones(1, 4, dtype=torch.bool)
    weights = row.masked_fill(everything, -math.inf).softmax(-1)
    assert weights.isnan().all()
    (weights.sum() * 0).backward()
    values = torch.ones(2, 1, requires_grad=True)
    (torch.stack([torch.ones(4), weights.detach()[0]])[:, :2] @ values)[0].sum().backward()
    assert values.grad.isnan().any()  # a loss of row 0 alone
    assert torch.equal(row.masked_fill(everything, -1e9).softmax(-1), torch.full((1, 4), 0.25))
    q = torch.ones(1, 1, 2)
    result = F.scaled_dot_product_attention(q, q, q, attn_mask=torch.zeros(1, 1, dtype=torch.bool))
    assert torch.equal(result, torch.zeros(1, 1, 2))


def test_exponentials_end_where_the_card_says():
    for dtype, log in ((torch.float32, 88), (torch.float16, 11)):
        assert torch.tensor(float(log), dtype=dtype).exp().isfinite()
        assert torch.tensor(float(log + 1), dtype=dtype).exp().isinf()
    rows = torch.tensor([[1000.0, 1001.0], [3.0, 2.0]])
    powers = (rows - rows.max()).exp()
    assert (powers / powers.sum(-1, keepdim=True))[1].isnan().all()


def test_sums_of_columns_are_anything_and_those_of_rows_are_1():
    causal = SCORES.masked_fill(CAUSAL, -torch.inf).softmax(-1)
    torch.testing.assert_close(causal.sum(-1), torch.ones(6, dtype=torch.float64))
    assert causal.sum(0)[-1] < 1 < causal.sum(0)[0]
    assert abs(torch.randn(99, 999).half().softmax(-1).sum(-1) - 1).max() < 2e-3


def test_is_causal_gives_one_new_query_the_first_value():
    result = F.scaled_dot_product_attention(Q[None, :1], K[None], V[None], is_causal=True)
    torch.testing.assert_close(result[0, 0], V[0])


def test_an_inverted_mask_raises_nothing_and_the_first_token_reads_later_ones():
    result = F.scaled_dot_product_attention(Q[None], K[None], V[None], attn_mask=CAUSAL)[0]
    torch.testing.assert_close(result[0], SCORES[0, 1:].softmax(-1) @ V[1:])


def test_a_mean_of_means_gives_short_sentences_more():
    losses = [numbers(10), numbers(2, seed=1)]
    by_hand = (losses[0] / 20).sum() + (losses[1] / 4).sum()
    torch.testing.assert_close(torch.stack([item.mean() for item in losses]).mean(), by_hand)


# ---- heads and layer


def test_attention_without_a_mask_follows_the_tokens_and_a_second_causal_layer_sees_their_order():
    order = torch.tensor([3, 0, 2, 1, 4, 5])
    x = numbers(6, 4)

    def layer(x, mask=None):
        return attention(x, x, x, mask)

    torch.testing.assert_close(layer(x[order]), layer(x)[order])
    torch.testing.assert_close(layer(x[order], CAUSAL)[-1], layer(x, CAUSAL)[-1])
    two = [layer(layer(item, CAUSAL), CAUSAL)[-1] for item in (x, x[order])]
    assert (two[0] - two[1]).abs().max() > 1e-3


def test_one_head_of_width_1_has_one_order_of_keys_and_weights_have_full_rank():
    scores = numbers(6, 1) @ numbers(6, 1, seed=1).T
    assert torch.linalg.matrix_rank(scores) == 1
    orders = {tuple(row.argsort().tolist()) for row in scores}
    assert len(orders) == 2
    assert tuple(reversed(min(orders))) == max(orders)
    narrow = Q[:, :2] @ K[:, :2].T
    assert torch.linalg.matrix_rank(narrow) == 2
    assert torch.linalg.matrix_rank(narrow.masked_fill(CAUSAL, -torch.inf).softmax(-1)) == 6


def test_one_matrix_for_queries_and_keys_makes_symmetric_scores_with_the_own_key_on_top():
    k = F.normalize(numbers(6, 4), dim=-1)
    scores = k @ k.T
    torch.testing.assert_close(scores, scores.T)
    assert torch.equal(scores.argmax(-1), torch.arange(6))


def test_the_wrong_view_deals_out_tokens_and_a_transpose_cannot_be_viewed():
    x = torch.arange(24).view(1, 4, 6)
    assert torch.equal(x.view(1, 2, 4, 3)[0, 0].flatten(), x[0, :2].flatten())  # head 0 has tokens 0 and 1
    for T, H in ((1, 2), (4, 1)):
        y = torch.arange(T * 6).view(1, T, 6)
        assert torch.equal(y.view(1, H, T, 6 // H), y.view(1, T, H, 6 // H).transpose(1, 2))
    heads = x.view(1, 4, 2, 3).transpose(1, 2)
    assert heads.data_ptr() == x.data_ptr()
    with pytest.raises(RuntimeError):
        heads.transpose(1, 2).transpose(1, 2).view(1, 4, 6)
    assert torch.equal(heads.transpose(1, 2).reshape(1, 4, 6), x)


def test_dropout_keeps_the_mean_of_a_row_and_not_its_sum():
    torch.manual_seed(0)
    rows = F.dropout(torch.full((4000, 10), 0.1), 0.1)
    assert rows.sum(-1).mean() == pytest.approx(1, abs=0.01)
    assert rows.sum(-1).std() > 0.05


def test_most_weights_of_gpt_2s_blocks_are_in_the_mlp():
    D = 768
    block = torch.nn.TransformerEncoderLayer(D, 12, 4 * D, bias=False, device="meta")
    matrices = {name: p.numel() for name, p in block.named_parameters() if p.dim() == 2}
    attention_ = sum(n for name, n in matrices.items() if "self_attn" in name)
    assert attention_ == 4 * D**2
    assert sum(matrices.values()) - attention_ == 8 * D**2
    assert 2 * D > 1024  # the projections are the larger part at every length it takes


# ---- cache


def per_token(layers, kv_heads, d_head, numbers_of_bytes=2):
    return 2 * layers * kv_heads * d_head * numbers_of_bytes / 1024


def test_caches_of_published_models():
    assert per_token(32, 8, 128) * 8192 == 2**20  # KiB: 1 GiB
    assert per_token(32, 32, 128) == 512
    assert per_token(80, 8, 128) == 320
    assert 4 * per_token(32, 8, 128) == 2 * 32 * 4096 * 2 / 1024  # as wide as d_model


def test_sums_depend_on_their_order():
    a, b, c = torch.tensor([1e8, -1e8, 1.0])
    assert (a + b) + c != a + (b + c)


def test_a_single_query_does_not_see_the_order_of_the_keys_and_a_chunk_does():
    order = torch.tensor([5, 0, 1, 2, 3, 4])
    torch.testing.assert_close(attention(Q[5:], K, V), attention(Q[5:], K[order], V[order]))
    order = torch.tensor([4, 5, 0, 1, 2, 3])
    rows = CAUSAL[4:]
    assert not torch.allclose(attention(Q[4:], K, V, rows), attention(Q[4:], K[order], V[order], rows))


def test_zero_times_nan_is_added_to_each_row():
    values = V.clone()
    values[0] = torch.nan
    weights = torch.full((2, 6), 0.2, dtype=torch.float64)
    weights[:, 0] = 0
    assert (weights @ values).isnan().all()


def test_a_middle_that_is_equal_has_other_keys_in_a_second_layer():
    first, second = numbers(8, 4), numbers(8, 4)
    second[3] += 1
    item, two = (attention(x, x, x, torch.ones(8, 8, dtype=torch.bool).triu(1)) for x in (first, second))
    torch.testing.assert_close(item[:3], two[:3])
    assert ((item - two).abs().amax(-1)[4:] > 1e-6).all()


# ---- cost


def test_where_scores_overtake_depends_on_what_is_counted():
    D, H = 64, 4

    def inner(T):
        return flops(lambda: empty(H, T, D // H) @ empty(H, D // H, T) @ empty(H, T, D // H))

    def outer(T):
        return flops(lambda: [empty(T, D) @ empty(D, D) for _ in range(4)])

    def mlp(T):
        return flops(lambda: empty(T, D) @ empty(D, 4 * D) @ empty(4 * D, D))

    assert inner(2 * D) == outer(2 * D)
    assert inner(4 * D) / 2 == outer(4 * D)  # where a kernel skips the masked half
    assert inner(6 * D) == outer(6 * D) + mlp(6 * D)


def test_multiply_adds_do_not_depend_on_heads_and_without_a_cache_a_step_costs_t_times_as_much():
    D, t = 64, 48

    def layer(T_q, T_k, H):
        for _ in range(4):
            empty(T_q, D) @ empty(D, D)
        empty(H, T_q, D // H) @ empty(H, D // H, T_k) @ empty(H, T_k, D // H)

    assert len({flops(lambda H=H: layer(t, t, H)) for H in (1, 4, 64)}) == 1
    assert flops(lambda: layer(t, t, 4)) == t * flops(lambda: layer(1, t, 4))


def test_scores_and_mixing_cost_four_operations_for_each_key_and_feature():
    T, D = 32, 16
    with FlopCounterMode(display=False) as count:
        empty(1, D) @ empty(D, T) @ empty(T, D)
    assert count.get_total_flops() == 4 * T * D


def test_a_batch_of_llama_3_8b_stays_below_60_operations_a_byte():
    D, hidden, layers, kv, vocab = 4096, 14336, 32, 1024, 128256
    weights = layers * (2 * D * D + 2 * D * kv + 3 * D * hidden) + vocab * D
    cache = 2048 * per_token(32, 8, 128) * 1024
    intensity = [2 * weights * n / (2 * weights + n * cache) for n in (1, 8, 64, 10**6)]
    assert intensity == sorted(intensity)
    assert 0.9 < intensity[0] < 1
    assert 50 < intensity[-1] < 60


def test_the_ridge_of_an_a100_and_a_prompt_of_64_below_it():
    assert round(312e12 / 2.039e12) == 153

    def intensity(T_q, T_k, D=4096):
        return 2 * (4 * T_q * D**2 + 2 * T_q * T_k * D) / (2 * (4 * D**2 + 2 * T_k * D))

    assert 60 < intensity(64, 64) < 153 < intensity(4096, 4096)
    assert 0.9 < intensity(1, 4096) < 1.1


# ---- today


def turned(x, position):
    angle = torch.tensor(float(position), dtype=torch.float64)
    turn = torch.stack([torch.stack([angle.cos(), -angle.sin()]), torch.stack([angle.sin(), angle.cos()])])
    return turn @ x


def test_rope_scores_depend_on_the_difference_and_its_sign_and_no_length_changes():
    q, k = numbers(2), numbers(2, seed=1)

    def score(m, n):
        return (turned(q, m) @ turned(k, n)).item()

    assert score(105, 102) == pytest.approx(score(5, 2))
    assert abs(score(2, 5) - score(5, 2)) > 0.01
    assert abs(score(10, 4) - score(5, 2)) > 0.01
    assert turned(q, 7).norm().item() == pytest.approx(q.norm().item())


def test_a_latent_absorbs_one_matrix_and_not_one_that_turns_with_the_key():
    q, U, latents = numbers(2), numbers(2, 3, seed=1), numbers(5, 3, seed=2)
    torch.testing.assert_close(latents @ U.T @ q, latents @ (U.T @ q))
    with_rope = torch.stack([turned(q, 9) @ turned(U @ c, n) for n, c in enumerate(latents)])
    system = torch.linalg.lstsq(
        latents, with_rope[:, None]
    )  # is there one vector that gives all these scores?
    assert (latents @ system.solution - with_rope[:, None]).abs().max() > 1e-3


def test_blocks_that_are_rescaled_give_the_whole_softmax_and_their_mean_does_not():
    scores, values = torch.tensor([1.0, 3, 2, 5]).double(), torch.tensor([10.0, 20, 30, 40]).double()
    whole = scores.softmax(0) @ values
    m, total, out = -math.inf, 0.0, 0.0
    for block in (slice(0, 2), slice(2, 4)):
        new = max(m, scores[block].max().item())
        factor, powers = math.exp(m - new), (scores[block] - new).exp()
        m, total, out = new, total * factor + powers.sum(), out * factor + powers @ values[block]
    assert (out / total).item() == pytest.approx(whole.item())
    halves = [scores[block].softmax(0) @ values[block] for block in (slice(0, 2), slice(2, 4))]
    assert abs(sum(halves) / 2 - whole) > 1
