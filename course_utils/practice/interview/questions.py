"""The questions between the stages, about what things cost: asked and judged as those of `predict` are."""

from math import exp, pi

from ..questions import Question, Wrong


def choice(name, prompt, choices, answer, right, wrong):
    return Question(name, "", "choice", prompt, answer, right, [Wrong(*one) for one in wrong], choices)


def number(name, prompt, answer, right, wrong, tolerance=0):
    some = [Wrong(*one) for one in wrong]
    return Question(name, "", "number", prompt, answer, right, some, tolerance=tolerance)


QUESTIONS = {
    one.name: one
    for one in [
        number(
            "cells_of_a_chunk",
            "100 keys are cached, and 4 new tokens come in one call. How many cells of their mask are "
            "*masked*?",
            6,
            "Of the 4 new tokens the first must not see 3, the next 2, the next 1: 3 + 2 + 1. The cached "
            "keys are open to all.",
            [
                (10, "That counts the diagonal too: a token sees itself."),
                (
                    0,
                    "For one new token nothing is masked; of four, the first must not see the three "
                    "after it.",
                ),
                (410, "These are the open cells: 4 x 100 cached and 10 among the new ones."),
            ],
        ),
        choice(
            "passes_of_softmax",
            "A stable softmax is written as three plain loops, nothing fused, and nothing stored but maximum "
            "and sum: how often is each entry of `x` read?",
            ["once", "twice", "three times"],
            "c",
            "Once for the maximum, once for the sum of exp, once for the division, where exp(x - max) is "
            "made again. The online form needs one pass less.",
            [
                ("a", "The maximum has to be known before the first exp, so there is more than one pass."),
                ("b", "That is the online form, where maximum and sum are found in one pass."),
            ],
        ),
        number(
            "parameters_of_mha",
            "d_model = 512, 8 heads, no biases. How many parameters have the four projections together?",
            4 * 512**2,
            "Four matrices of 512 x 512: 4 * 512 ** 2, whatever the number of heads.",
            [
                (3 * 512**2, "W_O is missing: there are four."),
                (
                    4 * 512 * 64,
                    "Each projection makes all heads at once: 512 columns, 64 for each of 8 heads.",
                ),
                (512**2, "That is one of them."),
            ],
        ),
        choice(
            "time_of_attention",
            "T tokens, width D. How does the number of multiply-adds of the whole layer grow?",
            ["T * D", "T * T * D", "T * T * D + T * D * D", "T * D * D"],
            "c",
            "Scores and the mix of values take T * T * D each, the four projections T * D * D each.",
            [
                ("a", "Each token meets each other one, with D products: that alone is T * T * D."),
                (
                    "b",
                    "That is scores and mix; the projections are missing. For T < D they are the larger "
                    "part.",
                ),
                ("d", "These are the projections; scores and mix grow with T squared."),
            ],
        ),
        choice(
            "cost_of_a_step",
            "T tokens are cached and one comes, width D. What does this step cost, in multiply-adds?",
            ["T * D + D * D", "T * T * D", "D * D", "T * D * D"],
            "a",
            "One query meets T keys, T * D, and the new token is projected, D * D. Keys and values of "
            "the others are there.",
            [
                (
                    "b",
                    "That is all queries against all keys: the cache is there so that only one query is "
                    "left.",
                ),
                ("c", "That is the projection of the new token; its query still meets T keys."),
                ("d", "That projects all T tokens again: their keys and values are cached."),
            ],
        ),
        number(
            "saved_by_groups",
            "32 heads share 8 kv heads. By what factor is the cache smaller than with 32 kv heads?",
            4,
            "Only keys and values of 8 heads are kept: 32 / 8. The multiply-adds of scores and mix stay the "
            "same.",
            [
                (8, "8 is the number of kv heads that are left, not the factor."),
                (2, "Keys and values shrink both by the same factor; their two factors are not added."),
                (16, "Both keys and values shrink by the same factor, and that is the factor of the sum."),
                (1, "The number of products stays; what is kept shrinks."),
                (0.25, "That is the share that is left: by which factor is it smaller?"),
            ],
        ),
        choice(
            "parameters_of_rope",
            "How many learned parameters does RoPE add to a layer?",
            ["none", "d_head / 2", "T * d_head"],
            "a",
            "The angles follow from position, feature and base: nothing is learned.",
            [
                ("b", "There are d_head / 2 angles for each position, and none of them is learned."),
                ("c", "A table of sines and cosines may be kept, and is worked out, not learned."),
            ],
        ),
        choice(
            "memory_of_online",
            "Attention with an online softmax over blocks of keys: what of the (T, T) scores is kept at "
            "a time?",
            ["all of them", "those of one block of keys", "one row"],
            "b",
            "A block of scores is made, goes into maximum, sum and output, and is forgotten. The "
            "multiply-adds stay as many, and the result is exact.",
            [
                ("a", "That is what it avoids: the sum and the output are scaled when the maximum grows."),
                ("c", "A row has all keys: the blocks are there so that a row is never whole."),
            ],
        ),
        number(
            "sum_after_a_block",
            "After a block the running maximum is 3 and the running sum is 4. The next block has the entries "
            "5 and 5. What is the running sum then, to two decimals?",
            4 * exp(3 - 5) + 2,
            "The maximum grows from 3 to 5, so the old sum is scaled by exp(3 - 5), and each 5 adds exp(0): "
            "4 * 0.1353 + 2.",
            [
                (4 + 2, "The old sum belongs to the maximum 3: it is scaled by exp(3 - 5) first."),
                (4 * exp(2) + 2, "The scale is turned: exp(old - new), which is below 1."),
                ((4 + 2) * exp(-2), "Only the old sum is scaled: the new entries know the new maximum."),
                (4 * exp(-2) + 2 * exp(2), "The new entries are taken against the new maximum: exp(5 - 5)."),
            ],
            tolerance="1 %",
        ),
        number(
            "exps_of_blocks",
            "One query, 1024 keys, blocks of 128 keys. With each block, also the first, sum and output are "
            "scaled by one number. How many times is exp worked out, all blocks together?",
            1024 + 1024 // 128,
            "Once for each score, and once for exp(old maximum - new maximum) of each of the 8 blocks.",
            [
                (1024, "The number that scales sum and output is an exp as well, once for each block."),
                (2 * 1024, "That is with blocks of one key: here the maximum is taken of a whole block."),
                (1024 // 128, "These are the scales: each of the 1024 scores has its exp too."),
                (1024 + 2 * 1024 // 128, "Sum and output are scaled by the same number: one exp a block."),
            ],
        ),
        number(
            "whole_turn_of_rope",
            "d_head = 64, base 10 000. After how many tokens has pair 16, counted from 0, made a whole turn?",
            2 * pi * 10_000 ** (2 * 16 / 64),
            "Pair 16 turns by 10 000 ** (-32 / 64) = 0.01 for each token, and a whole turn is 2 * pi: 628 "
            "tokens.",
            [
                (10_000 ** (2 * 16 / 64), "That is one radian: a whole turn is 2 * pi of them."),
                (360 * 10_000 ** (2 * 16 / 64), "The angles are radians, not degrees."),
                (2 * pi * 10_000 ** (16 / 64), "The exponent is 2j / d_head, with d_head = 64."),
            ],
            tolerance="1 %",
        ),
        number(
            "products_of_rope",
            "512 tokens, 8 heads, d_head = 64, as many kv heads. Sines and cosines are in a table. How many "
            "multiplications does it take to turn queries and keys in one layer?",
            2 * 512 * 8 * (64 // 2) * 4,
            "A pair takes 4: a cos, b sin, a sin, b cos. There are 32 pairs in each of 8 heads, for 512 "
            "tokens, and queries and keys: 4 * 32 * 8 * 512 * 2.",
            [
                (
                    512 * 8 * (64 // 2) * 4,
                    "That is half of it: keys are turned too, and each feature that comes out is made of two "
                    "products.",
                ),
                (2 * 512 * 8 * 64 * 4, "There are 32 pairs in a head of 64 features."),
                (3 * 512 * 8 * (64 // 2) * 4, "Values are not turned."),
                (2 * 512 * (64 // 2) * 4, "That is one head of 8."),
            ],
        ),
        number(
            "tokens_read_without_a_cache",
            "A prompt of 10 tokens, 3 new ones, no cache. How many tokens does the model read, all calls "
            "together?",
            33,
            "10, then 11, then 12: the whole text each time. With a cache it would be 10 + 1 + 1.",
            [
                (12, "That is with a cache: 10, then 1, then 1."),
                (
                    13,
                    "That is how many tokens there are in the end; the earlier ones are read again each "
                    "time.",
                ),
                (36, "The third new token is made from 12 tokens; it is not read itself."),
                (30, "The text grows: 10, then 11, then 12."),
                (46, "There are three calls, one for each new token: with 10, 11 and 12 tokens."),
            ],
        ),
    ]
}
