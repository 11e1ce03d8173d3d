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
# **By the end you will have written an attention layer, and it will have learned the language of the animals in seconds.
# An optional section shows that it equals `nn.MultiheadAttention`, up to rounding.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import standins, plot_heads, plot_mask, world
from course_utils.figures.influence import influence, plot_influence
from course_utils.figures.learning import plot_head, plot_losses
from course_utils.figures.show import show
from course_utils.figures.stages import plot_contributions, plot_stages, plot_story
from course_utils.touch.trace import trace_number

import math
import time
from dataclasses import replace
from functools import partial

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
assert_close = partial(torch.testing.assert_close, rtol=1e-5, atol=1e-5)

# %% [markdown]
# Read the diagram from top to bottom. Two sentences (B = 2) of five words (T = 5) go in. There are H = 3
# heads, each d_head = 4 wide.

# %%
show(plot_story(B=2, T=5, H=3, d_head=4, next_words={
    "the dog slept loudly and": "barked", "the cat waited quietly and": "purred",
}))

# %% [markdown]
# **Takeaway.** Three kinds of tensors: *tokens* (blue), *heads* (orange), and *tables of who looks at whom* (green). The output has the shape
# of the input, so the two can be added. A model predicts the next word from the last row of the sum.

# %% [markdown]
# ## 3.1 Predict

# %%
predict("parameters_and_heads")

# %%
predict("outputs_behind_a_change")

# %% [markdown]
# ## 3.2 On paper: three tokens, two features, one head (optional)
#
# X has three tokens with two features. The matrices are simple on purpose:
#
# ```
# X      W_Q    W_K    W_V
# 1  0   0  1   1  0   10  0
# 0  1   1  0   0  1    0  4
# 2  0
# ```
#
# W_Q swaps the two features, W_K keeps them, W_V stretches them.
#
# **Project.** Multiply X by each:
#
# | token | query = X W_Q | key = X W_K | value = X W_V |
# |---|---|---|---|
# | 0 | [0, 1] | [1, 0] | [10, 0] |
# | 1 | [1, 0] | [0, 1] | [0, 4] |
# | 2 | [0, 2] | [2, 0] | [20, 0] |
#
# Look at token 2. Its key says it *has* feature 0; its query says it *looks for* feature 1. With one matrix for both, it would look
# for what it has itself.
#
# **Compare** query i with key j, for all pairs; the future is in brackets. **Scale**: divide by √2 = 1.414. **Mask** the future, and take
# the **softmax** of each row:
#
# | | query · keys 0, 1, 2 | weights | how |
# |---|---|---|---|
# | query 0 | 0, (1), (0) | 1, 0, 0 | only itself |
# | query 1 | 1, 0, (2) | .67, .33, 0 | *e*^.707 = 2.03 and *e*⁰ = 1, over 3.03 |
# | query 2 | 0, 2, 0 | .16, .67, .16 | 1, *e*^1.414 = 4.11 and 1, over 6.11 |
#
# **Mix the values.** Row 2, with unrounded weights: .16 · [10, 0] + .67 · [0, 4] + .16 · [20, 0] = [4.91, 2.69]. Row 0 is just its own
# value, [10, 0]. Row 1 is yours:

# %%
predict("first_number_of_output_one")

# %%
X = torch.tensor([[1., 0.], [0., 1.], [2., 0.]])       # (T, d_model) = (3, 2)
swaps = torch.tensor([[0., 1.], [1., 0.]])             # (d_model, d_model)
keeps = torch.eye(2)
stretches = torch.tensor([[10., 0.], [0., 4.]])

story = standins.trace_causal_attention(X[None], swaps, keeps, stretches, torch.eye(2), 1)     # W_O: the identity
on_paper = torch.tensor([4.91, 2.69])                  # (d_model,): the last row
assert_close(story["output"][0, 2], on_paper, atol=0.006)
print(story["output"][0])                              # (T, d_model)

