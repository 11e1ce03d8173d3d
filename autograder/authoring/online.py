"""Attention in one loop over blocks of keys, each step of which can be exchanged for a wrong one.

In: the steps that differ (none: the right answer). Out: an implementation (Q, K, V, block_size) -> output.
Axes: Q (..., T_q, d_head), K and V (..., T_k, d_head).
"""

import torch
from torch.nn import functional as F


def blocks_of(t, T_q, block_size):
    return t.split(block_size, -2)


def sqrt_d_head(B, H, T_k, d_head):
    return d_head**0.5


def row_maximum(scores):
    return scores.amax(-1, keepdim=True)  # (..., T_q, 1)


def exponentials(scores, old, new):
    return (scores - new).exp()


def shrink(old, new):
    """What sums over earlier blocks are multiplied by, when the maximum was `old` and is `new`."""
    return (old - new).exp()


def add(total, factor, part):
    return total * factor + part


def as_it_is(output, total):
    return output


def divided(output, total, n_keys, n_blocks):
    return output / total


def online(
    roles="QKV",
    cut=blocks_of,
    cut_values=None,
    divisor=sqrt_d_head,
    start=-torch.inf,
    highest=row_maximum,
    larger=torch.maximum,
    p_of=exponentials,
    factor=None,
    sum_factor=shrink,
    output_factor=shrink,
    add_sum=add,
    add_output=add,
    after_block=as_it_is,
    finish=divided,
):
    """An implementation made of these steps; `factor` stands for both sum_factor and output_factor."""

    def implementation(Q, K, V, block_size):
        made = {"Q": Q, "K": K, "V": V}
        Q, K, V = (made[role] for role in roles)
        T_q, T_k, d_head = Q.shape[-2], K.shape[-2], Q.shape[-1]
        scale = divisor(len(Q), Q.shape[-3] if Q.dim() > 2 else 1, T_k, d_head)
        old = torch.full_like(Q[..., :1], start)  # (..., T_q, 1)
        total, output = torch.zeros_like(old), torch.zeros_like(Q)
        blocks, values = cut(K, T_q, block_size), (cut_values or cut)(V, T_q, block_size)
        for k, v in zip(blocks, values, strict=True):
            scores = Q @ k.transpose(-2, -1) / scale  # (..., T_q, block)
            new = larger(old, highest(scores))
            p = p_of(scores, old, new)
            total = add_sum(total, (factor or sum_factor)(old, new), p.sum(-1, keepdim=True))
            output = add_output(output, (factor or output_factor)(old, new), p @ v)
            output, old = after_block(output, total), new
        return finish(output, total, T_k, -(-T_k // block_size))

    return implementation


def separate(join):
    """Each block has a softmax of its own; join(outputs, sizes, sums) makes one output of theirs."""

    def implementation(Q, K, V, block_size):
        outputs, sizes, sums = [], [], []
        for k, v in zip(K.split(block_size, -2), V.split(block_size, -2), strict=True):
            scores = Q @ k.transpose(-2, -1) / Q.shape[-1] ** 0.5
            outputs.append(torch.softmax(scores, -1) @ v)
            sizes.append(k.shape[-2])
            sums.append((scores - row_maximum(scores)).exp().sum(-1, keepdim=True))
        return join(outputs, sizes, sums)

    return implementation


# ---- wrong steps


def weighted(outputs, weights):
    return sum(o * w for o, w in zip(outputs, weights, strict=True)) / sum(weights)


def whole_blocks(t, T_q, block_size):
    return [t[..., i * block_size : (i + 1) * block_size, :] for i in range(t.shape[-2] // block_size)]


def from_each(last, length):
    """Blocks that begin at 0, block_size, ... before `last` keys from the end, with `length` keys more."""

    def cut(t, T_q, block_size):
        starts = range(0, t.shape[-2] - last * block_size, block_size)
        blocks = [t[..., i : i + block_size + length, :] for i in starts]
        return [block for block in blocks if block.shape[-2]]

    return cut


def as_many_as_queries(t, T_q, block_size):
    starts = range(0, T_q, block_size)
    return [t[..., i : i + block_size, :] for i in starts]


def first_block_again(t, T_q, block_size):
    return [t[..., : block.shape[-2], :] for block in blocks_of(t, T_q, block_size)]


def padded(t, T_q, block_size):
    return F.pad(t, (0, 0, 0, -t.shape[-2] % block_size)).split(block_size, -2)


def first_time(old, factor):
    """The factor; 0 where nothing has been added up yet."""
    return torch.where(old.isinf(), 0, factor)


def unchanged(old, new):
    return torch.ones_like(new)


def grow(old, new):
    return (new - old).exp()


def difference(old, new):
    return old - new


def guarded(factor):
    return lambda old, new: first_time(old, factor(old, new))


def factor_on_both(total, factor, part):
    return (total + part) * torch.where(factor == 0, 1, factor)


def last_part(total, factor, part):
    return part
