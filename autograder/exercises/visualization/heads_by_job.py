"""heads_by_job: a question about the heads of the two small models that ship with the course."""

from autograder.authoring.exercise import Exercise
from course_utils.model.case import Case

ex = Exercise(
    dict.fromkeys(("who", "how", "helper", "induction"), ""),
    kind="answer",
    container="dict",
    probes=False,
    uses=["get_attention_weights", "head_scores", "induction_score"],
    hints="""
    Draw all heads of a model on one scale first. At which word does the row of *and* look?

    world.weight_on(weights, examples) puts a number on *who* and on *how* for each head, over many sentences.

    Layer 0 of the second model: compare head_scores(...)['previous'] of its two heads. Layer 1:
    induction_score of each head against 0.5.
    """,
)
RIGHT = {"who": (0, 0), "how": (0, 1), "helper": (0, 1), "induction": [(1, 0), (1, 1)]}


@ex.reference
def heads_by_job():
    return RIGHT


@ex.case
def shipped_models(g):
    return Case("", [], salt=int(g.integers(1, 2**31)))


def but(**changes):
    return lambda: {**RIGHT, **changes}


def everywhere(change):
    """An implementation that returns the right answer with change(layer, head) for every head."""
    return lambda: {
        job: [change(*head) for head in heads] if isinstance(heads, list) else change(*heads)
        for job, heads in RIGHT.items()
    }


ex.wrong(
    "who_and_how_swapped: the heads for who and how are swapped: who is the animal that did it, how is the adverb",
    but(who=(0, 1), how=(0, 0)),
    "counted_from_one: layers and heads are counted from 1: both count from 0",
    everywhere(lambda layer, head: (layer + 1, head + 1)),
    everywhere(lambda layer, head: (layer, head + 1)),
    everywhere(lambda layer, head: (layer + 1, head)),
    "head_before_layer: the pairs are (head, layer): give (layer, head)",
    everywhere(lambda layer, head: (head, layer)),
    "only_one_induction_head: there is more than one induction head: list all with a score above 0.5",
    but(induction=[(1, 0)]),
    but(induction=[(1, 1)]),
    but(induction=(1, 0)),
    but(induction=(1, 1)),
    "induction_in_layer_0: an induction head is named in layer 0: a head there sees only letters, not what preceded them",
    but(induction=[(0, 0), (1, 0), (1, 1)]),
    but(induction=[(0, 1), (1, 0), (1, 1)]),
    but(induction=[(0, 0), (0, 1), (1, 0), (1, 1)]),
    "helper_is_the_other: the helper is the other head of layer 0: compare how much of their weight lies on the previous letter",
    but(helper=(0, 0)),
    "no_pair: each head must be a pair, (layer, head), both counted from 0",
    but(who=0, how=1, helper=1, induction=[0, 1]),
)