# %%
show(plot_stages(story))

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
# out)`, which you call like a function. Its matrix, `weight`, is random at first and has one row per
# *output* feature. Unless you say `bias=False`, as we do, it also adds a learned number to each output feature, its *bias*.

# %%
predict("weight_of_linear")

# %%
layer = nn.Linear(3, 5, bias=False)                    # from 3 features to 5
print("weight:", tuple(layer.weight.shape))

# %% [markdown]
# So **`nn.Linear` computes `x @ weight.T`**. With 3 and 5 features a forgotten `.T` is an error. In attention the matrix is usually square,
# and nothing complains: the numbers are just wrong.
#
# **One large matrix, or one per head?** Papers give each head a W_Q of shape (d_model, d_head). Code usually puts them side by
# side in one large W_Q. With d_head = 4, head 1's band of the projection, `(X @ W_Q)[:, 4:8]`, is `X @ W_Q[:, 4:8]`. So every head reads
# **all** features of a token. If you split X *first*, head 1 would never see features 0 to 3: project, then split.

# %% [markdown]
# ## 3.4 The plain version first: one sequence (optional)
#
# Here is the loop of 2.4 in torch, with three gaps: the projections before it, the causal mask inside it, and
# W_O after it. Later versions are compared with this one.
#
# ### Exercise: `multi_head_causal_attention`
#
# One sequence, no batch. Fill in the three gaps, or replace the whole body.

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
# - **The first token is alone.** Its weight is 1, so output 0 must be X[0] W_V W_O.
# - **Cut the sentence anywhere.** The beginning cannot know what was cut off, so its outputs must stay.

# %%
plain = yours("multi_head_causal_attention")
X = torch.randn(5, 12, dtype=torch.float64)                                    # (T, d_model)
W = torch.randn(4, 12, 12, dtype=torch.float64) / math.sqrt(12)                # four matrices; variance 1, as in 2.8
Y = plain(X, *W, 3)                                                            # (T, d_model)

alone = X[0] @ W[2] @ W[3]                                                     # (d_model,)
print(f"output 0 is off by {(Y[0] - alone).abs().max().item():.0e}")
for t in range(1, 6):
    print(f"cut after {t} tokens: off by {(plain(X[:t], *W, 3) - Y[:t]).abs().max().item():.0e}")

# %% [markdown]
# ## 3.5 A batch, all heads at once, and the weights (optional)
#
# Now the fast version: a batch, no loop, and the weights returned too. Paste the core of part 2 into a cell above,
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
# ## Every stage, one line each (optional)
#
# The same computation with nothing hidden. The lines follow the diagram at the top.

# %%
split, merge, causal = yours("split_heads"), yours("merge_heads"), yours("create_causal_mask")


def trace(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split(projected, num_heads) for projected in (X @ W_Q, X @ W_K, X @ W_V))
    scores = Q @ K.mT / Q.shape[-1] ** 0.5                    # before the mask
    future = causal(X.shape[1])
    masked_scores = scores.where(~future, -torch.inf)
    weights = masked_scores.softmax(dim=-1)
    heads = weights @ V                                       # what each head has collected
    merged = merge(heads)
    return {"Q": Q, "K": K, "V": V, "scores": scores, "masked_scores": masked_scores, "weights": weights,
            "heads": heads, "merged": merged, "output": merged @ W_O}

# %%
predict("stages_that_are_tables")

# %%
predict("first_stage_that_mixes_heads")

# %%
story = trace(X, *W, 3)
patterns = {
    "Q": "B H T d_head", "K": "B H T d_head", "V": "B H T d_head",
    "scores": "B H T T", "masked_scores": "B H T T", "weights": "B H T T",
    "heads": "B H T d_head", "merged": "B T d_model", "output": "B T d_model",
}
print(f"{'X':14} {'B T d_model':14} {tuple(X.shape)}")
for name, pattern in patterns.items():
    check_shape(story[name], pattern, B=2, T=5)                                # raises if it differs
    print(f"{name:14} {pattern:14} {tuple(story[name].shape)}")
