# %% [markdown]
# ### Exercise: mean_over_tokens
#
# One vector for a whole sequence: the mean of its tokens' vectors, (B, T, d_model) → (B, d_model).

# %% nbgrader={"grade": false, "grade_id": "mean_over_tokens", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mean_over_tokens(x):
    """The mean of each sequence's tokens.

    x        (B, T, d_model)
    returns  (B, d_model)
    """
    ### BEGIN SOLUTION
    return x.mean(dim=1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_mean_over_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("mean_over_tokens", mean_over_tokens).points
### BEGIN HIDDEN TESTS
from autograder import grade

grade("mean_over_tokens", mean_over_tokens).points
### END HIDDEN TESTS
