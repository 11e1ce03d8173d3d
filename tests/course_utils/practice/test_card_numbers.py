"""Every number and shape that a card asks for is worked out here in another way, mostly by running it."""

import math

import pytest
import torch
import torch.nn.functional as F

from course_utils.practice.flashcards.deck import decks

CARDS = {
    name: card for name, card in decks().items() if card.check and card.check.kind in ("number", "shape")
}
CAUSAL_10 = torch.ones(10, 10, dtype=torch.bool).triu(1)
DOUBLE = {"dtype": torch.float64}


def numbers(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), **DOUBLE)


def attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    scores = scores if mask is None else scores.masked_fill(mask, -torch.inf)
    return scores.softmax(-1) @ v


def signs(d):
    """All vectors of +1 and -1 of width d: entries are independent, with mean 0 and variance 1, exactly."""
    return torch.cartesian_prod(*[torch.tensor([-1.0, 1.0], **DOUBLE)] * d)  # (2 ** d, d)


def score_variance(d_head):
    """Of a dot product of two such vectors: exact for width 6, and it grows in proportion."""
    scores = signs(6) @ signs(6).T
    return scores.var(correction=0).item() * d_head / 6


def changed_rows(padding):
    """How many real rows change, where padding hides keys besides the causal mask."""
    x = numbers(10, 4)
    both = attention(x, x, x, CAUSAL_10 | padding)
    return (attention(x, x, x, CAUSAL_10) - both).abs().amax(-1)[:6].gt(1e-12).sum().item()


def rank_of_scores():
    return torch.linalg.matrix_rank(numbers(100, 16) @ numbers(100, 16, seed=1).T).item()


def operations_a_byte(D=64):
    weight = torch.zeros(D, D, dtype=torch.bfloat16)
    return 2 * weight.numel() / (weight.numel() * weight.element_size())


def gathered_back(layers=3, window=4, T=40):
    """How far the last row of a product of open cells reaches."""
    i = torch.arange(T)
    open_ = ((i[:, None] >= i) & (i[:, None] - i < window)).double()
    reach = torch.linalg.matrix_power(open_, layers)[-1].nonzero()
    return T - 1 - reach.min().item()


def written_by_cat(T):
    keys, written = torch.zeros(0), 0
    for _ in range(T):
        keys = torch.cat([keys, torch.zeros(1)])
        written += len(keys)
    return written


def common_beginning(first, second):
    return next(n for n, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)


def causal_rows_masked(T_q, cached):
    queries, keys = cached + torch.arange(T_q), torch.arange(cached + T_q)
    return (keys > queries[:, None]).sum().item()


def training_products():
    """Forward and backward of one product of matrices, counted by PyTorch, for a token and a weight."""
    from torch.utils.flop_counter import FlopCounterMode

    x, weight = torch.ones(3, 8, requires_grad=True), torch.ones(8, 8, requires_grad=True)
    with FlopCounterMode(display=False) as count:
        (x @ weight).sum().backward()
    return count.get_total_flops() / (3 * 64)