assert_close(story["output"], Y)                                               # your function's result

# %% [markdown]
# Click a number to light up its inputs. Trace one in `heads` back to a weight, then its score, then Q and K.

# %%
trace_number(story, W_O=W[3], made_by=trace, head=1)

# %% [markdown]
# **Takeaway.** Rows of Q become rows of the tables, rows of K become columns. Only the last projection reads from all heads.

# %% [markdown]
# **Break it.** W_Q and W_K are swapped, a one-letter slip.

# %%
predict("scores_after_the_exchange")

# %%
swapped = trace(X, W[1], W[0], W[2], W[3], 3)["scores"]                        # (B, H, T, T)
print("as before:", torch.allclose(swapped, story["scores"]),
      "  transposed:", torch.allclose(swapped, story["scores"].transpose(-2, -1)))

# %% [markdown]
# ## 3.6 What W_O does
#
# A model of such layers, a *transformer*, adds attention's output to the vector that each token carries from layer to layer, its
# **residual stream**. After the merge, each band of features belongs to one head. Without W_O, head 0 could only ever write
# to its own band of the stream. **W_O lets every head write anywhere.**
#
# In `merged @ W_O`, head h's features meet only rows `h*d_head:(h+1)*d_head` of W_O. These rows are the head's own output matrix,
# (d_head, d_model), and
#
# > **the layer's output is the sum of the heads' contributions.**
#
# In the trained layer of part 2 you can watch them add up. A *readout*, one more matrix, turns the stream into **logits**, one score
# for each word. What does each head add to the logits of the twelve sounds? (Logits add up like this as no norm stands before the readout.)

# %%
attend, causal = yours("multi_head_attention_core"), yours("create_causal_mask")
trained = world.load("who and how")                                            # d_model = 32, H = 2, d_head = 16
W_Q, W_K, W_V, W_O = trained.matrices()
x = trained.vectors(trained.words("the dog slept near the cat loudly and"))[None]      # (B, T, d_model) = (1, 8, 32)
merged, _ = attend(x @ W_Q, x @ W_K, x @ W_V, 2, causal(8))                    # (B, T, d_model)
parts = torch.stack([merged[0, :, own] @ W_O[own] for own in (slice(0, 16), slice(16, 32))])   # (H, T, d_model)
assert_close(parts.sum(dim=0), (merged @ W_O)[0])

sounds = list(world.MOOD_OF)
numbers = [trained.vocabulary.index(sound) for sound in sounds]
show(plot_contributions(trained.readout(parts)[:, -1, numbers], sounds))       # the row of *and*

# %% [markdown]
# **Takeaway.** One head lifts both sounds of a dog, the other all loud sounds. Neither says *barked*; the sum does.

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
# future. So causality is an option.
#
# ### Exercise: `MultiHeadSelfAttention`
#
# Create the four layers **once**, in `__init__`, without bias: a layer created in `forward` would be new and random at every call.
# Name them `W_q, W_k, W_v, W_o`, since weights are loaded by name. Keep `d_model`, `num_heads` and `d_head` as
# attributes too. (*Dropout*, random zeros during training, is left out.)
#
# `forward` starts from a mask, `hidden`. The second option is in it already: in a batch, short sentences are filled up with *padding*,
# which nobody may look at. (`|` means *or*.) Add the future to it, then go on as in part 2. If you
# paste `multi_head_attention_core` and the three functions that it calls into a cell above, few lines are left to write.

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
        B, T, d_model = x.shape
        position = torch.arange(T, device=x.device)                                    # (T,)
        hidden = torch.zeros(B, 1, T, T, dtype=torch.bool, device=x.device)            # True: this key is hidden
        if key_padding_lengths is not None:
            hidden = hidden | (position >= key_padding_lengths[:, None, None, None])   # (B, 1, T, T)
        # if is_causal, hide the future too. Then everything from X to Y
        ### BEGIN SOLUTION
        bands = (B, T, self.num_heads, self.d_head)
        Q, K, V = (project(x).view(bands).transpose(1, 2) for project in (self.W_q, self.W_k, self.W_v))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)                      # (B, H, T, T)
        if is_causal:
            hidden = hidden | (position > position[:, None])                           # (B, 1, T, T)
        heads = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1) @ V       # (B, H, T, d_head)
        return self.W_o(heads.transpose(1, 2).reshape(B, T, d_model))                  # (B, T, d_model)
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_MultiHeadSelfAttention", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("MultiHeadSelfAttention", MultiHeadSelfAttention).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("MultiHeadSelfAttention", MultiHeadSelfAttention).points
### END HIDDEN TESTS

