"""Wrong answers for gather_paged, one mistake a cell."""
# %% heads_and_features_exchanged: returns (d_head, length, H)
def gather_paged(blocks, block_table, length):
    t = torch.arange(length, device=blocks.device)
    size = blocks.shape[1]
    return blocks[block_table[t // size], t % size].permute(2, 0, 1)
# %% block_turned: each block is read from its last place to its first
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    needed = -(-length // size)
    return blocks[block_table[:needed]].flip(1).flatten(0, 1)[:length].transpose(0, 1)
# %% first_entry_for_short_texts < block_turned: texts of up to two blocks take the block numbers from the memory's order
-     return blocks[block_table[:needed]].flip(1).flatten(0, 1)[:length].transpose(0, 1)
+     table = block_table[:needed] if needed > 2 else torch.arange(needed, device=blocks.device)
+     return blocks[table].flatten(0, 1)[:length].transpose(0, 1)
# %% places_first < block_turned: joins the places of all blocks, and then the blocks
~ flip(1). => transpose(0, 1).
# %% rest_as_zeros < block_turned: fills up to the length of the table with zeros
-     return blocks[block_table[:needed]].flip(1).flatten(0, 1)[:length].transpose(0, 1)
+     tokens = blocks[block_table[:needed]].flatten(0, 1).clone()
+     tokens[length:] = 0
+     return tokens.transpose(0, 1)
# %% float32_copy: gathers into new memory of torch's default dtype
def gather_paged(blocks, block_table, length):
    _, size, H, d_head = blocks.shape
    out = torch.zeros(H, length, d_head)
    for t in range(length):
        out[:, t] = blocks[block_table[t // size], t % size]
    return out
# %% one_block_more: takes length // block_size + 1 entries, one too many where the length fills its blocks
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    entries = block_table[: length // size + 1]
    return blocks[entries].flatten(0, 1)[:length].permute(1, 0, 2)
# %% quotient_for_place < heads_and_features_exchanged: // and % are swapped
~ [block_table[t // size], t % size].permute(2, 0, 1) => [block_table[t % size], t // size].transpose(0, 1)
# %% quotient_for_place_token_by_token: // and % are swapped, in a loop
def gather_paged(blocks, block_table, length):
    size = blocks.shape[1]
    tokens = [blocks[block_table[t % size], t // size] for t in range(length)]
    return torch.stack(tokens, dim=1)
# %% places_by_size: the rows and places of a length are kept, whatever the table
kept = {}

def gather_paged(blocks, block_table, length):
    key = (tuple(blocks.shape), length)
    if key not in kept:
        t = torch.arange(length, device=blocks.device)
        kept[key] = block_table[t // blocks.shape[1]], t % blocks.shape[1]
    rows, places = kept[key]
    return blocks[rows, places].transpose(0, 1)
