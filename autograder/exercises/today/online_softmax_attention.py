"""online_softmax_attention: exact attention that reads the keys in blocks and never holds all scores."""

from functools import reduce

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"output": "B H T_q d_head"},
    points=4,
    hints="""
    You have read the first block, and know the largest score so far and the sum of exp(score - largest). The next
    block holds a larger score. By what factor is the sum wrong now?

    By exp(old - new), and so is the output that was added up with the same exponentials. Keep three things for each
    query: the maximum (T_q, 1), the sum (T_q, 1) and the output (T_q, d_head), not yet divided. Keep all three in
    float32 where the inputs are narrower: in bfloat16, 256 + 1 is 256.

    For each block: scores (T_q, block), new = torch.maximum(old, scores.amax(-1, keepdim=True)), p = (scores -
    new).exp(). Start with -inf as the maximum, and divide by the sum once, at the end.

    output = output * (old - new).exp() + p @ v  # (..., T_q, d_head); the sum works the same way, with p.sum(-1,
    keepdim=True) in place of p @ v
    """,
)


@ex.reference
def online_softmax_attention(Q, K, V, block_size):
    """Goes over the keys twice, one at a time, in float64: first for the largest score, then for the sums."""
    q = Q.double() / Q.shape[-1] ** 0.5
    scores = [(q * k.double()).sum(-1, keepdim=True) for k in K.split(1, -2)]  # (..., T_q, 1) each
    largest = reduce(torch.maximum, scores)
    weights = [(score - largest).exp() for score in scores]
    output = reduce(
        torch.add, (weight * v.double() for weight, v in zip(weights, V.split(1, -2), strict=True))
    )
    return (output / reduce(torch.add, weights)).to(Q.dtype)  # (..., T_q, d_head)


def three(g, *shape, T_k, block_size, scale=1):
    *lead, T_q, d_head = shape
    Q, K = normal(g, *shape, scale=scale), normal(g, *lead, T_k, d_head, scale=scale)
    return call(Q=Q, K=K, V=normal(g, *lead, T_k, d_head), block_size=block_size)


def watched(g, *lead):
    """A case in which a tensor as large as all scores is an error. A right answer makes smaller ones: a
    block's scores (T_q, 5), their products by feature (T_q, 5, 2), the results of all blocks (4, T_q, 2 + 2).
    """
    T_q, T_k = 12 + int(g.integers(4)), 18 + int(g.integers(2))
    return three(g, *lead, T_q, 2, T_k=T_k, block_size=5).but(too_large=T_q * T_k)


ex.case(
    batch_and_heads=lambda g: three(g, 2, 3, 7, 4, T_k=11, block_size=6),
    one_matrix_of_each=watched,
    one_example_one_head=lambda g: watched(g, 1, 1).but(narrow=False, gradients=False),
)


@ex.case
def one_query_many_keys(g):
    """A decoding step for two texts: not even one row of scores may be made. A right answer makes smaller
    tensors: a block with one more feature (2, 16, 3 + 1), the results of all blocks (9, 2, 3 + 2)."""
    T_k = 131 + int(g.integers(7))
    case = three(g, 2, 1, 1, 3, T_k=T_k, block_size=16)
    return case.but(too_large=T_k, narrow=False, gradients=False)


def allow_scores_of_10_000(case):
    """The case with settings for scores of 10 000: a softmax in float32 must pass, and gradients do not
    count."""
    return case.but(narrow=False, gradients=False, tolerance=1e-2)


def aligned_case(g, block_size, *directions):
    """A case whose scores of query i are near 10 000 times directions[i], a list with one number for each
    key."""
    T_q, T_k = len(directions), len(directions[0])
    case = three(g, 2, T_q, T_q + 1, T_k=T_k, block_size=block_size)
    args = case.calls[0].args
    args["Q"][..., :-1] = 100 * torch.eye(T_q)
    args["K"][..., :-1] = 100 * (T_q + 1) ** 0.5 * torch.tensor(directions, dtype=torch.float64).T
    args["Q"][..., -1] /= 4
    return allow_scores_of_10_000(case)


