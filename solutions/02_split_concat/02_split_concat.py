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
# # 2. Split and concatenate: several heads at once
#
# <!-- minutes -->
#
# The weights of part 1 form the **attention matrix**: a row for each token that looks, a column for each token it looks
# at. One **head** has one such matrix. **Multi-head** attention cuts every query, key and value into bands of features,
# gives each head a band, and joins the results.
#
# **You will build that core: split, attend, merge, for all heads at once. Then it runs this trained layer:**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import plot_heads, plot_mask, world
from course_utils.figures.entropy import plot_entropy, plot_largest_weight
from course_utils.figures.influence import influence, plot_influence
from course_utils.figures.show import show
from course_utils.figures.split import plot_head_tables, plot_split
from course_utils.figures.weights import plot_weights
from course_utils.touch.fly import fly_numbers
from course_utils.touch.query import drag_width

import math
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(0)
torch.set_num_threads(1)
assert_close = partial(torch.testing.assert_close, rtol=1e-5, atol=1e-5)

# %%
model = world.load("who and how")                          # two heads; 36 words, adverbs among them
words = model.words("the small dog slept near the cat loudly and")
W_Q, W_K, W_V, W_O = model.matrices()                      # (D, D) each: D is d_model, here 32
x = model.vectors(words)                                   # (T, D) = (9, 32)
Q, K, V = ((x @ W)[None] for W in (W_Q, W_K, W_V))         # (B, T, D) = (1, 9, 32) each: B = 1 sentence
future = yours("create_causal_mask")(len(words))           # (T, T)
show(plot_heads(yours("multi_head_attention_core")(Q, K, V, 2, future)[1], words))

# %% [markdown]
# From here on, the language has adverbs, and each animal two sounds: a dog that does something loudly or angrily *barked*, one that does
# it quietly or happily *whined*.
#
# **Takeaway.** The next word must fit the animal and this mood: *barked*. In the row of *and*, head 0 asks **who** and looks at *dog*;
# head 1 asks **how** and looks at *loudly*.
#
# Giving each head its band only moves numbers; nothing is computed. Three tokens with four features each; the numbers label the entries of `x`:

# %%
show(plot_split(T=3, H=2, d_head=2))

# %% [markdown]
# **Takeaway.** Every head sees *every token*, but only *its own features*. `x` stands for queries, keys or values. Part 3 computes them
# from *all* features of a token.

# %% [markdown]
# ## 2.1 Predict
#
# A question before any explanation. `x.view(...)` reads the same numbers in the same order, with another shape.

# %%
predict("view_as_heads")

# %% [markdown]
# ## 2.2 What one head does
#
# As in 1.2, each token has a **query**, a **key** and a **value**. A head takes three steps.
#
# 1. **Scores.** Entry (i, j) is the dot product of query `i` and key `j`, divided by √d_head.
# 2. **Weights.** The softmax of each row: row `i` now holds numbers from 0 to 1 that sum to 1. This is the attention
#    matrix.
# 3. **Output.** Row `i` is the sum of all values, each times its weight in row `i`.
#
# So the output has **one row per query**, and consists of nothing but **mixed values**.
#
# **Why several heads?** The weights of a row sum to 1, and in the picture of the trained layer *and* needs all of *dog* and all of
# *loudly*. One head has one row for each query, so it must compromise: a part of each, mixed. Two heads have two rows. We trained both
# kinds of layer, equally wide (d_model = 32), from 12 random starts, or *seeds*, each. With two heads, the sound after *and* came to fit the animal
# and the adverb in all 12. With one head it fits the animal in all 12, but the adverb in only one.

# %% [markdown]
# ## One head or two, in figures (optional)
#
# For how many seeds is the sound after *and* right in at least 98 % of new sentences?
#
# | heads | training steps | seeds | right about who | right about how |
# |---|---|---|---|---|
# | 2 | 800 | 0 to 11 | 12 of 12 | 12 of 12 |
# | 1 | 800 | 0 to 11 | 12 of 12 | 1 of 12 (seed 1) |
# | 1 | 2000 | 0 to 5 | 6 of 6 | 3 of 6 (seeds 1, 3, 5) |
#
# (A step is one batch of 32 sentences.) One head *can* answer both: after 2000 steps the last three give the animal .39 to .42 of their
# weight, and the adverb a third. But training often misses this compromise, and the mood stays a coin toss (.48 to .54). Nor do
# two heads always divide the work as neatly as in the picture: in seeds 3 and 5 they share it.

