"""One attention step of a language model server, with packed tokens and a paged cache.

In: the new tokens of all requests in one row, without padding, and tables that assign them to requests. Out:
one output for each new token. The names are vLLM's; docstrings say where TensorRT-LLM differs.
"""

from dataclasses import dataclass

import torch
from torch.nn import functional as F

NO_SLOT = -1  # for a row of padding, which is computed but never stored


@dataclass
class Step:
    """What a server passes to the attention layer besides q, k and v."""

    # (B + 1,): request b's tokens are the packed rows from query_start_loc[b] to query_start_loc[b + 1]
    query_start_loc: torch.Tensor
    seq_lens: torch.Tensor  # (B,): tokens of each request, cached and new
    block_table: torch.Tensor  # (B, most blocks): the blocks of each request; unused entries are not read


def plan(new, cached, block_table):
    """Make a Step. new, cached: lists with the number of new and of cached tokens of B requests."""
    new, cached = torch.tensor(new), torch.tensor(cached)
    return Step(F.pad(new.cumsum(0), (1, 0)), cached + new, block_table)


def positions(step):
    """Return the position of each packed token in its own text (num_tokens,)."""
    counts = step.query_start_loc.diff()
    first = step.seq_lens - counts  # (B,)
    return torch.cat(
        [torch.arange(n) + start for n, start in zip(counts.tolist(), first.tolist(), strict=True)]
    )


def slot_mapping(step, block_size):
    """Return the slot of each new token's key and value (num_tokens,), counted through all blocks."""
    request = torch.repeat_interleave(step.query_start_loc.diff())  # (num_tokens,), the request of each token
    block, offset = positions(step).div(block_size, rounding_mode="floor"), positions(step) % block_size
    return step.block_table[request, block] * block_size + offset


def store(cache, new, slots):
    """Write new (num_tokens, H, d_head) into cache (num_blocks, block_size, H, d_head), in place."""
    stored = slots != NO_SLOT
    cache.flatten(0, 1)[slots[stored]] = new[stored]


def attend(q, k, v, k_cache, v_cache, step):
    """Compute attention: q (num_tokens, H, d_head), k and v (num_tokens, H_kv, d_head) -> q's shape.

    The caches are changed in place: new keys and values are stored, then all are read from them.
    """
    from torch.nn.attention.bias import causal_lower_right  # a slow import that only this function needs

    block_size = k_cache.shape[1]
    slots = slot_mapping(step, block_size)
    store(k_cache, k, slots)
    store(v_cache, v, slots)
    outputs = []
    bounds = step.query_start_loc.tolist()
    for b, length in enumerate(step.seq_lens.tolist()):
        queries = q[bounds[b] : bounds[b + 1]].transpose(0, 1)  # (H, T_q, d_head)
        blocks = step.block_table[b, : -(-length // block_size)]
        # the request's own keys and values, in the order of its text
        K, V = (
            c[blocks].flatten(0, 1)[:length].transpose(0, 1) for c in (k_cache, v_cache)
        )  # (H_kv, T_k, d)
        mask = causal_lower_right(queries.shape[1], length)
        output = F.scaled_dot_product_attention(
            queries[None], K[None], V[None], attn_mask=mask, enable_gqa=True
        )
        outputs.append(output[0].transpose(0, 1))  # (T_q, H, d_head)
    return torch.cat(outputs)


def unpack_qkv(qkv, num_heads, num_kv_heads):
    """Split TensorRT-LLM's one tensor (num_tokens, (H + 2 H_kv) * d_head) into q, k and v."""
    heads = qkv.unflatten(-1, (num_heads + 2 * num_kv_heads, -1))  # (num_tokens, H + 2 H_kv, d_head)
    return heads.split([num_heads, num_kv_heads, num_kv_heads], dim=1)


def context_first(reading):
    """Order the texts as TensorRT-LLM wants them: first those that read their prompt.

    reading: for each text, whether it reads its prompt, or a part of it, in this step
    """
    return sorted(range(len(reading)), key=lambda b: not reading[b])