ex.case(scores_of_10_000=lambda g: allow_scores_of_10_000(three(g, 2, 4, 3, T_k=7, block_size=2, scale=100)))


@ex.edge
def many_keys_in_bfloat16(g):
    """Sums of 500 numbers near 1, which stop growing at 256 in bfloat16."""
    case = three(g, 6, 2, T_k=500, block_size=1)
    args = case.calls[0].args
    args["Q"] /= 8
    args["V"] = args["V"].sign() / 16 + torch.where(torch.arange(500) < 170, 2, 0.25)[:, None]
    return case.but(dtype="bfloat16", narrow=False, gradients=False, tolerance=2e-2)


ex.edge(
    one_token=lambda g: three(g, 2, 3, 1, 4, T_k=1, block_size=2),
    one_query=lambda g: three(g, 2, 3, 1, 4, T_k=5, block_size=2),
    one_key_in_each_block=lambda g: three(g, 3, 2, 4, 5, T_k=6, block_size=1).but(gradients=False),
    whole_blocks_of_one_feature=lambda g: three(g, 3, 5, 1, T_k=6, block_size=2),
    block_larger_than_all_keys=lambda g: three(g, 2, 4, 5, T_k=3, block_size=8),
    not_contiguous=lambda g: three(g, 2, 3, 5, 4, T_k=7, block_size=6).but(strided=True, narrow=False),
    scores_that_rise_and_fall=lambda g: aligned_case(
        g, 2, [-1.0, -0.5, 0.5, 0.0, 1.0], [1.0, 0.5, 0.0, -0.5, -1.0], [-1.0, -1.0, -1.0, -1.0, -1.0]
    ),
)


# ---- mistakes: a loop over blocks whose steps can be replaced


def row_maximum(scores):
    return scores.amax(-1, keepdim=True)  # (..., T_q, 1)


def shrink(old, new):
    """The factor for sums over earlier blocks when the maximum changes from `old` to `new`."""
    return (old - new).exp()


def grow(old, new):
    """The inverse of the right factor; 0 before the first block."""
    return torch.where(old.isinf(), 0, (new - old).exp())


def unchanged(old, new):
    return torch.ones_like(new)


def add(total, factor, part):
    return total * factor + part


def both(total, factor, part):
    return (total + part) * torch.where(factor == 0, 1, factor)


def last(total, factor, part):
    return part


def wide(t):
    return t.to(torch.promote_types(t.dtype, torch.float32))


def online(
    widened=wide,
    blocks=lambda t, size: t.split(size, -2),
    scale=lambda d_head: d_head**0.5,
    start=-torch.inf,
    highest=row_maximum,
    larger=torch.maximum,
    p_of=lambda scores, old, new: (scores - new).exp(),
    factor=shrink,
    sum_factor=None,
    output_factor=None,
    add_sum=add,
    add_output=add,
    after_block=lambda output, total: output,
    finish=lambda output, total: output / total,
):
    """An implementation with these steps; `factor` is the default of both sum_factor and output_factor."""

    def implementation(Q, K, V, block_size):
        q, K, V = (widened(t) for t in (Q, K, V))
        old = torch.full_like(q[..., :1], start)  # (..., T_q, 1)
        total, output = torch.zeros_like(old), torch.zeros_like(q)
        for k, v in zip(blocks(K, block_size), blocks(V, block_size), strict=True):
            scores = q @ k.mT / scale(q.shape[-1])  # (..., T_q, block)
            new = larger(old, highest(scores))
            p = p_of(scores, old, new)
            total = add_sum(total, (sum_factor or factor)(old, new), p.sum(-1, keepdim=True))
            output = add_output(output, (output_factor or factor)(old, new), p @ v)
            output, old = after_block(output, total), new
        return finish(output, total).to(Q.dtype)

    return implementation


