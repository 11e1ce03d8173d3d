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
# ![A model reads "the small dog slept near the cat and". From "and" it looks back at "dog", and guesses "whined".](attachment:guess.png)
#
# What comes next? In the small language of this lesson, dogs whine and cats purr. The cat is nearer, but the model looked at the
# dog. The part that looks is an **attention head**. On this page you write one, as four short functions. They then make this guess,
# and one about a sentence of your own.
#
# GPT, Llama and other large language models are stacks of layers with many such heads: **multi-head causal attention**. In this
# course you build all of it yourself, until you can write it from memory.
#
# Run the cells of this page from the top: click into a cell and press **Shift + Enter**.

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import plot_heads, plot_mask, world
from course_utils.figures.guess import plot_guess
from course_utils.figures.show import show
from course_utils.figures.weights import plot_weights
from course_utils.touch.query import drag_query
import torch

torch.set_printoptions(precision=2, sci_mode=False)

# %% [markdown]
# ## Your first head
#
# We start with a sentence whose numbers are made up by hand: *the cat sat and purred*. A model stores each word as a row of numbers, a vector.
# Each number is a **feature**. `x`, below, is a **tensor**, PyTorch's word for an array of numbers. Its **shape** is (5, 4): five rows,
# four columns.

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
# Who purred? The row of *purred* names an action with a sound, but no actor. **In attention each word collects features
# from other words.** Four small steps:
#
# ### Step 1: scores
#
# Each word says what it looks for with a **query**, a vector with the same four features. Queries are compared with each
# word's **key**: here, simply its row of `x`.

# %%
queries = torch.tensor([[0., 0., 0., 0.],     # the
                        [0., 0., 3., 0.],     # cat looks for an action
                        [3., 0., 0., 0.],     # sat looks for something living
                        [0., 0., 0., 0.],     # and
                        [3., 0., 0., 0.]])    # purred looks for something living

# %% [markdown]
# The **score** of one word for another is the *dot product* of the first one's query and the second one's key: multiply their numbers
# one by one, and add up the products. *purred* for *cat* is 3·1 + 0·1 + 0·0 + 0·0 = 3. The matrix product `a @ b` computes many at once: its entry (i, j) is the dot product of row i of `a` and column j of `b`. And
# `x.T` is `x` with rows and columns swapped.
#
# Now write it: replace the `raise` line, run the cell, then run the `check` below it. If the function is wrong, the check names
# the mistake, or says where your numbers differ. (Its last line has a mark for each test: ● right, ○ wrong. The last test is about
# technical rules; let it be for now.) Attempts are unlimited and not counted. Stuck? Run `hint("attention_scores")`.

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

# %% nbgrader={"grade": true, "grade_id": "test_attention_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("attention_scores", attention_scores).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("attention_scores", attention_scores).points
### END HIDDEN TESTS

# %% [markdown]
# ### Step 2: weights
#
# The scores become **weights**: one row for each query, one column for each key. A row says how its query divides attention among
# the keys, so it must sum to 1. The **softmax** does that: *e* to the power of each score, divided by the sum of these powers in its
# row. Powers of *e* are positive, even when the score is negative. `torch.softmax(table, dim=...)` does the work. Which `dim`? 0 makes each
# column sum to 1, 1 each row.

# %% nbgrader={"grade": false, "grade_id": "attention_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_weights(scores):
    """The softmax of each row.

    scores:  (T_q, T_k)
    returns  (T_q, T_k)       each row sums to 1
    """
    ### BEGIN SOLUTION
    return torch.softmax(scores, dim=1)    # (T_q, T_k)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_attention_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("attention_weights", attention_weights).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("attention_weights", attention_weights).points
### END HIDDEN TESTS

# %% [markdown]
# ### Step 3: the mixture
#
# A word passes on its **value**, here its row of `x` again. Each query gets a mixture: every value times its weight,
# all added up. Again, a single matrix product computes all the mixtures.

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

# %% nbgrader={"grade": true, "grade_id": "test_attention_output", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("attention_output", attention_output).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("attention_output", attention_output).points
### END HIDDEN TESTS

