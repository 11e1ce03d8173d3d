# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 1. Masks: who may look at whom
#
# *45 to 60 minutes · seven small functions*
#
# A language model learns to predict the next token. It reads a whole sentence at once, so the
# answer is lying in front of it, one token to the right. A **mask** takes it out of sight.
#
# **At the end you will have built every mask that a transformer needs, and the softmax that obeys
# it.**

# %% tags=["setup"]
from course_utils import check, hint, progress, yours, check_shape, plot_heads, plot_mask
from course_utils.figures.masks import plot_cached_mask, plot_dialects, plot_padding
from course_utils.figures.show import show
from course_utils.figures.slide import slide
from course_utils.figures.weights import plot_masking, plot_weights

import math

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention.bias import causal_lower_right

torch.manual_seed(0)
torch.set_num_threads(1)

# %% [markdown]
# Here is the whole lesson in one picture. Run it, then come back to it at the end.

# %%
scores = 2 * torch.randn(5, 5)                     # (T_q, T_k)
mask = yours("create_causal_mask")(5)              # (T_q, T_k)
weights = yours("masked_softmax")(scores, mask)    # (T_q, T_k)
show(plot_masking(scores, mask, weights), (
    "Three 5 by 5 tables. Left: scores in red and blue. Middle: the same with the upper right "
    "triangle grey. Right: weights in blue, zero in that triangle, every row summing to 1."
))

# %% [markdown]
# **Takeaway.** Scores come in, the mask greys out the future, and the softmax turns what is left of
# each row into weights that sum to 1.
#
# Three conventions hold in the whole course:
#
# - **Rows are queries, columns are keys.** Row `i` belongs to the token that looks; column `j` to
#   the token that is looked at. To *attend* to a key is to give it some of the row's weight.
# - **`True` means masked**: this query may *not* attend to this key.
# - Before the softmax we say **scores**, after it **weights**.

# %% [markdown]
# ## 1.1 Predict
#
# Two questions before anything is explained. Decide on an answer, then open the box.
#
# **A.** Five tokens. Each may attend to itself and to the tokens before it. How many of the 25
# cells of the mask are True?
#
# <details><summary>Answer</summary>
#
# **10.** Row 0 hides four keys, row 1 three, then two, one, none: 4 + 3 + 2 + 1 + 0. The five cells
# on the diagonal stay open.
# </details>
#
# **B.** A row of scores is `[1, 1, 2]`. To hide the last key, somebody sets its score to 0, then
# takes the softmax: *e* to the power of each score, divided by the sum of the row. How much weight
# does the hidden key get?
#
# <details><summary>Answer</summary>
#
# **0.155, not 0.** *e*⁰ is 1, and not 0. The row becomes 2.72, 2.72, 1 over 6.44: `[0.422, 0.422,
# 0.155]`. A score of 0 is an ordinary score. You will see the picture of
# this leak in 1.5.
# </details>

# %% [markdown]
# ## 1.2 On paper: three tokens, two features
#
# Take a pencil. The tokens are *the*, *cat*, *sat*. Each has a **query**, what it looks for; a
# **key**, what it can be found by; and a **value**, what it hands over when it is found. Here they
# are given, two numbers each. (Part 3 says where they come from.)
#
# | token | query `q` | key `k` | value `v` |
# |---|---|---|---|
# | 0 *the* | [1, 1] | [1, 0] | [10, 0] |
# | 1 *cat* | [0, 1] | [0, 1] | [0, 10] |
# | 2 *sat* | [1, 0] | [1, 1] | [5, 5] |
#
# **Scores.** Entry (i, j) is the dot product of query i and key j. For query 0 and key 2: 1·1 + 1·1
# = 2. (In part 2 the scores are also divided by √d_head. That changes how large they are and
# nothing about masks, so we leave it out here.)
#
# | scores | *the* | *cat* | *sat* |
# |---|---|---|---|
# | *the* | 1 | **1** | **2** |
# | *cat* | 0 | 1 | **1** |
# | *sat* | 1 | 0 | 1 |
#
# **Without a mask**, the softmax of row 0 is *e*¹, *e*¹, *e*² = 2.72, 2.72, 7.39, over their sum
# 12.83: `[0.21, 0.21, 0.58]`. The first token spends 58 % of its attention on a token that comes after it.
#
# **With a causal mask**, the bold future is gone. What is left of each row is shared out again:
#
# | weights | *the* | *cat* | *sat* | how |
# |---|---|---|---|---|
# | *the* | 1 | 0 | 0 | alone, so everything |
# | *cat* | 0.27 | 0.73 | 0 | 1 and 2.72, over 3.72 |
# | *sat* | 0.42 | 0.16 | 0.42 | 2.72, 1 and 2.72, over 6.44 |
#
# **Output.** Each row mixes the values: row 2 is 0.42·[10, 0] + 0.16·[0, 10] + 0.42·[5, 5] = [6.33,
# 3.67].
#
# Now the same in code. To hide a score we write `-inf` by hand, because *e* to the power of −∞ is
# 0.

# %%
Q = torch.tensor([[1., 1.], [0., 1.], [1., 0.]])        # (T, d) = (3, 2)
K = torch.tensor([[1., 0.], [0., 1.], [1., 1.]])        # (T, d)
V = torch.tensor([[10., 0.], [0., 10.], [5., 5.]])      # (T, d)

paper_scores = Q @ K.T                                  # (T, T)
assert paper_scores.tolist() == [[1, 1, 2], [0, 1, 1], [1, 0, 1]]

hidden = torch.tensor([[1., -math.inf, -math.inf],
                       [0., 1., -math.inf],
                       [1., 0., 1.]])                   # (T, T)
paper_weights = yours("softmax")(hidden)                # (T, T)
paper_output = paper_weights @ V                        # (T, d)

on_paper = torch.tensor([[1, 0, 0], [0.27, 0.73, 0], [0.42, 0.16, 0.42]])
torch.testing.assert_close(paper_weights, on_paper, atol=0.006, rtol=0)
torch.testing.assert_close(paper_output[2], torch.tensor([6.33, 3.67]), atol=0.006, rtol=0)
print(paper_weights, paper_output, sep="\n")

