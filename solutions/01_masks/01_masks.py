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
# # 1. Masks: who may attend to whom
#
# <!-- minutes -->
#
# A language model learns to predict the next word. During training it reads a whole sentence at once, so the answer is right
# there in its input, one word to the right. A **mask** hides it.
#
# **You will build the causal mask and the softmax that obeys it, and read eight predictions off one sentence. The optional sections
# build the masks for padding and for a cache.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import plot_heads, plot_mask, standins, world
from course_utils.figures.masks import plot_cached_mask, plot_dialects, plot_padding
from course_utils.figures.show import show
from course_utils.figures.weights import plot_masking, plot_weights
from course_utils.touch.paint import paint_mask
from course_utils.touch.query import drag_query

import math
from dataclasses import replace

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F

torch.manual_seed(0)
torch.set_num_threads(1)

# %% [markdown]
# The trained model of part 0 reads a sentence. Each row shows where one word looks.

# %%
model = world.load("who")
words = model.words("the small dog sat near the cat and")
W_Q, W_K, W_V, W_O = model.matrices()                        # (D, D) each: D is d_model, here 16
x = model.vectors(words)                                     # (T, D) = (8, 16)
trained_scores = (x @ W_Q) @ (x @ W_K).T / 4                 # (T, T)
future = yours("create_causal_mask")(len(words))             # (T, T): ours, until you write it in 1.5
show(plot_heads(trained_scores.masked_fill(future, -math.inf).softmax(-1), words))

# %% [markdown]
# **Takeaway.** A word sees itself and earlier words; later ones are hatched. *and* looks at *dog*, although *cat* is nearer: the next
# word is the sound that the dog makes.

# %% [markdown]
# ## 1.1 Predict
#
# Three conventions hold throughout the course:
#
# - **Rows are queries, columns are keys.** Row `i` is the token that looks, column `j` the token it looks at. To *attend* to a
#   key is to give it some of the row's weight.
# - **`True` means masked**: this query may *not* attend to this key.
# - Before the softmax we say **scores**, after it **weights**.
#
# Two questions before any explanation.

# %%
predict("masked_cells_of_five")

# %%
predict("weight_of_a_score_of_zero")

# %% [markdown]
# ## 1.2 On paper: three tokens, two features
#
# Grab a pencil. Our tokens are *the*, *cat*, *sat*. Each has three vectors: a **query**, what it is looking for; a
# **key**, what it can be found by; and a **value**, what it passes on when it is found. Part 3 makes them.
#
# | token | query `q` | key `k` | value `v` |
# |---|---|---|---|
# | 0 *the* | [1, 1] | [1, 0] | [10, 0] |
# | 1 *cat* | [0, 1] | [0, 1] | [0, 10] |
# | 2 *sat* | [1, 0] | [1, 1] | [5, 5] |
#
# **Scores.** Entry (i, j) is the dot product of query i and key j. For query 0 and key 2: 1·1 + 1·1 = 2. (Part 2 also divides by
# √d_head; masks work the same either way.)
#
# | scores | *the* | *cat* | *sat* |
# |---|---|---|---|
# | *the* | 1 | **1** | **2** |
# | *cat* | 0 | 1 | **1** |
# | *sat* | 1 | 0 | 1 |
#
# **Without a mask**, the softmax of row 0 is *e*¹, *e*¹, *e*² = 2.72, 2.72, 7.39 over their sum 12.83: `[0.21, 0.21, 0.58]`. The
# first token spends 58 % of its attention on a token that comes after it.
#
# **With a causal mask**, the scores in bold are gone, and each row splits its weight among the rest:
#
# | weights | *the* | *cat* | *sat* | how |
# |---|---|---|---|---|
# | *the* | 1 | 0 | 0 | only itself |
# | *cat* | 0.27 | 0.73 | 0 | 1 and 2.72, over 3.72 |
# | *sat* | 0.42 | 0.16 | 0.42 | 2.72, 1 and 2.72, over 6.44 |
#
# **Output.** Each row mixes the values: row 2, with unrounded weights, is 0.42·[10, 0] + 0.16·[0, 10] + 0.42·[5, 5] =
# [6.33, 3.67].
#
# Now in code. To hide a score we set it to `-inf`, because *e* to the power of −∞ is 0. **Before the softmax**: if the weights were set
# to 0 after it, a row would no longer sum to 1, and what is left of it would still depend on the hidden scores.

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
torch.testing.assert_close(paper_weights, on_paper, atol=0.006, rtol=0)     # raises if they differ by more than 0.006
torch.testing.assert_close(paper_output[2], torch.tensor([6.33, 3.67]), atol=0.006, rtol=0)
print(paper_weights, paper_output, sep="\n")

