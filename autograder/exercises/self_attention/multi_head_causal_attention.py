"""multi_head_causal_attention: one sequence, weights as plain tables."""
from autograder import switches as known
from autograder.exercise import Exercise
from autograder.functions import causal_attention, case, reference

ex = Exercise(
    "multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads)",
    {"output": "T d_model"},
    points=3,
    uses=["multi_head_attention_core", "split_heads", "merge_heads", "create_causal_mask"],
    hints=[
        "X is (T, D), and your pieces from part 2 want (B, T, D). What is the smallest change that makes them fit?",
        "Project first, X @ W; then it is attention as before with a causal mask, and the merged heads go through W_O last.",
        "X[None] adds a batch axis of 1, and [0] takes it away at the end. The mask is made on X.device.",
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
def allowed_far_below_zero(g):
    return case(g, 4, 6, 3, low=True)


@ex.recoverable
def weights_of(number, case):
    args = case.calls[0].args
    return (number, args["X"], {letter: args[f"W_{letter}"] for letter in "QKVO"}, args["num_heads"]) if case.name == "two_heads" else None


def attention(**switches):
    whole = causal_attention(**switches)
    return lambda X, W_Q, W_K, W_V, W_O, num_heads: whole(X[None], W_Q, W_K, W_V, W_O, num_heads)["output"][0]


ex.switches(attention, known.SCALE, known.SOFTMAX, known.MASK, known.CAUSAL, known.SPLIT, known.MERGE, known.ROLES, known.UNPROJECTED, known.TRANSPOSED, known.OUTPUT)
