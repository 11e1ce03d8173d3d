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
# A language model such as GPT or Llama, a *transformer*, is a stack of layers that are all built alike. One
# part of each layer lets words take something from earlier words: **multi-head causal attention**. (The
# others, a network called MLP and normalisations, work on each word alone.) In this course you write
# attention yourself, piece by piece, until you can write it from memory.
#
# ![A query and three keys as arrows. Scores 1, 1 and 2 give the weights 0.21, 0.21 and 0.58, and the mixed value 5, 5.](attachment:query.png)
#
# Its heart in one picture: a word's *query* is compared with the *key* of each word. Keys that point the
# same way get a high *score*, scores become *weights* that sum to 1, and the weights mix what the words
# have to give. Below the set-up, this picture moves.
#
# This page shows what attention is for, and how a lesson works. Run its cells from the top, beginning
# with the set-up below: put the cursor in a cell and press **Shift + Enter**.

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, plot_heads, plot_mask
from course_utils.figures.show import show
from course_utils.figures.weights import plot_weights
from course_utils.touch.query import drag_query
import torch

# %% [markdown]
# **Drag the query.** Turn it away from a key: that key's score shrinks. Make it longer: the largest weight
# grows. Can you give *cat* more than 0.9? (You may drag keys, too.) Then click a score, to mask it: the other
# keys share its weight. Mask all three, and see what becomes of 0 divided by 0.

# %%
drag_query()

# %% [markdown]
# ## What attention is for
#
# One sentence stays with us through the course: *the cat sat and purred*. A model keeps each word as a
# vector, a row of numbers. These numbers are the word's **features**. In a real model there are
# hundreds or thousands, learned, and hardly one of them has a name. Here are four that can be read. The
# table `x` is a **tensor**, as PyTorch calls its arrays of numbers. Its **shape** says how many rows and
# columns it has, (5, 4), and `x[1]` is the row of *cat*, as rows are counted from 0.

# %%
words = ["the", "cat", "sat", "and", "purred"]
#                  living fluffy action sound
x = torch.tensor([[0.,    0.,    0.,    0.],       # the
                  [1.,    1.,    0.,    0.],       # cat
                  [0.,    0.,    1.,    0.],       # sat
                  [0.,    0.,    0.,    0.],       # and
                  [0.,    0.,    1.,    1.]])      # purred
# x: (T, d_model) = (5, 4), five tokens with four features each


def print_rows(rows):                              # (T, d_model)
    print(" " * 8, "living fluffy action  sound")
    for word, row in zip(words, rows.tolist()):
        print(f"{word:8}", *(f"{number:6.2f}" for number in row))


print_rows(x)

# %% [markdown]
# Who purred? The vector of *purred* does not say: it is an action with a sound, by nobody. It has to
# collect that from another word. **In attention each word collects features from other words.** We
# build it in four small steps.
#
# ### Step 1: the mean of what came before
#
# The simplest way to collect: each word takes the mean of its own vector and of all vectors before it.
#
# A question first, as everywhere in this course. Run the cell below it, choose or type an answer, and
# say how sure you are. The card tells you what is wrong about *your* answer. None of this is graded:
# you will remember what surprised you. (Without buttons, type it: `predict("fluffy_in_the_mean", 7)`.)

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


print_rows(mean_so_far(x))

# %% [markdown]
# ### Step 2: the same as one matrix product
#
# A mean is a weighted sum with equal weights. Write the weights into a table: one row for each word
# that collects, one column for each word that it collects from. Then the two loops are one product of
# matrices, written `@`: entry (i, j) of `a @ b` is the *dot product* of row i of `a` and column j of `b`,
# that is, their numbers are multiplied one by one and the products added up.

# %%
equal = torch.tensor([[1,   0,   0,   0,   0  ],
                      [1/2, 1/2, 0,   0,   0  ],
                      [1/3, 1/3, 1/3, 0,   0  ],
                      [1/4, 1/4, 1/4, 1/4, 0  ],
                      [1/5, 1/5, 1/5, 1/5, 1/5]])  # (T, T)
print_rows(equal @ x)           # (T, T) @ (T, d_model) = (T, d_model)
torch.testing.assert_close(equal @ x, mean_so_far(x))      # raises if they differ by more than rounding

# %% [markdown]
# ### How an exercise works
#
# From here on the head is yours to write: five functions of one line each.
#
# 1. You see an **empty function**. Its description gives the shape of everything that goes in and comes out.
# 2. Replace the line `raise NotImplementedError(...)` with your own code, and run the cell.
# 3. Run the cell below it, which calls **`check`**. It says whether the function is right. If it is not, it
#    says *which* mistake it looks like, and shows the numbers.
# 4. Stuck? Ask for a **hint**, `hint("attention_scores")`, in a new cell. Change the code and check again, as
#    often as you like: nobody counts the tries.
#
# ### Step 3: weights that depend on the words
#
# In a mean, *purred* takes as much from *and* as from *cat*. So let each word say what it looks for: a vector
# called **query**, here in the same four features. *sat* and *purred* look for something living, *cat* looks
# for an action, *the* and *and* look for nothing. A word that is looked at has a vector as well, its **key**.
# Here that is its row of `x`.

