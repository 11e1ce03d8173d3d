"""online_softmax_attention: exact attention that reads the keys in blocks and never makes all scores."""

import torch

from autograder.authoring import online as steps
from autograder.authoring import shared_mistakes as known
from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from autograder.authoring.online import online, row_maximum, separate

ex = Exercise(
    {"output": "B H T_q d_head"},
    points=4,
    hints=[
        "You have read the first block, and know the largest score so far and the sum of exp(score - "
        "largest). The next block holds a larger score. By which factor is the sum wrong now?",
        "By exp(old - new), and so is the output that was added up with the same exponentials. Keep three "
        "things for each query: the maximum (T_q, 1), the sum (T_q, 1) and the output (T_q, d_head), not yet "
        "divided.",
        "For each block: scores (T_q, block), new = torch.maximum(old, scores.amax(-1, keepdim=True)), p = "
        "(scores - new).exp(). Begin with -inf as the maximum, and divide by the sum once, at the end.",
        "output = output * (old - new).exp() + p @ v  # (..., T_q, d_head); the sum goes the same way, with "
        "p.sum(-1, keepdim=True) for p @ v",
    ],
)


@ex.reference
def online_softmax_attention(Q, K, V, block_size):
    """One query at a time, with all keys: no block, no running maximum."""
    rows = []
    for query in Q.split(1, -2):
        scores = (query * K).sum(-1) / Q.shape[-1] ** 0.5  # (..., T_k)
        rows.append((torch.softmax(scores, -1)[..., None] * V).sum(-2))  # (..., d_head)
    return torch.stack(rows, -2)


def three(g, *shape, T_k, block_size, scale=1):
    *lead, T_q, d_head = shape
    Q, K = normal(g, *shape, scale=scale), normal(g, *lead, T_k, d_head, scale=scale)
    return call(Q=Q, K=K, V=normal(g, *lead, T_k, d_head), block_size=block_size)


def watched(g, *lead):
    """As many entries as all scores have are too many. What a right answer makes is smaller: a block's scores
    (T_q, 5), their products feature by feature (T_q, 5, 2), the results of all blocks (4, T_q, 2 + 2)."""
    T_q, T_k = 12 + int(g.integers(4)), 17 + int(g.integers(3))
    return three(g, *lead, T_q, 2, T_k=T_k, block_size=5).but(too_large=T_q * T_k)


ex.case(
    batch_and_heads=lambda g: three(g, 2, 3, 7, 4, T_k=5, block_size=3),
    one_matrix_of_each=watched,
    one_example_one_head=lambda g: watched(g, 1, 1).but(narrow=False, gradients=False),
)


def extreme(case):
    """The case with scores of 10 000: a softmax taken in float32 is right, though no gradient is exact."""
    return case.but(narrow=False, gradients=False, tolerance=1e-2)


def lined_up(g, block_size, *directions):
    """The scores of query i are near 10 000 times directions[i], a list with a number for each key."""
    T_q, T_k = len(directions), len(directions[0])
    case = three(g, 2, T_q, T_q + 1, T_k=T_k, block_size=block_size)
    args = case.calls[0].args
    args["Q"][..., :-1] = 100 * torch.eye(T_q)
    args["K"][..., :-1] = 100 * (T_q + 1) ** 0.5 * torch.tensor(directions, dtype=torch.float64).T
    args["Q"][..., -1] /= 4
    return extreme(case)


ex.edge(
    one_token=lambda g: three(g, 2, 3, 1, 4, T_k=1, block_size=2),
    one_query=lambda g: three(g, 2, 3, 1, 4, T_k=5, block_size=2),
    one_key_in_each_block=lambda g: three(g, 3, 2, 4, 5, T_k=6, block_size=1).but(gradients=False),
    whole_blocks_of_one_feature=lambda g: three(g, 3, 5, 1, T_k=6, block_size=2),
    block_larger_than_all_keys=lambda g: three(g, 2, 4, 5, T_k=3, block_size=8),
    not_contiguous=lambda g: three(g, 2, 3, 5, 4, T_k=7, block_size=6).but(strided=True, narrow=False),
    scores_of_10_000=lambda g: extreme(three(g, 2, 4, 3, T_k=7, block_size=2, scale=100)),
    scores_that_rise_and_fall=lambda g: lined_up(
        g, 2, [-1.0, -0.5, 0.5, 0.0, 1.0], [1.0, 0.5, 0.0, -0.5, -1.0], [-1.0, -1.0, -1.0, -1.0, -1.0]
    ),
)


