"""causal_attention_with_weights: batched, and the weights come out too."""

from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import Exercise
from autograder.authoring.story import SPLIT_FIRST, batched_cases, causal_attention, reference, split_first

ex = Exercise(
    "causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads)",
    {"output": "B T d_model", "weights": "B H T_q T_k"},
    container="tuple",
    points=3,
    uses=["multi_head_attention_core", "split_heads", "merge_heads", "create_causal_mask"],
    hints=[
        "What changes when X gets a batch axis? Look at X @ W first.",
        "Nothing in the projections: (B, T, D) @ (D, D) is (B, T, D). Keep the weights before they are used up, (B, H, T, T).",
        "Return two things: merged @ W_O and the weights.",
    ],
)


@ex.reference
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    story = reference(X, W_Q, W_K, W_V, W_O, num_heads)
    return story["output"], story["weights"]


batched_cases(ex)


def attention(**switches):
    whole = causal_attention(**switches)

    def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
        story = whole(X, W_Q, W_K, W_V, W_O, num_heads)
        return story["output"], story["weights"]

    return implementation


def instead(index, what):
    """The right results with one of them exchanged."""

    def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
        story = causal_attention()(X, W_Q, W_K, W_V, W_O, num_heads)
        results = [story["output"], story["weights"]]
        results[index] = what(story)
        return tuple(results)

    return implementation


ex.switches(
    attention,
    known.SCALE,
    known.ROUNDED,
    known.SOFTMAX,
    known.UNSTABLE,
    known.BATCH_SOFTMAX,
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
ex.mistake(
    "weights_averaged",
    "the weights are averaged over the heads: each head's own are wanted, (B, H, T, T)",
    instead(1, lambda s: s["weights"].mean(1)),
)
ex.mistake(
    "weights_transposed_in_return",
    "the returned weights are transposed: rows are queries, columns are keys",
    instead(1, lambda s: s["weights"].transpose(-2, -1)),
)
ex.mistake(
    "scores_returned",
    "the scores are returned in the place of the weights: the softmax's result is wanted",
    instead(1, lambda s: s["scores"]),
    instead(1, lambda s: s["masked_scores"]),
)
ex.mistake(
    "heads_returned",
    "the heads' results are returned in the place of the weights",
    instead(1, lambda s: s["heads"]),
)
ex.mistake(
    "order_of_results",
    "the two results are in the wrong order: (Y, weights)",
    lambda *args: attention()(*args)[::-1],
)