# %% [markdown]
# ## 2.3 On paper: two heads read three tokens (optional)
#
# Three tokens have values with four features. Head 0 owns features 0 and 1, head 1 owns 2 and 3. We follow *and*.
#
# | token | weight in head 0 | value in head 0 | weight in head 1 | value in head 1 |
# |---|---|---|---|---|
# | 0 *dog* | .80 | [10, 1] | .05 | [1, 9] |
# | 1 *loudly* | .20 | [4, 2] | .90 | [3, 6] |
# | 2 *and* | 0 | [7, 3] | .05 | [5, 2] |
#
# **Head 0** looks mostly at *dog*:
#
# > .80 · [10, 1] + .20 · [4, 2] + 0 · [7, 3] = [8 + .8 + 0, .8 + .4 + 0] = **[8.8, 1.2]**
#
# Head 1 is yours.

# %%
predict("second_number_of_head_one")

# %% [markdown]
# Then the two are **concatenated**, head 0 first. The same in code:

# %%
values = np.array([[10., 1., 1., 9.],
                   [4., 2., 3., 6.],
                   [7., 3., 5., 2.]])                 # (T, d_model) = (3, 4)
last_row = np.array([[.80, .20, 0.],
                     [.05, .90, .05]])                # (H, T_k): the last token's row in each head

head_0 = last_row[0] @ values[:, :2]                  # (d_head,)
head_1 = last_row[1] @ values[:, 2:]                  # (d_head,)
joined = np.concatenate([head_0, head_1])             # (d_model,)
print(joined)

# %% [markdown]
# One head would have one row of weights for all four features, and could only compromise:

# %%
compromise = last_row.mean(axis=0)                    # (T_k,)
print("one row for all features:", compromise, "->", compromise @ values)
print("two rows, one per head:    ", joined)

# %% [markdown]
# So different features of the same output can come from different tokens.

# %% [markdown]
# ## 2.4 The slow loop (optional)
#
# Now in NumPy: one sequence, no batch, no mask. For every head, take its own columns of Q, K and V, do the three steps of 2.2, and put
# the results side by side.
#
# ### Exercise: `multi_head_attention`
#
# Divide by the square root of the width *of a head*. Large scores must not overflow (see 1.4). Inputs may be integers; the output
# must be floats.

# %% nbgrader={"grade": false, "grade_id": "multi_head_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multi_head_attention(Q, K, V, n_heads):
    """Multi-head attention over one sequence, in NumPy, with a loop over the heads.

    Q, K, V:  (T, d_model) arrays of floats or whole numbers; head h owns columns h*d_head:(h+1)*d_head
    n_heads:  H, a divisor of d_model
    returns   (T, d_model) floats: the heads' outputs side by side, head 0 first
    """
    ### BEGIN SOLUTION
    d_head = Q.shape[1] // n_heads
    outputs = []
    for h in range(n_heads):
        mine = slice(h * d_head, (h + 1) * d_head)
        scores = Q[:, mine] @ K[:, mine].T / d_head**0.5                 # (T, T)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))      # (T, T)
        weights = powers / powers.sum(axis=1, keepdims=True)             # (T, T)
        outputs.append(weights @ V[:, mine])                             # (T, d_head)
    return np.concatenate(outputs, axis=1)                               # (T, d_model)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_multi_head_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("multi_head_attention", multi_head_attention).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("multi_head_attention", multi_head_attention).points
### END HIDDEN TESTS

# %% [markdown]
# ## 2.5 A plausible example that is wrong (optional)
#
# This example sounds right:
#
# > Two tokens, two features, two heads. Q, K and V are all the identity matrix, `[[1, 0], [0, 1]]`.
# > Every token matches itself best, so it attends to itself, and the output is the identity again.
#
# Work it out: head 0 owns column 0, so its two queries are the numbers 1 and 0, and so are its keys and values. The scale is √1 = 1, and *e* is
# 2.718.

# %%
predict("output_of_identities")

# %% [markdown]
# Now run your own loop:

# %%
loop = yours("multi_head_attention")
I = np.eye(2)                                          # (T, d_model) = (2, 2)
print("two heads:")
print(loop(I, I, I, 2).round(4))
print("one head:")
print(loop(I, I, I, 1).round(4))

# %% [markdown]
# - **A softmax gives every key some weight.** On paper, exactly 1 and 0 would need an infinite gap in scores.
# - **A zero query has no preference.** In head 0 the query of token 1 is 0, so its weights are uniform. It matches itself only in a
#   feature of head 1.
#
# **Takeaway.** Compute expected values; don't guess them. With this guess, `return V` would pass, and correct code would fail.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 2.6 Split: from one tensor to heads
#
# A loop over heads works, but torch multiplies many small matrices in one call if they sit along *leading axes*: with four axes, `@`
# takes the last two as matrices, one product for each example and head. So the heads need their own axis, **in front of the tokens**:
#
# > (B, T, d_model) → (B, H, T, d_head)
#
# In memory a tensor is one long row of numbers, and its shape says how to group them. In the picture of the split that row is 0 1 2 3 | 4
# 5 6 7 | 8 9 10 11: one token after another. A tensor that is read in memory order, without gaps, is called **contiguous**.
#
# - **`view` only regroups.** Cutting each token's features into H bands keeps the order, so a view can always do it.
# - **`transpose` swaps two axes**: `x.transpose(1, 2)` axes 1 and 2, counted from 0. Nothing moves in memory, but the reading order changes: on the right of the picture,
#   0 1, 4 5, 8 9, then 2 3. The result is usually not contiguous.
#
# ### Exercise: `split_heads`

# %% nbgrader={"grade": false, "grade_id": "split_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def split_heads(x, num_heads):
    """Give every head its band of features: head h gets features h*d_head:(h+1)*d_head of every token.

    x:          (B, T, d_model), contiguous or not
    num_heads:  H, a divisor of d_model
    returns     (B, H, T, d_head), with d_head = d_model // H
    """
    ### BEGIN SOLUTION
    B, T, d_model = x.shape
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} cannot be cut into {num_heads} equal heads")
    bands = x.view(B, T, num_heads, d_model // num_heads)      # (B, T, H, d_head)
    return bands.transpose(1, 2)                               # (B, H, T, d_head)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_split_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("split_heads", split_heads).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("split_heads", split_heads).points
### END HIDDEN TESTS

# %% [markdown]
# Compare with the columns a loop would take, head by head:

# %%
split = yours("split_heads")
x = torch.randn(2, 5, 12)                              # (B, T, d_model)
heads = split(x, 3)                                    # (B, H, T, d_head)
check_shape(heads, "B H T d_head", B=2, H=3, T=5, d_head=4)
for h in range(3):
    own = slice(4 * h, 4 * h + 4)
    same = torch.equal(heads[:, h], x[:, :, own])
    print(f"head {h} holds columns {own.start} to {own.stop - 1} of x: {same}")

# %% [markdown]
# ## Break it: the wrong view (optional)
#
# Why not ask for the shape directly, `x.view(B, H, T, d_head)`? It runs, and the shape is right. Here are the numbers 0, 1, 2, … split
# both ways. A cell's colour shows which band of `x` its number is from.

# %%
T, H, d_head = 4, 3, 2
x = torch.arange(T * H * d_head).view(1, T, H * d_head)        # (B, T, d_model)
wrong = x.view(1, H, T, d_head)                                # (B, H, T, d_head) in name only

axes = plt.subplots(1, 2, figsize=(8, 4.6), layout="constrained")[1]
right_ax = plot_head_tables(split(x, H)[0], ax=axes[0])
right_ax.set_title("right:\n" + right_ax.get_title())
wrong_ax = plot_head_tables(wrong[0], ax=axes[1])
wrong_ax.set_title("x.view(B, H, T, d_head):\n" + wrong_ax.get_title())
show(axes)

# %% [markdown]
# **Takeaway.** The wrong view divides the *tokens* among the heads: head 0 gets the beginning of the sentence, the last head its
# end. Tokens far apart never meet.
#
# Some numbers land in the right place by luck. When do they all?

# %%
predict("where_the_wrong_view_is_right")

# %%
sizes = [(5, 3, 4), (7, 4, 2), (10, 4, 8), (4, 4, 4), (5, 3, 1), (128, 12, 64), (1, 3, 4), (5, 1, 4)]
for T, H, d_head in sizes:
    x = torch.arange(T * H * d_head).view(1, T, H * d_head)            # (B, T, d_model)
    wrong = x.view(1, H, T, d_head)                                    # (B, H, T, d_head) in name only
    share = (wrong == split(x, H)).double().mean().item()
    print(f"T={T:4}  H={H:3}  d_head={d_head:3}:  {share:6.1%} in place")

# %% [markdown]
# *Play*, or the *stage* slider, moves the numbers from `x` to the heads and back. Then switch to the *wrong view*, and
# look for sizes that put more in place.

# %%
fly_numbers(T=4, H=3, d_head=2)

# %% [markdown]
# **Takeaway.** A view never changes the reading order. The wrong view skips the transpose, so it is right only when the transpose
# changes nothing.

# %% [markdown]
# ## 2.7 Merge: the way back
#
# After attention each head's features return to their own columns: (B, H, T, d_head) → (B, T, H·d_head). Merging is the **exact inverse** of
# splitting: the same steps, backwards. There is one obstacle.

# %%
predict("view_of_a_turned_table")

# %%
table = torch.arange(6).view(2, 3)                     # (2, 3), in memory 0 1 2 3 4 5
turned = table.T                                       # (3, 2), the same memory, read in another order
for name, tensor in {"table": table, "turned": turned}.items():
    print(f"{name:7} contiguous: {tensor.is_contiguous()!s:6} reshape(6): {tensor.reshape(6).tolist()}")

# %% [markdown]
# So `reshape` can do it. And `view`?

# %%
try:
    print(turned.view(6))
except RuntimeError as error:
    print("view:", error)
print("contiguous, then view:", turned.contiguous().view(6).tolist())

# %% [markdown]
# (A *stride* is the step in memory from one index of an axis to the next.) Where a view is impossible, the numbers must be **copied**
# into the new order. `reshape` copies when it has to; `contiguous()` copies first, so that a view works afterwards.
#
# ### Exercise: `merge_heads`

# %% nbgrader={"grade": false, "grade_id": "merge_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def merge_heads(x):
    """Put the heads side by side again, the exact inverse of split_heads.

    x:       (B, H, T, d_head), contiguous or not
    returns  (B, T, H * d_head)
    """
    ### BEGIN SOLUTION
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)         # by way of (B, T, H, d_head)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_merge_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("merge_heads", merge_heads).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("merge_heads", merge_heads).points
### END HIDDEN TESTS

