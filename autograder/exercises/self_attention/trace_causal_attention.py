"""trace_causal_attention: the whole story as a dict, every stage under its name."""

from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import Exercise
from autograder.authoring.story import (
    SPLIT_FIRST,
    STAGES,
    batched_cases,
    causal_attention,
    reference,
    split_first,
)

ex = Exercise(
    "trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads)",
    STAGES,
    container="dict",
    points=3,
    gradient_results=("output", "weights"),
    floors={"masked_scores": -9e3},
    uses=["multi_head_attention_core", "split_heads", "merge_heads", "create_causal_mask"],
    hints=[
        "Which stages have the shape (B, H, T, T), and which (B, H, T, d_head)? Write the nine names down with their shapes first.",
        "Q, K and V are split and not scaled; scores are scaled and not masked yet; heads is weights @ V before the merge; merged is before W_O.",
        "Write the attention once more, line by line, and put every line's result into the dict under its name.",
    ],
)


@ex.reference
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    return reference(X, W_Q, W_K, W_V, W_O, num_heads)


batched_cases(ex)


def attention(**switches):
    return causal_attention(**switches)


def instead(**stages):
    """The right story with some stages exchanged."""

    def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
        story = causal_attention()(X, W_Q, W_K, W_V, W_O, num_heads)
        return {**story, **{name: what(story) for name, what in stages.items()}}

    return implementation


def root(story):
    return story["Q"].shape[-1] ** 0.5


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
    "q_scaled",
    "Q is scaled already: the stage Q is the split projection itself, and the scale belongs to the scores",
    instead(Q=lambda s: s["Q"] / root(s)),
)
ex.mistake(
    "k_scaled",
    "K is scaled already: the stage K is the split projection itself",
    instead(K=lambda s: s["K"] / root(s)),
)
ex.mistake(
    "scores_before_scale",
    "the stage scores is not scaled yet: divide by sqrt(d_head) first (the weights are right)",
    instead(scores=lambda s: s["scores"] * root(s)),
)
ex.mistake(
    "scores_masked",
    "the stage scores is masked already: it comes before the mask",
    instead(scores=lambda s: s["masked_scores"]),
)
ex.mistake(
    "masked_scores_not_masked",
    "the stage masked_scores is not masked",
    instead(masked_scores=lambda s: s["scores"]),
)
ex.mistake(
    "masked_scores_zero",
    "the stage masked_scores holds 0 where the key lies in the future, and 0 is an ordinary score: -inf belongs there",
    instead(masked_scores=lambda s: s["masked_scores"].nan_to_num(neginf=0.0)),
)
ex.mistake(
    "heads_merged_already",
    "the stage heads is merged already: it is (B, H, T, d_head), before the merge",
    instead(heads=lambda s: s["merged"]),
)
ex.mistake(
    "merged_after_output",
    "the stage merged has gone through W_O already: it comes before",
    instead(merged=lambda s: s["output"]),
)
ex.mistake(
    "not_split",
    "Q, K and V are not split: these stages are (B, H, T, d_head)",
    instead(**{name: lambda s, name=name: s[name].transpose(1, 2).flatten(2) for name in "QKV"}),
)
ex.mistake(
    "k_transposed",
    "the stage K is transposed already: it is (B, H, T, d_head)",
    instead(K=lambda s: s["K"].transpose(-2, -1)),
)
ex.mistake(
    "v_is_heads",
    "the stage V holds weights @ V: it is the split projection itself",
    instead(V=lambda s: s["heads"]),
)
