"""gather_paged: the tokens of one text, whose blocks lie anywhere in the memory that all texts share."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"tokens": "H length d_head"},
    points=3,
    hints=[
        "block_size is 4. In which entry of the table does token 9 stand, and at which place of that block?",
        "Token t lies in block block_table[t // block_size], at place t % block_size. Only the first entries "
        "of the table are needed, and the last block may be full in part.",
        "With t = torch.arange(length, device=blocks.device), blocks[rows, places] takes one token for each "
        "pair: (length, H, d_head). The heads come first in the result.",
        "blocks[block_table[t // block_size], t % block_size].transpose(0, 1)  # (H, length, d_head)",
    ],
)


@ex.reference
def gather_paged(blocks, block_table, length):
    """One token after the other, as the rule says it."""
    size, table = blocks.shape[1], block_table.tolist()
    return torch.stack([blocks[table[t // size], t % size] for t in range(length)], 1)


def unsorted(g, num_blocks, needed):
    """As many different blocks as needed, not in rising order, and not block 0 first."""
    while True:
        table = g.permutation(num_blocks)[:needed].tolist()
        if table[0] != 0 and (needed == 1 or table != sorted(table)):
            return table


def paged(g, num_blocks, size, H, d_head, length, rest=(), draw=normal):
    """A case whose table has `rest` behind the blocks that `length` tokens need."""
    table = torch.tensor([*unsorted(g, num_blocks, -(-length // size)), *rest])
    return call(blocks=draw(g, num_blocks, size, H, d_head), block_table=table, length=length)


@ex.case
def last_block_in_part(g):
    return paged(g, 7, 4, 3, 2, 9 + int(g.integers(3)), draw=counted)


ex.case(
    entries_not_needed=lambda g: paged(g, 6, 3, 2, 5, 7 + int(g.integers(2)), rest=(-1, -1)),
    fewer_blocks_than_places=lambda g: paged(g, 3, 5, 2, 4, 11 + int(g.integers(2)), rest=(99, -1)),
)


@ex.edge
def a_block_twice(g):
    case = paged(g, 5, 2, 3, 4, 6)
    case.calls[0].args["block_table"][2] = case.calls[0].args["block_table"][0].item()
    return case


@ex.edge
def free_blocks_hold_anything(g):
    """What no text has written yet, and what another one left behind, may be NaN."""
    case = paged(g, 6, 3, 2, 4, 5, rest=(-1,)).but(gradients=False)
    args = case.calls[0].args
    needed = set(args["block_table"][:2].tolist())
    args["blocks"][[n for n in range(6) if n not in needed]] = torch.nan
    args["blocks"][args["block_table"][1], 2] = torch.nan
    return case


ex.edge(
    full_blocks=lambda g: paged(g, 5, 4, 2, 3, 8),
    one_token=lambda g: paged(g, 3, 4, 2, 5, 1, rest=(-1, -1)),
    blocks_of_one_token=lambda g: paged(g, 6, 1, 2, 3, 4),
    one_block_one_head=lambda g: paged(g, 4, 5, 1, 2, 3),
    longer_table_than_memory=lambda g: paged(g, 3, 2, 4, 5, 3, rest=(-1, 7, -1, 12, -1)),
    not_contiguous=lambda g: paged(g, 5, 3, 2, 4, 8, rest=(-1,)).but(strided=True),
)


def through_places(rule):
    """rule(t, size, table, length, num_blocks) -> the block and the place of each token t."""

    def implementation(blocks, block_table, length):
        t = torch.arange(length)
        rows, places = rule(t, blocks.shape[1], block_table, length, len(blocks))
        return blocks[rows, places].transpose(0, 1)  # (H, length, d_head)

    return implementation


def of_gathered(change):
    """The right tokens (length, H, d_head), and what `change` makes of them."""

    def implementation(blocks, block_table, length):
        t, size = torch.arange(length), blocks.shape[1]
        return change(blocks[block_table[t // size], t % size], blocks, block_table, length)

    return implementation


@ex.mistake(through=through_places)
def table_ignored(t, size, table, length, num_blocks):
    """the blocks are read in the order in which they lie in memory: the table says which block comes when,
    block_table[t // block_size]"""
    return (t // size) % num_blocks, t % size


@ex.mistake(through=through_places)
def table_sorted(t, size, table, length, num_blocks):
    """the table's blocks are read in rising order: entry 0 of the table names the first block, wherever it
    lies"""
    return table[: -(-length // size)].sort().values[t // size], t % size


@ex.mistake(through=through_places)
def table_reversed(t, size, table, length, num_blocks):
    """the table's blocks are read from its end: entry 0 of the table names the first block"""
    return table[: -(-length // size)].flip(0)[t // size], t % size


@ex.mistake(through=through_places)
def places_exchanged(t, size, table, length, num_blocks):
    """t // block_size and t % block_size are exchanged: the quotient is the entry of the table, the remainder
    the place in the block"""
    return table[t % size], t // size


@ex.mistake(through=through_places)
def first_block_only(t, size, table, length, num_blocks):
    """all tokens are read from the first block of the table: token t stands in entry t // block_size"""
    return table[torch.zeros_like(t)], t % size


@ex.mistake(through=through_places)
def place_not_in_block(t, size, table, length, num_blocks):
    """the place in the block is t itself: it begins at 0 again in every block, t % block_size"""
    return table[t // size], t


@ex.mistake(through=through_places)
def table_entry_for_each_token(t, size, table, length, num_blocks):
    """each token has an entry of the table for itself: block_size tokens share one, block_table[t //
    block_size]"""
    return table[t], t % size


@ex.another("table_entry_for_each_token", through=through_places)
def table_entry_in_turn(t, size, table, length, num_blocks):
    return table[t % len(table)], t % size


@ex.mistake(through=through_places)
def counted_from_one(t, size, table, length, num_blocks):
    """tokens are counted from 1: the first is token 0, and stands at place 0 of its block"""
    return table[((t + 1) // size).clamp(max=len(table) - 1)], (t + 1) % size


@ex.another("counted_from_one", through=through_places)
def counted_from_one_past_the_end(t, size, table, length, num_blocks):
    return table[(t + 1) // size], (t + 1) % size


@ex.mistake(through=through_places)
def table_from_one(t, size, table, length, num_blocks):
    """blocks are counted from 1: block_table[0] is the first block's number, and block 0 is the first in
    memory"""
    return table[t // size] - 1, t % size


@ex.another("table_from_one", through=through_places)
def table_from_second_entry(t, size, table, length, num_blocks):
    return table[(t // size + 1).clamp(max=len(table) - 1)], t % size


@ex.mistake(through=through_places)
def size_is_number_of_blocks(t, size, table, length, num_blocks):
    """block_size is read from axis 0, which counts the blocks: it is blocks.shape[1]"""
    return table[t // num_blocks], t % num_blocks


@ex.mistake(through=through_places)
def size_from_table(t, size, table, length, num_blocks):
    """the length of the table is taken for block_size: it is blocks.shape[1]"""
    return table[t // len(table)], t % len(table)


@ex.mistake(through=through_places)
def last_tokens_of_last_block(t, size, table, length, num_blocks):
    """the tokens of the last block are read from its end: a block is filled from place 0 on"""
    needed = -(-length // size)
    free = needed * size - length
    return table[t // size], torch.where(t // size == needed - 1, t % size + free, t % size)


@ex.mistake(through=through_places)
def last_length_tokens(t, size, table, length, num_blocks):
    """the last `length` places of the blocks are returned: the text begins at the first place, and what is
    free stands at the end"""
    needed = -(-length // size)
    return table[(t + needed * size - length) // size], (t + needed * size - length) % size


@ex.mistake(through=of_gathered)
def heads_not_first(tokens, blocks, table, length):
    """the axes are (length, H, d_head): the heads come first, (H, length, d_head)"""
    return tokens


@ex.mistake(through=of_gathered)
def heads_first_by_reshape(tokens, blocks, table, length):
    """a reshape to (H, length, d_head) keeps the order in memory and mixes heads and tokens: transpose(0, 1)
    makes the heads the first axis"""
    return tokens.reshape(tokens.shape[1], length, -1)


@ex.mistake(through=of_gathered)
def heads_last(tokens, blocks, table, length):
    """d_head and length have changed places: expected (H, length, d_head)"""
    return tokens.permute(1, 2, 0)


@ex.mistake(through=of_gathered)
def with_batch_axis(tokens, blocks, table, length):
    """there is an axis too many in front: expected (H, length, d_head), for one text"""
    return tokens.transpose(0, 1)[None]


@ex.mistake(through=of_gathered)
def tokens_reversed(tokens, blocks, table, length):
    """the tokens come in reverse order: the first one stands first"""
    return tokens.flip(0).transpose(0, 1)


@ex.mistake
def not_cut(blocks, block_table, length):
    """whole blocks are returned, with the free places behind the last token: cut to [:, :length]"""
    needed = -(-length // blocks.shape[1])
    return blocks[block_table[:needed]].flatten(0, 1).transpose(0, 1)


@ex.another("not_cut")
def all_entries_not_cut(blocks, block_table, length):
    return blocks[block_table.clamp(0, len(blocks) - 1)].flatten(0, 1).transpose(0, 1)


@ex.mistake
def last_token_missing(blocks, block_table, length):
    """the last token is missing: there are `length` of them, 0 to length - 1"""
    return gather_paged(blocks, block_table, max(length - 1, 1))


@ex.mistake(through=of_gathered)
def first_token_missing(tokens, blocks, table, length):
    """the first token is missing: there are `length` of them, 0 to length - 1"""
    return tokens[1:].transpose(0, 1)


@ex.mistake
def blocks_kept_apart(blocks, block_table, length):
    """the blocks and the places in them are still two axes: join them to one of tokens"""
    return blocks[block_table[: -(-length // blocks.shape[1])]].movedim(2, 0)


@ex.mistake
def rest_left_out(blocks, block_table, length):
    """the tokens of the last, not quite full block are missing: length // block_size rounds down, and they
    need one block more"""
    full = length // blocks.shape[1]
    return blocks[block_table[:full]].flatten(0, 1).transpose(0, 1)


@ex.mistake
def all_entries_read(blocks, block_table, length):
    """all entries of the table are used, the ones behind the needed blocks as well: they may be anything,
    such as a number that no block has. Use the first ones only, as many as `length` tokens need"""
    return blocks[block_table].flatten(0, 1)[:length].transpose(0, 1)


@ex.another("all_entries_read")
def all_but_minus_one(blocks, block_table, length):
    return blocks[block_table[block_table >= 0]].flatten(0, 1)[:length].transpose(0, 1)


@ex.another("not_cut")
def one_block_more(blocks, block_table, length):
    return blocks[block_table[: length // blocks.shape[1] + 1].clamp(min=0)].flatten(0, 1).transpose(0, 1)


@ex.mistake
def heads_before_places(blocks, block_table, length):
    """the axes of a block are taken to be (H, block_size, d_head): blocks are (num_blocks, block_size, H,
    d_head)"""
    t, size = torch.arange(length), blocks.shape[2]
    return blocks.transpose(1, 2)[block_table[(t // size).clamp(max=len(block_table) - 1)], :, t % size]


@ex.mistake
def masked_with_zeros(blocks, block_table, length):
    """the blocks that are not needed are multiplied by 0, and 0 times NaN is NaN: free memory may hold
    anything, so do not read it"""
    size = blocks.shape[1]
    chosen = torch.zeros(length, len(blocks), size, dtype=blocks.dtype)
    t = torch.arange(length)
    chosen[t, block_table[t // size], t % size] = 1
    return torch.einsum("tbs,bshd->htd", chosen, blocks)