# %%
queries = torch.tensor([[0., 0., 0., 0.],     # the
                        [0., 0., 3., 0.],     # cat: an action
                        [3., 0., 0., 0.],     # sat: something living
                        [0., 0., 0., 0.],     # and
                        [3., 0., 0., 0.]])    # purred: something living

# %% [markdown]
# The **score** of two words is the dot product of one word's query and the other word's key.
# (`x.T` is `x` with rows and columns exchanged.)

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
# The scores become **weights**. A row of the table of weights belongs to a word that looks, the query, and a
# column to a word that is looked at, the key. The row says how the query divides its attention among the
# keys, so it must sum to 1. When something is broken, the row sums are the first place to look. Here are a
# good table and a broken one, with `T_q` = 2 queries and `T_k` = 3 keys.

# %%
good = torch.tensor([[1.0, 0.0, 0.0],
                     [0.5, 0.5, 0.0]])          # (T_q, T_k) = (2, 3)
broken = torch.tensor([[0.25, 0.0, 0.0],
                       [0.5, 0.5, 0.0]])         # (T_q, T_k) = (2, 3)

# %%
predict("broken_row")

# %% [markdown]
# The **softmax** turns a row of scores into such weights: *e* to the power of each score, divided by the sum
# of the row. Part 1 builds it; here `torch.softmax(table, dim=...)` does the work. Which axis?

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
# What a word gives is its **value**, here its row of `x` again. The weights mix the values.

