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
# # 0. Start here
#
# *10 minutes · one tiny function*
#
# Language models are built from one part, repeated: **multi-head causal attention**. In this course
# you write it yourself, piece by piece, until you can write it from memory.
#
# ```
#   ┌───────────────────────── part 3: the whole layer ─────────────────────────┐
#   x  →  Q, K, V  →  split  →  scores  →  mask  →  weights  →  merge  →  output
#                     │                    └─── part 1 ───┘         │
#                     └───────────────── part 2 ────────────────────┘
#
#   part 4: the same, one token at a time         part 5: what did the heads learn?
# ```
#
# You need not know these words yet. Each is explained when you build it.
#
# This page shows how a lesson works. Run its cells from the top, beginning with the set-up below:
# put the cursor in a cell and press **Shift + Enter**.

# %% tags=["setup"]
from course_utils import check, hint, progress, yours, check_shape, plot_heads, plot_mask
import torch

# %% [markdown]
# ## How an exercise works
#
# 1. You see an **empty function**. Its description gives the shape of everything that goes in and
#    comes out.
# 2. You replace the line `raise NotImplementedError(...)` with your own code, and run the cell.
# 3. You run the cell below it, which calls **`check`**. It says whether the function is right. If
#    it is not, it says *which* mistake it looks like, and shows the numbers.
# 4. If you are stuck, you ask for a **hint**. You change the code and check again, as often as you
#    like.
#
# Let us do that once, with a function of one line.

# %% [markdown]
# ## A tiny exercise
#
# A model reads *tokens*: words, or pieces of words. Attention fills a table of *weights*. Each row
# belongs to a token that looks, which we call a **query**. Each column belongs to a token that is
# looked at, a **key**. The row says how the query divides its attention among the keys, so it must
# sum to 1. When something is broken, the row sums are the first place to look.
#
# Here are a good table and a broken one, with `T_q` = 2 queries and `T_k` = 3 keys. Which one is
# broken?

# %%
good = torch.tensor([[1.0, 0.0, 0.0],
                     [0.5, 0.5, 0.0]])          # (T_q, T_k) = (2, 3)
broken = torch.tensor([[0.25, 0.0, 0.0],
                       [0.5, 0.5, 0.0]])         # (T_q, T_k) = (2, 3)

# %% [markdown]
# <details><summary>Answer</summary>
#
# The second one: its first row sums to 0.25. (Two rows, so there are two row sums.)
# </details>
#
# Write the function that computes the sums.

# %% nbgrader={"grade": false, "grade_id": "row_sums", "locked": false, "schema_version": 3, "solution": true, "task": false}
def row_sums(x):
    """The sum of each row of a table.

    x:       (T_q, T_k)   one row for each query
    returns  (T_q,)       one sum for each row
    """
    ### BEGIN SOLUTION
    return x.sum(dim=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_row_sums", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("row_sums", row_sums).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("row_sums", row_sums).points
### END HIDDEN TESTS

# %% [markdown]
# The number under the card is your points. You need not get it right the first time: nobody counts
# the tries.
#
# ## What a check looks at
#
# At the foot of a card there is one mark for each **case**, that is for each input that was tried:
# ● right, ○ wrong, – not looked at yet. The first cases are ordinary ones. They decide most of the
# points, and there are none while one of them is wrong. Then come the edges: one token, one head,
# large scores. A lesson says what it expects of an edge.
#
# The last mark of all stands for good manners. They hold for **every** exercise that is written in
# PyTorch, so the lessons do not repeat them each time:
#
# - **dtype.** What comes in as float64 or bfloat16 goes out as that.
# - **device.** A tensor that you make yourself (`torch.zeros`, `torch.arange`, ...) is made on the
#   `device` of the inputs, or on the one asked for. You need no GPU to be told that you forgot.
# - **gradients.** They flow back to the inputs, so no `.item()`, `.detach()` or `.data` on the way.
# - **inputs kept.** Nothing that came in is changed in place: `masked_fill`, not `masked_fill_`.
#
# When you hand a notebook in, the same kinds of cases are tried with other numbers.
#
# ## Make a mistake on purpose
#
# A check is useful only if you know what it looks like when it fails. Here is a wrong version. It
# runs without an error, and it returns plausible numbers.

# %%
def columns_instead(x):
    return x.sum(dim=0)          # (T_k,), where (T_q,) was wanted


result = check("row_sums", columns_instead)

# %% [markdown]
# Read the card from top to bottom. It names the mistake, then shows what came and what was wanted.
# (Not every mistake has a name. Then the card says where your numbers differ.) You can ask the
# result in code as well:

# %%
print("passed: ", result.passed)
print("mistake:", result.mistake)

# %% [markdown]
# ## Ask for a hint
#
# Run the next cell more than once. The first hint is a question, the second a fact, the third a
# function to look up. In the other lessons, make a new cell and type the exercise's name:
# `hint("softmax")`.

# %%
hint("row_sums")

# %% [markdown]
# ## `yours`: the lessons use what you wrote
#
# `yours("row_sums")` is your own function, once it passes its check. Before that it is a
# **stand-in**, a function of ours that gives the right result, and it says so. That is why you can
# run any lesson from top to bottom, in any order, finished or not. A function that passes is saved,
# so later lessons can use it too.

# %%
sums = yours("row_sums")(broken)          # (T_q,)
print("row sums of the broken table:", sums.tolist())

# %% [markdown]
# ## What else a lesson holds
#
# - **Predict.** A question before the explanation. Say your answer aloud, then open the box. A
#   wrong guess is worth as much as a right one: you will remember what surprised you.
# - **A worked example on paper.** Three tokens and numbers that you can check by hand.
# - **Break it.** A mistake made on purpose, and the picture it leaves.
# - **Recall.** Questions as an interviewer asks them, with the answer that most people give and why
#   it is wrong.
# - **From memory.** An empty cell at the end, and the same check, without hints. Come back to it
#   after a day.
#
# Where a picture has sliders, a fixed picture above it says the same thing.
#
# ## The words we use
#
# | name | meaning |
# |---|---|
# | `B` | examples in a batch |
# | `T`, or `T_q` and `T_k` | tokens, or queries and keys; queries are rows, keys are columns |
# | `H` | heads: several attentions side by side, each with a table of its own |
# | `d_model` and `d_head` | features (numbers) of a token; features in one head, `d_model / H` |
# | scores, weights, output | before the softmax, after it, and the result |
#
# A line of code that changes a shape ends with the new one: `# (B, H, T_q, T_k)`.

# %% [markdown]
# ## The map
#
# | part | you build | you will be able to say |
# |---|---|---|
# | **0 start here** | one line | how a lesson works |
# | **1 masks** | softmax, causal, padding and cached masks | who may attend to whom, and what goes wrong |
# | **2 split and concatenate** | heads, and scaled dot products | why `view` alone scrambles tokens |
# | **3 self-attention** | the whole layer, checked against PyTorch's | what every line and every shape is for |
# | **4 the KV cache** | one token at a time, and grouped heads | what is kept, what it costs, what it saves |
# | **5 visualization** | pictures of trained heads | what a head does, and what the picture does not show |
#
# One lesson takes **45 to 60 minutes**. Do them in order the first time. `progress()` says what is
# done and what comes next.

# %%
progress()

# %% [markdown]
# **Next: part 1, masks.** Open `01_masks.ipynb`.
