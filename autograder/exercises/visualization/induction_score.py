"""induction_score: how much a head attends to the tokens that followed earlier occurrences of the current
token."""

import torch

from autograder.authoring.draws import call, causal_table
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"score": "H"},
    points=3,
    gradients=False,
    devices=False,
    hints="""
    In A B C A, which key should an induction head look at from the second A?

    At the B: the token after the earlier A. For query i these are all keys j with tokens[j - 1] == tokens[i]
    and j <= i. Sum the weights on them; only rows with such a key count.

    tokens[:, :, None] == tokens[:, None, :] is a (B, T, T) table of equal tokens; F.pad(table, (1, 0))[...,
    :-1] moves it one key to the right, and .tril() keeps j <= i. Sum weights * table over the keys, and take
    one mean over all rows of the batch that have such a key.

        mass = (weights * table[:, None]).sum(-1)  # (B, H, T)
    """,
)


@ex.reference
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    rows = [
        (b, i, [j for j in range(1, i + 1) if tokens[b, j - 1] == tokens[b, i]])
        for b in range(B)
        for i in range(T)
    ]
    masses = [weights[b, :, i, keys].sum(-1) for b, i, keys in rows if keys]
    return torch.stack(masses).mean(0) if masses else weights.new_zeros(H)


def case(g, B, H, T, letters):
    return call(weights=causal_table(g, B, H, T), tokens=torch.from_numpy(g.integers(0, letters, (B, T))))


ex.case(few_letters=lambda g: case(g, 2, 3, 8, 3))


@ex.case
def repeated_word(g):
    word = torch.from_numpy(g.permutation(5))
    weights = causal_table(g, 1, 4, 10)
    weights[:, :, 7] = torch.eye(10)[0]  # no head attends to the follower, but the row still counts
    return call(weights=weights, tokens=torch.cat([word, word])[None])


@ex.case
def rows_unevenly_spread(g):
    tokens = torch.tensor([[0, 1, 2, 3, 4, 5, 0], [1, 1, 2, 1, 2, 1, 1], [3, 2, 1, 0, 4, 5, 6]])
    return call(weights=causal_table(g, 3, 2, 7), tokens=tokens)


@ex.edge
def nothing_repeats(g):
    return call(weights=causal_table(g, 2, 3, 5), tokens=torch.from_numpy(g.permutation(10).reshape(2, 5)))


@ex.edge
def one_row_counts(g):
    tokens = torch.from_numpy(g.permutation(6))
    first, later = sorted(g.choice(6, 2, replace=False))
    tokens[later] = tokens[first]
    return call(weights=causal_table(g, 1, 3, 6), tokens=tokens[None])


@ex.edge
def one_letter(g):
    return call(weights=causal_table(g, 2, 3, 4), tokens=torch.full((2, 4), int(g.integers(9))))


@ex.edge
def one_token(g):
    return call(weights=torch.ones(2, 3, 1, 1, dtype=torch.float64), tokens=torch.tensor([[4], [4]]))


@ex.edge
def not_contiguous(g):
    return case(g, 2, 3, 6, 2).but(strided=True)


def mean_over_rows(mass, rows):
    """The mean of mass (B, H, T) over the rows that count, rows (B, T): (H,)."""
    return (mass * rows[:, None]).sum((0, 2)) / rows.sum().clamp(min=1)


def followers(tokens, shift):
    """(B, T, T): True where key j is `shift` places after an occurrence of the token at i."""
    i, j = torch.arange(tokens.shape[1])[:, None], torch.arange(tokens.shape[1])[None, :]
    same = tokens[:, :, None] == tokens[:, None, :]
    same = same & (j < i) if shift < 0 else same
    inside = (j >= shift) & (j < tokens.shape[1] + shift)
    return same.roll(shift, -1) & inside


def score(shift=1, inside=lambda i, j: j <= i, mean=mean_over_rows, table=lambda w: w):
    """An implementation with these steps: how far and where followers are, the mean, and a change of the
    weights."""

    def implementation(weights, tokens):
        T = tokens.shape[1]
        keys = followers(tokens, shift) & inside(torch.arange(T)[:, None], torch.arange(T)[None, :])
        mass = (table(weights) * keys[:, None]).sum(-1)  # (B, H, T)
        return mean(mass, keys.any(-1))

    return implementation


