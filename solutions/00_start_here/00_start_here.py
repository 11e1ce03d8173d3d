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
# <!-- minutes -->
#
# GPT, Llama and other large language models are stacks of similar layers. In each layer, one part lets words take information
# from earlier words: **multi-head causal attention**. In this course you write it yourself, piece by piece, until you can write
# it from memory. You start now, with one *head*:
#
# ![A query and three keys as arrows. Scores 1, 1 and 2 give the weights 0.21, 0.21 and 0.58, and the mixed value 5, 5.](attachment:query.png)
#
# Run the cells of this page from the top: click into a cell and press **Shift + Enter**.

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import plot_heads, plot_mask
from course_utils.figures.show import show
from course_utils.figures.weights import plot_weights
from course_utils.touch.query import drag_query
import torch

torch.set_printoptions(precision=2, sci_mode=False)

# %% [markdown]
# ## Your first head
#
# We use one sentence throughout the course: *the cat sat and purred*. A model stores each word as a row of numbers, a vector. Each
# number is a **feature**; here are four that you can read. (A real model learns hundreds, and almost none has a name.) `x` is a
# **tensor**, PyTorch's word for an array of numbers. Its **shape** is (5, 4): five rows, four columns.

# %%
words = ["the", "cat", "sat", "and", "purred"]
#                  living fluffy action sound
x = torch.tensor([[0.,    0.,    0.,    0.],       # the
                  [1.,    1.,    0.,    0.],       # cat
                  [0.,    0.,    1.,    0.],       # sat
                  [0.,    0.,    0.,    0.],       # and
                  [0.,    0.,    1.,    1.]])      # purred
# (T, d_model) = (5, 4): T words, with d_model features each

# %% [markdown]
# Who purred? The row of *purred* does not say: an action with a sound, but no actor. **In attention each word collects features
# from other words.** Four small steps:
#
# ### Step 1: scores
#
# Each word says what it looks for with a **query**, a vector with the same four features. Queries are compared with each
# word's **key**: here, simply its row of `x`. (We made up the queries. A real model learns matrices that make queries and keys.)

# %%
queries = torch.tensor([[0., 0., 0., 0.],     # the
                        [0., 0., 3., 0.],     # cat looks for an action
                        [3., 0., 0., 0.],     # sat looks for something living
                        [0., 0., 0., 0.],     # and
                        [3., 0., 0., 0.]])    # purred looks for something living

# %% [markdown]
# The **score** of two words is the *dot product* of a query and a key: multiply their numbers one by one, and add up the products.
# The matrix product `a @ b` computes many at once: its entry (i, j) is the dot product of row i of `a` and column j of `b`. And
# `x.T` is `x` with rows and columns swapped.
#
# Now write it: replace the `raise` line, run the cell, then run the `check` below it. If the function is wrong, the check names
# the mistake, or says where your numbers differ. Attempts are unlimited and not counted. Stuck? Run `hint("attention_scores")`.

# %% nbgrader={"grade": false, "grade_id": "attention_scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_scores(queries, keys):
    """The dot product of every query with every key.

    queries: (T_q, d_model)   one row for each word that looks
    keys:    (T_k, d_model)   one row for each word that is looked at
    returns  (T_q, T_k)       row i: query i against all keys
    """
    ### BEGIN SOLUTION
    return queries @ keys.T                # (T_q, d_model) @ (d_model, T_k) = (T_q, T_k)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_attention_scores", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("attention_scores", attention_scores).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("attention_scores", attention_scores).points
### END HIDDEN TESTS

# %% [markdown]
# ### Step 2: weights
#
# The scores become **weights**: one row for each query, one column for each key. A row says how its query divides attention among
# the keys, so it must sum to 1. The **softmax** does that: *e* to the power of each score, divided by their row sum. Here `torch.softmax(table, dim=...)` does the
# work. Which axis? `dim=0` runs down the columns, `dim=1` along
# the rows.