# %% [markdown]
# **How many parameters?** For question A, count them for several values of H:

# %%
Attention = yours("MultiHeadSelfAttention")
for H in (1, 3, 8):
    count = sum(parameter.numel() for parameter in Attention(48, H).parameters())      # numel: how many numbers
    print(f"H = {H}, d_head = {48 // H:2}: {count} parameters; 4 · 48² = {4 * 48**2}")

# %% [markdown]
# More heads mean narrower heads, not more parameters. The memory for the attention tables does grow with H.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ### It learns a language
#
# The matrices are random at first. **Training** shows the model 32 sentences at a time, and after each batch changes all its numbers
# a little, so that the words that came next get a higher probability. The course's `world.train` puts your layer between an
# *embedding*, a learned vector for each word, and the readout of `x + layer(x)`. A sentence of T words trains T − 1 predictions at
# once, because the layer is causal. This takes about 5 seconds, on a busy computer half a minute.

# %%
torch.manual_seed(0)
untrained = world.TinyModel(Attention, world.WHO_AND_HOW)                      # d_model = 32, H = 2
start = time.perf_counter()
learner, losses = world.train(Attention, world.WHO_AND_HOW, seed=0)
print(f"{len(losses)} batches in {time.perf_counter() - start:.1f} s")

new = world.sentences(1000, seed=1)
for name, model in (("before", untrained), ("after", learner)):
    print(f"{name:7}", {half: round(share, 2) for half, share in world.accuracy(model, new).items()})
show(plot_losses({"your layer": losses}))

# %% [markdown]
# These are the shares of 1000 new sentences in which the sound is the subject's (*who*), and in which it fits the adverb (*how*).
# The **loss** is the mean of −ln p, where p is the probability of the word that really came next, **plus 4 times** the mean of −ln p
# over the words after *and* alone, so that they are learned fast. A blind guess among 36 words costs 5 · ln 36 = 17.9. The loss cannot
# reach 0: nobody can know which animal or place comes next.
#
# And the heads? Try your own sentence.

# %%
words = learner.words("the cat slept near the dog quietly and")                # T = 8
for name, model in (("before", untrained), ("after", learner)):
    x, (W_Q, W_K, W_V, _) = model.vectors(words)[None], model.matrices()
    _, weights = attend(x @ W_Q, x @ W_K, x @ W_V, 2, causal(len(words)))      # (B, H, T, T)
    axes = plt.subplots(1, 2, figsize=(10, 4.9), layout="constrained")[1]
    for h, ax in enumerate(axes):
        plot_head(weights[0, h], words, query=len(words) - 1, ax=ax)
        ax.set_title(f"{name}, head {h}: {ax.get_title()}", fontsize=9)
    show(axes)
    logits = model(model.tokens([words]))[0, -1]                               # (36,)
    print(f"{name}:", {word: round(p, 3) for word, p in model.likeliest(logits).items()})

# %% [markdown]
# **Takeaway.** Look at the row of *and*. Before, both heads spread its weight over many words. (Some other rows are dark even then, by
# chance.) After, one asks *who* and the other *how*. Nobody told them to share the work: the loss was enough. With another seed they may
# swap jobs, or share both.
#
# ### Attention knows no order
#
# A score compares two vectors; the positions of their tokens play no part. The mask does know order, but from the last word it hides
# nothing. So what the model knows there about order must be in `x`. This one adds to each word's vector a learned **position vector**,
# one for each place in the sentence. (Part 7 rotates queries and keys instead.)