def flops(function):
    """Multiply-adds of what the function does, counted by PyTorch on tensors without numbers."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as count:
        function()
    return count.get_total_flops() // 2


def empty(*shape):
    return torch.empty(*shape, device="meta")


def cached_step(D=1000, t=2000, H=10):
    def step():
        for _ in range(4):
            empty(1, D) @ empty(D, D)
        empty(H, 1, D // H) @ empty(H, D // H, t) @ empty(H, t, D // H)

    return flops(step)


def crossover(D=4096, H=32):
    """Where the multiply-adds of scores and mixing reach those of the projections, in steps of 2048."""

    def inner(T):
        return flops(lambda: empty(H, T, D // H) @ empty(H, D // H, T) @ empty(H, T, D // H))

    def outer(T):
        return flops(lambda: [empty(T, D) @ empty(D, D) for _ in range(4)])

    return next(T for T in range(2048, 20000, 2048) if inner(T) >= outer(T))


def grouped_projections(H=32, kv=8, d=4):
    D = H * d
    return flops(lambda: [empty(1, D) @ empty(D, n * d) for n in (H, kv, kv, H)]) / D**2


def kept_weight():
    torch.manual_seed(0)
    out = F.dropout(torch.full((100,), 0.4), 0.2, training=True)
    return out.max().item()


def sum_of_weights(H, T_q, T_k):
    return numbers(1, H, T_q, T_k).softmax(-1).sum().item()


def weights_shape(B, H, T_q, T_k, d):
    return tuple((numbers(B, H, T_q, d) @ numbers(B, H, T_k, d).mT).shape)


def padding_mask_that_fits(B=2, T=5, H=3):
    """The one of two shapes that, broadcast, hides what the rule says cell by cell."""
    lengths = torch.tensor([5, 3])
    wanted = torch.zeros(B, H, T, T, dtype=torch.bool)
    for b, length in enumerate(lengths):
        wanted[b, :, :, length:] = True
    table = torch.arange(T) >= lengths[:, None]  # (B, T)
    shapes = [(B, 1, T, 1), (B, 1, 1, T)]
    return next(shape for shape in shapes if torch.equal(table.view(shape).expand_as(wanted), wanted))


WORKED_OUT = {
    "fill_with_zero": lambda: math.exp(0),
    "what_sums_to_1": lambda: sum_of_weights(3, 4, 8),
    "stable_softmax": lambda: (row := torch.tensor([3.0, 900.0, -5.0])).sub(row.max()).exp().max().item(),
    "padding_masks_keys": padding_mask_that_fits,
    "right_padding_and_causal": lambda: changed_rows(torch.arange(10) >= 6),
    "one_token_mask": lambda: causal_rows_masked(1, 9),
    "chunk_mask": lambda: causal_rows_masked(2, 3),
    "variance_of_a_score": lambda: score_variance(64),
    "why_not_sqrt_d_model": lambda: score_variance(512 // 8) / 512,
    "attention_matrix": lambda: weights_shape(2, 3, 5, 5 + 7, 4),
    "cross_attention": lambda: tuple(attention(numbers(3, 4), numbers(7, 4), numbers(7, 4)).shape),
    "parameters_of_attention": lambda: sum(
        p.numel() for p in torch.nn.MultiheadAttention(512, 8, bias=False).parameters()
    ),
    "rank_of_scores": rank_of_scores,
    "logits": lambda: tuple((numbers(2, 5, 24) @ numbers(24, 50)).shape),
    "dropout_on_weights": kept_weight,
    "cache_bytes": lambda: (
        sum(x.nbytes for _ in range(32) for x in [torch.zeros(8, 1, 128, dtype=torch.bfloat16)] * 2) / 1024
    ),
    "positions_start_at_cache_len": lambda: (6 + torch.arange(3))[-1].item(),
    "gqa": lambda: torch.zeros(2, 64, 9, 4).nbytes / torch.zeros(2, 8, 9, 4).nbytes,
    "repeat_interleave": lambda: torch.arange(2).repeat_interleave(3)[2].item(),
    "left_padding_positions": lambda: (torch.tensor([0] * 4 + [1] * 3).cumsum(0) - 1)[-1].item(),
    "prefix_reuse": lambda: common_beginning("abcdefXhij", "abcdefYhij"),
    "cost_of_cat": lambda: written_by_cat(4),
    "naive_memory": lambda: torch.empty(32, 8192, 8192, dtype=torch.bfloat16, device="meta").nbytes / 2**30,
    "crossover_at_2d": crossover,
    "arithmetic_intensity": operations_a_byte,
    "compute_and_memory_bound": lambda: 300e12 / 2e12,
    "cost_of_a_cached_step": cached_step,
    "flops_under_gqa": grouped_projections,
    "cost_of_training": training_products,
    "online_softmax": lambda: math.exp(3 - 5),
    "sliding_window": gathered_back,
    "paged_cache": lambda: [7, 2, 9][[n // 16 for n in range(48)][37]],
    "rmsnorm_and_prenorm": lambda: F.rms_norm(torch.tensor([3.0, -3, 3, -3]), (4,))[0].item(),
    "speculative_decoding": lambda: min(1, 0.2 / 0.5),
    "mla_latent": lambda: 61 * torch.zeros(512 + 64, dtype=torch.bfloat16).nbytes / 1024,
    "tensor_parallel": lambda: products_that_need_all_heads(),
}


def products_that_need_all_heads():
    """Which of the four projections differ where a GPU has only the first two of four heads? Only W_O's
    result does, and it is mended by one sum."""
    x, (W_q, W_k, W_v, W_o) = numbers(5, 8), [numbers(8, 8, seed=n) for n in range(4)]
    whole, parts, sums = [], [], 0
    for heads in (range(4), range(2), range(2, 4)):
        result = []
        for h in heads:
            own = slice(2 * h, 2 * h + 2)
            result.append(attention(x @ W_q[:, own], x @ W_k[:, own], x @ W_v[:, own]) @ W_o[own])
        (whole if len(heads) == 4 else parts).append(sum(result))
    sums += not torch.allclose(parts[0], whole[0])
    assert torch.allclose(parts[0] + parts[1], whole[0])
    return sums


def test_each_number_and_shape_is_worked_out():
    assert set(WORKED_OUT) == set(CARDS)


@pytest.mark.parametrize("name", CARDS)
def test_what_a_card_calls_right_is_what_comes_out(name):
    result, message = WORKED_OUT[name](), CARDS[name].check.answer
    if CARDS[name].check.kind == "shape":
        assert list(result) == message
    else:
        assert result == pytest.approx(message, rel=1e-6, abs=1e-9)
