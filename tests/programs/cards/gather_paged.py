# %% next_block_in_memory: the blocks are read in a row
# refused: blocks_in_a_row
# says: The blocks are read one after the other from the first entry of the table on
def gather_paged(blocks, block_table, length):
    start, per_block = block_table[0].item(), blocks.shape[1]
    count = -(-length // per_block)
    tokens = blocks[start : start + count].flatten(0, 1)
    return tokens[:length].transpose(0, 1)
