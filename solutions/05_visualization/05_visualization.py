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
# # 5. Visualization: what the heads learned
#
# <!-- minutes -->
#
# Attention makes pretty pictures, trained or not. In this part you look at your own layer before training, train it in
# seconds, and look again. Then you name the heads by their scores, and say what a picture does *not* show.
#
# **By the end you will have seen heads learn their jobs, measured them, and switched them off. The optional sections say what you may
# not conclude.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import standins, plot_heads, plot_mask, explore_heads, world
from course_utils.figures.show import show
from course_utils.figures.training import plot_head, plot_head_rows, plot_losses, plot_table
from course_utils.touch.training import Snapshots, recorded_run, scrub_training
from course_utils.world import REPEATS, WHO_AND_HOW, TinyModel, right_letters, seconds_per_step, train

import math
import time
from dataclasses import replace
from functools import partial

import matplotlib.pyplot as plt
import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
assert_close = partial(torch.testing.assert_close, rtol=1e-4, atol=1e-5)

# %% [markdown]
# ## 5.1 Predict

# %%
predict("three_random_heads")

# %% [markdown]
# ## 5.2 On paper: one head, three words (optional)
#
# The words are *cat near cat*, and these are the weights of a head:
#
# | query | *cat* 0 | *near* 1 | *cat* 2 |
# |---|---|---|---|
# | *cat* 0 | 1 | 0 | 0 |
# | *near* 1 | .6 | .4 | 0 |
# | *cat* 2 | .1 | .8 | .1 |
#
# **Where does it look?** Row 2 gives .8 to the word before it. It looks like a *previous-word head*.
#
# **How sharp is it?** The *entropy* of a row is the sum of −w ln w: 0 if one key gets everything, ln n if n keys get
# equal shares. Row 2: .230 + .179 + .230 = .639, which is **.58** of its maximum, ln 3 = 1.099. Row 1 has .673 / ln 2 =
# **.97**. Row 0 has one key; we set it to 0.
#
# **Does it copy?** Row 2 is *cat*. There was a *cat* at position 0, followed by *near* at position 1. A head that looks at
# **what came after the previous occurrence** gives its weight to position 1. This one gives .8. Is it an *induction
# head*?
#
# On this text you cannot tell the two apart. **One picture of one text proves little**, so we average every score over
# many texts.

# %%
def entropy_of_row(row):                               # T floats
    return sum(-w * math.log(w) for w in row if w > 0)


paper = torch.tensor([[1.0, 0.0, 0.0],
                      [0.6, 0.4, 0.0],
                      [0.1, 0.8, 0.1]])                # (T, T)
for i, row in enumerate(paper.tolist()):
    print(f"row {i}: entropy {entropy_of_row(row):.3f}, at most {math.log(i + 1):.3f}")

show(plot_head(paper, ["cat", "near", "cat"], query=2))

# %% [markdown]
# ## 5.3 Get the weights out
#
# Like the fast ones in libraries, your layer returns only its output, not its weights. But you can compute the weights from the
# input x, W_q, W_k and the mask. V and W_o play no part.
#
# ### Exercise: `get_attention_weights`

