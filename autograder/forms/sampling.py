"""Sampling: the lesson's exercise for one row of logits, and top-p."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise
from autograder.exercises.in_the_wild.next_token_probabilities import ex as lesson
from autograder.exercises.in_the_wild.next_token_probabilities import next_token_probabilities

from .draws import eighths

# ---- one row

row = Exercise({"probabilities": "V"}, probes=False)


def of_a_row(implementation):
    def probabilities(logits, k, temperature):
        return implementation(logits[None], temperature, k)[0]

    return probabilities


row.reference(of_a_row(next_token_probabilities))


def row_case(g, V, k, temperature):
    """Logits that all differ."""
    return call(logits=torch.from_numpy(g.permutation(V) / 2 - 1), k=k, temperature=temperature)


row.case(warm_and_some_kept=lambda g: row_case(g, 6, 3, 1.5), cold=lambda g: row_case(g, 5, 5, 0.5))
row.edge(
    temperature_0=lambda g: row_case(g, 5, 2, 0.0),
    temperature_0_and_equals=lambda g: call(
        logits=torch.tensor([1.0, 3, 2, 3]).double(), k=4, temperature=0.0
    ),
    more_than_all_kept=lambda g: row_case(g, 4, 50, 2.0),
    nearly_0=lambda g: row_case(g, 5, 5, 1 / 512),
    far_below_zero=lambda g: call(
        logits=torch.tensor([-1800.5, -1799, -1801, -1800]).double(), k=2, temperature=1.0
    ),
)
for mistake in lesson.mistakes:
    if mistake.name != "threshold_without_axis":
        sentence = mistake.sentence.replace("top_k", "k").replace("in a whole row", "everywhere")
        row.add_mistake(mistake.name, sentence, [*map(of_a_row, mistake.implementations)])

# ---- top-p

nucleus = Exercise({"probabilities": "B V"}, probes=False)


@nucleus.reference
def top_p(logits, p):
    """Asks of each token how much probability the likelier ones have together."""
    chances = logits.softmax(-1)
    before = (chances[:, None] * (chances[:, None] > chances[:, :, None])).sum(-1)  # (B, V)
    kept = chances * (before < p)
    return kept / kept.sum(-1, keepdim=True)


def chances_case(g, p, *rows):
    """Rows of probabilities in sixteenths, in random order; p is not near one of their sums."""
    rows = [[rows[i][j] for j in g.permutation(len(rows[i]))] for i in range(len(rows))]
    return call(logits=(torch.tensor(rows).double() / 16).log().mul(64).round() / 64, p=p)


nucleus.case(
    three_rows=lambda g: chances_case(g, 0.7, (8, 4, 2, 1, 1), (5, 4, 3, 2.5, 1.5), (14, 1, 0.5, 0.3, 0.2)),
    two_rows=lambda g: chances_case(g, 0.45, (6, 4, 3, 2, 1), (4, 3.5, 3.2, 3, 2.3)),
)
nucleus.edge(
    only_the_likeliest=lambda g: chances_case(g, 0.05, (7, 5, 4), (9, 5, 2)),
    all_of_them=lambda g: chances_case(g, 1.0, (7, 4, 3, 2)),
    far_below_zero=lambda g: call(logits=eighths(g, 1, 4) - 800, p=0.9),
)


def by_sorting(
    keep=lambda ranked, p: ranked.cumsum(-1) - ranked < p,
    finish=lambda kept: kept / kept.sum(-1, keepdim=True),
    descending=True,
    put_back=lambda kept, order: torch.zeros_like(kept).scatter(-1, order, kept),
):
    def implementation(logits, p):
        ranked, order = logits.softmax(-1).sort(-1, descending=descending)
        return finish(put_back(ranked * keep(ranked, p), order))

    return implementation


nucleus.wrong(
    "crossing_token_left_out: the token whose probability brings the sum to p is left out: the set must reach p, so compare the sum before it with p",
    by_sorting(lambda ranked, p: ranked.cumsum(-1) <= p),
    by_sorting(lambda ranked, p: (ranked.cumsum(-1) <= p) | (ranked == ranked[:, :1])),
    "not_shared_out_again: the tokens that stay keep their probabilities, so the rows do not sum to 1: divide by the new sum",
    by_sorting(finish=lambda kept: kept),
    "left_in_order: the probabilities come back sorted: put each one back at its own token",
    by_sorting(put_back=lambda kept, order: kept),
    "order_applied_again: `order` says which token stands at each rank: to put them back, scatter with it, or sort it once more; indexing with it again is something else",
    by_sorting(put_back=lambda kept, order: kept.gather(-1, order)),
    "least_likely_first: the tokens are sorted from the least likely: begin with the most likely",
    by_sorting(descending=False),
    "compared_alone: each token's own probability is compared with p: it is the sum over the likelier ones that counts",
    by_sorting(lambda ranked, p: ranked >= p),
    by_sorting(lambda ranked, p: (ranked >= p) | (ranked == ranked[:, :1])),
    "one_too_many_kept: one token too many is kept: the set ends with the token that brings the sum to p",
    by_sorting(lambda ranked, p: ranked.cumsum(-1) - ranked - ranked.roll(1, -1).index_fill(-1, torch.tensor([0]), 0) < p),
)  # fmt: skip
FORMS = {"row_sampling": row, "top_p": nucleus}