# %% [markdown]
# The paper and the code agree. So there are two things to build: the table that says what is
# hidden, and a softmax that can be trusted. We begin with the softmax.
#
# ## 1.3 Softmax, and why it needs its maximum
#
# The slow version first: one row, plain Python, exactly what you did on paper.

# %%
def slow_softmax(row):                               # T_k floats
    powers = [math.exp(score) for score in row]      # T_k positive numbers
    return [power / sum(powers) for power in powers]


print([round(w, 2) for w in slow_softmax([1, 0, 1])])
try:
    slow_softmax([1000, 1001])
except OverflowError as error:
    print("scores of 1000:", error)

# %% [markdown]
# It is right, and it breaks. *e*¹⁰⁰⁰ does not fit into a float. In torch it becomes `inf`, then
# `inf / inf`, then `NaN`, with no error at all.
#
# The way out: **the weights depend only on differences of scores.** Subtract the same number *c*
# from a whole row, and every power is divided by the same *eᶜ*, which cancels in the fraction. So
# `[1000, 1001]` and `[0, 1]` must give the same weights. Which *c* is always safe? Choose it so
# that the largest power is exactly 1: then nothing can overflow, and the sum is at least 1, so
# nothing is divided by 0.
#
# One trap: each row needs **its own** *c*. Here is one maximum for the whole table:

# %%
rows = torch.tensor([[1000., 1001., 1002.],
                     [1., 2., 3.]])                  # (2, 3)
print(torch.exp(rows - 1002))                        # (2, 3)

# %% [markdown]
# The second row is all zeros. Its sum is 0, and 0/0 is `NaN`. A score of 3 was not too small. It
# was only in bad company.

# %% [markdown]
# ### Exercise: `softmax`
#
# Write it by hand, without `torch.softmax`. It must work along any axis, for scores of 10 000, for
# a row that lies far below another row, and with `-inf` among the scores. (A row of nothing but
# `-inf` is not asked for yet: see 1.8.) As in every exercise, `x` itself stays as it was. Stuck?
# Make a new cell and run `hint("softmax")`.

# %% nbgrader={"grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(x, dim=-1):
    """Turn scores into positive weights that sum to 1 along one axis.

    x:       any shape, such as (B, H, T_q, T_k); entries may be -inf and get weight exactly 0
    dim:     the axis along which the weights sum to 1
    returns  the shape and dtype of x
    """
    ### BEGIN SOLUTION
    largest = x.amax(dim=dim, keepdim=True)          # size 1 along dim
    powers = torch.exp(x - largest)                  # the shape of x
    return powers / powers.sum(dim=dim, keepdim=True)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_softmax", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("softmax", softmax).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("softmax", softmax).points
### END HIDDEN TESTS

# %% [markdown]
# Your function against the slow loop, row by row, and against torch's own:

# %%
x = torch.randn(4, 6)                                          # (4, 6)
weights = yours("softmax")(x)                                  # (4, 6)
for row, row_of_scores in zip(weights.tolist(), x.tolist()):
    assert max(abs(a - b) for a, b in zip(row, slow_softmax(row_of_scores))) < 1e-6
torch.testing.assert_close(weights, torch.softmax(x, dim=-1))
print(yours("softmax")(rows))                                  # (2, 3): equal differences, equal rows

# %% [markdown]
# **Break it.** The axis matters. Each *query* shares out its attention over the *keys*, so it is the
# rows that must sum to 1. Here the softmax runs over the queries instead. Look at the sums beside the
# rows.

# %%
scores = 2 * torch.randn(4, 4)                                 # (T_q, T_k)
axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")[1]
plot_weights(yours("softmax")(scores, dim=-1), ax=axes[0]).set_title("over the keys: right")
plot_weights(yours("softmax")(scores, dim=-2), ax=axes[1]).set_title("over the queries: wrong")
show(axes, (
    "Two weight tables of the same scores. Left, softmax over keys: every row sums to 1. "
    "Right, softmax over queries: the row sums are anything but 1."
))

# %% [markdown]
# **Takeaway.** Both tables look like attention. Only the row sums tell them apart.

# %% [markdown]
# ## 1.4 The causal mask
#
# One rule makes the whole table:
#
# > key `j` is masked for query `i` when `j > i`
#
# Later keys are hidden. Earlier ones are open, and so is the token itself, `j = i`. The slow loop
# asks the question once a cell, and prints `#` for masked:

# %%
for i in range(4):                          # query, row
    print("query", i, " ", *("#" if j > i else "." for j in range(6)))

# %% [markdown]
# There are four queries and six keys here, so the table is (T_q, T_k) = (4, 6). Both count their
# positions from 0, from the top left corner. Keys 4 and 5 come after every query: nobody sees them.
#
# ### Exercise: `create_causal_mask`
#
# No loop this time. Build the positions of the queries and the keys, and let broadcasting compare
# them all. Make every new tensor on `device`: on a GPU, a mask that stays behind on the CPU is an
# error.