# %% nbgrader={"grade": false, "grade_id": "attention_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_weights(scores):
    """The softmax of each row.

    scores:  (T_q, T_k)
    returns  (T_q, T_k)       each row sums to 1
    """
    ### BEGIN SOLUTION
    return torch.softmax(scores, dim=1)    # (T_q, T_k)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_attention_weights", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("attention_weights", attention_weights).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("attention_weights", attention_weights).points
### END HIDDEN TESTS

# %% [markdown]
# ### Step 3: the mixture
#
# A word passes on its **value**, here its row of `x` again. The weights mix the values.

# %% nbgrader={"grade": false, "grade_id": "attention_output", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_output(weights, values):
    """For each query, the values mixed by its row of weights.

    weights: (T_q, T_k)
    values:  (T_k, d_model)   what each word has to give
    returns  (T_q, d_model)
    """
    ### BEGIN SOLUTION
    return weights @ values                # (T_q, T_k) @ (T_k, d_model) = (T_q, d_model)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_attention_output", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("attention_output", attention_output).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("attention_output", attention_output).points
### END HIDDEN TESTS

# %% [markdown]
# All three together. `yours(...)` is your own function once it passes its check, and until then our **stand-in**.

# %%
scores = yours("attention_scores")(queries, x)                 # (T, T)
weights = yours("attention_weights")(scores)                   # (T, T)
print(yours("attention_output")(weights, x))                   # (T, d_model)

# %% [markdown]
# Look at the last row, *purred*: 0.83 under *fluffy*, the second column. It has collected the features of *cat*. Nobody wrote a
# rule about cats: the query asked for something living, and *fluffy* came with it.
#
# But a language model guesses each next word from the words so far. It must not look at words that come later: its attention is
# **causal**.
#
# ### Step 4: hide the future
#
# The **mask** is a table that says what to hide: True means hidden. Word `j` is later than word `i` when `j > i`. To compare all
# pairs: `torch.arange(5)` is the row 0, 1, 2, 3, 4; `torch.arange(5)[:, None]` is that as a column; comparing a row with a
# column gives a table.

# %% nbgrader={"grade": false, "grade_id": "causal_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_mask(T):
    """True where the key lies in the future of the query.

    T:       the number of words
    returns  (T, T) of True and False; row i is the query, column j the key
    """
    ### BEGIN SOLUTION
    return torch.arange(T) > torch.arange(T)[:, None]      # (T,) > (T, 1) = (T, T)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_causal_mask", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("causal_mask", causal_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("causal_mask", causal_mask).points
### END HIDDEN TESTS

# %% [markdown]
# The scores of hidden words become −∞ before the softmax. As *e* to the power of −∞ is 0, the softmax divides all weight among
# the words that are left. Your weights, as a picture:

# %%
later = yours("causal_mask")(5)                                # (T, T)
hidden = scores.masked_fill(later, -torch.inf)                 # (T, T): -inf where the mask is True
causal = yours("attention_weights")(hidden)                    # (T, T)
ax = plot_weights(causal, mask=later)
ax.set(xticks=range(5), yticks=range(5), xticklabels=words, yticklabels=words)
ax.set(xlabel="collects from", ylabel="the word that collects")
show(ax, (
    "The 5 by 5 table of weights, with words at its rows and columns. All cells right of the diagonal "
    "are grey. The rows sat and purred have one dark cell, in the column cat: 0.91 and 0.83. Each row "
    "sums to 1."
))

# %% [markdown]
# **Takeaway.** You have written one *head* of causal attention: scores, mask, softmax, and a weighted sum. (*the* and *and* look for
# nothing: all their scores are 0, so they get the mean of the words they see.)
#
# **Drag the query** in the opening picture. Turn it away from a key, and that key's score shrinks. Make it longer, and the
# largest weight grows. Then click a score to mask it: the other keys share its weight.

# %%
drag_query()

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## Two questions about rows
#
# Run each cell, choose or type an answer, and say how sure you are. The card tells you what is wrong with *your* answer. None of
# this is graded; a wrong guess helps you remember.
#
# First, without the mask:

