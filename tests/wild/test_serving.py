"""Packed tokens and a paged cache give each request what dense attention gives, to 1e-12 in float64."""

import pytest
import torch
import torch.nn.functional as F

from course_utils.wild import serving
from course_utils.wild.serving import attend, plan

from .weights import randn, wrong_by

TOLERANCE = 1e-12
H, H_KV, D_HEAD, BLOCK = 6, 2, 4, 4


def requests(lengths):
    """q, k and v (T, heads, d_head) of each request."""
    return [(randn(T, H, D_HEAD), randn(T, H_KV, D_HEAD), randn(T, H_KV, D_HEAD)) for T in lengths]


def dense(q, k, v):
    """One request in one pass, (T, H, d_head)."""
    q, k, v = (x.transpose(0, 1)[None] for x in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)[0].transpose(0, 1)


def tables(counts, num_blocks):
    """Blocks in no order, none twice; -1 where a request has fewer blocks."""
    free, width = torch.randperm(num_blocks).tolist(), max(counts)
    return torch.tensor([[free.pop() for _ in range(n)] + [-1] * (width - n) for n in counts])


def run(texts, steps, block_table, num_blocks=12):
    """The outputs of each request, after the steps: lists with the number of new tokens of each request."""
    caches = [torch.full((num_blocks, BLOCK, H_KV, D_HEAD), torch.nan, dtype=torch.float64) for _ in "kv"]
    cached, outputs = [0] * len(texts), [[] for _ in texts]
    for new in steps:
        order = [b for b in range(len(texts)) if new[b]]
        step = plan([new[b] for b in order], [cached[b] for b in order], block_table[order])
        packed = [torch.cat([texts[b][i][cached[b] : cached[b] + new[b]] for b in order]) for i in range(3)]
        output = attend(*packed, *caches, step)
        for b, part in zip(order, output.split([new[b] for b in order]), strict=True):
            outputs[b].append(part)
            cached[b] += new[b]
    return [torch.cat(parts) for parts in outputs], caches


STEPS = {
    "prefill": [[9, 5, 1]],
    "chunks": [[4, 5, 1], [5, 0, 0]],
    "mixed": [[8, 0, 1], [1, 4, 0], [0, 1, 0]],
    "one by one": [[1, 1, 1]] + [[1, 1, 0]] * 4 + [[1, 0, 0]] * 4,
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_steps_of_any_kind_equal_one_dense_pass(steps):
    texts = requests([9, 5, 1])
    outputs, caches = run(texts, steps, tables([3, 2, 1], 12))
    for output, text in zip(outputs, texts, strict=True):
        assert wrong_by(output, dense(*text)) < TOLERANCE
    assert int(caches[0].isnan().all(-1).all(-1).sum()) == 12 * BLOCK - 15  # slots that nothing was stored in


def test_a_wrong_table_is_seen():
    texts, block_table = requests([9, 5, 1]), tables([3, 2, 1], 12)
    shared = block_table.clone()
    shared[1, 0] = shared[0, 0]
    outputs, _ = run(texts, [[9, 5, 1]], shared)
    assert wrong_by(outputs[0], dense(*texts[0])) > 0.1


def test_positions_and_slots_by_hand():
    step = plan(new=[1, 3], cached=[6, 0], block_table=torch.tensor([[5, 2], [7, -1]]))
    assert step.query_start_loc.tolist() == [0, 1, 4]
    assert step.seq_lens.tolist() == [7, 3]
    assert serving.positions(step).tolist() == [6, 0, 1, 2]
    assert serving.slot_mapping(step, 4).tolist() == [2 * 4 + 2, 28, 29, 30]


def test_padding_is_not_stored():
    cache = torch.zeros(2, 3, 1, 1)
    serving.store(cache, torch.tensor([1.0, 2.0, 3.0]).view(3, 1, 1), torch.tensor([4, -1, 0]))
    assert cache.flatten().tolist() == [3, 0, 0, 0, 1, 0]


def test_one_tensor_for_q_k_and_v():
    q, k, v = randn(5, H, D_HEAD), randn(5, H_KV, D_HEAD), randn(5, H_KV, D_HEAD)
    qkv = torch.cat([x.flatten(1) for x in (q, k, v)], dim=-1)
    for result, arguments in zip(serving.unpack_qkv(qkv, H, H_KV), (q, k, v), strict=True):
        assert torch.equal(result, arguments)


def test_prompts_come_before_those_that_write():
    assert serving.context_first([True, False, True, False]) == [0, 2, 1, 3]