# %%
merge = yours("merge_heads")
x = torch.randn(2, 5, 12)                              # (B, T, d_model)
for H in (1, 2, 3, 12):
    assert torch.equal(merge(split(x, H)), x)          # there and back, to the last bit
print(*(tuple(t.shape) for t in (x, split(x, 3), merge(split(x, 3)))), sep=" -> ")

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 2.8 Why √d_head

# %%
predict("longer_dot_products")

# %% [markdown]
# A score is a dot product: d_head products, added up. (The *variance* of random numbers is the mean square of their distance from their
# mean; its root is their typical size.) If the entries are independent with mean 0 and variance 1, each product has variance 1.
# Variances of independent numbers add up, so a score has **variance d_head**, and its typical
# size is √d_head. Wide heads get large scores just for being wide, and large scores make the softmax peaked:
#
# | scores | weights |
# |---|---|
# | 0, 1, 2 | .09, .24, .67 |
# | the same, times 8 | .0000001, .0003, .9997 |
#
# Eight random keys: drag d_head to the right, and draw again.

# %%
drag_width()

# %% [markdown]
# Divided by √d_head, scores have variance 1 **whatever the width**.
#
# Why is a peaked softmax bad? Training asks of every number: if it changes a little, how does the *loss* change, the measure of how wrong
# the guesses are? That rate is its **gradient**. In the table, lower the last score by 1. In the first row .67 becomes .42; in the second, .9997 becomes .9991. Where one
# weight is almost 1, a change of a score hardly changes any weight, so the gradients of the scores are almost 0, and queries and keys
# learn next to nothing. A head may *end* up peaked, as in the picture of the trained layer; it must not *begin* so.

# %% [markdown]
# ## Measure the scale (optional)
#
# How large is a score, and how much weight does the best of 64 random keys get?

