"""multi_head_causal_attention: one sequence, weights as plain tables."""

from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import Exercise, token_of_zeros
from autograder.authoring.story import SPLIT_FIRST, case, causal_attention, reference, split_first

ex = Exercise(
    "multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads)",
    {"output": "T d_model"},
    points=3,
    uses=["multi_head_attention_core", "split_heads", "merge_heads", "create_causal_mask"],
    hints=[
        "Take the loop over the heads from part 2. Three things are new here: one before the loop, one within it, one after it. Which?",
        "Before it, the projections X @ W_Q, X @ W_K, X @ W_V; within it, the causal mask, before the softmax; after it, the joined heads @ W_O.",
        "torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1) is True above the diagonal; masked_fill; torch.cat(heads, dim=-1). Or with your pieces from part 2, which want (B, T, D): X[None] adds a batch axis of 1, and [0] takes it away.",
    ],
)


@ex.reference
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    return reference(X[None], W_Q, W_K, W_V, W_O, num_heads)["output"][0]


@ex.case
def three_heads(g):
    return case(g, 5, 12, 3)


@ex.case
def two_heads(g):
    return case(g, 4, 10, 2)


@ex.case
def four_heads(g):
    return case(g, 3, 8, 4)


@ex.edge
def one_head(g):
    return case(g, 4, 5, 1)


@ex.edge
def as_many_heads_as_features(g):
    return case(g, 6, 4, 4)


@ex.edge
def one_token(g):
    return case(g, 1, 6, 3)


@ex.edge
def long(g):
    return case(g, 67, 4, 2).but(narrow=False)


@ex.edge
def not_contiguous(g):
    return case(g, 5, 6, 3).but(strided=True)


@ex.edge
def a_token_of_zeros(g):
    return token_of_zeros(case(g, 4, 6, 2))


@ex.edge
def allowed_far_below_zero(g):
    return case(g, 4, 6, 3, low=True)


@ex.recoverable
def weights_of(number, case):
    args = case.calls[0].args
    return (
        (number, args["X"], {letter: args[f"W_{letter}"] for letter in "QKVO"}, args["num_heads"])
        if case.name == "two_heads"
        else None
    )


def attention(**switches):
    whole = causal_attention(**switches)
    return lambda X, W_Q, W_K, W_V, W_O, num_heads: whole(X[None], W_Q, W_K, W_V, W_O, num_heads)["output"][0]


ex.switches(
    attention,
    known.SCALE,
    known.ROUNDED,
    known.SOFTMAX,
    known.UNSTABLE,
    known.MASK,
    known.CAUSAL,
    known.SPLIT,
    known.MERGE,
    known.ROLES,
    known.UNPROJECTED,
    known.TRANSPOSED,
    known.OUTPUT,
)
ex.mistake(*SPLIT_FIRST, split_first(attention()))