# %% [markdown]
# Try *cat*'s row yourself. Unmask the key *sat*, then drag the query.

# %%
drag_query(token=1, masked=[2])

# %% [markdown]
# Two things are left to build: the mask and a stable softmax. Both need broadcasting.
#
# ## 1.3 Broadcasting in five lines
#
# Small tensors meet large ones all the time: one maximum per row, one mask for many heads. Three rules are enough:
#
# - Indexing with `[:, None]` adds an axis of size 1: `(4,)` becomes `(4, 1)`.
# - `keepdim=True` keeps the axis that a sum (`sum`) or a maximum (`amax`) runs over, with size 1.
# - When two tensors meet, their shapes are lined up **from the right**. A tensor with size 1 in an axis, or without this axis, is
#   repeated along it until the sizes match.

# %%
table = torch.tensor([[1., 2., 5.], [10., 20., 10.]])      # (2, 3)
sums = table.sum(dim=1, keepdim=True)                      # (2, 1)
print(table / sums)                                        # (2, 3) / (2, 1)
a, b = torch.tensor([1, 2, 3, 4]), torch.tensor([1, 10, 100])
print(a[:, None] * b)                                      # (4, 1) * (3,) = (4, 3)

# %% [markdown]
# Each row of the first result sums to 1. The second is a multiplication table.

# %%
predict("shape_of_each_with_each")

# %%
predict("divided_without_keepdim")

# %% [markdown]
# ## 1.4 Softmax, and why it subtracts the maximum
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
# Correct, but fragile: *e*¹⁰⁰⁰ does not fit into a float. In torch it becomes `inf`, and `inf / inf` is `NaN`, *not a
# number*, without any error. (float32, torch's usual format, overflows between *e*⁸⁸ and *e*⁸⁹; float16, half as long, just above
# *e*¹¹.)
#
# The way out: **the weights depend only on differences between scores.** Subtract the same number *c* from a whole row, and every
# power is divided by the same *eᶜ*, which cancels in the fraction. So `[1000, 1001]` and `[0, 1]` give the same weights. A safe *c* is
# the row's maximum, if it is not −∞: then the largest power is exactly 1, nothing overflows, and the sum is at least 1.
#
# Try it: make the scores 10 000 times larger, then switch the subtraction off.

# %%
drag_query(big=True)

# %% [markdown]
# One trap: each row needs **its own** *c*. With one for the whole table:

# %%
rows = torch.tensor([[1000., 1001., 1002.],
                     [1., 2., 3.]])                  # (2, 3)
print(torch.exp(rows - 1002))                        # (2, 3)

# %% [markdown]
# The second row, far below the first, underflows to all zeros, and 0/0 is `NaN`.

# %% [markdown]
# ### Exercise: `softmax`
#
# Write it by hand, without `torch.softmax`. It must work along any axis, for scores of 10 000, for a row far below
# another row, and with `-inf` among the scores. (Rows of nothing but `-inf` are left to the optional 1.10.)

# %% nbgrader={"grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(x, dim=-1):
    """Turn scores into weights that sum to 1 along one axis.

    x:       any shape, such as (B, H, T_q, T_k); entries may be -inf and get weight exactly 0
    dim:     the axis along which the weights sum to 1
    returns  the shape and dtype of x
    """
    ### BEGIN SOLUTION
    largest = x.amax(dim=dim, keepdim=True)          # size 1 along dim
    powers = torch.exp(x - largest)                  # the shape of x
    return powers / powers.sum(dim=dim, keepdim=True)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
print("4 rows agree with the loop, and with torch.softmax")
print(yours("softmax")(rows))                                  # (2, 3): equal differences, equal rows

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 1.5 The causal mask
#
# One rule makes the whole table:
#
# > key `j` is masked for query `i` when `j > i`
#
# Later keys are hidden; earlier ones and the token itself are open: part 0's `causal_mask`, now with T_k and a device. Before you write it, paint it: four queries, six keys.

# %%
paint_mask("create_causal_mask", 4, 6)               # T_q, T_k

