"""Packed tokens with a paged cache give each request the result of dense attention, to 1e-12 in float64."""

from functools import partial

import pytest
import torch
import torch.nn.functional as F

from course_utils.wild.serving import attend, context_first, plan, store, unpack_qkv

H, H_KV, D_HEAD, BLOCK, BLOCKS = 6, 2, 4, 4, 12
LENGTHS, TABLE = (9, 5, 1), torch.tensor([[5, 2, 9], [7, 0, -1], [3, -1, -1]])  # -1: no block
STEPS = {  # number of new tokens of each request, step by step
    "prefill": [[9, 5, 1]],
    "chunks": [[4, 5, 1], [5, 0, 0]],
    "mixed": [[8, 0, 1], [1, 4, 0], [0, 1, 0]],
    "one by one": [[1, 1, 1]] + [[1, 1, 0]] * 4 + [[1, 0, 0]] * 4,
}
assert_close = partial(torch.testing.assert_close, atol=1e-12, rtol=0)


def qkv(T):
    """Return random q, k and v of a request, (T, heads, d_head) each."""
    return [torch.randn(T, heads, D_HEAD, dtype=torch.float64) for heads in (H, H_KV, H_KV)]


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_prefill_chunked_and_mixed_steps_equal_one_dense_pass(steps):
    texts, outputs, cached = [qkv(T) for T in LENGTHS], [[], [], []], [0, 0, 0]
    caches = [torch.full((BLOCKS, BLOCK, H_KV, D_HEAD), torch.nan, dtype=torch.float64) for _ in "kv"]
    for new in steps:
        running = [b for b in range(3) if new[b]]
        step = plan([new[b] for b in running], [cached[b] for b in running], TABLE[running])
        packed = [torch.cat([texts[b][i][cached[b] : cached[b] + new[b]] for b in running]) for i in range(3)]
        parts = attend(*packed, *caches, step).split([new[b] for b in running])
        for b, part in zip(running, parts, strict=True):
            outputs[b].append(part)
            cached[b] += new[b]
    for text, parts in zip(texts, outputs, strict=True):
        heads = [x.transpose(0, 1) for x in text]  # (heads, T, d_head) each
        dense = F.scaled_dot_product_attention(*heads, is_causal=True, enable_gqa=True)
        assert_close(torch.cat(parts), dense.transpose(0, 1))
    assert caches[0].isnan().all(-1).all(-1).sum() == BLOCKS * BLOCK - sum(
        LENGTHS
    )  # the other slots are empty


def test_tokens_without_a_slot_are_not_stored_in_the_paged_cache():
    cache = torch.zeros(2, 3, 1, 1)
    store(cache, torch.tensor([1.0, 2.0, 3.0]).view(3, 1, 1), torch.tensor([4, -1, 0]))
    assert cache.flatten().tolist() == [3, 0, 0, 0, 1, 0]


def test_fused_qkv_is_unpacked_and_prompts_are_ordered_before_decodes():
    parts = qkv(5)
    fused = torch.cat([part.flatten(1) for part in parts], dim=-1)
    assert_close(list(unpack_qkv(fused, H, H_KV)), parts)
    assert context_first([True, False, True, False]) == [0, 2, 1, 3]
