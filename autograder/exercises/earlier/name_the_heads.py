"""name_the_heads: which head does what in two small models; formerly an exercise of lesson 5."""

from autograder.authoring.exercise import Exercise
from course_utils.model.case import Case

ex = Exercise(
    dict.fromkeys(("previous", "first", "vowel", "helper", "induction"), ""),
    kind="answer",
    container="dict",
    probes=False,
    uses=["get_attention_weights", "head_scores", "induction_score"],
)


@ex.reference
def name_the_heads():
    heads = {"previous": (0, 2), "first": (0, 0), "vowel": (0, 1), "helper": (0, 1)}
    return heads | {"induction": [(1, 0), (1, 1)]}


@ex.case
def shipped_models(g):
    return Case("", [], salt=int(g.integers(1, 2**31)))