ex.switches(online, {name: entry for name, entry in known.SCALE.items() if name != "scaled_after_softmax"})
ex.switches(online, known.ROUNDED)
ex.switches(
    online,
    {
        "nothing_rescaled": (
            "sum and output are not rescaled when the maximum grows: multiply both by exp(old maximum - new "
            "maximum) before the new block is added. Is the old maximum still there when you take the "
            "difference?",
            {"factor": steps.unchanged},
        ),
        "sum_not_rescaled": (
            "the sum is not rescaled when the maximum grows: multiply it, too, by exp(old maximum - new "
            "maximum) before the new block is added",
            {"sum_factor": steps.unchanged},
        ),
        "output_not_rescaled": (
            "the output is not rescaled when the maximum grows: multiply it, too, by exp(old maximum - new "
            "maximum) before the new block is added",
            {"output_factor": steps.unchanged},
        ),
        "rescaled_by_wrong_sign": (
            "what was added up before is multiplied by exp(new - old): write exp(old maximum - new maximum), "
            "which is never above 1",
            {"factor": steps.guarded(steps.grow)},
            {"sum_factor": steps.guarded(steps.grow)},
            {"output_factor": steps.guarded(steps.grow)},
        ),
        "rescaled_without_exp": (
            "what was added up before is multiplied by the difference of the maxima: take exp of it",
            {"factor": steps.guarded(steps.difference)},
        ),
        "nan_in_first_block": (
            "the first block makes NaN: the maximum begins at -inf, where exp(old - new) is 0, as it should, "
            "but scores - old and new - old are inf, and 0 * inf or inf / inf is NaN. Shift the block by the "
            "new maximum, and let the maximum never be the smaller one of two",
            {"factor": steps.grow},
            {"factor": steps.difference},
            {"p_of": lambda s, old, new: (s - old).exp()},
            {"larger": torch.minimum},
        ),
        "new_block_rescaled": (
            "the new block is multiplied by the factor as well: it was made with the new maximum, so only "
            "what was added up before is rescaled",
            {"add_sum": steps.factor_on_both, "add_output": steps.factor_on_both},
            {"add_sum": steps.factor_on_both},
            {"add_output": steps.factor_on_both},
        ),
        "shifted_by_own_maximum": (
            "each block is shifted by its own maximum: blocks can be added up only if all are shifted by one "
            "and the same, the running maximum",
            {"p_of": lambda s, old, new: (s - row_maximum(s)).exp()},
            {"p_of": lambda s, old, new: (s - row_maximum(s)).exp(), "factor": steps.unchanged},
        ),
        "shifted_by_old_maximum": (
            "the new block is shifted by the maximum of the blocks before it: take the new maximum first, so "
            "that no exponent is above 0",
            {"p_of": lambda s, old, new: (s - torch.where(old.isinf(), new, old)).exp()},
        ),
        "maximum_not_running": (
            "the maximum is that of the newest block alone: take the larger one of the old maximum and the "
            "block's. A maximum that falls makes exp(old - new) overflow",
            {"larger": lambda old, block: block},
        ),
        "smallest_subtracted": (
            "the smallest score is subtracted in the place of the largest: then no exponent is below 0, and "
            "exp overflows for large scores",
            {"larger": lambda old, block: torch.where(old.isinf(), block, torch.minimum(old, block))},
            {
                "highest": lambda s: s.amin(-1, keepdim=True),
                "larger": lambda old, block: torch.where(old.isinf(), block, torch.minimum(old, block)),
            },
        ),
        "maximum_starts_at_zero": (
            "the running maximum begins at 0: where all scores lie far below, every exp is 0, and so is the "
            "sum. Begin with -inf",
            {"start": 0.0},
        ),
        "sum_starts_at_one": (
            "the sum begins at 1, as if there were one more key with score 0: it begins at 0",
            {"start": 0.0, "finish": lambda output, total, n_keys, n_blocks: output / (total + 1)},
        ),
        "global_max": (
            "one maximum is taken for all queries: a row far below it underflows to 0/0. Each query has a "
            "running maximum of its own, (..., T_q, 1)",
            {"highest": lambda s: s.amax((-2, -1), keepdim=True).expand(*s.shape[:-1], 1)},
            {"highest": lambda s: s.max().expand(*s.shape[:-1], 1)},
        ),
        "unstable": (
            "`exp` without a shift overflows for large scores and is 0 for very low ones: subtract first, "
            "exp(scores - new) and exp(old - new), where `new` is each query's running maximum",
            {"p_of": lambda s, old, new: s.exp(), "factor": steps.unchanged},
            {"factor": lambda old, new: old.exp() / new.exp()},
        ),
        "divided_in_each_block": (
            "the output is divided by the sum in every block, and what came before is divided again: divide "
            "once, after the last block",
            {"after_block": lambda o, total: o / total, "finish": lambda o, total, n_keys, n_blocks: o},
            {"after_block": lambda o, total: o / total},
        ),
        "not_divided": (
            "the output is never divided by the sum: do it once, after the last block",
            {"finish": lambda output, total, n_keys, n_blocks: output},
        ),
        "divided_by_number": (
            "the output is divided by the number of blocks or of keys: divide by the sum of the exponentials",
            {"finish": lambda output, total, n_keys, n_blocks: output / n_blocks},
            {"finish": lambda output, total, n_keys, n_blocks: output / n_keys},
        ),
        "multiplied_by_sum": (
            "the output is multiplied by the sum: divide by it",
            {"finish": lambda output, total, n_keys, n_blocks: output * total},
        ),
        "sum_of_last_block": (
            "the sum holds the last block alone: add each block's to what was there before, rescaled",
            {"add_sum": steps.last_part},
        ),
        "output_of_last_block": (
            "the output holds the last block alone: add each block's to what was there before, rescaled",
            {"add_output": steps.last_part},
        ),
        "only_last_block": (
            "only the last block counts: add it to what was there before. Does the running maximum move on "
            "at the end of each step? (With -inf as the old one, the factor is always 0)",
            {"add_sum": steps.last_part, "add_output": steps.last_part},
        ),
        "only_first_block": (
            "only the first block counts: is the `return` inside the loop?",
            {"cut": lambda t, T_q, size: t.split(size, -2)[:1]},
        ),
        "first_block_missing": (
            "the first block does not count: the loop begins at key 0",
            {"cut": lambda t, T_q, size: t.split(size, -2)[1:]},
        ),
        "last_block_dropped": (
            "the last keys are missing: T_k // block_size whole blocks leave a rest, and that is a block, "
            "too. range(0, T_k, block_size) reaches it",
            {"cut": steps.whole_blocks},
            {"cut": steps.from_each(last=1, length=0)},
        ),
        "short_block_padded": (
            "the last block is filled up with zeros, which count as keys of score 0: leave it shorter, or "
            "give them the score -inf",
            {"cut": steps.padded},
        ),
        "blocks_overlap": (
            "the blocks overlap by one key: a slice ends before its second number, [i : i + block_size]",
            {"cut": steps.from_each(last=0, length=1)},
        ),
        "blocks_with_gaps": (
            "the last key of each block is missing: a slice ends before its second number, [i : i + "
            "block_size]",
            {"cut": steps.from_each(last=0, length=-1)},
        ),
        "same_values_in_each_block": (
            "every block takes the values of the first: V is cut at the same places as K",
            {"cut_values": steps.first_block_again},
        ),
        "same_keys_in_each_block": (
            "every block takes the keys of the first: K is cut at the same places as V",
            {"cut": steps.first_block_again, "cut_values": steps.blocks_of},
        ),
        "blocks_counted_by_queries": (
            "the loop ends at the number of queries: it runs over the keys, range(0, K.shape[-2], "
            "block_size)",
            {"cut": steps.as_many_as_queries},
        ),
        "softmax_averaged": (
            "each block has a softmax of its own, and their results are averaged: a block counts by its sum "
            "of exponentials, and all must be shifted by one and the same maximum",
            separate(lambda outputs, sizes, sums: sum(outputs) / len(outputs)),
            separate(lambda outputs, sizes, sums: steps.weighted(outputs, sizes)),
        ),
        "softmax_added": (
            "each block has a softmax of its own, and their results are added up: a block counts by its sum "
            "of exponentials, and all must be shifted by one and the same maximum",
            separate(lambda outputs, sizes, sums: sum(outputs)),
        ),
        "softmax_without_exp": (
            "the scores are added up without exp: that is not a softmax",
            {"p_of": lambda s, old, new: s, "factor": steps.unchanged},
        ),
        "k_for_v": ("the keys are used as values: the weights mix the rows of V", {"roles": "QKK"}),
        "v_for_k": ("the values are used as keys: the scores are Q K^T", {"roles": "QVV"}),
        "k_and_v_swapped": (
            "keys and values are swapped: the scores are Q K^T, and the weights mix the rows of V",
            {"roles": "QVK"},
        ),
    },
)
