"""trace_causal_attention: the whole story as a dict, every stage under its name."""

from autograder.authoring import story
from autograder.authoring.exercise import Exercise

ex = Exercise(
    story.STAGES,
    container="dict",
    points=3,
    gradient_results=("output", "weights"),
    floors={"masked_scores": -9e3},
    uses=["multi_head_attention_core", "split_heads", "merge_heads", "create_causal_mask"],
    hints="""
    Which stages have the shape (B, H, T, T), and which (B, H, T, d_head)? Write the nine names down with
    their shapes first.

    Q, K and V are split and not scaled; scores are scaled and not masked yet; heads is weights @ V before the
    merge; merged is before W_O.

    masked_scores = scores.masked_fill(mask, float('-inf')) is one of the lines; give each result the name of
    its stage, and return dict(Q=Q, K=K, ...).

        heads = weights @ V  # (B, H, T, d_head)
        merged = merge_heads(heads)  # (B, T, d_model)
    """,
)


@ex.reference
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    return story.reference(X, W_Q, W_K, W_V, W_O, num_heads)


story.batched_cases(ex)


def stage_by(name):
    """`through` for a mistake in one stage: the right stages, with this one made from all of them."""

    def make(change):
        def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
            stages = story.causal_attention()(X, W_Q, W_K, W_V, W_O, num_heads)
            return {**stages, name: change(stages)}

        return implementation

    return make


def sqrt_d_head(stages):
    return stages["Q"].shape[-1] ** 0.5


story.shared_mistakes(ex, story.causal_attention)


@ex.mistake(through=stage_by("Q"))
def q_scaled(stages):
    """Q is scaled already: the stage Q is the split projection itself, and the scale belongs to the scores"""
    return stages["Q"] / sqrt_d_head(stages)


@ex.mistake(through=stage_by("K"))
def k_scaled(stages):
    """K is scaled already: the stage K is the split projection itself"""
    return stages["K"] / sqrt_d_head(stages)


@ex.mistake(through=stage_by("scores"))
def scores_before_scale(stages):
    """the stage scores is not scaled yet: divide by sqrt(d_head) first (the weights are right)"""
    return stages["scores"] * sqrt_d_head(stages)


@ex.mistake(through=stage_by("scores"))
def scores_masked(stages):
    """the stage scores is masked already: it comes before the mask"""
    return stages["masked_scores"]


@ex.mistake(through=stage_by("masked_scores"))
def masked_scores_not_masked(stages):
    """the stage masked_scores is not masked"""
    return stages["scores"]


@ex.mistake(through=stage_by("masked_scores"))
def masked_scores_zero(stages):
    """the stage masked_scores holds 0 where the key lies in the future, and 0 is an ordinary score: -inf
    belongs there"""
    return stages["masked_scores"].nan_to_num(neginf=0.0)


@ex.mistake(through=stage_by("heads"))
def heads_merged_already(stages):
    """the stage heads is merged already: it is (B, H, T, d_head), before the merge"""
    return stages["merged"]


@ex.mistake(through=stage_by("merged"))
def merged_after_output(stages):
    """the stage merged has gone through W_O already: it comes before"""
    return stages["output"]


@ex.mistake
def not_split(X, W_Q, W_K, W_V, W_O, num_heads):
    """Q, K and V are not split: these stages are (B, H, T, d_head)"""
    stages = story.causal_attention()(X, W_Q, W_K, W_V, W_O, num_heads)
    return {**stages, **{name: stages[name].transpose(1, 2).flatten(2) for name in "QKV"}}


@ex.mistake(through=stage_by("K"))
def k_transposed(stages):
    """the stage K is transposed already: it is (B, H, T, d_head)"""
    return stages["K"].transpose(-2, -1)


@ex.mistake(through=stage_by("V"))
def v_is_heads(stages):
    """the stage V holds weights @ V: it is the split projection itself"""
    return stages["heads"]