# %%
widths = [16, 64, 512]
largest = {"not scaled": [], "scaled": []}
for d in widths:
    q, k = torch.randn(400, d), torch.randn(400, 64, d)            # 400 queries, each with 64 keys of its own
    raw = (k @ q[:, :, None]).squeeze(-1)                          # (400, 64), of (400, 64, d) @ (400, d, 1)
    largest["not scaled"].append(raw.softmax(dim=1).amax(dim=1).mean().item())
    largest["scaled"].append((raw / math.sqrt(d)).softmax(dim=1).amax(dim=1).mean().item())
    print(f"d_head={d:4}  typical score {raw.std():5.1f}  √d_head {math.sqrt(d):5.1f}  largest weight "
          f"{largest['not scaled'][-1]:.2f}, scaled {largest['scaled'][-1]:.2f}")

# %% [markdown]
# (In formulas: the derivative of a weight *p* is *p*(1 − *p*) by its own score, and −*p*·*r* by the score of a key with weight *r*.)
#
# Unscaled, one random key of 64 takes more than half the weight at d_head = 16, and nearly all at 512. Scaled, the largest weight
# is about .11 at any width. (A fresh `nn.Linear` gives queries and keys a variance of about 1/3: smaller scores, same growth.)
#
# And why not √d_model? Because each dot product has only d_head terms. Entropy measures how *spread out* the weights are: 0 bits when
# one key gets everything, log₂(128) = 7 bits when all 128 get the same.

