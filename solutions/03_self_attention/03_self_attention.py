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
# # 3. Self-attention: the whole story from X to Y
#
# <!-- minutes -->
#
# In part 2, queries, keys and values were given. In **self-attention** all three are projections of the same tokens, `X`. This part
# follows every shape from X to the output, then packages everything as a layer.
#
# **By the end you will have written an attention layer; the long way shows that it equals `nn.MultiheadAttention`, up to
# rounding.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import standins, plot_heads, plot_mask
from course_utils.figures.influence import influence, plot_influence
from course_utils.figures.show import show
from course_utils.figures.stages import plot_contributions, plot_stages, plot_story
from course_utils.figures.weights import plot_scores
from course_utils.touch.trace import trace_number

import math
from functools import partial

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
assert_close = partial(torch.testing.assert_close, rtol=1e-5, atol=1e-5)

# %% [markdown]
# Read the diagram from top to bottom, saying the shapes aloud. Here B = 2 sentences of T = 5 tokens, and H = 3 heads of width
# d_head = 4.

# %%
show(plot_story(B=2, T=5, H=3, d_head=4), (
    "A diagram in nine rows. X (2, 5, 12) is projected to Q, K and V (2, 5, 12). Each is split into "
    "heads (2, 3, 5, 4). Q and K are compared and scaled: scores (2, 3, 5, 5). The future is masked: "
    "masked scores (2, 3, 5, 5). Softmax over the keys: weights (2, 3, 5, 5). With V they mix the "
    "values: heads (2, 3, 5, 4). Merged: (2, 5, 12). Projected once more: Y (2, 5, 12)."
))

# %% [markdown]
# **Takeaway.** Three kinds of tensors: *tokens* (blue), *heads* (orange), and *tables of who looks at whom* (green). The output has the shape
# of the input.

# %% [markdown]
# ## 3.1 Predict

# %%
predict("parameters_and_heads")

# %%
predict("outputs_behind_a_change")

# %% [markdown]
# ## 3.2 On paper: three tokens, two features, one head (long way)
#
# X has three tokens with two features. The matrices are simple on purpose:
#
# ```
# X         W_Q swaps    W_K keeps    W_V stretches
# 1  0      0  1         1  0         10  0
# 0  1      1  0         0  1          0  4
# 2  0
# ```
#
# **Project.** Multiply X by each:
#
# | token | query = X W_Q | key = X W_K | value = X W_V |
# |---|---|---|---|
# | 0 | [0, 1] | [1, 0] | [10, 0] |
# | 1 | [1, 0] | [0, 1] | [0, 4] |
# | 2 | [0, 2] | [2, 0] | [20, 0] |
#
# Look at token 2. Its key says it *has* feature 0; its query says it *looks for* feature 1. That is why W_Q and W_K are separate
# matrices.
#
# **Compare.** Query i times key j, for all pairs, with the future in brackets:
#
# | query · key | key 0 | key 1 | key 2 |
# |---|---|---|---|
# | query 0 | 0 | (1) | (0) |
# | query 1 | 1 | 0 | (2) |
# | query 2 | 0 | 2 | 0 |
#
# **Scale and mask.** Divide by √2 = 1.414, mask the future. **Softmax**, row by row:
#
# | weights | key 0 | key 1 | key 2 | how |
# |---|---|---|---|---|
# | query 0 | 1 | 0 | 0 | only itself |
# | query 1 | .67 | .33 | 0 | *e*^.707 = 2.03 and *e*⁰ = 1, over 3.03 |
# | query 2 | .16 | .67 | .16 | 1, *e*^1.414 = 4.11 and 1, over 6.11 |
#
# **Mix the values.** Row 2, with unrounded weights: .16 · [10, 0] + .67 · [0, 4] + .16 · [20, 0] = [4.91, 2.69]. Row 0 is just its own
# value, [10, 0]. Row 1 is yours:

# %%
predict("first_number_of_output_one")

# %% [markdown]
# The last projection is W_O, here the identity. The course's function `trace_causal_attention` returns every stage by
# name; *Every stage, one line each* shows its lines.

# %%
X = torch.tensor([[1., 0.], [0., 1.], [2., 0.]])       # (T, d_model) = (3, 2)
swaps = torch.tensor([[0., 1.], [1., 0.]])             # (d_model, d_model)
keeps = torch.eye(2)
stretches = torch.tensor([[10., 0.], [0., 4.]])

story = standins.trace_causal_attention(X[None], swaps, keeps, stretches, torch.eye(2), 1)
on_paper = torch.tensor([4.91, 2.69])                  # (d_model,): the last row
assert_close(story["output"][0, 2], on_paper, atol=0.006)
print(story["output"][0])                              # (T, d_model)