# %% [markdown]
# The slow loop asks once per cell, and prints `#` for masked:

# %%
for i in range(4):                          # query, row
    print("query", i, " ", *("#" if j > i else "." for j in range(6)))

# %% [markdown]
# Here queries and keys are both numbered from 0. Keys 4 and 5 come after every query, so none sees them. (More keys than queries: that happens
# in part 4, where a model keeps old keys. There, queries count on from the old keys.)
#
# ### Exercise: `create_causal_mask`
#
# No loop this time: build the positions of the queries and of the keys, and compare them by broadcasting. Create every
# new tensor on `device`, the CPU or GPU that the caller asks for: `torch.arange(4, device=device)`.

# %% nbgrader={"grade": false, "grade_id": "create_causal_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    """The causal mask: True (masked) where key j comes after query i.

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

# %% nbgrader={"grade": true, "grade_id": "test_create_causal_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("create_causal_mask", create_causal_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("create_causal_mask", create_causal_mask).points
### END HIDDEN TESTS

# %% [markdown]
# Test it against the rule, cell by cell. The last line answers question A.

# %%
causal_mask = yours("create_causal_mask")
mask = causal_mask(4, 6)                             # (T_q, T_k) = (4, 6)
for i in range(4):
    for j in range(6):
        assert bool(mask[i, j]) == (j > i)
print("masked cells for T = 5:", int(causal_mask(5).sum()))

# %%
show(plot_mask(causal_mask(5)))

# %% [markdown]
# **Takeaway.** Each row sees one key more than the row above it.

# %% [markdown]
# ## One sentence, T predictions
#
# Your two functions can run the model from the top of this page. Row `i` of its output knows the words up to `i`, and scores each of its
# 26 words as word `i + 1`. (As in part 0, `W_O` follows, and `x` is added. Part 3 says more.)

# %%
own_softmax = yours("softmax")


def next_word_scores(words):
    """After each of T words, score each of the model's 26 words as the next one."""
    x = model.vectors(words)                                             # (T, D)
    scores = (x @ W_Q) @ (x @ W_K).T / 4                                 # (T, T)
    hidden = scores.masked_fill(causal_mask(len(words)), -math.inf)      # (T, T)
    return model.readout(x + own_softmax(hidden) @ (x @ W_V) @ W_O)      # (T, 26)


rows = next_word_scores(words)                                           # (T, 26) = (8, 26)
for i in range(len(words)):
    alone = next_word_scores(words[:i + 1])[-1]                          # (26,): the first i + 1 words only
    torch.testing.assert_close(alone, rows[i], atol=1e-4, rtol=1e-4)
    best = ", ".join(f"{word} {share:.0%}" for word, share in model.likeliest(rows[i]).items())
    print(f"... {words[i]:6} -> {best}")

# %% [markdown]
# **Takeaway.** One pass over T words gives T predictions, each as if the words after it did not exist. In training, every row but the
# last is compared with the word that really came next: a sentence of T words trains T − 1 predictions at once.

# %% [markdown]
# ## A model that saw the future (optional)
#
# And without the mask? We train three pairs of models with the layer of part 3, one of each pair causal, the other seeing whole
# sentences, and ask them for every next word of 30 new sentences: first *reading*, with the whole sentence in view as in training, then
# *writing*, with only the words before it.

# %%
def guess(trained, words, i):
    """The word that a model thinks likeliest after word i of `words`."""
    return next(iter(trained.likeliest(trained(trained.tokens([words]))[0, i])))


sentences = world.sentences(30, seed=7, adverbs=False)
places = [(s, i) for s in sentences for i in range(1, len(s))]
for seed in range(3):
    for is_causal in (True, False):
        recipe = replace(world.WHO, is_causal=is_causal)
        trained, _ = world.train(standins.MultiHeadSelfAttention, recipe, seed)
        reading = [guess(trained, s + ["."] * (recipe.length - len(s)), i - 1) == s[i] for s, i in places]
        writing = [guess(trained, s[:i], -1) == s[i] for s, i in places]
        text = ["the", "small", "dog"]
        while len(text) < 12 and text[-1] != ".":
            text.append(guess(trained, text, -1))
        print(f"seed {seed}, {'causal:         ' if is_causal else 'sees the future:'} right {sum(reading) / len(places):.0%} "
              f"reading, {sum(writing) / len(places):.0%} writing: {' '.join(text)}")