# %% nbgrader={"grade": false, "grade_id": "create_causal_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    """The table of who comes later: True where key j > query i, which is masked.

    seq_len_q:  T_q, at least 1
    seq_len_k:  T_k, the same as T_q if not given
    returns     (T_q, T_k) bool, on `device`
    """
    ### BEGIN SOLUTION
    if seq_len_k is None:
        seq_len_k = seq_len_q
    query = torch.arange(seq_len_q, device=device)[:, None]    # (T_q, 1)
    key = torch.arange(seq_len_k, device=device)               # (T_k,)
    return key > query                                         # (T_q, T_k)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_create_causal_mask", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("create_causal_mask", create_causal_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("create_causal_mask", create_causal_mask).points
### END HIDDEN TESTS

# %% [markdown]
# Your mask against the slow rule, cell by cell. And question A:

# %%
causal_mask = yours("create_causal_mask")
mask = causal_mask(4, 6)                             # (T_q, T_k) = (4, 6)
for i in range(4):
    for j in range(6):
        assert bool(mask[i, j]) == (j > i)
print("masked cells for T = 5:", int(causal_mask(5).sum()))

# %%
show(plot_mask(causal_mask(5)), (
    "A 5 by 5 table. The ten cells right of the diagonal are grey and say True. The outlined "
    "diagonal and everything left of it are white and say False."
))

# %% [markdown]
# **Takeaway.** The grey staircase starts just right of the outlined diagonal: each row opens one
# more key than the row above it.
#
# Move the sliders. What happens to the last rows when there are more queries than keys? They are
# open all over: a query that comes after every key may see them all. (With the widgets off, the
# picture above is the one for T_q = T_k = 5.)

# %%
slide(lambda T_q, T_k: plot_mask(causal_mask(T_q, T_k)), T_q=(1, 12, 5), T_k=(1, 12, 5))

# %% [markdown]
# ### Break it: which one is right?
#
# Four masks, all of the right shape, all of them found in real code. Which one is right, and what
# does each of the others do to the model?

# %%
mask = causal_mask(4)                                          # (T, T)
suspects = {"A": mask | torch.eye(4, dtype=torch.bool), "B": ~mask, "C": mask, "D": mask.T}
axes = plt.subplots(1, 4, figsize=(12, 3.2), layout="constrained")[1]
for ax, (name, suspect) in zip(axes, suspects.items()):
    plot_mask(suspect, ax=ax).set_title(name)
show(axes, (
    "Four 4 by 4 masks. A: grey on the diagonal and right of it. B: grey on and left of the "
    "diagonal. C: grey right of the diagonal. D: grey left of the diagonal."
))

# %% [markdown]
# <details><summary>Answer</summary>
#
# - **C** is right.
# - **A** masks the diagonal. A token cannot see itself, and token 0 sees *nothing*: its row has no
#   open cell. In 1.5 you will see that row turn into `NaN`.
# - **B** is inverted. Each token sees only the future, and the last one sees nothing. The next
#   token, which is the answer, is in sight: the model trains beautifully and learns nothing.
# - **D** hides the past. Token 0 sees the whole sentence. Somebody swapped rows and columns.
# </details>

# %% [markdown]
# ## 1.5 The mask meets the scores
#
# A mask of True and False cannot be added to numbers. So it is often translated: **0 where
# attending is allowed, −∞ where it is masked**. Added to the scores, 0 changes nothing, and −∞
# makes a score that the softmax turns into exactly 0. The shape stays (T_q, T_k).
#
# It is tempting to multiply: True is 1 and False is 0, so take the mask times −∞. Look:

# %%
print(torch.tensor([False, True]).float() * -math.inf)      # (2,)

# %% [markdown]
# Zero times infinity is not zero. It is not a number at all, and it lands in the cells that were
# *allowed*.
#
# ### Exercise: `to_additive_mask`

# %% nbgrader={"grade": false, "grade_id": "to_additive_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def to_additive_mask(mask, dtype=torch.float32):
    """The mask as numbers to add to the scores: 0 where allowed, -inf where masked.

    mask:    any shape, bool, True = masked
    returns  the shape and device of mask, in `dtype`
    """
    ### BEGIN SOLUTION
    return torch.zeros_like(mask, dtype=dtype).masked_fill(mask, -math.inf)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_to_additive_mask", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("to_additive_mask", to_additive_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("to_additive_mask", to_additive_mask).points
### END HIDDEN TESTS

# %% [markdown]
# With it, the numbers from the paper come out of code from end to end:

# %%
mask = causal_mask(3)                                          # (T, T)
additive = yours("to_additive_mask")(mask)                     # (T, T)
weights = yours("softmax")(paper_scores + additive)            # (T, T)
torch.testing.assert_close(weights, paper_weights)
axes = plot_masking(paper_scores, mask, weights)
show(axes, (
    "The worked example in three tables. Scores 1 1 2, 0 1 1, 1 0 1. The same with minus "
    "infinity above the diagonal. Weights 1 0 0, 0.27 0.73 0, 0.42 0.16 0.42."
))

# %% [markdown]
# **Takeaway.** The masked cells get exactly 0, and every row still sums to 1: the attention that
# would have gone to the future is shared out over the past.

# %% [markdown]
# ### Break it: three ways to go wrong
#
# Each of these changes one step of the cell above. An orange outline marks a hidden key that gets
# weight.

# %%
no_diagonal = mask | torch.eye(3, dtype=torch.bool)            # (T, T)
slips = {
    "filled with 0": yours("softmax")(paper_scores.masked_fill(mask, 0.0)),
    "masked after the softmax": yours("softmax")(paper_scores).masked_fill(mask, 0.0),
    "diagonal masked too": yours("softmax")(paper_scores + yours("to_additive_mask")(no_diagonal)),
}
axes = plt.subplots(1, 3, figsize=(12, 3), layout="constrained")[1]
for ax, (name, wrong) in zip(axes, slips.items()):
    plot_weights(wrong, mask=mask, ax=ax).set_title(name)
show(axes, (
    "Three 3 by 3 weight tables. Filled with 0: orange outlined weight on masked cells. "
    "Masked after the softmax: row sums 0.21, 0.58 and 1. Diagonal masked too: the first row "
    "is hatched and says NaN."
))

# %% [markdown]
# **Takeaway.** Filling with 0 leaves weight on the future. Masking after the softmax leaves rows
# that do not sum to 1. A masked diagonal leaves row 0 with nothing to share: 0/0.
#
# The middle one is worse than it looks. The future has weight 0 there, and still it leaks, through
# the denominator. Change *only* the last key, and see the first token's weight move:

# %%
louder = paper_scores.clone()
louder[0, 2] = 5.0                                             # token 0 against the future token 2
for name, s in {"score 2": paper_scores, "score 5": louder}.items():
    print(name, yours("softmax")(s).masked_fill(mask, 0.0)[0])

# %% [markdown]
# A causal layer must not change at position 0 when position 2 changes. This one does. The rule:
# **mask first, softmax second.**

# %% [markdown]
# ### One mask, three dialects
#
# PyTorch has two attention functions, and they disagree about what `True` means.

# %%
show(plot_dialects(causal_mask(4)), (
    "The causal mask three times, with the same grey triangle. True = masked says True in "
    "grey. True = attend says False in grey. Added to the scores says minus infinity in grey "
    "and 0 elsewhere."
))

# %% [markdown]
# **Takeaway.** The same grey triangle, three spellings. The reading changes, the picture does not.
#
# | who | dialect |
# |---|---|
# | this course, and `nn.MultiheadAttention` (`attn_mask`, `key_padding_mask`) | `True` = masked |
# | `F.scaled_dot_product_attention` (SDPA), Flax, Keras | `True` = **attend** |
# | tokenizers' `attention_mask` | 1 = a real token, so attend |
# | both PyTorch functions, when the mask is a float tensor | added to the scores |
#
# Compare with SDPA on the paper's numbers. (`scale=1.0` turns its division by √d_head off, as on
# our paper.) It is made for whole batches, so Q goes in as (B, H, T, d) = (1, 1, 3, 2).

# %%
q, k, v = (t[None, None] for t in (Q, K, V))                   # (B, H, T, d)
boolean = F.scaled_dot_product_attention(q, k, v, attn_mask=~mask, scale=1.0)
added = F.scaled_dot_product_attention(q, k, v, attn_mask=additive, scale=1.0)
wrong = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=1.0)

torch.testing.assert_close(boolean[0, 0], paper_output)        # (T, d)
torch.testing.assert_close(added[0, 0], paper_output)
print("right:      ", paper_output[0].tolist())
print("not flipped:", wrong[0, 0, 0].tolist(), " <- no error, no warning")

# %% [markdown]
# Nothing is raised. The first token, which may see only itself, got a mixture of the two tokens
# after it. When you move a mask from one library to another, test it on a row where you know the
# answer.
#
# `nn.MultiheadAttention` speaks our dialect, so the mask goes in as it is. It multiplies what comes
# in by random matrices of its own, so we look at its weights only: which cells are 0?

# %%
attention = nn.MultiheadAttention(embed_dim=4, num_heads=1, bias=False, batch_first=True)
x = torch.randn(2, 3, 4)                                       # (B, T, d_model)
its_weights = attention(x, x, x, attn_mask=mask)[1]            # (B, T, T)
from_added = attention(x, x, x, attn_mask=additive)[1]         # (B, T, T)
torch.testing.assert_close(its_weights, from_added)
assert ((its_weights == 0) == mask).all()
print(its_weights[0].detach())

# %% [markdown]
# ## 1.6 Padding: sentences of different lengths
#
# A batch is a rectangle, and sentences are not. Short ones are filled up with padding tokens, which
# mean nothing and must not be attended to. All we need to know is each sentence's length.
#
# On paper: `lengths = [4, 2]` and `max_len = 4` give
#
# ```
# example 0, length 4    .  .  .  .          False False False False
# example 1, length 2    .  .  #  #          False False True  True
# ```
#
# **Predict.** For a sentence of length 2, is position 2 a real token? And what are the rows for
# length 0 and for length 4?
#
# <details><summary>Answer</summary>
#
# Position 2 is padding: the real ones are 0 and 1. A length is a count, and positions start at 0.
# Length 0 masks the whole row. Length 4, which is `max_len`, masks nothing. Both are legal.
# </details>
#
# ### Exercise: `create_padding_mask`
#
# Lengths `(B,)` come in, a table `(B, max_len)` goes out. Again no loop.

# %% nbgrader={"grade": false, "grade_id": "create_padding_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_padding_mask(lengths, max_len):
    """Where a batch holds padding: True from each example's length on.

    lengths:  (B,) integers, from 0 to max_len
    max_len:  T_k, the width of the batch
    returns   (B, T_k) bool, on the device of lengths
    """
    ### BEGIN SOLUTION
    position = torch.arange(max_len, device=lengths.device)    # (T_k,)
    return position >= lengths[:, None]                        # (B, T_k)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_create_padding_mask", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("create_padding_mask", create_padding_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("create_padding_mask", create_padding_mask).points
### END HIDDEN TESTS

# %% [markdown]
# Against the obvious loop, which writes `n` times False and then the rest True:

# %%
padding_mask = yours("create_padding_mask")
lengths = torch.tensor([5, 2, 0])                              # (B,)
for row, n in zip(padding_mask(lengths, 5).tolist(), lengths.tolist()):
    assert row == [False] * n + [True] * (5 - n)

# %%
sentences = [["the", "cat", "sat", "down", "today"], ["dogs", "bark", "pad", "pad", "pad"]]
ax = plot_padding(padding_mask(torch.tensor([5, 2]), 5), tokens=sentences)
show(ax, (
    "Two strips of five cells. Example 0, the cat sat down today, is all white. Example 1, "
    "dogs bark, has two white cells with words and three grey cells that say pad."
))

# %% [markdown]
# **Takeaway.** White cells are words, grey cells are filling. The first grey cell stands at the
# position that equals the length.
#
# The same with sliders. Try length 0, and length 6. (With the widgets off, the picture above is the
# case of lengths 5 and 2.)

# %%
def draw_padding(length_0, length_1):
    return plot_padding(padding_mask(torch.tensor([length_0, length_1]), 6))


slide(draw_padding, length_0=(0, 6, 4), length_1=(0, 6, 2))

# %% [markdown]
# **Break it.** Two common slips, one a column wide and one total. Which is which?

# %%
lengths = torch.tensor([4, 2])                                 # (B,)
mask = padding_mask(lengths, 5)                                # (B, T_k)
suspects = {"right": mask, "X": padding_mask(lengths + 1, 5), "Y": ~mask}
axes = plt.subplots(1, 3, figsize=(13, 2.2), layout="constrained")[1]
for ax, (name, suspect) in zip(axes, suspects.items()):
    plot_padding(suspect, ax=ax).set_title(name)
    ax.set_yticks([0, 1], ["length 4", "length 2"])
show(axes, (
    "Three pairs of strips for lengths 4 and 2. Right: grey from positions 4 and 2 on. "
    "X: nothing is grey, and grey from position 3 on. Y: grey before positions 4 and 2."
))

# %% [markdown]
# <details><summary>Answer</summary>
#
# **X** starts one late: one padding token gets attention in every example that has any. The loss
# hardly notices, so this bug lives long. **Y** is a tokenizer's `attention_mask`, where 1 means a *real*
# token, used as if it meant masked.
# </details>

# %% [markdown]
# ## 1.7 Both at once, and the shapes
#
# In a language model that reads padded batches, a cell is masked when it is in the future **or** it
# is padding. The two tables have different shapes, and the scores have a third:
#
# | tensor | shape |
# |---|---|
# | scores | `(B, H, T_q, T_k)` |
# | causal mask | `(T_q, T_k)`: the same for every example and head |
# | padding mask | `(B, T_k)`: the same for every head and query |
#
# Broadcasting lines shapes up **from the right** and stretches axes of size 1. The causal mask fits
# as it is. The padding mask does not: its B would be taken for T_q. Usually torch complains.
# Sometimes it does not:

# %%
def try_broadcast(scores_shape, mask_shape):
    try:
        print(scores_shape, mask_shape, "->", tuple(torch.broadcast_shapes(scores_shape, mask_shape)))
    except RuntimeError:
        print(scores_shape, mask_shape, "-> an error, luckily")


try_broadcast((2, 4, 5, 5), (2, 5))       # B = 2, T = 5
try_broadcast((3, 4, 3, 3), (3, 3))       # B = 3, T = 3: sentence b's padding is applied to query b
try_broadcast((4, 4, 5, 5), (4, 1, 5))    # B = H = 4: sentence b's padding is applied to head b

# %% [markdown]
# The last two run, and are wrong. **A shape that fits by accident is worse than an error.** So the
# combined mask gets one axis for each axis of the scores: `(B, 1, T_q, T_k)`. The 1 stands for all
# heads.
#
# And one more decision: padding masks **keys**, that is columns. A padded token is still a *query*:
# its row computes something useless, and the loss ignores it. Masking its row as well would leave
# that row with nothing to attend to.
#
# ### Exercise: `create_attention_mask`
#
# Use the two functions you have. Without lengths return `(T_q, T_k)`; with lengths `(B, 1, T_q,
# T_k)`, also for B = 1. When neither applies, return a mask that hides nothing.

# %% nbgrader={"grade": false, "grade_id": "create_attention_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    """One mask for a layer: True where a key is in the future, or is padding.

    seq_len_q, seq_len_k:  T_q, and T_k (the same as T_q if not given)
    is_causal:             whether later keys are masked
    key_padding_lengths:   (B,) integers, or None when nothing is padded
    device:                where the mask is made; if not given, where the lengths are
    returns                (T_q, T_k) bool without lengths, (B, 1, T_q, T_k) bool with them
    """
    ### BEGIN SOLUTION
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    if is_causal:
        mask = create_causal_mask(seq_len_q, seq_len_k, device)                          # (T_q, T_k)
    else:
        mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)        # (T_q, T_k)
    if key_padding_lengths is not None:
        padding = create_padding_mask(key_padding_lengths.to(device), seq_len_k)         # (B, T_k)
        mask = mask | padding[:, None, None, :]                                          # (B, 1, T_q, T_k)
    return mask
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_create_attention_mask", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("create_attention_mask", create_attention_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("create_attention_mask", create_attention_mask).points
### END HIDDEN TESTS

# %% [markdown]
# Against a sentence instead of a formula: *query i of an example of length n sees the first min(i +
# 1, n) keys.* One loop checks it for every row.

# %%
attention_mask = yours("create_attention_mask")
lengths = torch.tensor([5, 3])                                     # (B,)
mask = attention_mask(5, key_padding_lengths=lengths)              # (B, 1, T, T) = (2, 1, 5, 5)
for b, n in enumerate(lengths.tolist()):
    for i in range(5):
        visible = [j for j in range(5) if not mask[b, 0, i, j]]
        assert visible == list(range(min(i + 1, n)))

# %%
axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")[1]
for b, n in enumerate(lengths.tolist()):
    plot_mask(mask[b], ax=axes[b]).set_title(f"example {b}, length {n}")
show(axes, (
    "Two 5 by 5 masks. Length 5: the causal staircase. Length 3: the staircase, and columns 3 "
    "and 4 grey all the way down."
))

# %% [markdown]
# **Takeaway.** Padding adds grey *columns* to the staircase. No row is all grey: key 0 is a real
# token, and everybody may see it.
#
# **Break it.** Now the padding put on the query axis: the same table, lying on its side. The
# example has length 3, nothing is causal.

# %%
keys_hidden = attention_mask(5, is_causal=False, key_padding_lengths=torch.tensor([3]))     # (1, 1, T, T)
queries_hidden = keys_hidden.transpose(-2, -1)                                              # (1, 1, T, T)
scores = torch.randn(1, 1, 5, 5)                                                            # (B, H, T, T)
axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")[1]
for ax, name, m in zip(axes, ("keys masked: right", "queries masked: wrong"), (keys_hidden, queries_hidden)):
    weights = yours("softmax")(scores + yours("to_additive_mask")(m))                       # (B, H, T, T)
    plot_weights(weights, mask=keys_hidden, ax=ax).set_title(name)
show(axes, (
    "Two weight tables for length 3. Left, keys masked: columns 3 and 4 are grey. Right, "
    "queries masked: rows 3 and 4 are hatched and say NaN, and the columns 3 and 4 of the "
    "other rows carry outlined weight."
))

# %% [markdown]
# **Takeaway.** Masked queries do two harms: the padding still gets weight (orange), and the padded
# rows are `NaN`.

# %% [markdown]
# ## 1.8 A row with nothing left
#
# With right padding and at least one word, key 0 is always open. But rows with *no* open key do
# occur: an empty example (length 0), or padding on the left. What should their weights be? Predict
# what the softmax says.
#
# <details><summary>Answer</summary>
#
# Every score is −∞, so every power is 0, the sum is 0, and 0/0 is `NaN`. Subtracting the maximum
# does not help: −∞ minus −∞ is `NaN` as well.
# </details>
#
# Let us see how far one `NaN` travels. The batch holds an example of length 3 and an empty one. The
# loss looks at the good example only.

# %%
mask = attention_mask(3, key_padding_lengths=torch.tensor([3, 0]))            # (B, 1, T, T)
scores = torch.randn(2, 1, 3, 3, requires_grad=True)                          # (B, H, T, T)
values = torch.randn(2, 1, 3, 2, requires_grad=True)                          # (B, H, T, d_head)
weights = yours("softmax")(scores + yours("to_additive_mask")(mask))          # (B, H, T, T)
output = weights @ values                                                     # (B, H, T, d_head)
output[0].sum().backward()
print("loss:                     ", output[0].sum().item())
print("gradient of empty example:", values.grad[1, 0, 0].tolist())

# %% [markdown]
# The loss is fine and the gradient is `NaN`, although the loss never looked at that example: 0 ·
# NaN is NaN. One step of the optimiser later, so is every weight of the model.
#
# The popular cure is a large negative number in place of −∞. It removes the `NaN`. Look at what
# comes instead.

# %%
s = torch.randn(3, 3)                                                         # (T, T)
nothing_open = torch.ones(3, 3, dtype=torch.bool)                             # (T, T)
axes = plt.subplots(1, 2, figsize=(8.5, 3), layout="constrained")[1]
for ax, fill in zip(axes, (-math.inf, -1e9)):
    wrong = yours("softmax")(s.masked_fill(nothing_open, fill))               # (T, T)
    plot_weights(wrong, mask=nothing_open, ax=ax).set_title(f"filled with {fill:.0e}")
show(axes, (
    "Two weight tables of an example whose keys are all masked. With minus infinity: all "
    "cells hatched, NaN. With minus one billion: every cell 0.33, all outlined as leaks, rows "
    "summing to 1."
))

# %% [markdown]
# **Takeaway.** With −1e9 the row *looks* healthy. It sums to 1. And all of it lies on keys that
# nobody may see.
#
# There is a second problem with −1e9:

# %%
try:
    s.to(torch.float16).masked_fill(nothing_open, -1e9)
except RuntimeError as error:
    print("float16:", error)

# %% [markdown]
# The largest number that float16 can hold is 65 504.
#
# So we want a softmax that takes the mask itself, and gives an empty row the only honest answer:
# **zeros**. It attends to nothing, so its output is 0, and no gradient flows. That is what SDPA
# does today. As a slow loop: keep the allowed scores, forget the others.

# %%
def slow_masked_row(scores, masked):                          # T_k floats, T_k bools
    weights = slow_softmax([s for s, hide in zip(scores, masked) if not hide])
    return [0.0 if hide else weights.pop(0) for hide in masked]


print(slow_masked_row([1.0, 1.0, 2.0], [False, False, True]))
print(slow_masked_row([1.0, 1.0, 2.0], [True, True, True]))

# %% [markdown]
# ### Exercise: `masked_softmax`
#
# The mask broadcasts to the scores. Scores may lie in the thousands, above 0 or below it. A fully
# masked row gives zeros, in the weights *and* in all gradients: a `NaN` that is painted over at the
# end can come back in the backward pass. It must run in float16. Your own `softmax` may help.

# %% nbgrader={"grade": false, "grade_id": "masked_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_softmax(scores, mask):
    """Softmax over the keys that are allowed; a row that allows none gets zeros.

    scores:  (..., T_q, T_k) finite, for instance (B, H, T_q, T_k)
    mask:    bool, True = masked; broadcasts to the shape of scores
    returns  (..., T_q, T_k) weights in the dtype of scores
    """
    ### BEGIN SOLUTION
    lowest = torch.finfo(scores.dtype).min                     # finite, so an empty row stays a number
    weights = softmax(scores.masked_fill(mask, lowest))        # (..., T_q, T_k)
    return weights.masked_fill(mask, 0.0)                      # empties the rows that allow nothing
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_masked_softmax", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("masked_softmax", masked_softmax).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("masked_softmax", masked_softmax).points
### END HIDDEN TESTS

# %% [markdown]
# The same batch again, with yours. Every row against the loop, then the gradients.

# %%
weights = yours("masked_softmax")(scores, mask)                               # (B, H, T, T)
check_shape(weights, "B H T T", B=2, H=1, T=3)
for b in range(2):
    for i in range(3):
        expected = slow_masked_row(scores[b, 0, i].tolist(), mask[b, 0, i].tolist())
        torch.testing.assert_close(weights[b, 0, i], torch.tensor(expected))

scores.grad = values.grad = None
(weights @ values)[0].sum().backward()
print("gradient of empty example:", values.grad[1, 0, 0].tolist(), scores.grad[1, 0, 0].tolist())
print("in float16:               ", yours("masked_softmax")(s.half(), nothing_open)[0].tolist())

# %% [markdown]
# **Compare with what the world does** with the empty example. SDPA agrees with you.
# `nn.MultiheadAttention` has two answers of its own, and which one you get depends on whether you ask
# to see the weights:

# %%
x = torch.randn(2, 3, 4)                                                      # (B, T, d_model)
padding = padding_mask(torch.tensor([3, 0]), 3)                               # (B, T)
empty = {
    "yours": (yours("masked_softmax")(scores, mask) @ values)[1, 0, 0],
    "SDPA": F.scaled_dot_product_attention(values, values, values, attn_mask=~mask)[1, 0, 0],
    "nn.MultiheadAttention": attention(x, x, x, key_padding_mask=padding)[0][1, 0],
    "the same, need_weights=False": attention(x, x, x, key_padding_mask=padding, need_weights=False)[0][1, 0],
}
for name, vector in empty.items():
    print(f"{name:30}", vector.tolist())

# %% [markdown]
# And where something is open, all agree. `nn.MultiheadAttention` takes the two masks apart, `(T,
# T)` and `(B, T)`. We take its own queries and keys, and your combined mask and softmax must give
# its weights:

# %%
lengths = torch.tensor([3, 2])                                                # (B,)
its_weights = attention(x, x, x, attn_mask=causal_mask(3), key_padding_mask=padding_mask(lengths, 3))[1]

queries, keys, _ = (x @ attention.in_proj_weight.T).chunk(3, dim=-1)          # (B, T, d_head) each
its_scores = queries @ keys.transpose(-2, -1) / math.sqrt(4)                  # (B, T, T)
mask = attention_mask(3, key_padding_lengths=lengths)                         # (B, 1, T, T)
your_weights = yours("masked_softmax")(its_scores[:, None], mask)             # (B, H, T, T)
torch.testing.assert_close(your_weights[:, 0], its_weights)
print("largest difference:", (your_weights[:, 0] - its_weights).abs().max().item())

# %% [markdown]
# ## 1.9 With a cache, queries do not start at 0
#
# When a model generates text, it keeps the keys of all tokens it has read. Part 4 builds that
# cache. Here we need only its mask. Say three keys are cached, and two new tokens arrive. There are
# T_q = 2 queries and T_k = 3 + 2 = 5 keys.
#
# The rule does not change: a key is masked when its position is later than the query's. But **query
# i now stands at position `cache_len + i`**. On paper:
#
# ```
#                        cached      new
# key position          0  1  2     3  4
# query 0, position 3   .  .  .     .  #
# query 1, position 4   .  .  .     .  .
# ```
#
# **Predict.** Four keys are cached and one new token arrives. How many cells are masked?
#
# <details><summary>Answer</summary>
#
# **None.** The one query stands at position 4, the newest, and all five keys are at position 4 or
# earlier. So generating one token at a time needs no mask at all. A *chunk* of several tokens does.
# </details>
#
# ### Exercise: `create_causal_mask_with_cache`

# %% nbgrader={"grade": false, "grade_id": "create_causal_mask_with_cache", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    """The causal mask of new tokens that follow cached ones: query i stands at position cache_len + i.

    seq_len_q:  T_q, the number of new tokens
    seq_len_k:  T_k = cache_len + T_q, old keys and new keys
    cache_len:  the number of cached keys, 0 or more
    returns     (T_q, T_k) bool, True = masked, on `device`
    """
    ### BEGIN SOLUTION
    query_position = cache_len + torch.arange(seq_len_q, device=device)        # (T_q,)
    key_position = torch.arange(seq_len_k, device=device)                      # (T_k,)
    return key_position[None, :] > query_position[:, None]                     # (T_q, T_k)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_create_causal_mask_with_cache", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("create_causal_mask_with_cache", create_causal_mask_with_cache).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("create_causal_mask_with_cache", create_causal_mask_with_cache).points
### END HIDDEN TESTS

# %%
cached_mask = yours("create_causal_mask_with_cache")
mask = cached_mask(3, 7, 4)                                    # (T_q, T_k) = (3, 7)
for i in range(3):
    assert int((~mask[i]).sum()) == 4 + i + 1      # all cached keys, and the new ones up to itself
show(plot_cached_mask(mask, 4), (
    "A 3 by 7 mask. The four cached key columns on the left are blue and open. Of the three "
    "new key columns on the right, the staircase above the outlined cells is grey."
))

# %% [markdown]
# **Takeaway.** The old keys (blue) are open to everybody. The staircase has moved to the right,
# into the new keys (yellow).
#
# Move `cache_len` to 0: you know that mask. Move `T_q` to 1: nothing is grey. (With the widgets
# off: the picture above has `T_q = 3` and `cache_len = 4`.)

# %%
def draw_cached(T_q, cache_len):
    return plot_cached_mask(cached_mask(T_q, cache_len + T_q, cache_len), cache_len)


slide(draw_cached, T_q=(1, 8, 3), cache_len=(0, 8, 4))

# %% [markdown]
# **Break it.** The plain causal mask has the right shape, so nothing complains. It lets queries
# count from 0 again:

# %%
axes = plt.subplots(1, 2, figsize=(12, 2.8), layout="constrained")[1]
plot_cached_mask(cached_mask(2, 5, 3), 3, ax=axes[0]).set_title("queries at positions 3 and 4: right")
plot_cached_mask(causal_mask(2, 5), 3, ax=axes[1]).set_title("queries counted from 0: wrong")
show(axes, (
    "Two 2 by 5 masks with three cached keys. Right: only the last cell of the first row is "
    "grey. Wrong, counting from 0: most cached keys are grey, and the outlined cells of the "
    "queries' own positions are grey too."
))

# %% [markdown]
# **Takeaway.** The new tokens see almost nothing of the past, and not even themselves. (A query's
# own key is outlined.)
#
# SDPA's `is_causal=True` does exactly this wrong thing when `T_q` and `T_k` differ. For one new
# token it returns the value of token 0, whatever the scores are. `causal_lower_right` is the right
# one:

# %%
q = torch.randn(1, 1, 2, 4)                                    # (B, H, T_q, d_head): two new queries
k, v = torch.randn(2, 1, 1, 5, 4)                              # (B, H, T_k, d_head): three old keys, two new
newest = F.scaled_dot_product_attention(q[:, :, 1:], k, v, is_causal=True)       # (1, 1, 1, 4)
assert torch.equal(newest[0, 0, 0], v[0, 0, 0])

theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(2, 5))
ours = F.scaled_dot_product_attention(q, k, v, attn_mask=~cached_mask(2, 5, 3))
torch.testing.assert_close(ours, theirs)

# %% [markdown]
# Now the reason for all of this. Five tokens in one pass, or three and then two: the outputs must
# be the same.

# %%
Q, K, V = torch.randn(3, 5, 4)                                                   # (T, d_head) each
attend = yours("masked_softmax")

at_once = attend(Q @ K.T, causal_mask(5)) @ V                                    # (5, d_head)
first = attend(Q[:3] @ K[:3].T, cached_mask(3, 3, 0)) @ V[:3]                    # (3, d_head)
then = attend(Q[3:] @ K.T, cached_mask(2, 5, 3)) @ V                             # (2, d_head)
torch.testing.assert_close(torch.cat([first, then]), at_once)
print("largest difference:", (torch.cat([first, then]) - at_once).abs().max().item())

# %% [markdown]
# ## 1.10 Edges
#
# Each line is a case that has broken somebody's code. Say why before you run it.

# %%
one = torch.tensor([[3.0]])                                             # (1, 1)
assert attend(one, causal_mask(1)).item() == 1.0                        # T = 1: the only key gets everything
assert not causal_mask(1).any()                                         # ... and nothing is masked
assert not cached_mask(1, 9, 8).any()                                   # nor for one new token
assert causal_mask(6, 2)[2:].sum() == 0                                 # later than every key: all open

single = attention_mask(4, key_padding_lengths=torch.tensor([2]))
assert single.shape == (1, 1, 4, 4)                                     # B = 1 keeps its axis

near_the_end = torch.full((2, 2), 60_000.0, dtype=torch.float16)
assert attend(near_the_end, causal_mask(2)).isfinite().all()            # the largest float16 is 65 504

# %% [markdown]
# ## 1.11 Annotate the shapes
#
# B = 2, H = 3, T = 5, d_head = 4. Replace each `...` by a shape, a tuple like the first one. Then
# run the cell.

# %%
guesses = {
    "scores": (2, 3, 5, 5),
    "causal": ...,
    "padding": ...,
    "both": ...,
    "added": ...,
    "weights": ...,
    "output": ...,
}

lengths = torch.tensor([5, 2])
scores, values = torch.randn(2, 3, 5, 5), torch.randn(2, 3, 5, 4)
both = attention_mask(5, key_padding_lengths=lengths)
weights = attend(scores, both)
tensors = {"scores": scores, "causal": causal_mask(5), "padding": padding_mask(lengths, 5), "both": both,
           "added": scores + yours("to_additive_mask")(both), "weights": weights, "output": weights @ values}

for name, tensor in tensors.items():
    guess = guesses[name]
    wrong = f"no: it has {tensor.dim()} axes"
    said = "your turn" if guess is ... else "right" if guess == tensor.shape else wrong
    print(f"{name:8} {said}")

# %% [markdown]
# <details><summary>Answer</summary>
#
# | name | shape | |
# |---|---|---|
# | `causal` | (5, 5) | the same for all examples and heads |
# | `padding` | (2, 5) | |
# | `both` | (2, 1, 5, 5) | the 1 stands for all heads |
# | `added` | (2, 3, 5, 5) | the 1 was stretched |
# | `weights` | (2, 3, 5, 5) | |
# | `output` | (2, 3, 5, 4) | the keys are summed over; d_head takes their place |
# </details>
#
# **Once more, larger.** A layer with d_model = 12 and H = 3 reads B = 4 sentences. 10 tokens are
# cached and 2 arrive. Without running anything: the shapes of the scores, of the cached mask, and
# of the combined mask if the sentences were padded? What changes in the masks when H becomes 6?
#
# <details><summary>Answer</summary>
#
# Scores (4, 3, 2, 12). Cached mask (2, 12). Combined (4, 1, 2, 12). With H = 6 **nothing** changes
# in any mask, and d_head = 12 / 3 = 4 occurs in none of these shapes: masks know about examples and
# positions, not about heads or features.
# </details>
#
# **Sketch it.** Close the notebook for a minute. Draw the causal mask for T = 5 of a sentence of
# length 3, then the scores, the masked scores and the weights that go with it. Compare the grey
# cells with example 1 in the first picture of 1.7.

# %% [markdown]
# ## 1.12 Recall
#
# Questions as an interviewer asks them. Answer aloud, in two sentences, before you open the box.
#
# **1. Why is the mask applied before the softmax and not after it?**
#
# <details><summary>Answer</summary>
#
# Before it, masked keys get exactly 0 and the rest of the row still sums to 1. After it, the row no
# longer sums to 1, and the masked keys have already been counted in the denominator, so the future
# leaks.
#
# *Common wrong answer:* "Multiplying the weights by 0 is the same, because 0 is 0." The zeros are
# the same, the other weights are not.
#
# *Follow-up:* would masking after the softmax and then dividing each row by its sum be right? Yes,
# it is algebraically equal. It only fails when the masked scores are so much larger that the
# allowed weights underflow to 0.
# </details>
#
# **2. Why does the diagonal stay open? A token knows itself already.**
#
# <details><summary>Answer</summary>
#
# Position `i` predicts token `i + 1`. Seeing token `i` is no cheating: it is the most recent thing
# known. And with the diagonal masked, row 0 would have no key at all, and become `NaN`.
#
# *Common wrong answer:* "The diagonal is the answer the model must predict." The answer is one to
# the right.
# </details>
#
# **3. What goes wrong with `-1e9` as the fill?**
#
# <details><summary>Answer</summary>
#
# In float32, nothing for ordinary rows. In float16 it does not fit, and raises. In a fully masked
# row it gives *uniform weights over forbidden keys*, which looks healthy and hides the bug that a
# `NaN` would have shown.
#
# *Common wrong answer:* "It is the same as −∞ in practice."
#
# *Follow-up:* and −∞? It exists in every float type, and an empty row then says `NaN`, aloud. Neither
# fill gives the zeros you want: an empty row needs care of its own.
# </details>
#
# **4. Does padding mask queries or keys? What happens to the outputs at padded positions?**
#
# <details><summary>Answer</summary>
#
# Keys. No real token may take anything from padding. The padded queries still compute outputs,
# which are useless and harmless: the loss leaves them out.
#
# *Common wrong answer:* "Both, to be safe." Masking the query rows makes rows with no open key:
# `NaN`, or silent uniform weights.
#
# *Follow-up:* and with padding on the left? Then the first queries see only padding, under a causal
# mask, so their rows are empty even though the sentence is not.
# </details>
#
# **5. How would you test that a layer is causal, without looking at its code?**
#
# <details><summary>Answer</summary>
#
# Change the input at position `t` and compare the outputs. Those before `t` must not change at all;
# the one at `t` must. Do it for every `t`. Test both directions, because a layer that ignores its
# input altogether passes the first half.
#
# *Common wrong answer:* "Check that the weights above the diagonal are 0." Masking after the
# softmax passes that test.
# </details>

# %% [markdown]
# ## 1.13 From memory
#
# Tomorrow, or now if you are brave: `masked_softmax` again, without scrolling up and without hints.
# Five minutes is a good time. This is the one to know by heart.

# %% nbgrader={"grade": false, "grade_id": "masked_softmax_from_memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_softmax_from_memory(scores, mask):
    """Weights over the allowed keys; zeros for a row that allows none."""
    ### BEGIN SOLUTION
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)           # (..., T_q, T_k)
    powers = torch.exp(filled - filled.amax(dim=-1, keepdim=True)).masked_fill(mask, 0.0)
    total = powers.sum(dim=-1, keepdim=True)                                   # (..., T_q, 1)
    return powers / total.clamp(min=1)       # a total is 0 in an empty row, and at least 1 in any other
    ### END SOLUTION

# %%
check("masked_softmax", masked_softmax_from_memory)

# %% [markdown]
# If that went well, do the same with `create_causal_mask_with_cache`: a new cell, the signature,
# `check` below it.
#
# ## Next
#
# You can say who may look at whom. **Part 2** builds what does the looking: it cuts the features
# into heads, computes the scores, and puts the heads together again. Open `02_split_concat.ipynb`.

# %%
progress()
