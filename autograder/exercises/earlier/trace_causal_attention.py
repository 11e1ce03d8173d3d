"""trace_causal_attention: every stage of causal attention by name; formerly an exercise of lesson 3."""

from autograder.authoring import story
from autograder.authoring.exercise import Exercise

ex = Exercise(
    story.STAGES,
    container="dict",
    points=3,
    gradient_results=("output", "weights"),
    floors={"masked_scores": -9e3},
    uses=["multi_head_attention_core", "split_heads", "merge_heads", "create_causal_mask"],
)


@ex.reference
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    return story.reference(X, W_Q, W_K, W_V, W_O, num_heads)


story.batched_cases(ex)
