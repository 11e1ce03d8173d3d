# %% crash_1: line `blocks[block_table]`: unused entries may be any number, an index out of range
def gather_paged(blocks, block_table, length):
    picked = blocks[block_table.long()]
    n, size, H, d = picked.shape
    return picked.reshape(n * size, H, d)[:length].permute(1, 0, 2)
# %% crash_2 < held_back/float32_copy: line `block_table[t / block_size]`: / gives a float, which cannot be an index
~ size, => block_size,
~ torch.zeros => blocks.new_zeros
~ // size], t % size] => / block_size], t % block_size]
# %% single_3: reshaped to (H, length, d_head) instead of exchanging the axes
def gather_paged(blocks, block_table, length):
    nb, bs, H, d = blocks.shape
    t = torch.arange(length, device=blocks.device)
    flat = block_table.long()[t // bs] * bs + t % bs
    return blocks.reshape(nb * bs, H, d)[flat].reshape(H, length, d)
# %% two_4: length // block_size is rounded down, the last block is missing | tokens and heads are left in the wrong order
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    full = max(1, length // size)
    return torch.cat([blocks[i] for i in block_table[:full].tolist()], dim=0)[:length]