# %%
show(plot_stages(story), (
    "Seven small tables of the worked example. Q: 0 1, 1 0, 0 2. K: 1 0, 0 1, 2 0. Scores: the "
    "paper's table divided by 1.41. Masked scores: minus infinity above the diagonal. Weights: 1 0 0, "
    "0.67 0.33 0, 0.16 0.67 0.16. V: 10 0, 0 4, 20 0. Output: 10 0 in the first row, 4.91 2.69 in the last."
))

# %% [markdown]
# **Takeaway.** Follow the last row: query [0, 2] matches key 1 best, so token 1 gets weight .67, and output 2 takes two
# thirds of value 1.

# %% [markdown]
# ## 3.3 Projections: `X @ W` and `nn.Linear`
#
# A projection multiplies every token by the same matrix. It **never mixes tokens**: row `i` of `X @ W` depends only on
# row `i` of `X`. Tokens meet in just three steps: queries are compared with keys, the softmax divides a row among its
# keys, and the values are mixed.
#
# In `X @ W`, W has one row per input feature and one column per output feature. PyTorch's projection is `nn.Linear(in,
# out)`, an object that you call like a function. Its matrix, `weight`, is random at first and has one row per
# *output* feature.

# %%
predict("weight_of_linear")

# %%
layer = nn.Linear(3, 5, bias=False)                    # from 3 features to 5
print("weight:", tuple(layer.weight.shape))

# %% [markdown]
# So **`nn.Linear` computes `x @ weight.T`**. With 3 and 5 features a forgotten `.T` is an error. In attention the matrix is usually square,
# and nothing complains:

# %%
square = nn.Linear(4, 4, bias=False)
x = torch.randn(2, 4)                                  # (T, d_model)
weight = square.weight                                 # (out, in) = (4, 4)
for name, y in {"square(x)": square(x), "x @ weight.T": x @ weight.T, "x @ weight": x @ weight}.items():
    print(f"{name:13}", [round(number, 3) for number in y[0].tolist()])

# %% [markdown]
# **One large matrix, or one per head?** Papers give every head a small W_Q of shape (d_model, d_head). Code usually has
# one large W_Q: the small ones, side by side.

# %%
X, W = torch.randn(5, 12), torch.randn(12, 12)         # (T, d_model), (d_model, d_model)
project_then_split = (X @ W)[:, 4:8]                   # (T, d_head): head 1's band of the projection
own_block = X @ W[:, 4:8]                              # (T, d_head): head 1's own small matrix
print("largest difference:", (project_then_split - own_block).abs().max().item())

# %% [markdown]
# Each block has all d_model *rows*: every head reads **all** features of a token. If you split X *first*, head 1 would
# never see features 0 to 3. So: project, then split.

# %% [markdown]
# ## 3.4 The plain version first: one sequence (long way)
#
# Here is the loop of 2.4 in torch, with three gaps: the projections before it, the causal mask inside it, and
# W_O after it. Later versions are compared with this one.
#
# ### Exercise: `multi_head_causal_attention`
#
# One sequence, no batch. Fill in the three gaps, or replace the whole body with your own code.