# %% [markdown]
# **Takeaway.** In all three seeds the model that saw the future is right more often while it reads, and much less often when it writes:
# what it learned needs words that are not there yet. (A causal model stays near one half because most actions and adjectives are a
# free choice.)

# %% [markdown]
# ## Spot the right mask (optional)
#
# First a mask with fewer keys than queries. Paint it, then overlay your function's mask.

# %%
predict("masked_when_keys_are_fewer")

# %%
paint_mask("create_causal_mask", 4, 2, mine=causal_mask)

# %% [markdown]
# Now four masks, all of the right shape.

# %%
suspects = {"A": "####  .###  ..##  ...#",
            "B": "#...  ##..  ###.  ####",
            "C": ".###  ..##  ...#  ....",
            "D": "....  #...  ##..  ###."}
axes = plt.subplots(1, 4, figsize=(9, 2.7), layout="constrained")[1]
for ax, (name, drawn) in zip(axes, suspects.items()):
    suspect = torch.tensor([[cell == "#" for cell in row] for row in drawn.split()])    # (T, T)
    plot_mask(suspect, ax=ax).set_title(name)
show(axes)

# %%
predict("right_mask_of_four")

# %%
predict("mask_that_teaches_copying")

# %% [markdown]
# ## 1.6 The mask meets the scores (optional)
#
# A boolean mask is often converted into numbers to add to the scores: **0 where attending is allowed, −∞ where it is masked**. Why
# not multiply the mask by −∞, since True is 1 and False is 0?

# %%
print(torch.tensor([False, True]).float() * -math.inf)      # (2,)

# %% [markdown]
# Zero times infinity is `NaN`, and it lands in the cells that were *allowed*.
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

# %% nbgrader={"grade": true, "grade_id": "test_to_additive_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("to_additive_mask", to_additive_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("to_additive_mask", to_additive_mask).points
### END HIDDEN TESTS

# %% [markdown]
# With it, code reproduces the whole worked example:

# %%
mask = causal_mask(3)                                          # (T, T)
additive = yours("to_additive_mask")(mask)                     # (T, T)
weights = yours("softmax")(paper_scores + additive)            # (T, T)
torch.testing.assert_close(weights, paper_weights)
axes = plot_masking(paper_scores, mask, weights)
show(axes)

# %% [markdown]
# **Takeaway.** Masked cells get exactly 0, and every row still sums to 1: all the weight goes to the remaining keys.

# %% [markdown]
# ## Break it: three ways to go wrong (optional)
#
# Each changes one step of the cell above: the masked scores are *filled with 0* instead of −∞; the *weights are masked after the
# softmax*; *the diagonal is masked too*.

# %%
predict("slip_that_shares_with_the_future")

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
show(axes)

# %% [markdown]
# **Takeaway.** Filling with 0 leaves weight on the future, outlined in orange. Masking after the softmax leaves rows that do not sum to
# 1. Masking the diagonal leaves row 0 with no open key: `NaN`.
#
# The middle one is worse than it looks. The future has weight 0, yet it leaks through the denominator of the softmax.
# Raise *only* the first token's score with the last key:

# %%
louder = paper_scores.clone()
louder[0, 2] = 5.0                                             # token 0 against the future token 2
for name, s in {"score 2": paper_scores, "score 5": louder}.items():
    print(name, yours("softmax")(s).masked_fill(mask, 0.0)[0])

# %% [markdown]
# The first token's weight on itself has changed, although it may not see the last key. The rule: **mask first, softmax second.**

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 1.7 One mask, three dialects (optional)
#
# PyTorch's attention layer and its attention function disagree about what `True` means.

# %%
show(plot_dialects(causal_mask(4)))

# %% [markdown]
# **Takeaway.** The same grey triangle, three spellings. (A tokenizer writes the second one in ones and zeros.)
#
# | who | dialect |
# |---|---|
# | this course, and `nn.MultiheadAttention` (`attn_mask`, `key_padding_mask`) | `True` = masked |
# | `F.scaled_dot_product_attention` (SDPA), Flax, Keras | `True` = **attend** |
# | tokenizers, which cut text into tokens: `attention_mask` | 1 = a real token, so attend |
# | both of PyTorch's, if the mask is a float tensor | added to the scores |
#
# Compare with SDPA on the worked example. `scale=1.0` turns off its division by √d_head, and Q goes in as (B, H, T, d) = (1, 1, 3,
# 2).

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
# The first token got a mixture of the two tokens after it. Test a mask from another library on a row whose answer you know.

