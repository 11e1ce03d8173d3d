"""multi_head_causal_attention: causal attention of one sequence, with plain matrices as weights."""

from autograder.authoring import story
from autograder.authoring.draws import token_of_zeros
from autograder.authoring.exercise import Exercise
from autograder.authoring.story import case

ex = Exercise(
    {"output": "T d_model"},
    points=3,
    uses=["multi_head_attention_core", "split_heads", "merge_heads", "create_causal_mask"],
    hints="""
    Take the loop over the heads from part 2. Three things are new here: one before the loop, one within it,
    one after it. Which?

    Before it, the projections X @ W_Q, X @ W_K, X @ W_V; within it, the causal mask, before the softmax;
    after it, the joined heads @ W_O.

    torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1) is True above the diagonal; masked_fill;
    torch.cat(heads, dim=-1). Or use your pieces from part 2, which expect (B, T, D): X[None] adds a batch
    axis of size 1, and [0] removes it.

        weights = scores.masked_fill(future, float('-inf')).softmax(-1)  # (T, T), in the loop over heads
    """,
)


@ex.reference
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    return story.reference(X[None], W_Q, W_K, W_V, W_O, num_heads)["output"][0]


ex.case(
    three_heads=lambda g: case(g, 5, 12, 3),
    two_heads=lambda g: case(g, 4, 10, 2),
    four_heads=lambda g: case(g, 3, 8, 4),
)
ex.edge(
    one_head=lambda g: case(g, 4, 5, 1),
    as_many_heads_as_features=lambda g: case(g, 6, 4, 4),
    one_token=lambda g: case(g, 1, 6, 3),
    long=lambda g: case(g, 67, 4, 2).but(narrow=False),
    not_contiguous=lambda g: case(g, 5, 6, 3).but(strided=True),
    a_token_of_zeros=lambda g: token_of_zeros(case(g, 4, 6, 2)),
    allowed_far_below_zero=lambda g: case(g, 4, 6, 3, low=True),
)


def attention(**switches):
    whole = story.causal_attention(**switches)
    return lambda X, W_Q, W_K, W_V, W_O, num_heads: whole(X[None], W_Q, W_K, W_V, W_O, num_heads)["output"][0]


story.shared_mistakes(ex, attention)