# %% nbgrader={"grade": false, "grade_id": "multi_head_causal_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    """Causal self-attention over one sequence: project, attend in every head, concatenate, project once more.

    X:                   (T, d_model)
    W_Q, W_K, W_V, W_O:  (d_model, d_model), used as X @ W
    num_heads:           H, a divisor of d_model
    returns              (T, d_model)
    """
    T, d_model = X.shape
    d_head = d_model // num_heads
    # first gap: Q, K and V, (T, d_model) each, and the mask, (T, T)
    ### BEGIN SOLUTION
    future = torch.ones(T, T, dtype=torch.bool, device=X.device).triu(diagonal=1)      # (T, T)
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V                                                # (T, d_model) each
    ### END SOLUTION
    heads = []
    for h in range(num_heads):
        own = slice(h * d_head, (h + 1) * d_head)
        scores = Q[:, own] @ K[:, own].T / math.sqrt(d_head)                           # (T, T)
        # second gap: the weights, with none on the future, (T, T)
        ### BEGIN SOLUTION
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)                # (T, T)
        ### END SOLUTION
        heads.append(weights @ V[:, own])                                              # (T, d_head)
    # third gap: the heads' joint output, (T, d_model)
    ### BEGIN SOLUTION
    return torch.cat(heads, dim=-1) @ W_O                                              # (T, d_model)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_multi_head_causal_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("multi_head_causal_attention", multi_head_causal_attention).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("multi_head_causal_attention", multi_head_causal_attention).points
### END HIDDEN TESTS

# %% [markdown]
# Two tests that need no second implementation:
#
# - **The first token is alone.** Its only weight is 1, so output 0 must be X[0] W_V W_O. (Part 7 covers layers with an extra "sink"
#   in the denominator, where this does not hold.)
# - **Cut the sentence anywhere.** The beginning cannot know what was cut off, so its outputs must not change.

# %%
plain = yours("multi_head_causal_attention")
X = torch.randn(5, 12, dtype=torch.float64)                                    # (T, d_model)
W = torch.randn(4, 12, 12, dtype=torch.float64) / math.sqrt(12)                # W_Q, W_K, W_V, W_O
Y = plain(X, *W, 3)                                                            # (T, d_model)

alone = X[0] @ W[2] @ W[3]                                                     # (d_model,)
print(f"output 0 is off by {(Y[0] - alone).abs().max().item():.0e}")
for t in range(1, 6):
    print(f"cut after {t} tokens: off by {(plain(X[:t], *W, 3) - Y[:t]).abs().max().item():.0e}")

# %% [markdown]
# (Dividing by √12 keeps the projected features at variance 1, as in 2.8.)

# %% [markdown]
# ## 3.5 A batch, all heads at once, and the weights
#
# Now the fast version: it takes a batch, uses no loop, and returns the weights too. Paste the core of part 2 into a cell above,
# then add the steps before and after it.
#
# ### Exercise: `causal_attention_with_weights`

# %% nbgrader={"grade": false, "grade_id": "causal_attention_with_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    """Causal self-attention over a batch, without a loop; the weights are returned as well.

    X:                   (B, T, d_model)
    W_Q, W_K, W_V, W_O:  (d_model, d_model), used as X @ W
    num_heads:           H, a divisor of d_model
    returns              (Y, weights): (B, T, d_model) and (B, H, T, T)
    """
    ### BEGIN SOLUTION
    B, T, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = ((X @ W).view(B, T, num_heads, d_head).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)                               # (B, H, T, T)
    position = torch.arange(T, device=X.device)                                        # (T,)
    scores = scores.masked_fill(position > position[:, None], -math.inf)               # (B, H, T, T)
    weights = torch.softmax(scores, dim=-1)                                            # (B, H, T, T)
    heads = weights @ V                                                                # (B, H, T, d_head)
    return heads.transpose(1, 2).reshape(B, T, d_model) @ W_O, weights                 # (B, T, d_model)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_causal_attention_with_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("causal_attention_with_weights", causal_attention_with_weights).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("causal_attention_with_weights", causal_attention_with_weights).points
### END HIDDEN TESTS

# %%
plain, fast = yours("multi_head_causal_attention"), yours("causal_attention_with_weights")
X = torch.randn(2, 5, 12, dtype=torch.float64)                                 # (B, T, d_model)
W = torch.randn(4, 12, 12, dtype=torch.float64) / math.sqrt(12)                # W_Q, W_K, W_V, W_O
Y, weights = fast(X, *W, 3)                                                    # (B, T, d_model), (B, H, T, T)
for b in range(2):
    assert_close(Y[b], plain(X[b], *W, 3))                                     # example by example
assert_close(weights.sum(dim=-1), torch.ones(2, 3, 5, dtype=torch.float64))
print("the fast version and the plain one agree; every row sums to 1")

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## Every stage, one line each (long way)
#
# The same computation with nothing hidden. The lines follow the diagram at the top.

# %%
split_heads, merge_heads = yours("split_heads"), yours("merge_heads")
create_causal_mask = yours("create_causal_mask")


def trace(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split_heads(projected, num_heads) for projected in (X @ W_Q, X @ W_K, X @ W_V))
    scores = Q @ K.mT / Q.shape[-1] ** 0.5                    # before the mask
    future = create_causal_mask(X.shape[1])
    masked_scores = scores.where(~future, -torch.inf)
    weights = masked_scores.softmax(dim=-1)
    heads = weights @ V                                       # what each head has collected
    merged = merge_heads(heads)
    return {"Q": Q, "K": K, "V": V, "scores": scores, "masked_scores": masked_scores, "weights": weights,
            "heads": heads, "merged": merged, "output": merged @ W_O}

# %%
predict("stages_that_are_tables")

# %%
predict("first_stage_that_mixes_heads")

# %% [markdown]
# `check_shape` raises if a shape differs from the diagram.

# %%
story = trace(X, *W, 3)
patterns = {
    "Q": "B H T d_head", "K": "B H T d_head", "V": "B H T d_head",
    "scores": "B H T T", "masked_scores": "B H T T", "weights": "B H T T",
    "heads": "B H T d_head", "merged": "B T d_model", "output": "B T d_model",
}
print(f"{'X':14} {'B T d_model':14} {tuple(X.shape)}")
for name, pattern in patterns.items():
    check_shape(story[name], pattern, B=2, T=5)
    print(f"{name:14} {pattern:14} {tuple(story[name].shape)}")
assert_close(story["output"], Y)                                               # your function's result

# %% [markdown]
# Click a number to light up its inputs. Start with a number in `heads`, and trace back to one of its weights, then its score, then
# Q and K.

# %%
trace_number(story, W_O=W[3], made_by=trace, head=1)

# %% [markdown]
# **Takeaway.** Rows of Q become rows of the tables, rows of K become columns. The first row of a head's output *is* the first row of V. Only the
# last projection reads from all heads.

# %% [markdown]
# ## Break it: queries and keys exchanged (long way)
#
# A one-letter slip: W_Q and W_K are swapped.

# %%
predict("scores_after_the_exchange")

# %%
exchanged = trace(X, W[1], W[0], W[2], W[3], 3)                                # W_K first, W_Q second
before, after = story["scores"], exchanged["scores"]                           # (B, H, T, T) each
guesses = {
    "as they were": before,
    "with opposite sign": -before,
    "transposed": before.transpose(-2, -1),
    "in the opposite order": before.flip(-1),
}
for guess, scores in guesses.items():
    print(f"{guess:26}", torch.allclose(after, scores))

# %%
axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")[1]
plot_scores(before[0, 1], ax=axes[0]).set_title("scores of head 1")
plot_scores(after[0, 1], ax=axes[1]).set_title("queries and keys exchanged")
show(axes, "Two 5 by 5 tables of scores: as they were, and after the exchange.")

# %% [markdown]
# **Takeaway.** The rows of one table are the columns of the other. The mask and the softmax treat rows and columns
# differently, so from there on the numbers are wrong, although both tables are (T, T).

# %% [markdown]
# ## 3.6 What W_O does (long way)
#
# After the merge, features 0 to 3 of a token come from head 0, features 4 to 7 from head 1, and so on. A model of such
# layers, a *transformer*, adds attention's output to the vector that each token carries from layer to layer, its
# **residual stream**. Without W_O, head 0 could only ever write to features 0 to 3 of it. **W_O lets every head write
# anywhere in the residual stream.**
#
# In `merged @ W_O`, head h's numbers multiply only rows `h*d_head:(h+1)*d_head` of W_O. So each head has its own output matrix,
# (d_head, d_model), and
#
# > **the layer's output is the sum of the heads' contributions.**

# %%
def contributions(story, W_O):
    blocks = [W_O[0:4], W_O[4:8], W_O[8:12]]                                   # H times (d_head, d_model)
    return torch.stack([story["heads"][:, h] @ blocks[h] for h in range(3)], dim=1)    # (B, H, T, d_model)


parts = contributions(story, W[3])                                             # (B, H, T, d_model)
print(f"summed over the heads: off by {(parts.sum(dim=1) - story['output']).abs().max().item():.0e}")

identity = torch.eye(12, dtype=torch.float64)                                  # W_O taken away
axes = plt.subplots(2, 1, figsize=(9, 6), layout="constrained")[1]
plot_contributions(parts[0, :, 4], ax=axes[0]).set_title("with W_O")
plot_contributions(contributions(story, identity)[0, :, 4], ax=axes[1]).set_title("without W_O")
show(axes, (
    "Stacked bars for one token's 12 output features, one colour per head, a black line for their "
    "sum. With W_O: the bars mix the three colours. Without: features 0 to 3 have only head 0's colour, "
    "4 to 7 only head 1's, 8 to 11 only head 2's."
))

# %% [markdown]
# **Takeaway.** The black line, the sum of the contributions, is the output. Concatenating and then projecting *is*
# adding up projected heads.

# %% [markdown]
# ## 3.7 The layer
#
# A layer is a **module** that owns its matrices, so that they are trained, saved and moved to a device together.
# They are its *parameters*, also called weights; attention weights are something else, new for each sentence. The
# smallest module:

# %%
class Doubled(nn.Module):
    def __init__(self, d_model):
        super().__init__()                             # always first: it prepares the module
        self.W = nn.Linear(d_model, d_model, bias=False)           # found by PyTorch, as it is an attribute

    def forward(self, x):                              # what a call runs
        return 2 * self.W(x)                           # (T, d_model)


module = Doubled(4)
print("a call:", tuple(module(torch.randn(3, 4)).shape))
print("its parameters:", {name: tuple(p.shape) for name, p in module.named_parameters()})

# %% [markdown]
# Yours must serve *encoders*, where every token may see the whole sentence, and *decoders*, where none may see its
# future. So causality is an option. Padding hides *keys*, as in part 1; `yours("create_attention_mask")`, from 1.9, handles
# both.
#
# ### Exercise: `MultiHeadSelfAttention`
#
# Create the four layers **once**, in `__init__`, without bias: a layer created in `forward` would be new and random at every call.
# Name them `W_q, W_k, W_v, W_o`, since weights are loaded by name. Keep `d_model`, `num_heads` and `d_head` as
# attributes too.

# %% nbgrader={"grade": false, "grade_id": "MultiHeadSelfAttention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadSelfAttention(nn.Module):
    """Self-attention with four bias-free nn.Linear layers W_q, W_k, W_v, W_o, each d_model to d_model; no dropout."""

    def __init__(self, d_model, num_heads):
        """d_model: features of a token; num_heads: H, a divisor of d_model."""
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} cannot be cut into {num_heads} equal heads")
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        ### END SOLUTION

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        """Self-attention among the tokens of each example.

        x:                    (B, T, d_model)
        is_causal:            whether later keys are masked
        key_padding_lengths:  (B,) integers, at least 1: keys from each length on are masked; or None
        returns               (B, T, d_model)
        """
        ### BEGIN SOLUTION
        B, T, d_model = x.shape
        bands = (B, T, self.num_heads, self.d_head)
        Q, K, V = (project(x).view(bands).transpose(1, 2) for project in (self.W_q, self.W_k, self.W_v))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)                      # (B, H, T, T)
        position = torch.arange(T, device=x.device)                                    # (T,)
        if is_causal:
            scores = scores.masked_fill(position > position[:, None], -math.inf)       # (B, H, T, T)
        if key_padding_lengths is not None:
            padding = position >= key_padding_lengths[:, None]                         # (B, T)
            scores = scores.masked_fill(padding[:, None, None, :], -math.inf)          # (B, H, T, T)
        heads = torch.softmax(scores, dim=-1) @ V                                      # (B, H, T, d_head)
        return self.W_o(heads.transpose(1, 2).reshape(B, T, d_model))                  # (B, T, d_model)
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_MultiHeadSelfAttention", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("MultiHeadSelfAttention", MultiHeadSelfAttention).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("MultiHeadSelfAttention", MultiHeadSelfAttention).points
### END HIDDEN TESTS

# %% [markdown]
# Compare layer and function. The layer stores (out, in), so its weights go in transposed:

# %%
Attention = yours("MultiHeadSelfAttention")
layer = Attention(12, 3).double()
turned = [getattr(layer, name).weight.T for name in ("W_q", "W_k", "W_v", "W_o")]      # 4 × (in, out)
assert_close(layer(X, is_causal=True), fast(X, *turned, 3)[0])
print("the layer and the function agree")

# %% [markdown]
# **Padding.** The second sentence has only three tokens. Whatever the padding contains, the outputs of the three real tokens must not change:

# %%
lengths = torch.tensor([5, 3])                                                         # (B,)
filled = X.clone()
filled[1, 3:] = 10.0                                                                   # other padding
before = layer(X, key_padding_lengths=lengths)                                         # (B, T, d_model)
after = layer(filled, key_padding_lengths=lengths)                                     # (B, T, d_model)
assert_close(after[1, :3], before[1, :3])
print("real tokens moved by   ", (after - before)[1, :3].abs().max().item())
print("padded outputs moved by", (after - before)[1, 3:].abs().max().item(), " and nobody reads them")

# %% [markdown]
# **How many parameters?** For question A, count them for several values of H:

# %%
for H in (1, 3, 8):
    count = sum(parameter.numel() for parameter in Attention(48, H).parameters())
    print(f"H = {H}, d_head = {48 // H:2}: {count} parameters; 4 · 48² = {4 * 48**2}")

# %% [markdown]
# More heads mean narrower heads, not more parameters. The attention matrices' memory does grow with H.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 3.8 Is it causal? Perturb the future (long way)
#
# You can **test** causality without looking at the code: change one token, and see which outputs move. That was
# question B.

# %%
x = torch.randn(1, 6, 12, dtype=torch.float64)                                 # (B, T, d_model)
changed = x.clone()
changed[0, 3] += 1                                                             # token 3 only
for is_causal in (False, True):
    moves = (layer(changed, is_causal=is_causal) - layer(x, is_causal=is_causal)).abs()    # (B, T, d_model)
    farthest = [round(m, 3) for m in moves.amax(dim=2)[0].tolist()]                        # T numbers
    print(f"is_causal={is_causal!s:5}  outputs moved by", farthest)

# %% [markdown]
# ### Break it: mask after the softmax
#
# Take your own scores and V, and set the future weights to 0 *after* the softmax. The attention matrix has zeros in all the right places.

# %%
predict("leaks_of_a_late_mask")

# %%
future = yours("create_causal_mask")(6)                                        # (T, T)
merge = yours("merge_heads")


def masked_too_late(x):
    stages = trace(x, *turned, 3)
    leaky = stages["scores"].softmax(dim=-1).masked_fill(future, 0.0)          # (B, H, T, T)
    return merge(leaky @ stages["V"]) @ turned[3]                              # (B, T, d_model)


moves = influence(masked_too_late, x)                                          # (T, T)
for j in range(6):
    print(f"token {j} changed: these outputs move", (moves[:, j] > 1e-5).nonzero().flatten().tolist())

# %% [markdown]
# Now as a picture. Column j shows what happens when token j changes:

# %%
layers = {
    "not causal": layer,
    "mask after softmax": masked_too_late,
    "causal": lambda x: layer(x, is_causal=True),
}
axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")[1]
for ax, (name, candidate) in zip(axes, layers.items()):
    plot_influence(influence(candidate, x), ax=ax)
    ax.set_title(f"{name}: {ax.get_title()}")
show(axes, (
    "Three 6 by 6 tables of which output moves with which token: a layer that is not causal, one with its "
    "mask after the softmax, and a causal one, which says yes on and below the diagonal only."
))

# %% [markdown]
# **Takeaway.** With the mask after the softmax, *every* future token leaks, although every future weight is exactly 0. The leak
# runs through the denominator, a sum over all keys. Row sums give it away:

# %%
late = trace(x, *turned, 3)["scores"].softmax(dim=-1).masked_fill(future, 0.0)         # (B, H, T, T)
print("row sums, mask after the softmax:", [round(s, 2) for s in late[0, 0].sum(dim=-1).tolist()])

# %% [markdown]
# ## 3.9 The decoder's version (long way)
#
# Decoder-only models like GPT or Llama are causal in training and inference (PyTorch's `train()` and `eval()`), so their
# layer needs no switch.
#
# It is the class of 3.7 without its two options, in the form that interviewers ask for: `forward` reads like the
# diagram. The two methods and the mask are missing. The sentence may have **any length**: build the mask for the actual
# T, on the device of `x`.
#
# ### Exercise: `CausalMultiHeadSelfAttention`

# %% nbgrader={"grade": false, "grade_id": "CausalMultiHeadSelfAttention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class CausalMultiHeadSelfAttention(nn.Module):
    """Always causal, in train() and in eval(); bias-free W_q, W_k, W_v, W_o; (B, T, embedding_dim) in and out."""

    def __init__(self, embedding_dim, num_heads):
        """embedding_dim: d_model; num_heads: H, a divisor of it."""
        super().__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError(f"embedding_dim={embedding_dim} cannot be cut into {num_heads} equal heads")
        self.num_heads = num_heads
        self.d_model = embedding_dim
        self.d_head = embedding_dim // num_heads
        layers = [nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4)]
        self.W_q, self.W_k, self.W_v, self.W_o = layers

    def _split_heads(self, x):
        """(B, T, d_model) -> (B, H, T, d_head)"""
        ### BEGIN SOLUTION
        return x.unflatten(-1, (self.num_heads, self.d_head)).transpose(1, 2)
        ### END SOLUTION

    def _merge_heads(self, x):
        """(B, H, T, d_head) -> (B, T, d_model)"""
        ### BEGIN SOLUTION
        return x.transpose(1, 2).flatten(-2)
        ### END SOLUTION

    def forward(self, x):
        """x: (B, T, d_model) of any length T; returns (B, T, d_model)."""
        T = x.shape[1]
        Q = self._split_heads(self.W_q(x))                                             # (B, H, T, d_head)
        K = self._split_heads(self.W_k(x))
        V = self._split_heads(self.W_v(x))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)                      # (B, H, T, T)
        # the weights, (B, H, T, T): no row sees its future, whatever T is
        ### BEGIN SOLUTION
        future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)
        weights = torch.softmax(scores.masked_fill(future, -math.inf), dim=-1)         # (B, H, T, T)
        ### END SOLUTION
        return self.W_o(self._merge_heads(weights @ V))                                # (B, T, d_model)

# %% nbgrader={"grade": true, "grade_id": "test_CausalMultiHeadSelfAttention", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("CausalMultiHeadSelfAttention", CausalMultiHeadSelfAttention).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("CausalMultiHeadSelfAttention", CausalMultiHeadSelfAttention).points
### END HIDDEN TESTS

# %% [markdown]
# **It stacks.** Two causal layers in a row are still causal. And two can do more than one: in the second layer,
# token 5 reads from token 3 what token 3 has read from token 1. (A transformer puts a two-layer network, the **MLP**, and
# normalisation in between. Both act on each token alone.)

# %%
Decoder = yours("CausalMultiHeadSelfAttention")
stack = nn.Sequential(Decoder(12, 3), Decoder(12, 3)).double()
for T in (1, 3, 9):                                                            # one object, any length
    x = torch.randn(2, T, 12, dtype=torch.float64)                             # (B, T, d_model)
    print(f"T = {T}: {tuple(x.shape)} -> {tuple(stack(x).shape)}")
print("the same in eval() and in train():", torch.equal(stack.eval()(x), stack.train()(x)))

# %%
predict("one_layer_without_a_mask")

# %%
x = torch.randn(2, 6, 12, dtype=torch.float64)                                 # (B, T, d_model)
spoiled = nn.Sequential(stack[0], Attention(12, 3).double())                   # is_causal=False
axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")[1]
for ax, name, candidate in zip(axes, ("two causal layers", "the second is not causal"), (stack, spoiled)):
    plot_influence(influence(candidate, x), ax=ax)
    ax.set_title(f"{name}: {ax.get_title()}")
show(axes, "Two 6 by 6 tables of which output moves with which token: two causal layers, and a stack of one "
           "causal and one that is not.")

# %% [markdown]
# **Takeaway.** Stacking causal layers never opens a path from the future. In the other table all 15 cells above the diagonal say LEAK.

# %% [markdown]
# ## 3.10 Against `nn.MultiheadAttention` (long way)
#
# To compare your class with PyTorch's, give both **the same weights**: copy PyTorch's into yours.
#
# | `nn.MultiheadAttention` | shape | holds |
# |---|---|---|
# | `in_proj_weight` | (3·d_model, d_model) | the weights for Q, K and V, stacked by **rows**, in this order |
# | `out_proj.weight` | (d_model, d_model) | the weight for the last projection |
#
# Both are stored (out, in), as in `nn.Linear`. Make a *copy*: training one layer must not change the other. Your parameters must
# stay trainable, so write *into* them, under `torch.no_grad()`.
#
# ### Exercise: `load_torch_weights`

# %% nbgrader={"grade": false, "grade_id": "load_torch_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def load_torch_weights(attention, torch_attention):
    """Copy the weights of PyTorch's layer into one of ours, in place.

    attention:        a module with the layers W_q, W_k, W_v, W_o and d_model, num_heads, d_head
    torch_attention:  an nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True)
    """
    ### BEGIN SOLUTION
    stacked = torch_attention.in_proj_weight.chunk(3, dim=0)                           # 3 times (d_model, d_model)
    with torch.no_grad():
        for mine, theirs in zip((attention.W_q, attention.W_k, attention.W_v), stacked):
            mine.weight.copy_(theirs)
        attention.W_o.weight.copy_(torch_attention.out_proj.weight)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_load_torch_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("load_torch_weights", load_torch_weights).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("load_torch_weights", load_torch_weights).points
### END HIDDEN TESTS

# %% [markdown]
# Compare them in float64: without a mask, with a causal one, and with padding. (`nn.MultiheadAttention` speaks our
# dialect, True = masked.)

# %%
load = yours("load_torch_weights")
theirs = nn.MultiheadAttention(12, 3, bias=False, batch_first=True).double()
mine = Attention(12, 3).double()
load(mine, theirs)

X = torch.randn(2, 5, 12, dtype=torch.float64)                                 # (B, T, d_model)
future = yours("create_causal_mask")(5)                                        # (T, T)
padding = yours("create_padding_mask")(lengths, 5)                             # (B, T)
pairs = {
    "no mask": (mine(X), theirs(X, X, X)[0]),
    "causal": (mine(X, is_causal=True), theirs(X, X, X, attn_mask=future)[0]),
    "padded": (mine(X, key_padding_lengths=lengths), theirs(X, X, X, key_padding_mask=padding)[0]),
    "both": (mine(X, is_causal=True, key_padding_lengths=lengths),
             theirs(X, X, X, attn_mask=future, key_padding_mask=padding)[0]),
}
for name, (ours, wanted) in pairs.items():
    assert_close(ours, wanted)                                                 # (B, T, d_model)
    print(f"{name:8} largest difference {(ours - wanted).abs().max().item():.0e}")

# %% [markdown]
# Two mistakes could cancel in the output. So compare the **weights** too, head by head:

# %%
_, wanted = theirs(X, X, X, attn_mask=future, average_attn_weights=False)      # (B, H, T, T)
turned = [getattr(mine, name).weight.T for name in ("W_q", "W_k", "W_v", "W_o")]
_, weights = fast(X, *turned, 3)                                               # (B, H, T, T)
assert_close(weights, wanted)
print(f"weights: largest difference {(weights - wanted).abs().max().item():.0e}")

# %% [markdown]
# **Your layer gives PyTorch's outputs.**
#
# ### What it costs
#
# Measured with `benchmarks/attention.py` on one two-core machine, one thread, d_model = 256 and 8 heads. Times are relative to four
# linear layers around `F.scaled_dot_product_attention`:
#
# | T | this lesson | `nn.MultiheadAttention` | extra memory: this lesson | with SDPA |
# |---|---|---|---|---|
# | 512 | 2.1 | 1.1 | 18 MB | 2 MB |
# | 1024 | 6.0 | 1.2 | 67 MB | 5 MB |
# | 2048 | 7.9 | 1.9 | 266 MB | 10 MB |
#
# In this lesson, doubling T takes about four times the memory: two (1, H, T, T) tensors exist at once. A *fused* operator
# computes scores, softmax and mixing together, block by block; it never holds the whole tensor, yet is exact.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 3.11 Annotate the shapes (long way)
#
# Close the diagram. New sizes: **B = 1, T = 8, d_model = 12, H = 6.**

# %%
predict("shape_of_a_projection")

# %%
predict("shape_of_six_narrow_heads")

# %%
predict("shape_of_six_score_tables")

# %%
predict("shape_of_a_block_of_w_o")

# %%
predict("shape_of_in_proj_weight")

# %%
predict("parameters_of_a_small_layer")

# %% [markdown]
# ## 3.12 Recall (long way)
#
# Answer aloud, in two sentences, before you choose.

# %%
predict("two_halves_of_a_causality_test")

# %%
predict("repair_after_the_softmax")

# %%
predict("what_w_o_is_for")

# %%
predict("one_matrix_for_queries_and_keys")

# %%
predict("parameters_of_a_large_layer")

# %%
predict("shuffled_tokens")

# %% [markdown]
# ## 3.13 From memory (long way)
#
# The class that interviewers ask for: no hints, no scrolling.

# %% nbgrader={"grade": false, "grade_id": "CausalMultiHeadSelfAttention_from_memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
class CausalMultiHeadSelfAttention_from_memory(nn.Module):
    """Always causal; bias-free W_q, W_k, W_v, W_o; (B, T, embedding_dim) in and out."""

    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        if embedding_dim % num_heads:
            raise ValueError("num_heads must divide embedding_dim")
        self.num_heads = num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            self.add_module(name, nn.Linear(embedding_dim, embedding_dim, bias=False))
        ### END SOLUTION

    def _split_heads(self, x):
        ### BEGIN SOLUTION
        B, T, d_model = x.shape
        return x.view(B, T, self.num_heads, d_model // self.num_heads).transpose(1, 2)         # (B, H, T, d_head)
        ### END SOLUTION

    def _merge_heads(self, x):
        ### BEGIN SOLUTION
        B, H, T, d_head = x.shape
        return x.transpose(1, 2).contiguous().view(B, T, H * d_head)                           # (B, T, d_model)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        Q, K, V = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))    # (B, H, T, d_head) each
        scores = Q @ K.mT * Q.shape[-1] ** -0.5                                        # (B, H, T, T)
        position = torch.arange(x.shape[1], device=x.device)                           # (T,)
        scores = torch.where(position[None, :] <= position[:, None], scores, -math.inf)
        return self.W_o(self._merge_heads(scores.softmax(dim=-1) @ V))                 # (B, T, d_model)
        ### END SOLUTION

# %%
check("CausalMultiHeadSelfAttention", CausalMultiHeadSelfAttention_from_memory)

# %% [markdown]
# If that went well: `causal_attention_with_weights`, in a new cell.
#
# ## Next
#
# When a model *writes*, tokens come one at a time, and recomputing everything for each of them is a waste. **Part 4**
# keeps old keys and values in a KV cache. Open `04_kv_cache.ipynb`.

# %%
progress()