def blocks_averaged(Q, K, V, block_size):
    q, pairs = wide(Q), zip(wide(K).split(block_size, -2), wide(V).split(block_size, -2), strict=True)
    outputs = [torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v for k, v in pairs]
    return torch.stack(outputs).mean(0).to(Q.dtype)


ex.wrong(
    "not_scaled: the scores are not scaled: divide Q K^T by sqrt(d_head)",
    online(scale=lambda d_head: 1),
    "scale_d_head_no_root: the scores are divided by d_head: divide by its square root",
    online(scale=lambda d_head: d_head),
    "nothing_rescaled: the sum and the output are not rescaled when the maximum grows: multiply both by exp(old maximum - new maximum) before you add the new block. Do you still have the old maximum when you take the difference?",
    online(factor=unchanged),
    "sum_not_rescaled: the sum is not rescaled when the maximum grows: multiply it, like the output, by exp(old maximum - new maximum) before you add the new block",
    online(sum_factor=unchanged),
    "output_not_rescaled: the output is not rescaled when the maximum grows: multiply it, like the sum, by exp(old maximum - new maximum) before you add the new block",
    online(output_factor=unchanged),
    "rescaled_by_wrong_sign: what was added up before is multiplied by exp(new - old): use exp(old maximum - new maximum), which is never above 1",
    online(factor=grow),
    "nan_in_first_block: everything is NaN from the first block on: is the factor exp(old maximum - new maximum), and is each block shifted by the new maximum? The other way around, exp is infinite as long as the old maximum is -inf or very low, and 0 * inf is NaN",
    online(factor=lambda old, new: (new - old).exp()),
    "new_block_rescaled: the new block is rescaled as well: it was computed with the new maximum, so rescale only what was added up before",
    online(add_sum=both, add_output=both),
    "shifted_by_own_maximum: each block is shifted by its own maximum: blocks can be added up only if all are shifted by the same number, the running maximum",
    online(p_of=lambda scores, old, new: (scores - row_maximum(scores)).exp()),
    "maximum_not_running: the maximum is that of the newest block alone: take the larger of the old maximum and the block's. If the maximum falls, exp(old - new) overflows",
    online(larger=lambda old, block: block),
    "maximum_starts_at_zero: the running maximum starts at 0: where all scores are far below 0, every exp is 0, and so is the sum. Start with -inf",
    online(start=0.0),
    "global_max: one maximum is taken for all queries: a row far below it underflows to 0/0. Each query needs its own running maximum, (..., T_q, 1)",
    online(highest=lambda scores: scores.amax((-2, -1), keepdim=True).expand(*scores.shape[:-1], 1)),
    "unstable: `exp` without a shift overflows for large scores and underflows to 0 for very low ones: subtract first, exp(scores - new) and exp(old - new), where `new` is each query's running maximum",
    online(p_of=lambda scores, old, new: scores.exp(), factor=unchanged),
    "divided_in_each_block: the output is divided by the sum in every block, so earlier blocks are divided again each time: divide once, after the last block",
    online(after_block=lambda output, total: output / total, finish=lambda output, total: output),
    "not_divided: the output is never divided by the sum: do it once, after the last block",
    online(finish=lambda output, total: output),
    "averaged_blocks: each block has a softmax of its own, and the blocks' outputs are averaged: a block counts as much as its share of all exponentials, so add up the exponentials and divide once",
    blocks_averaged,
    "only_last_block: only the last block counts: add it to what was there before. Is the running maximum updated at the end of each step? (With -inf as the old one, the factor is always 0)",
    online(add_sum=last, add_output=last),
    "last_block_dropped: the last keys are missing: T_k // block_size whole blocks leave a remainder, which is a block too. range(0, T_k, block_size) reaches it",
    online(blocks=lambda t, size: t[..., : t.shape[-2] // size * size, :].split(size, -2)),
    "kept_in_a_narrow_dtype: the maximum, the sum and the output are kept in the dtype of the inputs: in bfloat16 a sum stops growing at 256, since 256 + 1 is 256. Keep them in float32, and convert the output at the end",
    online(widened=lambda t: t),
)