# %% [markdown]
# ## 1.8 Padding: sentences of different lengths (optional)
#
# A batch is rectangular, but sentences differ in length. Short ones are filled with padding tokens, which must not be attended to.
# All we need is each sentence's length.

# %%
predict("position_two_of_length_two")

# %% [markdown]
# On paper: `lengths = [4, 2]` and `max_len = 4` give
#
# ```
# example 0, length 4    .  .  .  .          False False False False
# example 1, length 2    .  .  #  #          False False True  True
# ```
#
# ### Exercise: `create_padding_mask`
#
# Lengths `(B,)` go in, a table `(B, max_len)` comes out. Again no loop.

# %% nbgrader={"grade": false, "grade_id": "create_padding_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_padding_mask(lengths, max_len):
    """The padding mask: True from each example's length on.

    lengths:  (B,) integers, from 0 to max_len
    max_len:  T_k, the width of the batch
    returns   (B, T_k) bool, on the device of lengths
    """
    ### BEGIN SOLUTION
    position = torch.arange(max_len, device=lengths.device)    # (T_k,)
    return position >= lengths[:, None]                        # (B, T_k)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_create_padding_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("create_padding_mask", create_padding_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("create_padding_mask", create_padding_mask).points
### END HIDDEN TESTS

# %% [markdown]
# Compare with the obvious loop, then plot:

# %%
padding_mask = yours("create_padding_mask")
lengths = torch.tensor([5, 2, 0])                              # (B,)
for row, n in zip(padding_mask(lengths, 5).tolist(), lengths.tolist()):
    assert row == [False] * n + [True] * (5 - n)
long, short = model.words("the old cow ran and hummed"), model.words("cat sat and purred")
filled = [long, short + 2 * ["pad"]]
show(plot_padding(padding_mask(torch.tensor([len(long), len(short)]), 6), tokens=filled))

# %% [markdown]
# **Takeaway.** The first grey position equals the length.
#
# Paint the mask for lengths 4 and 2, then overlay your function's mask. What is masked for length 0, and for length 6?

# %%
paint_mask("create_padding_mask", [4, 2], 6, mine=padding_mask)

# %% [markdown]
# **Break it.** The right mask, and two common slips:

# %%
lengths = torch.tensor([4, 2])                                 # (B,)
mask = padding_mask(lengths, 5)                                # (B, T_k)
suspects = {"right": mask, "X": padding_mask(lengths + 1, 5), "Y": ~mask}
axes = plt.subplots(1, 3, figsize=(11, 2), layout="constrained")[1]
for ax, (name, suspect) in zip(axes, suspects.items()):
    plot_padding(suspect, ax=ax).set_title(name)
    ax.set_yticks([0, 1], ["length 4", "length 2"])
show(axes)

# %%
predict("padding_slip_that_lives_long")

# %% [markdown]
# ## 1.9 Both at once, and the shapes (optional)
#
# In a padded batch, a cell is masked if its key is in the future **or** padding. Three shapes meet:
#
# | tensor | shape |
# |---|---|
# | scores | `(B, H, T_q, T_k)` |
# | causal mask | `(T_q, T_k)`: the same for every example and head |
# | padding mask | `(B, T_k)`: the same for every head and query |
#
# Lined up from the right, the causal mask fits as it is. The padding mask does not: its B would line up with T_q. Usually torch
# complains. Sometimes it doesn't:

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
# The last two run, and are wrong. So the combined mask gets one axis for each axis of the scores: `(B, 1, T_q, T_k)`.
#
# Padding hides **keys**, that is, columns. A padded token is still a *query*: its row computes something useless, and the
# loss ignores it.
#
# Paint the mask of one example, four tokens of which two are padding:

# %%
paint_mask("create_attention_mask", 4, [2])          # T, and the example's length

# %% [markdown]
# ### Exercise: `create_attention_mask`
#
# Use the two functions you have. Without lengths return `(T_q, T_k)`; with lengths `(B, 1, T_q, T_k)`, even for B = 1. Without
# causality or padding, the mask hides nothing. With `device=None`, make the mask on the lengths' device, if there are lengths.

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

# %% nbgrader={"grade": true, "grade_id": "test_create_attention_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("create_attention_mask", create_attention_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("create_attention_mask", create_attention_mask).points
### END HIDDEN TESTS