def one_occurrence(which):
    """An implementation that counts only the first earlier occurrence (0) or the latest (-1)."""

    def implementation(weights, tokens):
        masses = []
        for b, row in enumerate(tokens.tolist()):
            for i, token in enumerate(row):
                earlier = [j for j in range(i) if row[j] == token]
                if earlier:
                    masses.append(weights[b, :, i, earlier[which] + 1])
        return torch.stack(masses).mean(0) if masses else weights.new_zeros(weights.shape[1])

    return implementation


def mean_of_means(mass, rows):
    return ((mass * rows[:, None]).sum(-1) / rows.sum(-1).clamp(min=1)[:, None]).mean(0)


def mean_of_means_with_rows(mass, rows):
    """mean_of_means, over the examples in which a token repeats."""
    means = (mass * rows[:, None]).sum(-1) / rows.sum(-1).clamp(min=1)[:, None]  # (B, H)
    return means[rows.any(-1)].mean(0) if rows.any() else means[0]


def mean_over_followers(weights, tokens):
    keys = followers(tokens, 1).tril()
    return (weights * keys[:, None]).sum((0, 2, 3)) / keys.sum().clamp(min=1)


def mean_in_each_row(weights, tokens):
    keys = followers(tokens, 1).tril()
    mass = (weights * keys[:, None]).sum(-1) / keys.sum(-1).clamp(min=1)[:, None]  # (B, H, T)
    return mean_over_rows(mass, keys.any(-1))


def wraps_around(weights, tokens):
    follows = (tokens[:, :, None] == tokens.roll(1, 1)[:, None]).tril()  # (B, T, T)
    return mean_over_rows((weights * follows[:, None]).sum(-1), follows.any(-1))


ex.wrong(
    "occurrence_not_follower: the weight on the earlier occurrence itself is counted: count the key right after it",
    score(shift=0, inside=lambda i, j: j < i),
    "follower_of_follower: the key two places after the earlier occurrence is counted: count the one right after it",
    score(shift=2),
    "key_before: the key before the earlier occurrence is counted: count the one right after it",
    score(shift=-1),
    "token_itself_left_out: an occurrence in the position just before is left out: its follower is the current token itself, and that counts",
    score(inside=lambda i, j: j < i),
    "wraps_around: key 0 is treated as if it followed the last token (roll wraps around): nothing comes before key 0",
    wraps_around,
    "first_occurrence_only: only the first earlier occurrence is counted: the followers of all of them count",
    one_occurrence(0),
    "last_occurrence_only: only the latest earlier occurrence is counted: the followers of all of them count",
    one_occurrence(-1),
    "mean_over_all_rows: the mean runs over all rows: only rows whose token occurred earlier count",
    score(mean=lambda mass, rows: mass.mean((0, 2))),
    "mean_of_means: a mean is taken in each example first: take one mean over all rows of the batch that count",
    score(mean=mean_of_means),
    score(mean=mean_of_means_with_rows),
    "mean_over_followers: the mean is taken over the followers: sum the weights on all followers in a row, then take the mean over the rows",
    mean_over_followers,
    mean_in_each_row,
    "summed: the rows are summed: take the mean over them",
    score(mean=lambda mass, rows: mass.sum((0, 2))),
    "nan_without_rows: if no token repeats, the score is 0/0 = NaN: it should be 0",
    score(mean=lambda mass, rows: (mass * rows[:, None]).sum((0, 2)) / rows.sum()),
    "tokens_of_first_example: the first example's tokens are used for all: each example has its own tokens",
    lambda weights, tokens: score()(weights, tokens[:1].expand_as(tokens)),
    "only_first_example: only the first example is counted",
    lambda weights, tokens: score()(weights[:1], tokens[:1]),
    "rows_and_keys_swapped: rows and keys are swapped: row i is the query",
    score(table=lambda weights: weights.transpose(-2, -1)),
)
