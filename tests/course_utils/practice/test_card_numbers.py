"""Every number and shape that a card asks for is computed here in another way, mostly by running code."""

import math
from os.path import commonprefix

import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from course_utils.practice.flashcards.deck import decks
from tests.tools.masks import causal

CARDS = {
    name: card for name, card in decks().items() if card.check and card.check.kind in ("number", "shape")
}
HALF = torch.bfloat16


def numbers(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    scores = scores if mask is None else scores.masked_fill(mask, -torch.inf)
    return scores.softmax(-1) @ v


def flops(function):
    """The operations of a call, counted by PyTorch; a multiply-add counts as two."""
    with FlopCounterMode(display=False) as count:
        function()
    return count.get_total_flops()


def projections(T, D, widths=(1, 1, 1, 1)):
    """Multiply-adds of one product per width, with width * D columns each."""
    x = torch.empty(T, D, device="meta")
    return flops(lambda: [x @ torch.empty(D, int(D * width), device="meta") for width in widths]) / 2


def table(T_q, T_k, D, H):
    """Multiply-adds of the scores and the weighted sums."""
    q, k, v = (torch.empty(H, T, D // H, device="meta") for T in (T_q, T_k, T_k))
    return flops(lambda: q @ k.mT @ v) / 2


def score_variance(d_head):
    """The variance of the dot product of random signs: exact for width 6, and proportional to the width."""
    vectors = torch.cartesian_prod(*[torch.tensor([-1.0, 1.0])] * 6)
    return (vectors @ vectors.T).var(correction=0).item() * d_head / 6


def changed_rows(padding):
    """The number of real rows that change if padding is masked as well as the future."""
    x = numbers(10, 4)
    both = attention(x, x, x, causal(10) | padding)
    return (attention(x, x, x, causal(10)) - both).abs().amax(-1)[:6].gt(1e-12).sum().item()


def reach_of_windows(layers=3, window=4, T=40):
    """How far back the last token can see after several layers with a sliding window."""
    i = torch.arange(T)
    open_ = ((i[:, None] >= i) & (i[:, None] - i < window)).double()
    return T - 1 - torch.linalg.matrix_power(open_, layers)[-1].nonzero().min().item()


def masked_cells(T_q, cached):
    queries, keys = cached + torch.arange(T_q), torch.arange(cached + T_q)
    return (keys > queries[:, None]).sum().item()


def padding_mask_that_fits(B=2, T=5, H=3):
    """The one of two shapes whose broadcast hides the right keys, compared cell by cell."""
    lengths = torch.tensor([5, 3])
    wanted = torch.zeros(B, H, T, T, dtype=torch.bool)
    for b, length in enumerate(lengths):
        wanted[b, :, :, length:] = True
    hidden = torch.arange(T) >= lengths[:, None]  # (B, T)
    shapes = [(B, 1, T, 1), (B, 1, 1, T)]
    return next(shape for shape in shapes if torch.equal(hidden.view(shape).expand_as(wanted), wanted))


def training_products():
    """Operations of forward and backward through one linear layer, per token and weight."""
    x, weight = torch.ones(3, 8, requires_grad=True), torch.ones(8, 8, requires_grad=True)
    return flops(lambda: (x @ weight).sum().backward()) / (3 * 64)


def products_that_need_all_heads():
    """W_Q is split by columns, with whole heads per GPU; W_O by rows, so its parts must be added."""
    x, W, halves = numbers(5, 8), numbers(8, 8, seed=1), (slice(4), slice(4, 8))
    by_rows = [x[:, half] @ W[half] for half in halves]
    torch.testing.assert_close(torch.cat([x @ W[:, half] for half in halves], 1), x @ W)
    torch.testing.assert_close(sum(by_rows), x @ W)
    return int(not torch.allclose(by_rows[0], x @ W))


def gradient_of_the_first_score():
    scores = torch.tensor([2.0, 1.0, 1.0], dtype=torch.float64).log().requires_grad_()
    scores.softmax(0).backward(torch.tensor([4.0, 0.0, 0.0], dtype=torch.float64))
    return scores.grad[0].item()


def used_places(lengths):
    """Per cent of the places that compute something until the longest answer has ended."""
    steps = [[step < length for length in lengths] for step in range(max(lengths))]
    return 100 * torch.tensor(steps).double().mean().item()


def steps_of_prefill(prompt=8000, budget=2048, decoding=48):
    return len(torch.zeros(prompt).split(budget - decoding))


def experts_of_mixtral():
    """Parameters of one expert over all layers, and of everything else, in billions."""
    D, hidden, layers, kv, vocab = 4096, 14336, 32, 1024, 32000
    return layers * 3 * D * hidden / 1e9, (layers * (2 * D * D + 2 * D * kv) + 2 * vocab * D) / 1e9


COMPUTED = {
    "fill_with_zero": lambda: math.exp(0),
    "what_sums_to_1": lambda: numbers(1, 3, 4, 8).softmax(-1).sum().item(),
    "stable_softmax": lambda: (row := torch.tensor([3.0, 900.0, -5.0])).sub(row.max()).exp().max().item(),
    "padding_masks_keys": padding_mask_that_fits,
    "right_padding_and_causal": lambda: changed_rows(torch.arange(10) >= 6),
    "one_token_mask": lambda: masked_cells(1, 9),
    "chunk_mask": lambda: masked_cells(2, 3),
    "variance_of_a_score": lambda: score_variance(64),
    "why_not_sqrt_d_model": lambda: score_variance(512 // 8) / 512,
    "attention_matrix": lambda: (numbers(2, 3, 5, 4) @ numbers(2, 3, 5 + 7, 4).mT).shape,
    "cross_attention": lambda: attention(numbers(3, 4), numbers(7, 4), numbers(7, 4)).shape,
    "parameters_of_attention": lambda: sum(
        p.numel() for p in torch.nn.MultiheadAttention(512, 8, bias=False).parameters()
    ),
    "rank_of_scores": lambda: torch.linalg.matrix_rank(numbers(100, 16) @ numbers(16, 100, seed=1)).item(),
    "logits": lambda: (numbers(2, 5, 24) @ numbers(24, 50)).shape,
    "dropout_on_weights": lambda: F.dropout(torch.full((100,), 0.4), 0.2).max().item(),
    "cache_bytes": lambda: 32 * 2 * torch.zeros(8, 1, 128, dtype=HALF).nbytes / 1024,
    "positions_start_at_cache_len": lambda: (6 + torch.arange(3))[-1].item(),
    "gqa": lambda: torch.zeros(2, 64, 9, 4).nbytes / torch.zeros(2, 8, 9, 4).nbytes,
    "repeat_interleave": lambda: torch.arange(2).repeat_interleave(3)[2].item(),
    "left_padding_positions": lambda: (torch.tensor([0] * 4 + [1] * 3).cumsum(0) - 1)[-1].item(),
    "prefix_reuse": lambda: len(commonprefix(["abcdefXhij", "abcdefYhij"])),
    "cost_of_cat": lambda: sum(len(torch.cat([torch.zeros(t), torch.zeros(1)])) for t in range(4)),
    "naive_memory": lambda: torch.empty(32, 8192, 8192, dtype=HALF, device="meta").nbytes / 2**30,
    "crossover_at_2d": lambda: next(
        T for T in range(2048, 20000, 2048) if table(T, T, 4096, 32) >= projections(T, 4096)
    ),
    "arithmetic_intensity": lambda: 2 * projections(1, 64, [1]) / torch.zeros(64, 64, dtype=HALF).nbytes,
    "compute_and_memory_bound": lambda: 300e12 / 2e12,
    "cost_of_a_cached_step": lambda: projections(1, 1000) + table(1, 2000, 1000, 10),
    "flops_under_gqa": lambda: projections(1, 128, [1, 8 / 32, 8 / 32, 1]) / 128**2,
    "cost_of_training": training_products,
    "online_softmax": lambda: math.exp(3 - 5),
    "sliding_window": reach_of_windows,
    "paged_cache": lambda: [7, 2, 9][[n // 16 for n in range(48)][37]],
    "rmsnorm_and_prenorm": lambda: F.rms_norm(torch.tensor([3.0, -3, 3, -3]), (4,))[0].item(),
    "speculative_decoding": lambda: min(1, 0.2 / 0.5),
    "mla_latent": lambda: 61 * torch.zeros(512 + 64, dtype=HALF).nbytes / 1024,
    "tensor_parallel": products_that_need_all_heads,
    "swiglu": lambda: next(h for h in range(1, 20000) if 3 * h >= 2 * 4 * 3072),
    "weight_tying": lambda: torch.empty(50257, 768, device="meta").numel() / 1e6,
    "backward_of_attention": gradient_of_the_first_score,
    "hbm_and_sram": lambda: 2 * projections(128, 128, [1]) / (2 * 128 * torch.zeros(128, dtype=HALF).nbytes),
    "quantised_weights": lambda: 70.6 * (4 + 16 / 128) / 8,
    "continuous_batching": lambda: used_places([10, 20, 30, 100]),
    "chunked_prefill": steps_of_prefill,
    "disaggregation": lambda: 8192 * 32 * 2 * torch.zeros(8, 128, dtype=HALF).nbytes / 50e9 * 1000,
    "mixture_of_experts": lambda: 2 * round(experts_of_mixtral()[0], 2) + round(experts_of_mixtral()[1], 1),
    "linear_attention": lambda: torch.zeros(128, 128).numel() / torch.zeros(2, 128).numel(),
    "alibi": lambda: -6 * 2 ** (-8 * 1 / 8),
}


@pytest.mark.parametrize("name", CARDS)
def test_the_number_on_a_card_equals_the_computed_one(name):
    result, answer = COMPUTED[name](), CARDS[name].check.answer
    if CARDS[name].check.kind == "shape":
        assert list(result) == answer
    else:
        assert result == pytest.approx(answer, rel=1e-6, abs=1e-9)