# %% nbgrader={"grade": false, "grade_id": "get_attention_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    """The weights of every head, from what the layer reads.

    x:         (B, T, d_model)
    W_q, W_k:  (d_model, d_model), used as x @ W
    mask:      None, (T, T) or (B, 1, T, T) bool, True = masked
    returns    (B, H, T, T)
    """
    B, T, d_model = x.shape
    d_head = d_model // num_heads
    Q = (x @ W_q).view(B, T, num_heads, d_head).transpose(1, 2)        # (B, H, T, d_head)
    K = (x @ W_k).view(B, T, num_heads, d_head).transpose(1, 2)        # (B, H, T, d_head)
    ### BEGIN SOLUTION
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)               # (B, H, T, T)
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)                   # (B, H, T, T)
    return scores.softmax(dim=-1)                                      # (B, H, T, T)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_get_attention_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("get_attention_weights", get_attention_weights).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("get_attention_weights", get_attention_weights).points
### END HIDDEN TESTS

# %% [markdown]
# ## Compare with the world (optional)
#
# `nn.MultiheadAttention` can return its weights. (Its `in_proj_weight` holds three transposed matrices, one below the other: 3.10.) Ask
# for `average_attn_weights=False`, or you get the *mean over the heads* (see 5.11).

# %%
x = torch.randn(2, 5, 12)                                              # (B, T, d_model)
theirs = nn.MultiheadAttention(12, 3, bias=False, batch_first=True)
W_q, W_k, _ = (W.T for W in theirs.in_proj_weight.chunk(3))            # (d_model, d_model) each
future = yours("create_causal_mask")(5)                                # (T, T)
with torch.no_grad():
    per_head = theirs(x, x, x, attn_mask=future, average_attn_weights=False)[1]
    default = theirs(x, x, x, attn_mask=future)[1]
    ours = yours("get_attention_weights")(x, W_q, W_k, 3, future)
check_shape(ours, "B H T T", B=2, H=3, T=5)
assert_close(ours, per_head)
print("one table for each head:", tuple(per_head.shape), "  by default:", tuple(default.shape))

# %% [markdown]
# ## 5.4 Before training: noise (optional)
#
# A new layer, random inputs, eight heads:

# %%
torch.manual_seed(0)
x = torch.randn(64, 16, 48)                                            # (B, T, d_model)
fresh = yours("MultiHeadSelfAttention")(48, 8)
future = yours("create_causal_mask")(16)                               # (T, T)
with torch.no_grad():
    weights = yours("get_attention_weights")(x, fresh.W_q.weight.T, fresh.W_k.weight.T, 8, future)
show(plot_heads(weights.masked_fill(future, math.nan)))

# %% [markdown]
# **Takeaway.** Dark where few keys are open, pale where many are. That is the shape of the mask, and says nothing about the text.
#
# In numbers: how much do the scores vary, and how similar are the heads?

# %%
with torch.no_grad():
    q, k = ((x @ W.weight.T)[:, :, :6] for W in (fresh.W_q, fresh.W_k))        # (B, T, d_head), head 0
    head_0 = q @ k.mT / math.sqrt(6)                                   # (B, T, T)
cells = weights[:, :, ~future].transpose(0, 1).flatten(1)              # (H, cells of all texts)
alike = torch.corrcoef(cells)                                          # (H, H)
print(f"variance of the scores:           {head_0.var():.2f}")
by_mask = (~future / torch.arange(1, 17)[:, None])[~future]            # (cells of one text,): 1 / (i + 1)
beyond = torch.corrcoef(cells - by_mask.repeat(64))                    # (H, H)
two_heads = ~torch.eye(8, dtype=torch.bool)
print(f"correlation between two heads:    {alike[two_heads].mean():.2f}")
print(f"the same without 1 / (i + 1):     {beyond[two_heads].mean():.2f}")

# %% [markdown]
# `nn.Linear` gives queries and keys a variance of 1/3, so the scores have 1/9. The softmax is then nearly even, and row i
# gives about 1/(i + 1) to each open key. That alone makes the correlation high. Subtract it, and the heads are
# uncorrelated. **First ask what chance, or the mask alone, would give.**
#
# **Break it: a scale for each picture.** Many plotting functions stretch the colours from the smallest to the largest value they get. Here are the
# last eight rows of three of these heads, on our scale, and as `plt.imshow` draws them by default.

# %%
axes = plt.subplots(2, 3, figsize=(6.4, 3.2), layout="constrained")[1]
place = (-0.5, 15.5, 15.5, 7.5)                                        # left, right, bottom, top
for h, (above, below) in enumerate(axes.T):
    table = weights[0, h, 8:]                                          # (8, T)
    above.imshow(table, cmap="Blues", vmin=0, vmax=1, extent=place)
    above.set_title(f"head {h}, from 0 to 1")
    below.imshow(table, extent=place)
    below.set_title(f"from {table.min():.2f} to {table.max():.2f}")
show(axes)

# %% [markdown]
# **Takeaway.** The lower row looks as if something had been learned. **Before you read a picture, read its scale.**

# %% [markdown]
# ## 5.5 How sharp is a head? (optional)
#
# ### Exercise: `head_entropy`
#
# The entropy of every row, divided by the logarithm of the number of keys that the row may see. Two pitfalls: w ln w must be 0 for w = 0 (in floating point
# it is NaN), and row 0 sees only one key, which gives 0/0. Row 0 is 0 by definition.

# %% nbgrader={"grade": false, "grade_id": "head_entropy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def head_entropy(weights):
    """How evenly each query spreads its weight: 0 for a single key, 1 for all keys alike.

    weights:  (B, H, T, T), causal: row i sees i + 1 keys
    returns   (B, H, T)
    """
    ### BEGIN SOLUTION
    logs = weights.masked_fill(weights == 0, 1.0).log()                # (B, H, T, T), 0 where the weight is 0
    entropy = -(weights * logs).sum(dim=-1)                            # (B, H, T)
    seen = torch.arange(1, weights.shape[-1] + 1, dtype=weights.dtype, device=weights.device)
    most = seen.log()                                                  # (T,)
    return torch.where(seen > 1, entropy / most.clamp(min=0.5), 0.0)   # (B, H, T)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_head_entropy", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("head_entropy", head_entropy).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("head_entropy", head_entropy).points
### END HIDDEN TESTS

# %%
entropy_of = yours("head_entropy")
on_paper = torch.tensor([0.0, 0.971, 0.582])                           # (T,)
assert_close(entropy_of(paper[None, None])[0, 0], on_paper, atol=0.001)
for i in range(1, 16):                                                 # the slow way, row by row
    by_hand = entropy_of_row(weights[0, 0, i].tolist()) / math.log(i + 1)
    assert abs(entropy_of(weights)[0, 0, i].item() - by_hand) < 1e-4

print("paper and loop agree:", [round(v, 3) for v in entropy_of(paper[None, None])[0, 0].tolist()])
untrained = entropy_of(weights)[:, :, 1:].mean(dim=(0, 2))             # (H,), without row 0
print("untrained heads:", [round(v, 3) for v in untrained.tolist()])

# %% [markdown]
# An untrained head has about .98 of the maximum entropy.
#
# **Break it.** Divide every row by log T, as if each row saw all T keys. Here every row is perfectly even:

# %%
predict("even_rows_by_log_t")

# %%
even = torch.ones(16, 16).tril() / torch.arange(1, 17)[:, None]        # (T, T)
as_it_is = entropy_of(even[None, None])[0, 0]                          # (T,)
broken = as_it_is * torch.arange(1, 17).log() / math.log(16)           # (T,), divided by log T instead
print("by what each row sees:", [round(v, 2) for v in as_it_is.tolist()])
print("by log T everywhere:  ", [round(v, 2) for v in broken.tolist()])

# %% [markdown]
# The broken version says that early rows are sharp. They just have fewer keys.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 5.6 Train it
#
# Now give the heads something to do: the language of animals. In *the small dog slept near the cat loudly and barked*, the
# word after *and* depends on **who** did it, the dog, and on **how**, loudly. The model is that of 3.7: word vector plus position vector,
# your layer with two heads, the readout with 36 logits. (All of it is in `course_utils/world`.)
#
# Two helpers: the weights of every layer of a model, and the same for one text.

# %%
def weights_of(model, tokens):
    """tokens (B, T); returns a list with the weights (B, H, T, T) of every layer."""
    read, future = yours("get_attention_weights"), yours("create_causal_mask")(tokens.shape[1])
    with torch.no_grad():
        return [read(x, layer.W_q.weight.T, layer.W_k.weight.T, model.num_heads, future)
                for x, layer in zip(model.stream(tokens), model.layers)]


def rows_of(model, text):
    """The same for one text, as rows for a picture: {"layer 0": (H, T, T), ...}."""
    layers = weights_of(model, model.tokens([text]))
    return {f"layer {number}": weights[0] for number, weights in enumerate(layers)}


WORDS = ["the", "small", "dog", "slept", "near", "the", "cat", "loudly", "and"]
attention = yours("MultiHeadSelfAttention")
if seconds_per_step(attention) > 0.1:
    print("Your layer is right, but its loops would make training slow, so a stand-in takes its place.")
    attention = standins.MultiHeadSelfAttention

# %% [markdown]
# Train it, and record the heads at about 40 of the steps:

# %%
looks = Snapshots(lambda model: rows_of(model, WORDS)["layer 0"], WHO_AND_HOW.steps)     # (H, T, T) each
start = time.perf_counter()
speaker, losses = train(attention, WHO_AND_HOW, seed=0, watch=looks)
examples = world.sentences(256, seed=7)
right = world.accuracy(speaker, examples)
print(f"{WHO_AND_HOW.steps} steps in {time.perf_counter() - start:.1f} s; right in new sentences: {right}")
if min(right.values()) < 0.9:
    print("This run did not succeed: you see it below, and then the lesson goes on with the model that ships "
          "with the course.")
    speaker = world.load("who and how", attention)

# %% [markdown]
# Press play, or drag the slider, and watch the row of *and*. What is learned first, who or how? Then choose the other run: is
# the work divided as cleanly?

# %%
runs = {"your layer, seed 0": (looks.weights, losses), **recorded_run()}
scrub_training(runs, WORDS, world.places(WORDS))

# %% [markdown]
# Name the heads by their scores: how much weight *and* gives to the animal that did it (*who*) and to the adverb (*how*), as a mean
# over new sentences. And how sharp is that row? Its entropy (5.5) goes from 0, all weight on one key, to 1, as even as possible.

# %%
(trained,) = weights_of(speaker, speaker.tokens(examples))             # (B, H, T, T)
at_and = torch.tensor([words.index("and") for words in examples])      # (B,)
names = world.weight_on(trained, examples)                             # (H,) each
names["entropy"] = yours("head_entropy")(trained)[torch.arange(256), :, at_and].mean(dim=0)        # each text's row of *and*: (H,)
show(plot_table({f"head {h}": {name: names[name][h] for name in names} for h in range(2)}))

# %% [markdown]
# **Takeaway.** Training divided the work. Nobody told the heads who should do what, and their order differs from seed to
# seed. So **a head is named by its scores, never by its index**. In the course's `experiments/world.py`, all 12 seeds get at least 99 %
# right, and in 10 of them one head gives *who* at least .93 of its weight and the other gives *how* at least .98.
#
# Point at a head, then at a weight, or at a word in the line below: arcs go from it to where it looks. Then type a
# sentence of your own that ends in *and*, one without an adverb for instance. (The list of scores for each head goes back to optional
# sections: 5.5, 5.7 and 5.9.)

# %%
torch.manual_seed(0)
before = TinyModel(attention, WHO_AND_HOW)     # as it was before its training
both = {"before training": before, "after training": speaker}
explore_heads({name: weights_of(model, model.tokens([WORDS])) for name, model in both.items()}, WORDS, model=both)

# %% [markdown]
# **Takeaway.** Before training the picture is patchy, not nearly even as in question 5.1. This layer reads words: each vector is the sum
# of two random ones, with a variance of about 2 instead of 1. So queries and keys have twice the variance, and scores about four times.
# Chance makes patterns, too.
#
# ### Is that what the heads are for?
#
# A picture cannot say. An experiment can, here with the model that ships with the course, so that everybody sees the same
# heads. It was trained for longer than yours, and with weight 1 instead of 4 on the word after *and*.

# %%
predict("the_how_head_is_off")

# %% [markdown]
# Switch a head off below the picture, and look at the last answer. Then type a sentence of your own that ends in *and*.

# %%
shipped = world.load("who and how", attention)
explore_heads(weights_of(shipped, shipped.tokens([WORDS])), WORDS, model=shipped)

# %% [markdown]
# One sentence proves little. Here are 1,000 of them. A head is off when its part of W_O is 0: rows in `merged @ W_O` (3.6), so columns of
# `W_o.weight`, which `nn.Linear` stores transposed.

# %%
thousand = world.sentences(1000, seed=3)
table = {"both heads on": world.accuracy(shipped, thousand)}
for head in range(2):
    silenced = world.load("who and how", attention)
    silenced.layers[0].W_o.weight[:, 16 * head:16 * (head + 1)] = 0    # (d_model, d_head)
    table[f"head {head} off"] = world.accuracy(silenced, thousand)
show(plot_table(table))

# %% [markdown]
# **Takeaway.** Without one head, the animal is right only by chance, one time in six, while the mood stays right. Without the other it
# is the reverse: one in two. **This is more than a picture: an experiment shows what each head is for.** In ten of twelve trainings the heads divide
# the work like this. In the other two it is shared less cleanly (`experiments/world.py`, and 5.11).

# %% [markdown]
# ## 5.7 Naming by score (optional)
#
# ### Exercise: `head_scores`
#
# For each head, the mean weight that a query gives to three places: the token before it, the first token, and itself. Only rows 2 and later count,
# because in row 1 the previous token *is* the first.

# %% nbgrader={"grade": false, "grade_id": "head_scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def head_scores(weights):
    """Mean weight on three places, over all texts and over rows 2, 3, ... (counted from 0).

    weights:  (B, H, T, T), T >= 3
    returns   {"previous": (H,), "first": (H,), "self": (H,)}
    """
    ### BEGIN SOLUTION
    row = torch.arange(2, weights.shape[-1], device=weights.device)    # (T - 2,)
    places = {"previous": row - 1, "first": torch.zeros_like(row), "self": row}
    return {name: weights[:, :, row, key].mean(dim=(0, 2)) for name, key in places.items()}    # (H,) each
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_head_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("head_scores", head_scores).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("head_scores", head_scores).points
### END HIDDEN TESTS

# %% [markdown]
# First a head whose scores you can work out by hand. Then a model with two layers of two heads, which ships with the course: it
# continues texts of letters in which a word is repeated, `...planetsplanetsplane`. (5.9 trains such a model.)

# %%
score = yours("head_scores")
for name, share in (("previous", 0.8), ("first", 0.1), ("self", 0.1)):
    assert_close(score(paper[None, None])[name], torch.tensor([share]))        # (H,)
copier = world.load("repeated word", attention)
many, _ = REPEATS.make_batch(256, 24, torch.Generator().manual_seed(7))                # (B, T)
show(plot_table({
    f"layer {layer}, head {head}": {name: values[head] for name, values in score(weights).items()}
    for layer, weights in enumerate(weights_of(copier, many)) for head in range(2)                 # (B, H, T, T)
}))

# %% [markdown]
# **Takeaway.** One head of layer 0 gives most of its weight to the previous letter. Layer 1 has no high score at all, although
# the model is right in all its answers: none of the three scores asks about a repeated word. **A score finds only what it
# was designed to find.**

# %% [markdown]
# ## 5.8 Why several heads? (optional)
#
# One head gives each token **one** row of weights, so one blend of values. *Who* and *how* are two questions about two
# different places, so they call for two blends. What does one head of full width do? `experiments/world.py` has trained it;
# everything else is the same:
#
# | trained | seeds | *who* right | *how* right | seeds in which both are |
# |---|---|---|---|---|
# | two heads, 800 steps | 12 | .99 or more | .99 or more | 12 |
# | one head, 800 steps | 12 | .99 or more | .49 to 1.00 | 1 |
# | one head, 2000 steps | 6 | .99 or more | .48 to 1.00 | 3 |
#
# **Takeaway.** The single head learns who, and in 11 of 12 seeds it guesses the mood. Does that prove that one head *cannot*
# serve two questions? No: in one seed it can, with .54 of its weight on the animal and .35 on the adverb, and with more steps it
# can in half of the seeds. So the honest claim is: **with several heads a layer looks at several places separately, and here it
# then learns both in every seed.** Adding heads doesn't reduce the arithmetic.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 5.9 A repeated word: induction (optional)
#
# A text repeats a word: `...planetsplanetsplane`. What comes next? You look for the last time the current letter occurred, and say what came after it. Can
# heads do that?
#
# The task *repeated word*: 24 letters, first some prefix, then a word, repeated to the end. The next letter is determined
# only from the second copy on; only those positions count. One layer with two heads, or two layers with two heads each?

# %%
predict("layers_for_a_repeated_word")

# %%
repeats, losses = train(attention, REPEATS, seed=5)
shallow, shallow_losses = train(attention, replace(REPEATS, num_layers=1), seed=5)
right = right_letters(repeats)
print(f"two layers: {right:.3f} right;   one layer: {right_letters(shallow):.3f}")
show(plot_losses({"two layers": losses, "one layer": shallow_losses}))
if right < 0.9:
    print("This run did not succeed, so the lesson goes on with the model that ships with the course.")
    repeats = copier

# %% [markdown]
# **Takeaway.** One layer does not get there: .42 to .43 right for three seeds, and .48 after five times the steps
# (`experiments/heads.py`); guessing among the other letters seen so far gives .12. A query *e* would have to find the key that
# *comes after* an *e*. But in the first layer a key knows only its own letter and position, not what came before it.

# %%
WORD = "jumboplanetsplanetsplane"
show(plot_head_rows(rows_of(repeats, WORD), WORD))

# %% [markdown]
# Read it from the bottom up, starting at the second *p*. In **layer 1**, both heads look far back: the second *p* at 12
# looks at *l* 6, which came after the first *p*. In **layer 0**, one head looks at the previous letter. The layer-0
# head writes into each token "before me came a *p*". The layer-1 query, a *p*, then finds the key that says so. The layer-1
# heads are **induction heads**; the layer-0 head is their helper.

# %%
predict("which_head_costs_most")

# %% [markdown]
# That can be tested. `experiments/heads.py` removes the helper's output, but only from the input to layer 1's keys,
# or its queries, or its values:
#
# | the helper's part is removed from layer 1's | right, seed 5 | right, 12 seeds |
# |---|---|---|
# | nothing | 1.00 | .99 to 1.00 |
# | queries | 1.00 | .99 to 1.00 |
# | values | 1.00 | .99 to 1.00 |
# | **keys** | **.39** | .22 to .82 |
#
# So the helper works through the keys (*K-composition*). In the two seeds where most answers survive, both heads of layer
# 0 look at the previous letter and share the work.
#
# **How far does it generalize?** In training, words had 4 to 8 letters. In `experiments/limits.py`, words of 3 and of 10
# letters and up to 3 other letters between the copies still give .99 or more in all 12 seeds. What if one letter occurs
# twice in the word, as the *e* in `plenesplenesplen`? Your model:

# %%
def word_with_a_letter_twice(batch_size, length, g):
    """Repeat 6-letter words whose third and fifth letters are equal (B, T); answers: the letters
    after those two (B, T)."""
    letters = torch.rand(batch_size, 26, generator=g).argsort(1)       # (B, 26), shuffled
    place = torch.tensor([0, 1, 2, 3, 2, 5]).repeat(length)[:length]   # (T,)
    tokens = letters[:, place]                                         # (B, T)
    asked = (place == 2) & (torch.arange(length) >= 6) & (torch.arange(length) < length - 1)
    return tokens, torch.where(asked, tokens.roll(-1, 1), -100)


share = right_letters(repeats, word_with_a_letter_twice)
print(f"after the letter that occurs twice, {share:.2f} right")

# %% [markdown]
# **Takeaway.** *One* letter is looked up. Where it has had two different followers, the model is right about half the
# time.

# %% [markdown]
# ### Exercise: `induction_score`
#
# For each query whose token occurred *earlier* in the text: how much weight, in total, is on the tokens that came right
# *after* those earlier occurrences? On paper, for the text `a b a a`:

# %%
text = "abaa"
for i, letter in enumerate(text):
    before = [j for j in range(i) if text[j] == letter]
    note = f"followers at {[j + 1 for j in before]}" if before else "does not count"
    print(f"row {i} ({letter}): earlier at {before}, {note}")

# %% [markdown]
# Row 3 has two earlier *a*, so two followers, and one of them is position 3, **itself**. That counts. If a head looks
# at all keys alike, row 2 gives its follower 1/3, and row 3 gives its two 2/4 together.
#
# Then take **one mean over all rows that count, of all texts together**: here half of 1/3 + 2/4, or 5/12. If no row counts, the score is 0.

# %% nbgrader={"grade": false, "grade_id": "induction_score", "locked": false, "schema_version": 3, "solution": true, "task": false}
def induction_score(weights, tokens):
    """Mean weight on what followed the earlier occurrences of a query's own token.

    weights:  (B, H, T, T), causal
    tokens:   (B, T)
    returns   (H,)
    """
    ### BEGIN SOLUTION
    same = tokens[:, :, None] == tokens[:, None, :]                    # (B, T, T)
    earlier = same.tril(diagonal=-1)                                   # (B, T, T), key j < query i
    followers = earlier.roll(1, dims=-1)                           # the last column is empty, nothing wraps
    counts = earlier.any(dim=-1)                                       # (B, T)
    mass = (weights * followers[:, None]).sum(dim=-1)                  # (B, H, T)
    return (mass * counts[:, None]).sum(dim=(0, 2)) / counts.sum().clamp(min=1)        # (H,)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_induction_score", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("induction_score", induction_score).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("induction_score", induction_score).points
### END HIDDEN TESTS

# %% [markdown]
# On two heads whose score you know, then on the trained ones, over 256 texts:

# %%
copies = yours("induction_score")
assert_close(copies(paper[None, None], torch.tensor([[0, 1, 0]])), torch.tensor([0.8]))            # (H,)
assert_close(copies(even[None, None, :4, :4], torch.tensor([[0, 1, 0, 0]])), torch.tensor([5 / 12]))
table = {}
for layer, weights in enumerate(weights_of(repeats, many)):            # (B, H, T, T)
    for head in range(2):
        table[f"layer {layer}, head {head}"] = {"previous": score(weights)["previous"][head],
                                                "induction": copies(weights, many)[head]}
blind = torch.ones(256, 1, 24, 24).tril() / torch.arange(1, 25)[:, None]               # (B, 1, T, T)
table["all keys alike"] = {"previous": score(blind)["previous"], "induction": copies(blind, many)}
show(plot_table(table))

# %% [markdown]
# **Takeaway.** Both heads of layer 1 are induction heads: the same job twice. Layer 0 shows almost no trace of induction,
# although induction would not work without it. **Before you call a score high or low, compare it with chance.**

# %% [markdown]
# ## 5.10 Your turn: name the heads (optional)
#
# The two models that ship with the course have the same heads for everybody.

# %%
show(plot_head_rows(rows_of(shipped, WORDS), WORDS))
show(plot_head_rows(rows_of(copier, WORD), WORD))

# %% [markdown]
# This cell is yours: use your scores, `weights_of`, `world.weight_on`, `head_scores` and `induction_score`, on many texts.

# %%
# examples = world.sentences(256, seed=1)
# weights_of(shipped, shipped.tokens(examples))

# %% [markdown]
# ### Exercise: `heads_by_job`
#
# A function without arguments that returns your answer. A head is a pair `(layer, head)`; both count from 0.
#
# | key | model | which head |
# |---|---|---|
# | `"who"` | who and how | looks from *and* at the animal that did it |
# | `"how"` | who and how | looks from *and* at the adverb |
# | `"helper"` | repeated word | the head of layer 0 that looks at the previous letter more than the other |
# | `"induction"` | repeated word | a **list** of all heads whose induction score is above 0.5 |

# %% nbgrader={"grade": false, "grade_id": "heads_by_job", "locked": false, "schema_version": 3, "solution": true, "task": false}
def heads_by_job():
    """Which head does what, in the two models that ship with the course.

    returns  a dict with the keys of the table above; a head is (layer, head), "induction" a list of heads
    """
    ### BEGIN SOLUTION
    return {"who": (0, 0), "how": (0, 1), "helper": (0, 1), "induction": [(1, 0), (1, 1)]}
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_heads_by_job", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("heads_by_job", heads_by_job).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("heads_by_job", heads_by_job).points
### END HIDDEN TESTS

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 5.11 What the picture does not show (optional)
#
# Three experiments, each of which rules out a conclusion.
#
# ### One: a head is not a job
#
# In 5.6 you saw the training of seed 5. It gets every sentence right, like the others, but its heads are no *who* and *how*. From
# `experiments/world.json`:
#
# | seed 5 | *who* right | *how* right |
# |---|---|---|
# | both heads on | 1.00 | 1.00 |
# | head 0 off | .64 | 1.00 |
# | head 1 off | .51 | .52 |
#
# **Takeaway.** Both heads have a part in *who*: switch off either one, and some animals stay right while others do not. Head 1
# alone says *how*. Seed 3 is different again: with either head off, every mood is still right. **You cannot conclude "a head has one
# job" or "two jobs need a head each".**

# %% [markdown]
# ### Two: the heads' mean is not a head
#
# By default `nn.MultiheadAttention` returns the mean over its heads, and many plots show it.

# %%
heads = rows_of(speaker, WORDS)["layer 0"]                             # (H, T, T)
show(plot_head(heads.mean(dim=0), WORDS, query=8))

# %% [markdown]
# **Takeaway.** No head has this picture. The row of *and* seems to look at two words with half of the weight each. **Never average
# heads before you have looked at each.**

# %% [markdown]
# ### Three: weight is not effect

# %%
predict("ninety_percent_on_the_first")

# %% [markdown]
# Switch a head off without touching any attention weights: set the columns of W_o that read this head to zero. Its
# picture stays the same, and it adds nothing to the residual stream. How much worse does the repeated-word model get?
#
# But the layers above were never trained with this head silent. So repeat it, with the head always adding its *mean*.

# %%
def without(model, layer, head, keep_mean):
    """The share of right answers while a head adds nothing, or its mean; and the length of what it adds."""
    module = model.layers[layer]
    W = module.W_o.weight                                              # (d_model, d_model), columns by head
    kept, width = W.detach().clone(), W.shape[1] // model.num_heads
    texts, _ = REPEATS.make_batch(256, 24, torch.Generator().manual_seed(7))           # (B, T)
    with torch.no_grad():
        h = model.stream(texts)[layer]                                 # (B, T, d_model)
        whole = module(h, is_causal=True)
        W[:, head * width:(head + 1) * width] = 0
        adds = whole - module(h, is_causal=True)                       # (B, T, d_model), this head's share
        mean = adds.mean(dim=(0, 1)) * keep_mean                       # (d_model,)
        # a hook: its return value replaces the layer's output
        hook = module.register_forward_hook(lambda *arguments: arguments[-1] + mean)
        share = right_letters(model)
        hook.remove()
        W.copy_(kept)
    return share, adds.norm(dim=-1).mean().item()


off = {}
for layer in range(2):
    for head in range(2):
        zero, length = without(repeats, layer, head, keep_mean=False)
        mean, _ = without(repeats, layer, head, keep_mean=True)
        off[f"layer {layer}, head {head}"] = {"adds nothing": zero, "adds its mean": mean}
        print(f"layer {layer}, head {head}: what it adds has length {length:4.1f}")
show(plot_table(off))

# %% [markdown]
# On one text: switch heads off, one at a time and both of a layer. Answers that change are outlined; only those from the
# second *p*, at 12, to the second-to-last letter are scored.

# %%
explore_heads(weights_of(copier, copier.tokens([WORD])), WORD, model=copier)

# %% [markdown]
# In this text, 2 of the 11 answers are right without the helper, 11 without one of the induction heads, and none without
# both. That is one text of one model. In 12 seeds (`experiments/limits.py`):
#
# | head | length of what it adds | right if it adds nothing | right if it adds its mean |
# |---|---|---|---|
# | helper | 6.2 to 8.2 | .22 to .80 | .22 to .81 |
# | the other one of layer 0 | 4.0 to 5.8 | .86 to .98 | .85 to .99 |
# | one of the induction heads | 13.8 to 18.0 | .77 to .98 | .77 to .98 |
# | both induction heads | | .04 to .05 | .04 to .06 |
#
# **Takeaway.** Neither a head's score nor the length of what it adds says what is lost without it. An *induction head*
# has a score near 1 and adds the longest vectors, yet most answers survive without it, because the other one does much
# of the same. The *helper* has almost no induction score, and costs the most in each of the 12 seeds. **The weights say
# where a head looks. Only an experiment says what that is good for.**
#
# Back to the question above: these heads attend with full weight, and do nothing at all.

# %%
silent = world.load("who and how", attention)
silent.layers[0].W_o.weight.zero_()                                    # no head adds anything any more
pictures = [rows_of(model, WORDS)["layer 0"] for model in (shipped, silent)]           # (H, T, T) each
assert torch.equal(*pictures)
print("the same picture; right:", {name: round(share, 2) for name, share in world.accuracy(silent, thousand).items()})

# %% [markdown]
# What is still right is luck: one animal of six, one mood of two.
#
# ### In your own words
#
# This answer is read by a person, and is worth up to **2 points**. About 150 words in the next cell.
#
# 1. Choose two heads of the shipped models. What do they do? Give the numbers that say so, and say on which texts you
#    measured them.
# 2. What may **not** be concluded from the pictures and scores? Name two things, and for one of them an experiment that would
#    tell you more.

# %% [markdown] nbgrader={"grade": true, "grade_id": "what_may_one_conclude", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# *A good answer, for the grader. One point for 1, if each claim stands on a number and is
# limited to what was measured; one point for 2, if two limits are named and one has an experiment.*
#
# In the model *who and how*, head 0 looks from *and* at the animal that did it: its mean weight there is 1.00
# over 1,000 random sentences. In the repeated-word model, layer 1, head
# 0 is an induction head: it gives .98 of its weight to the letters that followed earlier
# occurrences, over 256 texts with one repeated word.
#
# Not to be concluded: (a) that these heads do the same on other texts, such as sentences with two adverbs,
# or texts in which three words repeat. One would measure the same scores there. (b) That the answer
# depends on a head. The weights say where it looks, not what arrives: value and W_o decide that.
# Setting the head's columns of W_o to zero and measuring the accuracy shows more. With one
# induction head off, the accuracy stays high because the other does the same job, so even that
# experiment must be read with care. (c) That one head has one job, or that other models, or other
# seeds, have such heads.

# %% [markdown]
# ## 5.12 Recall (optional)
#
# Answer aloud, in two sentences, before you choose or open the box.

# %%
predict("why_several_heads")

# %%
predict("weight_of_nine_tenths")

# %%
predict("what_induction_needs")

# %%
predict("entropy_divided_by_what")

# %% [markdown]
# **5. Someone shows you twelve colourful heads of a model and says "look what it learned". What do you ask?**
#
# <details><summary>Answer</summary>
#
# Is it trained, and how does the same picture look untrained? Do all heads share one scale? How many texts? Are heads or
# layers averaged? Can you tell masked cells from zeros? And which experiment backs the story?
#
# *Common wrong answer:* finding a story for each picture. There always is one.
# </details>

# %% [markdown]
# ## 5.13 From memory (optional)
#
# `induction_score` once more, without scrolling up and without hints.

# %% nbgrader={"grade": false, "grade_id": "induction_score_from_memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
def induction_score_from_memory(weights, tokens):
    """Mean weight on the followers of earlier occurrences, (H,); zeros if no token occurred before."""
    ### BEGIN SOLUTION
    stood_before = tokens.roll(1, dims=1)                                  # (B, T), for each key but key 0
    follows = (tokens[:, :, None] == stood_before[:, None, :]).tril()          # (B, T, T)
    follows[:, :, 0] = False
    rows = follows.any(dim=-1).sum()                                           # rows that count
    return torch.einsum("bhqk,bqk->h", weights, follows.to(weights.dtype)) / rows.clamp(min=1)
    ### END SOLUTION

# %%
check("induction_score", induction_score_from_memory)

# %% [markdown]
# If that went well: `get_attention_weights`, in a new cell.
#
# ## Next
#
# If you wrote something from memory, do it again in a day, and in a week. **Part 6** lets your layer write text. Open
# `06_in_the_wild.ipynb`.

# %%
progress()
