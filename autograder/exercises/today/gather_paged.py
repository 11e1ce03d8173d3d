"""gather_paged: gather the tokens of one text from blocks scattered over a memory that all texts share."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"tokens": "H length d_head"},
    points=3,
    gradients=False,
    hints="""
    block_size is 4. Which entry of the table is for token 9, and what is the token's place in that block?

    Token t lies in block block_table[t // block_size], at place t % block_size. Only the first entries of the table
    are needed, and the last block may be partly empty.

    With t = torch.arange(length, device=blocks.device), blocks[rows, places] takes one token for each pair:
    (length, H, d_head). In the result the heads come first.

    blocks[block_table[t // block_size], t % block_size].transpose(0, 1)  # (H, length, d_head)
    """,
)


@ex.reference
def gather_paged(blocks, block_table, length):
    """Looks up one token after the other."""
    size, table = blocks.shape[1], block_table.tolist()
    return torch.stack([blocks[table[t // size], t % size] for t in range(length)], 1)


def unsorted(g, num_blocks, needed):
    """`needed` different blocks, not in rising order and not starting with block 0."""
    while True:
        table = g.permutation(num_blocks)[:needed].tolist()
        if table[0] != 0 and (needed == 1 or table != sorted(table)):
            return table


def paged(g, num_blocks, size, H, d_head, length, rest=(), draw=normal):
    """A case whose table has the entries `rest` after the blocks that `length` tokens need."""
    table = torch.tensor([*unsorted(g, num_blocks, -(-length // size)), *rest])
    return call(blocks=draw(g, num_blocks, size, H, d_head), block_table=table, length=length)


ex.case(
    last_block_in_part=lambda g: paged(g, 7, 4, 5, 2, 9 + int(g.integers(3)), draw=counted),
    entries_not_needed=lambda g: paged(g, 7, 3, 2, 6, 10 + int(g.integers(2)), rest=(-1, 99)),
    fewer_blocks_than_places=lambda g: paged(g, 4, 6, 2, 5, 13 + int(g.integers(4)), rest=(99, -1, 12, -1)),
)


@ex.edge
def a_block_twice(g):
    case = paged(g, 5, 2, 3, 4, 6)
    case.calls[0].args["block_table"][2] = case.calls[0].args["block_table"][0].item()
    return case


@ex.edge
def free_blocks_hold_anything(g):
    """Unused blocks, and unused places of a block, hold NaN."""
    case = paged(g, 6, 3, 2, 4, 5, rest=(-1,))
    args = case.calls[0].args
    needed = set(args["block_table"][:2].tolist())
    args["blocks"][[n for n in range(6) if n not in needed]] = torch.nan
    args["blocks"][args["block_table"][1], 2] = torch.nan
    return case


@ex.edge
def same_sizes_again(g):
    """Two texts of the same sizes: anything that the answer stored by size belongs to the wrong table."""
    first, second = (paged(g, 6, 3, 2, 4, 7, rest=(-1,)) for _ in range(2))
    return first.call(**second.calls[0].args)


ex.edge(
    full_blocks=lambda g: paged(g, 5, 4, 2, 3, 8),
    full_blocks_and_an_entry_more=lambda g: paged(g, 5, 4, 2, 3, 12, rest=(99,)),
    one_token=lambda g: paged(g, 3, 4, 2, 5, 1, rest=(-1, -1)),
    blocks_of_one_token=lambda g: paged(g, 6, 1, 2, 3, 4),
    one_block_one_head=lambda g: paged(g, 4, 5, 1, 2, 3),
    longer_table_than_memory=lambda g: paged(g, 3, 2, 4, 5, 3, rest=(-1, 7, -1, 12, -1)),
    not_contiguous=lambda g: paged(g, 5, 3, 2, 4, 8, rest=(-1,)).but(strided=True),
)


# ---- mistakes


def places(rule):
    """An implementation from rule(t, size, table, num_blocks) -> (block, place in the block) of tokens t."""

    def implementation(blocks, block_table, length):
        rows, at = rule(torch.arange(length), blocks.shape[1], block_table, len(blocks))
        return blocks[rows, at].transpose(0, 1)  # (H, length, d_head)

    return implementation


def whole(change, entries=lambda length, size: -(-length // size)):
    """An implementation that reads entries(length, size) whole blocks and returns change(tokens, length),
    given their tokens (n, H, d_head)."""

    def implementation(blocks, block_table, length):
        table = block_table[: entries(length, blocks.shape[1])]
        return change(blocks[table].flatten(0, 1), length)

    return implementation


def heads_first(tokens, length):
    return tokens[:length].transpose(0, 1)


ex.wrong(
    "places_exchanged: // and % are swapped: t // block_size is the entry of the table, and t % block_size the place in the block",
    places(lambda t, size, table, n: (table[t % size], t // size)),
    "place_not_in_block: the place in the block is t itself: it starts again at 0 in every block, t % block_size",
    places(lambda t, size, table, n: (table[t // size], t)),
    "heads_first_by_reshape: a reshape to (H, length, d_head) keeps the order in memory and so mixes heads and tokens: use transpose(0, 1) to put the heads first",
    whole(lambda tokens, length: tokens[:length].reshape(tokens.shape[1], length, -1)),
    "blocks_in_a_row: the blocks are read one after the other from the first entry of the table on: each entry names its own block, blocks[block_table]",
    lambda blocks, block_table, length: heads_first(
        blocks[int(block_table[0]) :][: -(-length // blocks.shape[1])].flatten(0, 1), length
    ),
    "all_entries_read: entries of the table that `length` tokens don't need are used: they may be anything, even the number of a block that does not exist. Use only the first -(-length // block_size)",
    whole(heads_first, lambda length, size: None),
    "one_entry_too_many: one entry too many is read when the length fills its last block exactly: length // block_size + 1 is right only for a partly empty last block. Round up, -(-length // block_size)",
    whole(heads_first, lambda length, size: length // size + 1),
)
