"""create_causal_mask_with_cache: a causal mask for new tokens that come after cached ones."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "T_q T_k"},
    uses=["create_causal_mask"],
    gradients=False,
    hints="""
    With 4 tokens in the cache, what is the position of the first new token in the whole text?

    Query i is at position cache_len + i; keys are at 0, 1, ..., T_k - 1. The rule is unchanged: a key
    further right than the query is masked.

    torch.arange(cache_len, cache_len + seq_len_q, device=device)[:, None] gives the queries' positions as a
    column.

        keys[None, :] > cache_len + queries[:, None]  # (T_q, T_k), keys and queries count from 0
    """,
)


@ex.reference
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    rows = [[j > cache_len + i for j in range(seq_len_k)] for i in range(seq_len_q)]
    return torch.tensor(rows, dtype=torch.bool, device=device)


def sizes(T, cached):
    """The arguments for T new tokens after `cached` cached ones."""
    return {"seq_len_q": int(T), "seq_len_k": int(cached + T), "cache_len": int(cached)}


ex.case(
    chunk=lambda g: call(**sizes(g.integers(3, 6), g.integers(4, 8))),
)


@ex.case
def longer_chunk(g):
    """Then two calls that share one size each with the first and with each other: a mask that the answer stored
    by one of them is another call's."""
    T, cached = g.integers(9, 16), g.integers(2, 9)
    return call(**sizes(T, cached)).call(**sizes(T, cached + 1)).call(**sizes(T + 1, cached))


ex.edge(
    one_new_token=lambda g: call(**sizes(1, g.integers(3, 20))),
    empty_cache=lambda g: call(**sizes(g.integers(3, 12), 0)),
    one_cached=lambda g: call(**sizes(g.integers(3, 12), 1)),
    long=lambda g: call(**sizes(g.integers(20, 30), g.integers(66, 80))),
)


@ex.edge
def other_device(g):
    """Two sizes, first on the CPU, then on another device: a mask that the answer stored for a size is on the
    wrong device."""
    first, second = sizes(4, 0), sizes(1, 5)
    return call(**first).call(**second).call(**first, device="meta").call(**second, device="meta")


def by_rule(masked):
    """An implementation that returns masked(i, j, c, T_q), with positions i (T_q, 1) in the chunk, key
    positions j (1, T_k) and c = cache_len."""

    def implementation(seq_len_q, seq_len_k, cache_len, device=None):
        i = torch.arange(seq_len_q, device=device)[:, None]
        j = torch.arange(seq_len_k, device=device)[None, :]
        return masked(i, j, cache_len, seq_len_q).expand(seq_len_q, seq_len_k)  # (T_q, T_k)

    return implementation


def square(T, device):
    return torch.ones(T, T, dtype=torch.bool, device=device).triu(1)


def cached_columns_twice(seq_len_q, seq_len_k, cache_len, device=None):
    return torch.ones(seq_len_q, cache_len + seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)


right = by_rule(lambda i, j, c, T_q: j > c + i)
ex.wrong(
    "cache_ignored: the mask ignores the cache: query i is at position cache_len + i, not at i, so cached keys are being masked (a top-left mask)",
    by_rule(lambda i, j, c, T_q: j > i),
    "off_by_one_late: each new token sees one token ahead: the positions of the queries are one too large",
    by_rule(lambda i, j, c, T_q: j > c + i + 1),
    "diagonal_masked: each new token is hidden from itself: position cache_len + i may attend to itself, so mask j > cache_len + i (with `triu`, the diagonal is cache_len + 1)",
    by_rule(lambda i, j, c, T_q: j >= c + i),
    "inverted: True and False are swapped: True means masked, so cached keys are False",
    by_rule(lambda i, j, c, T_q: j <= c + i),
    "past_masked: the past is masked instead of the future: key j is masked when its position is greater than the query's",
    by_rule(lambda i, j, c, T_q: j < c + i),
    "cached_keys_masked: cached keys are masked: they lie in the past of every new token and must stay visible",
    by_rule(lambda i, j, c, T_q: (j > c + i) | (j < c)),
    "nothing_masked: nothing is masked: within a chunk of several new tokens, earlier ones must not see later ones",
    by_rule(lambda i, j, c, T_q: (j < 0) | (i < 0)),
    "all_new_masked: every new key is masked: a new token may attend to itself and to the new tokens before it",
    by_rule(lambda i, j, c, T_q: (j >= c) | (i < 0)),
    "cache_len_subtracted: `cache_len` is on the wrong side of the comparison: keys are at 0, 1, ...; it is the *query* that is at cache_len + i",
    by_rule(lambda i, j, c, T_q: j + c > i),
    "offset_by_new: the queries are shifted by the number of new tokens: query i is at cache_len + i",
    by_rule(lambda i, j, c, T_q: j > i + T_q),
    "cached_columns_missing: the columns of the cached keys are missing: the mask must be (T_q, cache_len + T_q)",
    lambda seq_len_q, seq_len_k, cache_len, device=None: square(seq_len_q, device),
    "cached_columns_twice: the mask has cache_len columns too many: seq_len_k already counts the cached keys",
    cached_columns_twice,
    "new_before_old: the columns of the new keys come before those of the cached ones: the cached keys come first",
    by_rule(lambda i, j, c, T_q: (j > i) & (j < T_q)),
    "transposed: rows and columns are swapped: rows are queries, columns are keys",
    lambda *sizes, **more: right(*sizes, **more).T,
    "none_for_one_token: it returns None for one new token: return the mask anyway, (1, T_k) and all False",
    lambda seq_len_q, *more, **device: None if seq_len_q == 1 else right(seq_len_q, *more, **device),
)
