"""causal_attention_with_weights: batched causal attention that also returns its weights."""

from autograder.authoring import story
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"output": "B T d_model", "weights": "B H T_q T_k"},
    container="tuple",
    points=3,
    uses=["multi_head_attention_core", "split_heads", "merge_heads", "create_causal_mask"],
    hints="""
    What changes when X gets a batch axis? Look at X @ W first.

    Nothing in the projections: (B, T, D) @ (D, D) is (B, T, D). Keep the weights, (B, H, T, T): they are the
    second result.

    merge_heads(weights @ V) @ W_O is the output; `return output, weights` returns both.

        output = merge_heads(weights @ V) @ W_O  # (B, T, d_model)
    """,
)


@ex.reference
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    stages = story.reference(X, W_Q, W_K, W_V, W_O, num_heads)
    return stages["output"], stages["weights"]


story.batched_cases(ex)


def attention(**switches):
    whole = story.causal_attention(**switches)

    def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
        stages = whole(X, W_Q, W_K, W_V, W_O, num_heads)
        return stages["output"], stages["weights"]

    return implementation


def second_result(choose):
    """An implementation that returns the right output, and choose(stages) as its second result."""

    def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
        stages = story.causal_attention()(X, W_Q, W_K, W_V, W_O, num_heads)
        return stages["output"], choose(stages)

    return implementation


story.shared_mistakes(ex, attention)
ex.wrong(
    "weights_averaged: the weights are averaged over the heads: return each head's own, (B, H, T, T)",
    second_result(lambda stages: stages["weights"].mean(1)),
    "scores_returned: the scores are returned instead of the weights: return the softmax's result",
    second_result(lambda stages: stages["scores"]),
    "order_of_results: the two results are in the wrong order: return (Y, weights)",
    lambda *args, **more: attention()(*args, **more)[::-1],
)
