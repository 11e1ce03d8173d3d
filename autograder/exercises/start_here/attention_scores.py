"""attention_scores: the dot product of every query with every key."""

import torch
import torch.nn.functional as F

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"scores": "T_q T_k"},
    points=1,
    hints="""
    One score is the dot product of one query with one key. How many scores are there for 5 queries and 5 keys?

    All dot products at once are one matrix product. Entry (i, j) of a @ b takes row i of a and *column* j of b.

    The keys are rows, and must become columns: keys.T swaps rows and columns, as keys.transpose(0, 1) does.

        return queries @ keys.T                              # (T_q, T_k)
    """,
)


@ex.reference
def attention_scores(queries, keys):
    return torch.stack([torch.stack([(q * k).sum() for k in keys]) for q in queries])


def case(g, T_q, T_k, d):
    return call(queries=normal(g, T_q, d), keys=normal(g, T_k, d))


ex.case(
    more_keys=lambda g: case(g, 3, 5, 4),
    more_queries=lambda g: case(g, 6, 2, 3),
)
ex.edge(
    as_many_keys_as_queries=lambda g: case(g, 4, 4, 4),
    one_query=lambda g: case(g, 1, 5, 3),
    one_token_one_feature=lambda g: case(g, 1, 1, 1),
)
ex.wrong(
    "keys_not_turned: the keys are not transposed: use queries @ keys.T, so that row i of the scores is query i against all keys",
    lambda queries, keys: queries @ keys,
    "rows_are_keys: rows and columns are swapped: row i must be query i against all keys, queries @ keys.T",
    lambda queries, keys: keys @ queries.T,
    "entry_by_entry: the numbers are multiplied entry by entry: a dot product also adds up the products, so use @",
    lambda queries, keys: queries * keys,
    "place_by_place: query i is compared only with key i: compare every pair, queries @ keys.T",
    lambda queries, keys: (queries * keys).sum(-1),
    "cosine: the rows are divided by their lengths first, which gives cosines: a dot product is taken of the rows as they are, queries @ keys.T",
    lambda queries, keys: F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T,
    "weights_already: these are already weights: leave the softmax to its own exercise",
    lambda queries, keys: torch.softmax(queries @ keys.T, -1),
)