# %%
predict("who_looks_ahead")

# %% [markdown]
# Why hide *before* the softmax? Without the mask, the weights of *cat* are about 0.02, 0.02, 0.47, 0.02, 0.47. Suppose we just set
# the weights of later words to 0.

# %%
predict("what_is_left_of_cat")

# %%
too_late = weights * ~later                                    # (T, T): hidden after the softmax
print("sums of rows, hidden after the softmax and before it")
for word, *rows in zip(words, too_late.tolist(), causal.tolist()):
    after, before = map(sum, rows)
    print(f"{word:8} after {after:.2f}   before {before:.2f}")

# %% [markdown]
# A layer adds what a word has collected to the word's own vector, and the next layer collects from the result. Part 1 builds the
# mask and the softmax, part 2 several heads side by side, part 3 the learned matrices that make queries, keys and values. Part 4
# does it one word at a time, and part 5 looks at what heads learn.

# %% [markdown]
# ## The simplest weights: a mean (long way)
#
# The simplest way to collect: each word takes the mean of its own vector and all earlier ones.

# %%
predict("fluffy_in_the_mean")

# %%
def mean_so_far(x):
    rows = []
    for i in range(len(x)):                        # for each word ...
        total = torch.zeros(4)
        for j in range(i + 1):                     # ... itself and the words before it
            total = total + x[j]
        rows.append(total / (i + 1))
    return torch.stack(rows)                       # (T, d_model)


print(mean_so_far(x))

# %% [markdown]
# A mean is a weighted sum with equal weights. Put them into a table, and the two loops become one matrix product:

# %%
equal = torch.tensor([[1,   0,   0,   0,   0  ],
                      [1/2, 1/2, 0,   0,   0  ],
                      [1/3, 1/3, 1/3, 0,   0  ],
                      [1/4, 1/4, 1/4, 1/4, 0  ],
                      [1/5, 1/5, 1/5, 1/5, 1/5]])  # (T, T)
print(equal @ x)                # (T, T) @ (T, d_model) = (T, d_model)
torch.testing.assert_close(equal @ x, mean_so_far(x))      # raises if they differ by more than rounding

# %% [markdown]
# Here *purred* takes as much from *and* as from *cat*. Your weights above depend on the words.

# %% [markdown]
# ## Tensors, and their NumPy names (long way)
#
# The lessons use few operations. Skim this table, and come back when you need it.
#
# | PyTorch | does | NumPy |
# |---|---|---|
# | `torch.arange(4)`, `torch.zeros(2, 3)` | 0, 1, 2, 3; zeros in 2 rows and 3 columns | `np.arange(4)`, `np.zeros((2, 3))` |
# | `x.shape`, `x[0]`, `x[:, 0]` | the sizes of the axes; the first row; the first column | the same |
# | `a * b`, `a > b`, `~m` | entry by entry; `~` swaps True and False | the same |
# | `a @ b`, `x.T` | matrix product; rows and columns swapped | the same |
# | `x.mean(dim=0)` | the mean along axis 0: one number per column | `x.mean(axis=0)` |
# | `x.mean(dim=0, keepdim=True)` | the same, keeping axis 0 with size 1 | `keepdims=True` |
# | `x.masked_fill(m, 0.0)` | a new tensor: 0 where `m` is True, else `x` | `np.where(m, 0.0, x)` |
# | `x.view(2, 6)`, `x.reshape(2, 6)` | the same numbers in the same order, another shape; `view` never copies, and may refuse | `x.reshape(2, 6)` |
# | `x.transpose(1, 2)`, `x.mT` | these two axes swapped; the last two | `x.swapaxes(1, 2)` |
# | `torch.cat([a, b], dim=1)` | joined along axis 1 | `np.concatenate`, `axis=1` |
# | `x.double()`, `x.half()` | as float64, as float16 | `x.astype(...)` |
#
# Axes are also counted from the end: `dim=-1` is the last one. A name that ends in `_`, such as `masked_fill_`, changes the tensor
# itself instead of making a new one.

