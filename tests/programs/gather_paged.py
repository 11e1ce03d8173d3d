# %% whole blocks, then cut
# taken
def gather_paged(blocks, block_table, length):
    num_blocks, block_size, H, d = blocks.shape
    needed = (length + block_size - 1) // block_size
    tokens = blocks[block_table[:needed]].reshape(needed * block_size, H, d)
    return tokens[:length].permute(1, 0, 2)
# %% a loop over blocks
# taken
import torch
def gather_paged(blocks, block_table, length):
    size, parts, left = blocks.shape[1], [], length
    for number in block_table.tolist():
        if left <= 0:
            break
        parts.append(blocks[number, :min(size, left)])
        left -= size
    return torch.cat(parts, dim=0).movedim(1, 0)
# %% flat slots and index_select
# taken
import torch
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    t = torch.arange(length, device=block_table.device)
    slots = block_table[torch.div(t, size, rounding_mode="floor")] * size + torch.remainder(t, size)
    return blocks.flatten(0, 1).index_select(0, slots).transpose(0, 1).contiguous()
# %% written into new memory
# taken
import torch
def gather_paged(blocks, block_table, length):
    _, size, H, d_head = blocks.shape
    out = torch.empty(H, length, d_head, dtype=blocks.dtype, device=blocks.device)
    for i, start in enumerate(range(0, length, size)):
        stop = min(start + size, length)
        out[:, start:stop] = blocks[block_table[i], :stop - start].transpose(0, 1)
    return out
# %% heads first, then a gather
# taken
import torch
def gather_paged(blocks, block_table, length):
    num_blocks, size, H, d_head = blocks.shape
    by_head = blocks.permute(2, 0, 1, 3).reshape(H, num_blocks * size, d_head)
    t = torch.arange(length, device=blocks.device)
    slot = block_table[t // size] * size + t % size
    return by_head.gather(1, slot[None, :, None].expand(H, -1, d_head))
# %% repeat_interleave of the table
# taken
import math
import torch
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    used = block_table[: math.ceil(length / size)]
    row = used.repeat_interleave(size)[:length]
    col = torch.arange(size, device=blocks.device).repeat(len(used))[:length]
    return torch.einsum("thd->htd", blocks[row, col])
# %% heads_and_features_exchanged: returns (d_head, length, H)
# refused: axes_out_of_order
import torch
def gather_paged(blocks, block_table, length):
    t = torch.arange(length, device=blocks.device)
    size = blocks.shape[1]
    return blocks[block_table[t // size], t % size].permute(2, 0, 1)
# %% block_turned: each block is read from its last place to its first
# refused: shown
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    needed = -(-length // size)
    return blocks[block_table[:needed]].flip(1).flatten(0, 1)[:length].transpose(0, 1)
# %% first_entry_for_short_texts: texts of up to two blocks take the block numbers from the memory's order
# refused, 2.591: shown
import torch
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    needed = -(-length // size)
    table = block_table[:needed] if needed > 2 else torch.arange(needed, device=blocks.device)
    return blocks[table].flatten(0, 1)[:length].transpose(0, 1)
# %% places_first: joins the places of all blocks, and then the blocks
# refused: shown
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    needed = -(-length // size)
    return blocks[block_table[:needed]].transpose(0, 1).flatten(0, 1)[:length].transpose(0, 1)
# %% float32_copy: gathers into new memory of torch's default dtype
# taken, one left 2.918: casts_dtype
import torch
def gather_paged(blocks, block_table, length):
    _, size, H, d_head = blocks.shape
    out = torch.zeros(H, length, d_head)
    for t in range(length):
        out[:, t] = blocks[block_table[t // size], t % size]
    return out
# %% places_by_size: the rows and places of a length are kept, whatever the table
# refused, 2.918: ignores_argument; seeds 20260720, 11, 3 refused: shown
import torch
kept = {}

def gather_paged(blocks, block_table, length):
    key = (tuple(blocks.shape), length)
    if key not in kept:
        t = torch.arange(length, device=blocks.device)
        kept[key] = block_table[t // blocks.shape[1]], t % blocks.shape[1]
    rows, places = kept[key]
    return blocks[rows, places].transpose(0, 1)
# %% strangers_2026_11/program_1
# taken
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    need = -(-length // size)
    rows = blocks[block_table[:need].long()]
    return rows.flatten(0, 1)[:length].transpose(0, 1)
# %% strangers_2026_11/program_2
# taken
import torch
def gather_paged(blocks, block_table, length):
    block_size = blocks.shape[1]
    tokens = []
    for t in range(length):
        b = int(block_table[t // block_size])
        tokens.append(blocks[b, t % block_size])
    return torch.stack(tokens, dim=1)
# %% strangers_2026_11/crash_1: line `blocks[block_table]`: unused entries may be any number, an index out of range
# refused: all_entries_read
def gather_paged(blocks, block_table, length):
    picked = blocks[block_table.long()]
    n, size, H, d = picked.shape
    return picked.reshape(n * size, H, d)[:length].permute(1, 0, 2)
# %% strangers_2026_11/crash_2: line `block_table[t / block_size]`: / gives a float, which cannot be an index
# refused: float_index
def gather_paged(blocks, block_table, length):
    _, block_size, H, d_head = blocks.shape
    out = blocks.new_zeros(H, length, d_head)
    for t in range(length):
        out[:, t] = blocks[block_table[t / block_size], t % block_size]
    return out
# %% strangers_2026_11/single_3: reshaped to (H, length, d_head) instead of exchanging the axes
# refused: heads_first_by_reshape
import torch
def gather_paged(blocks, block_table, length):
    nb, bs, H, d = blocks.shape
    t = torch.arange(length, device=blocks.device)
    flat = block_table.long()[t // bs] * bs + t % bs
    return blocks.reshape(nb * bs, H, d)[flat].reshape(H, length, d)
# %% strangers_2026_11/two_4: length // block_size is rounded down, the last block is missing | tokens and heads are left in the wrong order
# refused: shown
import torch
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    full = max(1, length // size)
    return torch.cat([blocks[i] for i in block_table[:full].tolist()], dim=0)[:length]
