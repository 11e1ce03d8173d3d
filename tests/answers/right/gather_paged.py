"""Right answers to `gather_paged`, in the styles of many people. Cells are separated by lines that start with `# %%`."""
# %% two index tensors
def gather_paged(blocks, block_table, length):
    t = torch.arange(length, device=blocks.device)
    size = blocks.shape[1]
    return blocks[block_table[t // size], t % size].transpose(0, 1)
# %% whole blocks, then cut
def gather_paged(blocks, block_table, length):
    num_blocks, block_size, H, d = blocks.shape
    needed = (length + block_size - 1) // block_size
    tokens = blocks[block_table[:needed]].reshape(needed * block_size, H, d)
    return tokens[:length].permute(1, 0, 2)
# %% a loop over tokens
def gather_paged(blocks, block_table, length):
    rows = []
    for t in range(length):
        rows.append(blocks[block_table[t // blocks.size(1)], t % blocks.size(1)])
    return torch.stack(rows, dim=1)
# %% a loop over blocks
def gather_paged(blocks, block_table, length):
    size, parts, left = blocks.shape[1], [], length
    for number in block_table.tolist():
        if left <= 0:
            break
        parts.append(blocks[number, :min(size, left)])
        left -= size
    return torch.cat(parts, dim=0).movedim(1, 0)
# %% flat slots and index_select
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    t = torch.arange(length, device=block_table.device)
    slots = block_table[torch.div(t, size, rounding_mode="floor")] * size + torch.remainder(t, size)
    return blocks.flatten(0, 1).index_select(0, slots).transpose(0, 1).contiguous()
# %% written into new memory
def gather_paged(blocks, block_table, length):
    _, size, H, d_head = blocks.shape
    out = torch.empty(H, length, d_head, dtype=blocks.dtype, device=blocks.device)
    for i, start in enumerate(range(0, length, size)):
        stop = min(start + size, length)
        out[:, start:stop] = blocks[block_table[i], :stop - start].transpose(0, 1)
    return out
# %% heads first, then a gather
def gather_paged(blocks, block_table, length):
    num_blocks, size, H, d_head = blocks.shape
    by_head = blocks.permute(2, 0, 1, 3).reshape(H, num_blocks * size, d_head)
    t = torch.arange(length, device=blocks.device)
    slot = block_table[t // size] * size + t % size
    return by_head.gather(1, slot[None, :, None].expand(H, -1, d_head))
# %% repeat_interleave of the table
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    used = block_table[: math.ceil(length / size)]
    row = used.repeat_interleave(size)[:length]
    col = torch.arange(size, device=blocks.device).repeat(len(used))[:length]
    return torch.einsum("thd->htd", blocks[row, col])
