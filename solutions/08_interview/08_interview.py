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
# # 8. The interview
#
# <!-- minutes -->
#
# You know how attention works. An interview asks for something else: write it *now*, without hints and
# without looking anything up, explain as you go, answer the next question, and find the bug in somebody
# else's program.
#
# This part is for practising that. None of it is graded. The minutes above are for reading it once; the
# practice is ten minutes a day, on many days.
#
# **By the end you can write attention and the code around it in 20 minutes, find a planted bug
# and an input that shows it, and answer about 75 short questions aloud.**

# %% tags=["setup"]
from course_utils import bug_hunt, flashcards, interview, mock_interview
from course_utils import check, due, hint, load_progress, predict, progress, save_progress, yours

import numpy as np
import torch

# %% [markdown]
# ## 8.1 What they listen for
#
# An interviewer listens for more than a program. While you write, say
#
# 1. **what comes in and what goes out**, with shapes, before the first line: "x is (B, T, d_model), out comes
#    the same shape";
# 2. **what you leave out for now**, so that nobody mistakes it for ignorance: "no dropout, no biases, and I'll get
#    to padding";
# 3. **the shape behind each line** that changes one;
# 4. **how you would test it**: one token, one head, a changed future token, and a slow loop to compare with;
# 5. **what it costs**: time O(T² · d_model + T · d_model²), memory for the (T, T) scores of every head, and
#    which grows fastest.
#
# And when something is wrong, say what you *see* before you change anything.
#
# ## 8.2 A program on a clock
#
# `interview("causal_mask")` shows a task in a few sentences, a clock, and one to three signatures: the lessons' own,
# nanoGPT's, CS336's. Write one of them in a cell of your own, under any name. Then hand it over:
#
# ```
# interview.check(my_function)
# ```
#
# It is checked as in the lessons, on small inputs of many sizes. In a mask, True hides a key, as everywhere in this
# course. If you use other names, you are not refused but asked: the card shows a line such as
# `interview.check(lambda T: mine(...))`, and you replace the dots. If your program is right, the next part follows:
# with padding, with a cache, with fewer kv heads. A question comes between two parts.
#
# | call | does |
# |---|---|
# | `interview("mha", minutes=30)` | starts, with more than the usual 20 minutes |
# | `interview()` | shows the card and the time that is left, after a reload too |
# | `interview.check(f)` | tries what you wrote |
# | `interview.answer(...)` | answers the question between two parts |
# | `interview.skip()` | shows a model solution, or the answer to a question, and goes on to the next part |
# | `interview.stop()` | ends it, with a sheet and model solutions beside your program |
# | `interview.sheets()` | shows how all interviews so far went |
#
# Begin with `causal_mask` and 10 minutes. The clock starts when you run it:

# %%
interview()  # replace with: interview("causal_mask", minutes=10)

# %%
# your program


# %%
# interview.check(...)

# %% [markdown]
# Then, in about this order: `stable_softmax`, `mha`, `generate_loop`, `sampling`, `cached_mha`, `gqa`,
# `rope`, `online_softmax`. A topic is done once you pass all its parts twice, some days apart.
#
# **Stuck in the middle?** Do what you would do in an interview: write a slow loop that is obviously right,
# for one query and one head, and make it faster from there.
#
# ## 8.3 Somebody else's bug
#
# Below is a short program in another person's style. It has one bug, or none. Naming the line is half of it.
# The other half is an **input on which the result is wrong**: once you have that, you understand the bug
# and have its test.
#
# ```
# bug_hunt.found(7, x=(2, 5, 6))     # the line, and an input: random, of this shape
# bug_hunt.fix("the line as it should be")
# ```
#
# Both versions, with the bug and without it, are run on your input. If they agree, you are told why the bug
# does not show. `bug_hunt.clean()` says that there is no bug, `bug_hunt.hint()` says where to look,
# `bug_hunt(level=3)` shows a hard one. For half an hour, try `bug_hunt("a_small_gpt")`: a small GPT with its
# training loop and four bugs, which you find and fix one by one. Then you give it a KV cache.

# %%
bug_hunt()

# %%
# bug_hunt.found(...)

# %% [markdown]
# To find it without guessing, read the last line first and ask which shape it needs. Write the shape behind each
# line, with sizes that are all different. Then look at what is *used*, not at what is computed: which axis a
# softmax takes, which of two masks is inverted, which position a new token has.
#
# ## 8.4 Short questions
#
# Flashcards ask what interviewers ask. Say the answer aloud, in two or three sentences, before you type,
# choose or look. The back has the common wrong answer, why it is wrong, and the question that comes
# next.

# %%
flashcards()

# %% [markdown]
# Five at a time. `flashcards("cache")` asks about one topic: masks, heads, layer, cache, cost, today.
#
# ## 8.5 What comes back
#
# To make it stick, everything comes back after 1, 3, 7, 21 and 60 days, sooner after a miss: the questions of parts
# 0 to 7, flashcards, bugs, interviews, and what you wrote from memory.

# %%
progress()

# %% [markdown]
# `due(10)` asks ten minutes' worth of what is due. Run this one cell every day:

# %%
due(10)

# %% [markdown]
# Progress is saved as lines of text in the folder `.progress` beside the notebook. `save_progress()` puts all
# of it into one small file, for another machine or for Colab, and `load_progress()` reads it back there.
#
# ## 8.6 The whole thing, in 45 minutes
#
# `mock_interview("intern")` puts it together: two questions to warm up, a program, a bug, short questions. The
# levels are `intern`, `new_graduate` and `senior`; a senior one also asks what limits a server. After each part
# you see a model answer or solution and what an interviewer listens for, and rate yourself 0, 1 or 2. At the end
# you get a page with how it went and every answer, and what you rated 0 or 1 comes back.

# %%
mock_interview()  # replace with: mock_interview("intern")

# %% [markdown]
# ## 8.7 When the interview is near
#
# | you have | do |
# |---|---|
# | three evenings | sections of parts 1 to 4, `causal_mask` and `mha` on a clock, a mock interview on the third evening |
# | one week | most of parts 1 to 4, RoPE and online softmax, five programs on a clock, `due(10)` every day, a mock interview on the last day |
# | four weeks | most of the course, every topic on a clock, a mock interview of each level |
#
#
# The day before: nothing new. One `mock_interview`, one slow walk through the shapes of multi-head attention on
# paper, and sleep.