# %% [markdown]
# ### Step 4: hide the future
#
# In training, a language model reads a whole sentence, and guesses each word from the words before it. So no word may look at later
# ones: such attention is **causal**. The **mask** is a table that says what to hide: True means hidden. Word `j` is later than word `i` when `j > i`. To compare all
# pairs: `torch.arange(5)` is the row 0, 1, 2, 3, 4; `torch.arange(5)[:, None]` is that as a column; comparing a row with a
# column gives a table, whose entry (i, j) compares number j of the row with number i of the column. (In the same way, the row 1, 2, 3
# plus the column 10, 20 is the table [[11, 12, 13], [21, 22, 23]].)

# %% nbgrader={"grade": false, "grade_id": "causal_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_mask(T):
    """True where the key lies in the future of the query.

    T:       the number of words
    returns  (T, T) of True and False; row i is the query, column j the key
    """
    ### BEGIN SOLUTION
    return torch.arange(T) > torch.arange(T)[:, None]      # (T,) > (T, 1) = (T, T)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_causal_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("causal_mask", causal_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("causal_mask", causal_mask).points
### END HIDDEN TESTS

# %% [markdown]
# ### All four together
#
# Before the softmax, `masked_fill` writes −∞ over the scores wherever the mask is True. As *e* to the power of −∞ is 0, all the weight goes to the remaining words.
# (`yours(...)` is your own function once it passes its check, and until then our **stand-in**.)

# %%
def head(queries, keys, values):
    """One head of causal attention; returns its output and its weights."""
    later = yours("causal_mask")(len(keys))                                # (T, T)
    scores = yours("attention_scores")(queries, keys)                      # (T, T)
    weights = yours("attention_weights")(scores.masked_fill(later, -torch.inf))        # (T, T)
    return yours("attention_output")(weights, values), weights             # (T, d_model), (T, T)


output, weights = head(queries, x, x)
print(output)
show(plot_weights(weights, mask=yours("causal_mask")(5), tokens=words))

# %% [markdown]
# Look at the last row of the output, *purred*: 0.83 under *fluffy*, the second column. It has collected the features of *cat*. Nobody
# wrote a rule about cats: the query asked for something living, and *fluffy* came with it.
#
# *cat* looks for an action, but both actions come later. The two words that it may see score 0, so each gets half of its weight.
# *the* and *and* look for nothing: they take equal parts of all that they see.
#
# **Takeaway.** You have written what one *head* of causal attention computes: scores, mask, softmax, and a weighted sum.

# %% [markdown]
# ## A trained head guesses the next word
#
# Nobody writes a real model's numbers by hand. **Training** finds them: they start out random, the model guesses the next word again
# and again, and after each batch of sentences the numbers move a little, so that the right words become more probable. Ours has 16
# features for each word. Three matrices turn them into queries, keys and values for *your* head. Two more, `W_O` and `readout`, turn
# its output into a guess. Run it first; the text below the picture explains them.

# %%
model = world.load("who")
W_Q, W_K, W_V, W_O = model.matrices()                                      # (16, 16) each


def guess(text):
    """Show where the last word of a sentence looks, and the three likeliest next words."""
    words = model.words(text)
    x = model.vectors(words)                                               # (T, 16)
    collected, weights = head(x @ W_Q / 4, x @ W_K, x @ W_V)               # (T, 16), (T, T)
    logits = model.readout(x + collected @ W_O)                            # (T, 26)
    show(plot_guess(words, weights[-1], model.likeliest(logits[-1])))


guess("the small dog slept near the cat and")

# %% [markdown]
# That is the guess from the top of this page, and your functions made it. What training has found:
#
# - a vector for each word, whose features have no names, plus one for its position: without that, the last word could not tell in
#   what order the others came
# - `W_Q`, `W_K` and `W_V`, which compute a word's query, key and value from its vector. (Dividing by 4, the root of 16, keeps scores
#   moderate. Part 2 says why.)
# - `W_O`, which turns what was collected into features that the rest of the model can read. They are added to the word's own vector,
#   `x + ...`, so that the word itself is not forgotten
# - the *readout*, which makes 26 **logits**: a score for each word that could come next. A softmax turns them into probabilities.
#
# For the last word your mask hides nothing. Training needed it: there the model guesses after every word of a whole sentence, like
# these:

# %%
for sentence in world.sentences(4, seed=1, adverbs=False):
    print(*sentence)
print("\nits 26 words:", *model.vocabulary)