# %% [markdown]
# ## What a check looks at (long way)
#
# A card ends with one mark per **case**, or test input: ● right, ○ wrong, – not tried yet. Ordinary cases come first,
# then edge cases: one token, one head, large scores. (*Tokens* are what a model reads: words, or pieces of words.)
#
# The last mark stands for four rules, unless an exercise says otherwise:
#
# - **dtype**, the format of a tensor's numbers. What comes in as float64 goes out as float64.
# - **device**, where a tensor is stored: CPU or GPU. Tensors you create (`torch.zeros`, `torch.arange`, ...) belong on the
#   inputs' `device`, or the one requested. The check catches mistakes without a GPU.
# - **gradients.** Training needs derivatives, and PyTorch records each operation to compute them. `.item()`, `.detach()` and
#   `.data` break this.
# - **inputs unchanged.** Never modify an input in place: use `masked_fill`, not `masked_fill_`.
#
# A submission is tested on the same kinds of cases, with different numbers.
#
# ## Make a mistake on purpose (long way)
#
# When something is broken, look at the row sums first. Here are a good table and a broken one, with `T_q` = 2 queries and
# `T_k` = 3 keys.

# %%
good = torch.tensor([[1.0, 0.0, 0.0],
                     [0.5, 0.5, 0.0]])          # (T_q, T_k) = (2, 3)
broken = torch.tensor([[0.25, 0.0, 0.0],
                       [0.5, 0.5, 0.0]])         # (T_q, T_k) = (2, 3)

# %%
predict("broken_row")

# %% [markdown]
# Here is a wrong version. It runs without an error, and returns plausible numbers.

# %%
def down_the_columns(scores):
    return torch.softmax(scores, dim=0)          # (T_q, T_k): the columns sum to 1, the rows do not


result = check("attention_weights", down_the_columns)

# %% [markdown]
# The card names the mistake, then shows actual and expected values. If it does not recognise the mistake, it says where your
# numbers differ. You can use the result in code:

# %%
print("passed: ", result.passed)
print("mistake:", result.mistake)

# %% [markdown]
# Run the next cell more than once. First comes a question, then a fact, then a function to look up, and finally the
# line itself.

# %%
hint("attention_weights")

# %% [markdown]
# Every lesson runs from top to bottom, finished or not, because `yours` falls back on stand-ins. A function that passes
# is saved for later lessons.

# %% [markdown]
# ## How to use a lesson
#
# Each lesson has a **short way**: the essential sections, listed at its top. Sections marked *(long way)* can wait: nothing on the
# short way needs them. After a break, run the cells above first. You will meet:
#
# - **Predict.** A question before the explanation. It comes back after 1, 3, 7, 21 and 60 days: `due(10)` asks ten
#   minutes' worth.
# - **Break it.** A deliberate mistake, and a picture of its effect.
# - **Recall.** Interview questions, with the common wrong answer and why it is wrong.
# - **From memory.** An empty cell at the end, and the same check without hints. Come back to it after a day.
#
# | name | meaning |
# |---|---|
# | `B` | the batch: how many texts are processed together |
# | `T`, or `T_q` and `T_k` | tokens, or queries and keys; queries are rows, keys are columns |
# | `H` | heads, which attend in parallel, each with its own table |
# | `d_model` and `d_head` | features of a token; features in one head, `d_model / H` |
# | scores, weights, output | before the softmax, after it, and the result |
#
# A line of code that changes a shape ends with the new one: `# (B, H, T_q, T_k)`. Do the lessons in order the first time;
# `progress()` says what is done and what comes next.

# %%
progress()

# %% [markdown]
# **Next: part 1, masks.** Open `01_masks.ipynb`, in the folder `01_masks` beside this one. (In Colab, upload that file as you did
# this one.)