# %%
H, T, d_model = 8, 128, 512
q, k = torch.randn(2, H, T, d_model // H)                          # (H, T, d_head) each
raw = q @ k.transpose(1, 2)                                        # (H, T, T)
bits = {}
divisors = {"not scaled": 1, "by √d_head": math.sqrt(d_model // H), "by √d_model": math.sqrt(d_model)}
for name, divisor in divisors.items():
    row_entropy = torch.distributions.Categorical(logits=raw / divisor).entropy()      # (H, T), in nats
    bits[name] = row_entropy.mean().item() / math.log(2)

axes = plt.subplots(1, 2, figsize=(7.8, 3.2), layout="constrained")[1]
plot_largest_weight(widths, largest["not scaled"], largest["scaled"], ax=axes[0])
plot_entropy(bits, math.log2(T), ax=axes[1])
show(axes)

# %% [markdown]
# **Takeaway.** Unscaled, one key takes most of the weight. With √d_model, the weights are nearly uniform, as if no key were preferred.

# %% [markdown]
# ## 2.9 Attention for any leading axes
#
# The three steps of 2.2 in torch. Leading axes, if any, pass through, so count axes from the end: -1 is the last. There may be more keys
# than queries, or fewer. A mask goes **between step 1 and step 2**: −∞ over the scores, as in part 0. Return the output *and* the weights.
#
# ### Exercise: `scaled_dot_product_attention`
#
# You may use `torch.softmax`. If all keys of a row are masked, zeros are best, but the check accepts anything.

# %% nbgrader={"grade": false, "grade_id": "scaled_dot_product_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Every query takes a weighted mean of the values; the weights come from its dot products with the keys.

    Q:        (..., T_q, d_head)
    K, V:     (..., T_k, d_head), with the same leading axes
    mask:     bool, True = masked, broadcasts to (..., T_q, T_k); or None
    returns   (output, weights): (..., T_q, d_head) and (..., T_q, T_k)
    """
    ### BEGIN SOLUTION
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])      # (..., T_q, T_k)
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)               # (..., T_q, T_k)
    weights = torch.softmax(scores, dim=-1)                        # (..., T_q, T_k)
    return weights @ V, weights                                    # (..., T_q, d_head)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_scaled_dot_product_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("scaled_dot_product_attention", scaled_dot_product_attention).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("scaled_dot_product_attention", scaled_dot_product_attention).points
### END HIDDEN TESTS

# %% [markdown]
# ## Against PyTorch's own (optional)
#
# PyTorch's version is `F.scaled_dot_product_attention`, SDPA for short. In its masks True means *attend*, so we flip ours. Only a comparison of numbers catches a wrong scale: the rows sum to 1 whatever you divide by.

# %%
attend = yours("scaled_dot_product_attention")
mask = yours("create_causal_mask")(5)                                          # (T, T)
q, k, v = torch.randn(3, 2, 3, 5, 4)                                           # (B, H, T, d_head) each
theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=~mask)              # (B, H, T, d_head)
assert_close(attend(q, k, v, mask)[0], theirs)
print("largest difference:", (attend(q, k, v, mask)[0] - theirs).abs().max().item())

# %% [markdown]
# ## 2.10 All heads at once
#
# Q, K and V are given, as (B, T, d_model). The scores are (B, H, T, T), so the mask may come in three shapes:
#
# | mask | hides |
# |---|---|
# | (T, T) | the same in every example and head |
# | (B, 1, T, T) | the same in every head |
# | (B, H, T, T) | anything |
#
# ### Exercise: `multi_head_attention_core`

# %% nbgrader={"grade": false, "grade_id": "multi_head_attention_core", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    """Split into heads, let each head attend, merge; without a loop.

    Q, K, V:    (B, T, d_model)
    num_heads:  H, a divisor of d_model
    mask:       bool, True = masked, (T, T), (B, 1, T, T) or (B, H, T, T); or None
    returns     (output, weights): (B, T, d_model) and (B, H, T, T)
    """
    ### BEGIN SOLUTION
    Q, K, V = (split_heads(x, num_heads) for x in (Q, K, V))               # (B, H, T, d_head) each
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)           # (B, H, T, d_head), (B, H, T, T)
    return merge_heads(heads), weights                                     # (B, T, d_model)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_multi_head_attention_core", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("multi_head_attention_core", multi_head_attention_core).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("multi_head_attention_core", multi_head_attention_core).points
### END HIDDEN TESTS

# %% [markdown]
# Without a mask it must equal a loop over the heads (that of the optional 2.4, yours or a stand-in), example by example:

# %%
core, loop = yours("multi_head_attention_core"), yours("multi_head_attention")
Q, K, V = torch.randn(3, 2, 5, 12, dtype=torch.float64)                        # (B, T, d_model) each
output, weights = core(Q, K, V, 3)                                             # (B, T, d_model), (B, H, T, T)
for b in range(2):
    expected = torch.as_tensor(loop(Q[b].numpy(), K[b].numpy(), V[b].numpy(), 3), dtype=output.dtype)
    print(f"example {b}: largest difference {(output[b] - expected).abs().max().item():.0e}")
    assert_close(output[b], expected)                                          # (T, d_model)

# %% [markdown]
# Now your core runs the trained layer from the top of this page. Try sentences of your own. (Part 3 explains `W_O`.)

# %%
def guess(text):
    words = model.words(text)
    x = model.vectors(words)                                                   # (T, D)
    Q, K, V = ((x @ W)[None] for W in (W_Q, W_K, W_V))                         # (B, T, D) each, B = 1
    output, weights = core(Q, K, V, 2, create_causal_mask(len(words)))         # (B, T, D), (B, H, T, T)
    looks = [f"head {h} at {words[row[-1].argmax()]}" for h, row in enumerate(weights[0])]
    (word, share), = model.likeliest(model.readout(x + output[0] @ W_O)[-1], 1).items()
    print(f"{text} -> {word} {share:.2f};", *looks)


create_causal_mask = yours("create_causal_mask")
for animal in ("dog", "lion"):
    for adverb in ("loudly", "quietly"):
        guess(f"the small {animal} slept near the cat {adverb} and")

# %% [markdown]
# **Takeaway.** One layer, two questions, one answer that fits both. (Looking at a word does not prove that a head uses it; part 5
# switches heads off.)

# %% [markdown]
# ## Break it: the wrong view, twice (optional)
#
# Split with `view(B, H, T, d_head)` *and* merge with the matching wrong view, and the shapes are right. Even a test of
# causality passes: change a token, and no *earlier* output moves.

# %%
predict("tokens_behind_the_last_output")

# %%
def scrambled(x, H=2):
    B, T, d_model = x.shape
    heads = x.view(B, H, T, d_model // H)                                  # (B, H, T, d_head) in name only
    mixed = F.scaled_dot_product_attention(heads, heads, heads, is_causal=True)
    return mixed.view(B, T, d_model)                                       # the matching wrong view


x = torch.randn(2, 6, 8)                                               # (B, T, d_model)
moves = influence(scrambled, x)                                        # (T, T): how far output i moves
print("the last output moves with the tokens", (moves[5] > 1e-5).nonzero().flatten().tolist())

# %% [markdown]
# The same test for every token and every output. Row `i` shows which tokens output `i` depends on.

# %%
causal = yours("create_causal_mask")(6)                                        # (T, T)
axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")[1]
layers = {"right": lambda x: core(x, x, x, 2, causal)[0], "wrong view, twice": scrambled}
for ax, (name, layer) in zip(axes, layers.items()):
    plot_influence(influence(layer, x), ax=ax)
    ax.set_title(f"{name}: {ax.get_title()}")
show(axes)

# %% [markdown]
# **Takeaway.** Nothing leaks from the future. But the second half of the sentence has **lost the first half** (yellow). A causality test
# needs two parts: the future must not get through, *and the past must*.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 2.11 Two sequences (optional)
#
# **Cross-attention.** A translator looks at one sentence while it writes another. The queries come from one sequence,
# the keys and values from the other, so T_q and T_k may differ.

# %%
predict("weights_between_two_sequences")

# %% [markdown]
# Does your code do it? (It doesn't have to.)

# %%
Q, K, V = torch.randn(2, 5, 12), torch.randn(2, 7, 12), torch.randn(2, 7, 12)      # T_q = 5, T_k = 7
try:
    output, weights = core(Q, K, V, 3)
    print("output", tuple(output.shape), " weights", tuple(weights.shape))
except (RuntimeError, ValueError) as error:
    print("yours uses one T for both:", error)

# %% [markdown]
# ## 2.12 Annotate the shapes (optional)
#
# Say the shape of every tensor in your `multi_head_attention_core` aloud. Then type four, for B = 2, T = 5, d_model = 12, H = 3.

# %%
predict("shape_of_split_queries")

# %%
predict("shape_of_keys_in_the_product")

# %%
predict("shape_of_all_weights")

# %%
predict("shape_of_merged_heads")

# %% [markdown]
# Where does each number go?

# %%
predict("place_of_a_feature")

# %%
predict("features_of_a_place")

# %%
x = torch.arange(2 * 5 * 12).view(2, 5, 12)                            # (B, T, d_model), each number once
heads = split(x, 3)                                                    # (B, H, T, d_head)
print("x[1, 2, 7] lies in the split tensor at", (heads == x[1, 2, 7]).nonzero().tolist())
print("split[0, 2, 4] holds x at these places", [(x == n).nonzero()[0].tolist() for n in heads[0, 2, 4]])

# %% [markdown]
# ## 2.13 Recall (optional)
#
# Answer aloud, in two sentences, before you choose.

# %%
predict("why_root_d_head")

# %%
predict("divisor_of_the_scores")

# %%
predict("test_that_finds_the_wrong_view")

# %%
predict("why_merging_copies")

# %%
predict("sums_that_are_one")

# %%
predict("eight_heads_instead_of_one")

# %% [markdown]
# ## 2.14 From memory (optional)
#
# This whole part in one function: no helpers, no hints, no scrolling.

# %% nbgrader={"grade": false, "grade_id": "multi_head_attention_core_from_memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multi_head_attention_core_from_memory(Q, K, V, num_heads, mask=None):
    """Split, attend, merge: (B, T, d_model) in, (output, weights) out."""
    ### BEGIN SOLUTION
    B, T, d_model = Q.shape
    shape = (B, -1, num_heads, d_model // num_heads)                           # T_q and T_k may differ
    q, k, v = (x.reshape(shape).transpose(1, 2) for x in (Q, K, V))            # (B, H, T, d_head) each
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_model // num_heads)         # (B, H, T, T)
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)                           # (B, H, T, T)
    weights = scores.softmax(dim=-1)                                           # (B, H, T, T)
    return (weights @ v).transpose(1, 2).reshape(B, T, d_model), weights       # (B, T, d_model)
    ### END SOLUTION

# %%
check("multi_head_attention_core", multi_head_attention_core_from_memory)

# %% [markdown]
# ## Next
#
# Where do Q, K and V come from? **Part 3** goes from the tokens' features to the layer's output, and ends with a class
# that gives the same numbers as `nn.MultiheadAttention`. Open `03_self_attention.ipynb`.

# %%
progress()