# %% [markdown]
# Run each of the next cells that ask something, and choose or type an answer. The card tells you what is wrong with *your* answer.
# None of this is graded; a wrong guess helps you remember.

# %%
predict("bird_near_a_lion")

# %%
guess("the bird slept near the small lion and")

# %% [markdown]
# Now try a sentence of your own: at most 19 words, all of them among the model's 26. Change this one and run the cell, as often as you like.

# %%
guess("the hungry horse ran near the old cow and")

# %% [markdown]
# The model guesses after every word, not only after *and*. Try `guess("the cat")`: you see three of the six actions, each with
# about 1/6, since nothing in the sentence says which one comes.
#
# Does it know what the *subject* of a sentence is?

# %%
predict("near_the_dog_the_cat")

# %%
guess("near the dog the cat sat and")

# %% [markdown]
# In every training sentence the animal that makes the sound is also the first one. A head that prefers animals near the beginning was
# enough, and that is just what this head does. **Both rules fit every training sentence. Training cannot know which one we meant.**
#
# Now put two adjectives before *dog*: `guess("near the small old dog the cat sat and")`. No animal stands where training had one. The
# head settles on *near*, and the model says *hummed*, a cow's sound, with .92. A confident answer may rest on nothing.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# In `guess`, what a word had collected was added to the word's own vector: `x + collected @ W_O`. A second *layer*, the same steps with
# matrices of its own, would collect from the result. Part 1 builds the mask and the softmax, part 2 several heads side by side, part 3
# a layer with its matrices, which you train yourself. Part 4 writes one word at a time, and part 5 looks at what heads learn. Parts 6 to 8 go on to a decoder, to today's models
# and to interviews.

# %% [markdown]
# ## How to use a lesson
#
# Each lesson has a **core**; how long it takes is given at the top. Points of a check matter only if your class grades them. Sections marked *(optional)* can wait: nothing in the core needs them.
# A line says where the core ends. After a break, run all cells above your place first. You will meet:
#
# - **Predict.** A question before the explanation. Right answers bring it back after 1, 3, 7, 21 and 60 days, a wrong one after
#   1: `due(10)` asks ten minutes' worth.
# - **Break it.** A deliberate mistake, and a picture of its effect.
# - **Recall.** Interview questions, with the common wrong answer and why it is wrong.
# - **From memory.** An empty cell at the end, and the same check without hints. Come back to it after a day.
#
# | name | meaning |
# |---|---|
# | `B` | the batch: how many sentences are processed together |
# | `T`, or `T_q` and `T_k` | *tokens*, the words or pieces of words that a model reads; or queries and keys: queries are rows, keys columns |
# | `H` | heads, which attend in parallel, each with its own table |
# | `d_model` and `d_head` | features of a token; features in one head, `d_model / H` |
# | scores, weights, output | before the softmax, after it, and the result |
#
# A line of code that changes a shape ends with the new one: `# (B, H, T_q, T_k)`. Do the lessons in order the first time;
# `progress()` says what is done and what comes next. The lessons use a few more operations without comment:
#
# | PyTorch | does | NumPy |
# |---|---|---|
# | `~m` | swaps True and False | the same |
# | `dim=-1` | the last axis: axes are counted from the end, too | `axis=-1` |
# | `x.transpose(1, 2)` | axes 1 and 2 swapped, counted from 0 | `x.swapaxes(1, 2)` |
# | `torch.cat([a, b], dim=1)` | joined along axis 1, `a` first | `np.concatenate`, `axis=1` |
# | `x[None]` | with a new first axis, of size 1 | the same |
# | `x.dtype` | the format of its numbers: float32 unless you choose another; float16 is half as long | the same |
# | `torch.zeros(4, device=x.device)` | made where `x` is stored: its *device*, the CPU or a GPU | |
#
# A name that ends in `_`, such as `copy_`, changes the tensor itself instead of making a new one.

# %% [markdown]
# ## Two questions about rows (optional)
#
# Back to the numbers made up by hand, first without the mask. **Why 3 in the queries?** It sets how strongly a word looks. Here are the
# weights of *purred* for three sizes:

# %%
scores = yours("attention_scores")(queries, x)                 # (T, T), nothing hidden
unmasked = yours("attention_weights")(scores)                  # (T, T)
for size in (1, 3, 6):
    print(size, yours("attention_weights")(scores / 3 * size)[4])      # (T,)