# %%
predict("answer_without_positions")

# %%
unordered, _ = world.train(Attention, replace(world.WHO_AND_HOW, has_positions=False))
for text in ("the dog slept near the cat loudly and", "the cat slept near the dog loudly and"):
    for name, model in (("with positions", learner), ("without", unordered)):
        logits = model(model.tokens([model.words(text)]))[0, -1]               # (36,)
        print(f"{text}  {name:14} ", {word: round(p, 2) for word, p in model.likeliest(logits, 2).items()})

# %% [markdown]
# **Takeaway.** Without positions the two sentences are the same set of words, and get the same answer. The mood is right, the animal a
# coin toss: in 12 seeds, of 1291 sentences with two animals, the subject's sound was chosen in 48 to 54 %, and the mood was right in all.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 3.8 Is it causal? Perturb the future (optional)
#
# You can **test** causality without looking at the code: change one token, and see which outputs move, as in question B.

# %%
layer = Attention(12, 3).double()
turned = [getattr(layer, name).weight.T for name in ("W_q", "W_k", "W_v", "W_o")]      # 4 × (in, out)
assert_close(layer(X, is_causal=True), fast(X, *turned, 3)[0])                 # layer and function agree

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
# Set the future weights to 0 *after* the softmax. The attention matrix has zeros in all the right places.

# %%
predict("leaks_of_a_late_mask")

# %%
future = yours("create_causal_mask")(6)                                        # (T, T)


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
axes = plt.subplots(1, 3, figsize=(10, 3.6), layout="constrained")[1]
for ax, (name, candidate) in zip(axes, layers.items()):
    plot_influence(influence(candidate, x), ax=ax)
    ax.set_title(f"{name}: {ax.get_title()}")
show(axes)

# %% [markdown]
# **Takeaway.** With the mask after the softmax, *every* future token leaks, although every future weight is exactly 0. The leak
# runs through the denominator, a sum over all keys. Row sums give it away:

# %%
late = trace(x, *turned, 3)["scores"].softmax(dim=-1).masked_fill(future, 0.0)         # (B, H, T, T)
print("row sums, mask after the softmax:", [round(s, 2) for s in late[0, 0].sum(dim=-1).tolist()])

# %% [markdown]
# ## 3.9 The decoder's version (optional)
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
# **It stacks.** Two causal layers in a row are still causal. And two layers can do what one cannot: in the second layer,
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
show(axes)

# %% [markdown]
# **Takeaway.** Stacking causal layers never opens a path from the future. One layer without a mask opens all of them.

# %% [markdown]
# ## 3.10 Against `nn.MultiheadAttention` (optional)
#
# To compare your class with PyTorch's, give both **the same weights**: copy PyTorch's into yours.
#
# - `in_proj_weight` (3·d_model, d_model) holds the weights for Q, K and V, stacked by **rows**, in this order.
# - `out_proj.weight` (d_model, d_model) holds the weight for the last projection.
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
# Compare them in float64. (`nn.MultiheadAttention` speaks our dialect, True = masked.)

# %%
load = yours("load_torch_weights")
theirs = nn.MultiheadAttention(12, 3, bias=False, batch_first=True).double()
mine = Attention(12, 3).double()
load(mine, theirs)

X = torch.randn(2, 5, 12, dtype=torch.float64)                                 # (B, T, d_model)
lengths = torch.tensor([5, 3])                                                 # (B,)
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
# **Your layer matches PyTorch's.**
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
# In this lesson, doubling T takes about four times the memory. A *fused* operator computes scores, softmax and mixing together,
# block by block; it never holds a whole (B, H, T, T) tensor, yet is exact.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 3.11 Annotate the shapes (optional)
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
# ## 3.12 Recall (optional)
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
# ## 3.13 From memory (optional)
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