# %% nbgrader={"grade": false, "grade_id": "attention_output", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_output(weights, values):
    """For each query the mixture of the values by its row of weights.

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
# The three together. `yours` is your own function, once it passes its check; before that it is a stand-in of
# ours, so that you can read on.

# %%
scores = yours("attention_scores")(queries, x)                 # (T, T)
weights = yours("attention_weights")(scores)                   # (T, T)
print_rows(yours("attention_output")(weights, x))              # (T, d_model)

# %% [markdown]
# Look at the row of *purred*: 0.83 under *fluffy*. It has collected the features of *cat*. Nobody wrote a
# rule about cats: the query asked for something living, and *fluffy* came with it. (*the* and *and* look
# for nothing: their scores are all 0, so their weights are equal, and they get a mean.)
#
# But a language model has to guess each next word from the words so far. It must not look at words
# that come later.

# %%
predict("who_looks_ahead")

# %% [markdown]
# ### Step 4: hide the future, before the softmax
#
# The weights of *cat* are about 0.02, 0.02, 0.47, 0.02, 0.47. Suppose that we simply set the weights
# of later words to 0.

# %%
predict("what_is_left_of_cat")

# %% [markdown]
# So we hide the later words *before* the softmax: their scores become −∞, *e* to the power of −∞ is
# 0, and the softmax shares the whole row among the words that are left. The table that says what to
# hide is called the **mask**.

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

# %% nbgrader={"grade": false, "grade_id": "masked_scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_scores(scores, mask):
    """The scores, and minus infinity where the mask is True.

    scores:  (T_q, T_k)
    mask:    (T_q, T_k)       True means hidden
    returns  (T_q, T_k)       a new table; scores itself stays as it is
    """
    ### BEGIN SOLUTION
    return scores.masked_fill(mask, -torch.inf)            # (T_q, T_k)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_masked_scores", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("masked_scores", masked_scores).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("masked_scores", masked_scores).points
### END HIDDEN TESTS

# %%
later = yours("causal_mask")(5)                                # (T, T)
too_late = weights * ~later                                    # (T, T): hidden after the softmax
weights = yours("attention_weights")(yours("masked_scores")(scores, later))

print("sums of rows, hidden after the softmax and before it")
for word, *rows in zip(words, too_late.tolist(), weights.tolist()):
    after, before = map(sum, rows)
    print(f"{word:8} after {after:.2f}   before {before:.2f}")

# %% [markdown]
# Your weights, as a picture:

# %%
ax = plot_weights(weights, mask=later)
ax.set(xticks=range(5), yticks=range(5), xticklabels=words, yticklabels=words)
ax.set(xlabel="collects from", ylabel="the word that collects")
show(ax, (
    "The 5 by 5 table of weights, with words at its rows and columns. All cells right of the diagonal "
    "are grey. The rows sat and purred have one dark cell, in the column cat: 0.91 and 0.83. Each row "
    "sums to 1."
))

# %% [markdown]
# **Takeaway.** You have written one *head* of causal attention: scores, mask, softmax, and a weighted sum.
# (From here on we say *tokens* for what a model reads: words, or pieces of words.) A layer
# adds what a word has collected to the word's own vector (this running sum is called the
# *residual stream*), and the next layer collects from the result.
#
# What is left for the parts to come: part 1 builds the mask and the softmax, part 2 several heads side
# by side and the scale of the scores, part 3 the learned matrices that make the queries. Part 4 does all of
# it one word at a time, and part 5 looks at what heads have learned.

# %% [markdown]
# ## Tensors, and what NumPy calls the same
#
# The lessons use few operations. Skim this table now, and come back when one of them is new to you.
#
# | PyTorch | does | NumPy |
# |---|---|---|
# | `torch.arange(4)`, `torch.zeros(2, 3)` | 0, 1, 2, 3; zeros in 2 rows and 3 columns | `np.arange(4)`, `np.zeros((2, 3))` |
# | `x.shape`, `x[0]`, `x[:, 0]` | the sizes of the axes; the first row; the first column | the same |
# | `a * b`, `a > b`, `~m` | entry by entry; `~` turns True and False round | the same |
# | `a @ b`, `x.T` | the product of matrices; rows and columns exchanged | the same |
# | `x.mean(dim=0)` | the mean along axis 0: one number for each column | `x.mean(axis=0)` |
# | `x.mean(dim=0, keepdim=True)` | the same, and axis 0 stays, with size 1 | `keepdims=True` |
# | `x.masked_fill(m, 0.0)` | a new tensor: 0 where `m` is True, else what `x` has | `np.where(m, 0.0, x)` |
# | `x.view(2, 6)`, `x.reshape(2, 6)` | the same numbers in the same order, another shape | `x.reshape(2, 6)` |
# | `x.transpose(1, 2)`, `x.mT` | these two axes exchanged; the last two | `x.swapaxes(1, 2)` |
# | `torch.cat([a, b], dim=1)` | joined along axis 1 | `np.concatenate`, `axis=1` |
# | `x.double()`, `x.half()` | as float64, as float16 | `x.astype(...)` |
#
# Axes are also counted from the end: `dim=-1` is the last one. A name that ends in `_`, such as
# `masked_fill_`, changes the tensor itself, and no new one is made.

# %% [markdown]
# ## What a check looks at
#
# At the foot of a card there is one mark for each **case**, that is for each input that was tried:
# ● right, ○ wrong, – not looked at yet. The first cases are ordinary ones. Then come the edges: one
# token, one head, large scores. A lesson says what it expects of an edge.
#
# The last mark of all stands for good manners. They hold for **every** exercise that is written in
# PyTorch, so the lessons do not repeat them each time:
#
# - **dtype**, the format of a tensor's numbers. What comes in as float64 goes out as float64; so does
#   bfloat16, a format of 16 bits that large models are kept in.
# - **device**, the memory where a tensor lies: the processor's or a GPU's. A tensor that you make
#   yourself (`torch.zeros`, `torch.arange`, ...) is made on the `device` of the inputs, or on the one
#   asked for. The check needs no GPU to see whether you did.
# - **gradients.** Training changes a model's numbers by the derivative of its error, the *loss*. PyTorch
#   follows each operation to compute it, and `.item()`, `.detach()` or `.data` interrupt that.
# - **inputs kept.** Nothing that came in is changed in place: `masked_fill`, not `masked_fill_`.
#
# When you hand a notebook in, the same kinds of cases are tried with other numbers.
#
# ## Make a mistake on purpose
#
# A check is useful only if you know what it looks like when it fails. Here is a wrong version. It
# runs without an error, and it returns plausible numbers.

# %%
def down_the_columns(scores):
    return torch.softmax(scores, dim=0)          # (T_q, T_k): the columns sum to 1, the rows do not


result = check("attention_weights", down_the_columns)

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
hint("attention_weights")

# %% [markdown]
# ## `yours`: the lessons use what you wrote
#
# `yours("attention_scores")` is your own function, once it passes its check. Before that it is a
# **stand-in**, a function of ours that gives the right result, and it says so. That is why you can
# run any lesson from top to bottom, in any order, finished or not. A function that passes is saved,
# so later lessons can use it too.

# %% [markdown]
# ## What else a lesson holds
#
# - **Predict.** A question before the explanation, such as those above. It comes again after 1, 3, 7,
#   21 and 60 days, sooner if your answer was wrong: `from course_utils import due`, then `due(10)` asks
#   ten minutes of what is due.
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
# | `B` | the batch: how many texts are computed side by side |
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
# | **0 start here** | a head, in five lines | what attention is for, and how a lesson works |
# | **1 masks** | softmax, causal, padding and cached masks | who may attend to whom, and what goes wrong |
# | **2 split and concatenate** | heads, and scaled dot products | why `view` alone scrambles tokens |
# | **3 self-attention** | the whole layer, checked against PyTorch's | what every line and every shape is for |
# | **4 the KV cache** | one token at a time, and grouped heads | what is kept, what it costs, what it saves |
# | **5 visualization** | pictures of trained heads | what a head does, and what the picture does not show |
# | **6 in the wild** | a decoder that writes; other libraries' weights | how a model speaks, and what a checkpoint holds |
# | **7 today** | RoPE, windows, online softmax, blocks, latents | what has changed around attention, and the sums about it |
#
# Each lesson says at its top how long it takes, and where to stop for the day. Do them in order the
# first time. `progress()` says what is done and what comes next.

# %%
progress()

# %% [markdown]
# **Next: part 1, masks.** Open `01_masks.ipynb`, in the folder `01_masks` beside this one. (In Colab upload
# that file, as you did with this one.)