# %% [markdown]
# With 1, *cat* gets only .40, because four scores of 0 still count: *e*⁰ is 1. With 6 it gets almost everything.
#
# **Turn a query yourself.** These are three words with two features each, drawn as arrows, and a value for each. Turn the query away from a key, and that
# key's score shrinks. Make it longer, and the largest weight grows. Click a score to mask it: the other keys share its weight.

# %%
drag_query()

# %% [markdown]
# Two questions. In the first, nothing is hidden.

# %%
predict("who_looks_ahead")

# %% [markdown]
# Why hide *before* the softmax? Without the mask, the weights of *cat* are 0.023, 0.023, 0.465, 0.023, 0.465. Suppose we just set
# the weights of later words to 0.

# %%
predict("what_is_left_of_cat")

# %%
too_late = unmasked.masked_fill(yours("causal_mask")(5), 0.0)   # (T, T): hidden after the softmax
print("sums of rows, hidden after the softmax and before it")
for word, after, before in zip(words, too_late.sum(dim=1), weights.sum(dim=1)):
    print(f"{word:8} after {after:.2f}   before {before:.2f}")

# %% [markdown]
# ## The simplest weights: a mean (optional)
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
# Here *purred* takes as much from *and* as from *cat*. A head whose queries are all 0 gives just this mean. Your weights above depend
# on the words.

# %% [markdown]
# ## Tensors, and their NumPy names (optional)
#
# The lessons use few operations. Skim this table, and come back when you need it.
#
# | PyTorch | does | NumPy |
# |---|---|---|
# | `torch.arange(4)`, `torch.zeros(2, 3)` | 0, 1, 2, 3; zeros in 2 rows and 3 columns | `np.arange(4)`, `np.zeros((2, 3))` |
# | `x.shape`, `x[0]`, `x[:, 0]` | the sizes of the axes; the first row; the first column | the same |
# | `a * b`, `a > b` | entry by entry | the same |
# | `a @ b`, `x.T` | matrix product; rows and columns swapped | the same |
# | `x.mean(dim=0)` | the mean along axis 0: one number per column | `x.mean(axis=0)` |
# | `x.mean(dim=0, keepdim=True)` | the same, keeping axis 0 with size 1 | `keepdims=True` |
# | `x.masked_fill(m, 0.0)` | a new tensor: 0 where `m` is True, else `x` | `np.where(m, 0.0, x)` |
# | `x.view(2, 6)`, `x.reshape(2, 6)` | the same numbers in the same order, another shape; `view` never copies, and may refuse | `x.reshape(2, 6)` |
# | `x.mT` | the last two axes swapped | `x.swapaxes(-2, -1)` |
# | `x.double()`, `x.half()` | as float64, as float16 | `x.astype(...)` |

# %% [markdown]
# ## What a check looks at (optional)
#
# A card ends with one mark per **case**, or test input: ● right, ○ wrong, – not tried yet. Ordinary cases come first,
# then edge cases: one token, one head, large scores.
#
# The last mark stands for four rules, unless an exercise says otherwise:
#
# - **dtype.** What comes in as float64 goes out as float64.
# - **device.** Tensors you create (`torch.zeros`, `torch.arange`, ...) belong on the
#   inputs' `device`, or the one requested. The check finds such mistakes even on a computer without a GPU.
# - **gradients.** Training needs derivatives, and PyTorch records each operation to compute them. `.item()`, `.detach()` and
#   `.data` break this.
# - **inputs unchanged.** Never modify an input in place: use `masked_fill`, not `masked_fill_`.
#
# A submission is tested on the same kinds of cases, with different numbers.
#
# ## Make a mistake on purpose (optional)
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
# Run the next cell more than once. First comes a question, then a fact, then a function to look up, and two calls later
# the line itself.

# %%
hint("attention_weights")

# %% [markdown]
# Every lesson runs from top to bottom, finished or not, because `yours` falls back on stand-ins. A function that passes
# is saved for later lessons.

# %% [markdown]
# ## Next
#
# **Part 1** is about masks. Open `01_masks.ipynb`, in the folder `01_masks` beside this one. (In Colab, upload that file as you did
# this one.)

# %%
progress()
