"""mean_over_tokens: one vector for a sequence, the mean of its tokens' vectors."""

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"means": "B d_model"},  # each result by its name, with its axes
    points=2,
    hints="""
    Which axis of x (B, T, d_model) counts the tokens?

    The axis that is averaged goes away: (B, T, d_model) becomes (B, d_model).

    x.mean(dim=...) averages along one axis.
    """,  # from a question to nearly the answer
)


@ex.reference
def mean_over_tokens(x):
    """The oracle: plain, as slow as you like, and not the lesson's answer."""
    total = 0
    for t in range(x.shape[1]):
        total = total + x[:, t]
    return total / x.shape[1]


# Core cases pay 70 % together. g draws other numbers for each grading. The sizes of a case differ from each
# other.
ex.case(
    two_sequences=lambda g: call(x=normal(g, 2, int(g.integers(4, 7)), 3)),
    five_sequences=lambda g: call(x=normal(g, 5, int(g.integers(2, 5)), 7)),
)
# Each edge case pays a share of the rest. `weights={"large": 2}` above lets one count twice.
ex.edge(
    one_token=lambda g: call(x=normal(g, 2, 1, 3)),
    one_sequence=lambda g: call(x=normal(g, 1, 4, 6)),
    large=lambda g: call(x=1e4 * normal(g, 3, 5, 4)),
)


# Known mistakes: the name, the sentence that students read, and a wrong answer (or several).
ex.wrong(
    "mean_over_features: the mean runs over the features: the tokens are the second axis of x (B, T, d_model)",
    lambda x: x.mean(2),
    "mean_over_batch: the mean runs over the sequences: each sequence has a mean of its own",
    lambda x: x.mean(0),
    "sum_over_tokens: the tokens are added up, and not divided by how many there are",
    lambda x: x.sum(1),
    "keeps_the_axis: the averaged axis stays behind with size 1",
    lambda x: x.mean(1, keepdim=True),
)


# One that needs statements is a function: its docstring is the sentence.
@ex.mistake
def last_token(x):
    """it is the last token alone: all tokens count alike"""
    return x[:, -1]