# %% [markdown]
# Check it against a rule in words: *query i of an example of length n sees the first min(i + 1, n)
# keys.*

# %%
attention_mask = yours("create_attention_mask")
lengths = torch.tensor([5, 3])                                     # (B,)
mask = attention_mask(5, key_padding_lengths=lengths)              # (B, 1, T, T) = (2, 1, 5, 5)
for b, n in enumerate(lengths.tolist()):
    for i in range(5):
        visible = [j for j in range(5) if not mask[b, 0, i, j]]
        assert visible == list(range(min(i + 1, n)))
print("all 10 rows follow the rule")

# %%
predict("rows_that_padding_changes")

# %%
changed_rows = (mask != yours("create_causal_mask")(5)).any(dim=-1)             # (B, 1, T_q)
print("rows that the padding changes:", changed_rows[:, 0].nonzero().tolist())  # [example, row]

# %%
x = model.embed(model.tokens([long, short]))                                    # (B, T, D) = (2, 6, 16)
mask = attention_mask(6, key_padding_lengths=torch.tensor([6, 4]))              # (B, 1, T, T)
scores = ((x @ W_Q) @ (x @ W_K).transpose(1, 2) / 4)[:, None]                   # (B, 1, T, T)
show(plot_heads(yours("softmax")(scores.masked_fill(mask, -math.inf)), filled[1], batch=1))

# %% [markdown]
# **Takeaway.** Padding adds hatched *columns*, down to the last row. No row is all hatched: every query may see key 0. Masking
# padded *queries* instead would leave rows with no open key.

# %% [markdown]
# ## 1.10 A row with nothing left (optional)
#
# With right padding and at least one word, key 0 is always open. But in an empty example, or with padding on the left, a row can have *no*
# open key. What should its weights be?

# %%
predict("softmax_of_nothing")

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# How far does the NaN spread? The batch holds an example of length 3 and an empty one, and the loss looks at the good one
# only. `values.grad` says how the loss changes with each entry of `values`.

# %%
mask = attention_mask(3, key_padding_lengths=torch.tensor([3, 0]))            # (B, 1, T, T)
scores = torch.randn(2, 1, 3, 3, requires_grad=True)                          # (B, H, T, T)
values = torch.randn(2, 1, 3, 2, requires_grad=True)                          # (B, H, T, d_head)
weights = yours("softmax")(scores + yours("to_additive_mask")(mask))          # (B, H, T, T)
output = weights @ values                                                     # (B, H, T, d_head)
loss = output[0].sum()                                                        # a single number
loss.backward()
print("loss:                     ", loss.item())
print("gradient of empty example:", values.grad[1, 0, 0].tolist())

# %% [markdown]
# The loss is fine and the gradient is `NaN`: 0 · NaN is NaN. One training step later nearly all of the model's matrices
# are `NaN`.
#
# The popular fix is a large negative number in place of −∞. Look at what replaces the `NaN`:

# %%
s = torch.randn(3, 3)                                                         # (T, T)
nothing_open = torch.ones(3, 3, dtype=torch.bool)                             # (T, T)
axes = plt.subplots(1, 2, figsize=(8.5, 3), layout="constrained")[1]
for ax, fill in zip(axes, (-math.inf, -1e9)):
    wrong = yours("softmax")(s.masked_fill(nothing_open, fill))               # (T, T)
    plot_weights(wrong, mask=nothing_open, ax=ax).set_title(f"filled with {fill:.0e}")
show(axes)

# %% [markdown]
# **Takeaway.** With −1e9 the row *looks* healthy: it sums to 1. But all of its weight lies on masked keys.
#
# And in float16, whose largest number is 65 504, filling with −1e9 raises an error.
#
# So let the softmax take the mask, and give a fully masked row **zeros**. The row's output is 0, and no gradient flows. SDPA
# has done the same since PyTorch 2.5. As a slow loop:

# %%
def slow_masked_row(scores, masked):                          # T_k floats, T_k bools
    weights = slow_softmax([s for s, hide in zip(scores, masked) if not hide])
    return [0.0 if hide else weights.pop(0) for hide in masked]


print(slow_masked_row([1.0, 1.0, 2.0], [False, False, True]))
print(slow_masked_row([1.0, 1.0, 2.0], [True, True, True]))

