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
# # 09_new_lesson
#
# <!-- minutes -->
#
# Two or three sentences: what it is about, and why one wants to know it.
#
# **At the end you can say what you can say at the end.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress

import torch

# %% [markdown]
# ## A section
#
# A few words, an example with small numbers, then something to write.

# %% nbgrader={"grade": false, "grade_id": "count_open", "locked": false, "schema_version": 3, "solution": true, "task": false}
def count_open(mask):
    """How many entries of a mask are False, which means: may be attended to.

    mask     (T_q, T_k) bool, True = masked
    returns  a whole number
    """
    ### BEGIN SOLUTION
    return int((~mask).sum())
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_count_open", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
causal = torch.ones(4, 4, dtype=torch.bool).triu(1)
assert count_open(causal) == 10, "a causal mask of 4 tokens has 1 + 2 + 3 + 4 open entries"
### BEGIN HIDDEN TESTS
assert count_open(torch.ones(2, 5, dtype=torch.bool)) == 0, "nothing is open where everything is masked"
assert count_open(torch.zeros(3, 7, dtype=torch.bool)) == 21, "everything is open where nothing is masked"
### END HIDDEN TESTS

# %% [markdown]
# ## A written answer
#
# A person gives its points. What stands in the next cell is not given out.
#
# Why may a token attend to itself? One or two sentences.

# %% [markdown] nbgrader={"grade": true, "grade_id": "why_itself", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# *A good answer. One point for each of the two.*
#
# Its own vector is known when its output is computed, so nothing of the future is seen. Without it, the first
# token would have nothing to attend to, and its row would be 0/0.

# %% [markdown]
# ## Next
#
# What to do now.

# %%
progress()
