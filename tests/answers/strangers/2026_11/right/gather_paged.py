# %% program_1
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    need = -(-length // size)
    rows = blocks[block_table[:need].long()]
    return rows.flatten(0, 1)[:length].transpose(0, 1)
# %% program_2
def gather_paged(blocks, block_table, length):
    block_size = blocks.shape[1]
    tokens = []
    for t in range(length):
        b = int(block_table[t // block_size])
        tokens.append(blocks[b, t % block_size])
    return torch.stack(tokens, dim=1)