# %% [markdown]
# ### Exercise: `masked_softmax`
#
# The mask broadcasts to the scores, which may be in the thousands. A fully masked row gives zeros, in the weights *and*
# in all gradients: a `NaN` that is painted over at the end can come back in the gradients. It must run in float16. Your
# own `softmax` may help.

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

# %% nbgrader={"grade": true, "grade_id": "test_masked_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("masked_softmax", masked_softmax).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("masked_softmax", masked_softmax).points
### END HIDDEN TESTS

# %% [markdown]
# The same batch again: every row against the loop, then the gradients.

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
# ## 1.11 Recall (optional)
#
# Answer aloud, in two sentences, before you choose.

# %%
predict("mask_before_softmax")

# %%
predict("why_the_diagonal_stays_open")

# %%
predict("filled_with_minus_1e9")

# %%
predict("padding_masks_what")

# %%
predict("how_to_test_causality")

# %% [markdown]
# ## 1.12 From memory (optional)
#
# `masked_softmax` again, without scrolling up and without hints. Aim for five minutes.

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
# <!-- end of a sitting -->

# %% [markdown]
# ## 1.13 With a cache, queries do not start at 0 (optional)
#
# You can leave this exercise until 4.3, unless your class is graded on it.
#
# A model that generates text keeps the keys of all the tokens it has read in a cache, which you build in part 4. Say three keys are cached and two new
# tokens arrive: T_q = 2 queries, and T_k = 3 + 2 = 5 keys.
#
# The rule stays, but **query i is now at position `cache_len + i`**:
#
# ```
#                        cached      new
# key position          0  1  2     3  4
# query 0, position 3   .  .  .     .  #
# query 1, position 4   .  .  .     .  .
# ```

# %%
predict("masked_for_one_new_token")

# %% [markdown]
# ### Exercise: `create_causal_mask_with_cache`

# %% nbgrader={"grade": false, "grade_id": "create_causal_mask_with_cache", "locked": false, "schema_version": 3, "solution": true, "task": false}
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    """The causal mask of new tokens that follow cached ones: query i is at position cache_len + i.

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

# %% nbgrader={"grade": true, "grade_id": "test_create_causal_mask_with_cache", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
show(plot_cached_mask(mask, 4))

# %% [markdown]
# **Takeaway.** Every query sees the old keys (blue). The staircase covers only the new keys (yellow).
#
# Paint the mask of four new tokens after two cached ones, then overlay your function's. Move `cache_len` to 0, then `T_q` to 1.

# %%
paint_mask("create_causal_mask_with_cache", 4, 6, 2, mine=cached_mask)    # T_q, T_k, cache_len

# %%
predict("shape_of_a_cached_mask")

# %% [markdown]
# **Break it.** The plain causal mask has the right shape, so nothing complains. But its queries count from 0
# again:

# %%
axes = plt.subplots(1, 2, figsize=(9.6, 2.4), layout="constrained")[1]
plot_cached_mask(cached_mask(2, 5, 3), 3, ax=axes[0]).set_title("queries at positions 3 and 4: right")
plot_cached_mask(causal_mask(2, 5), 3, ax=axes[1]).set_title("queries counted from 0: wrong")
show(axes)

# %% [markdown]
# **Takeaway.** The new tokens lose part of the past, and do not even see themselves (outlined).
#
# SDPA's `is_causal=True` makes exactly this mistake when `T_q` and `T_k` differ. `causal_lower_right` does it right:

# %%
from torch.nn.attention.bias import causal_lower_right

q = torch.randn(1, 1, 2, 4)                                    # (B, H, T_q, d_head): two new queries
k, v = torch.randn(2, 1, 1, 5, 4)                              # (B, H, T_k, d_head): three old keys, two new
newest = F.scaled_dot_product_attention(q[:, :, 1:], k, v, is_causal=True)       # (1, 1, 1, 4)
print("is_causal=True for one new token:", newest[0, 0, 0].tolist())
print("the value of token 0:            ", v[0, 0, 0].tolist())

theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(2, 5))
ours = F.scaled_dot_product_attention(q, k, v, attn_mask=~cached_mask(2, 5, 3))
torch.testing.assert_close(ours, theirs)
print("largest difference to causal_lower_right:", (ours - theirs).abs().max().item())

# %% [markdown]
# ## Next
#
# **Part 2** splits the features into heads, computes the scores, and puts the heads together again. Open
# `02_split_concat.ipynb`.

# %%
progress()
