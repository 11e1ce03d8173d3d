"""create_causal_mask_with_cache: the same rule, with queries that stand further right."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "T_q T_k"},
    uses=["create_causal_mask"],
    gradients=False,
    hints=[
        "With 4 tokens in the cache, which position in the whole text has the first new token?",
        "Query i stands at position cache_len + i; keys stand at 0, 1, ..., T_k - 1. The rule is unchanged: "
        "a key further right than the query is masked.",
        "torch.arange(cache_len, cache_len + seq_len_q, device=device)[:, None] gives the queries' "
        "positions as a column.",
        "keys[None, :] > cache_len + queries[:, None]  # (T_q, T_k), keys and queries count from 0",
    ],
)


@ex.reference
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    rows = [[j > cache_len + i for j in range(seq_len_k)] for i in range(seq_len_q)]
    return torch.tensor(rows, dtype=torch.bool, device=device)


def sizes(T, cached):
    """The arguments for T new tokens behind so many cached ones."""
    return {"seq_len_q": int(T), "seq_len_k": int(cached + T), "cache_len": int(cached)}


ex.case(
    chunk=lambda g: call(**sizes(g.integers(3, 9), g.integers(9, 20))),
    longer_chunk=lambda g: call(**sizes(g.integers(9, 16), g.integers(2, 9))),
)
ex.edge(
    one_new_token=lambda g: call(**sizes(1, g.integers(3, 20))),
    empty_cache=lambda g: call(**sizes(g.integers(3, 12), 0)),
    one_cached=lambda g: call(**sizes(g.integers(3, 12), 1)),
    long=lambda g: call(**sizes(g.integers(20, 30), g.integers(66, 80))),
)


@ex.edge
def other_device(g):
    """Two sizes twice: a mask that was kept for them lies on another device."""
    first, second = sizes(4, 0), sizes(1, 5)
    return call(**first).call(**second).call(**first, device="meta").call(**second, device="meta")


def by_rule(masked):
    """An implementation from a rule on positions i (query in the chunk), j (key), c = cache_len, T_q."""

    def implementation(seq_len_q, seq_len_k, cache_len, device=None):
        i = torch.arange(seq_len_q, device=device)[:, None]
        j = torch.arange(seq_len_k, device=device)[None, :]
        return masked(i, j, cache_len, seq_len_q).expand(seq_len_q, seq_len_k)  # (T_q, T_k)

    return implementation


@by_rule
def right(i, j, c, T_q):
    return j > c + i


@ex.mistake(through=by_rule)
def cache_ignored(i, j, c, T_q):
    """the mask ignores the cache: query i stands at position cache_len + i, not at i, so cached keys are
    being masked (a top-left mask)"""
    return j > i


@ex.mistake(through=by_rule)
def off_by_one_late(i, j, c, T_q):
    """one key of the future is visible: the queries are placed one too far right"""
    return j > c + i + 1


@ex.mistake(through=by_rule)
def diagonal_masked(i, j, c, T_q):
    """each new token is hidden from itself: position cache_len + i may attend to itself, so compare with >,
    not >="""
    return j >= c + i


@ex.mistake(through=by_rule)
def inverted(i, j, c, T_q):
    """True and False are swapped: True means masked, so cached keys are False"""
    return j <= c + i


@ex.mistake(through=by_rule)
def past_masked(i, j, c, T_q):
    """the past is masked instead of the future: key j is masked when its position is greater than the
    query's"""
    return j < c + i


@ex.mistake(through=by_rule)
def cached_keys_masked(i, j, c, T_q):
    """cached keys are masked: they lie in the past of every new token and stay visible"""
    return (j > c + i) | (j < c)


@ex.mistake(through=by_rule)
def nothing_masked(i, j, c, T_q):
    """nothing is masked: within a chunk of several new tokens, earlier ones must not see later ones"""
    return (j < 0) | (i < 0)


@ex.mistake(through=by_rule)
def all_new_masked(i, j, c, T_q):
    """every new key is masked: a new token may attend to itself and to new tokens before it"""
    return (j >= c) | (i < 0)


@ex.mistake(through=by_rule)
def cache_len_subtracted(i, j, c, T_q):
    """`cache_len` is on the wrong side: keys are at 0, 1, ...; it is the *query* that stands at cache_len
    + i"""
    return j + c > i


@ex.mistake(through=by_rule)
def offset_by_new(i, j, c, T_q):
    """the queries are moved by the number of new tokens: query i stands at cache_len + i"""
    return j > i + T_q


ex.another("offset_by_new", lambda i, j, c, T_q: j >= i + T_q, through=by_rule)


@ex.mistake
def positions_side_by_side(seq_len_q, seq_len_k, cache_len, device=None):
    """two rows of positions are compared place by place: make the queries a column, [:, None], so that every
    query meets every key"""
    return torch.arange(seq_len_k, device=device) > cache_len + torch.arange(seq_len_q, device=device)


@ex.another("positions_side_by_side")
def queries_below_keys(seq_len_q, seq_len_k, cache_len, device=None):
    return cache_len + torch.arange(seq_len_q, device=device) < torch.arange(seq_len_k, device=device)


@ex.mistake
def cached_columns_missing(seq_len_q, seq_len_k, cache_len, device=None):
    """the columns of the cached keys are missing: the mask is (T_q, cache_len + T_q)"""
    return torch.ones(seq_len_q, seq_len_q, dtype=torch.bool, device=device).triu(1)


@ex.mistake
def cached_columns_twice(seq_len_q, seq_len_k, cache_len, device=None):
    """the mask has cache_len columns too many: seq_len_k counts the cached keys already"""
    return torch.ones(seq_len_q, cache_len + seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)


@ex.mistake
def new_before_old(seq_len_q, seq_len_k, cache_len, device=None):
    """the columns are in the order new, old: the cached keys come first"""
    new = cached_columns_missing(seq_len_q, seq_len_k, cache_len, device)
    return torch.cat([new, torch.zeros(seq_len_q, cache_len, dtype=torch.bool, device=device)], 1)


@ex.mistake
def full_square(seq_len_q, seq_len_k, cache_len, device=None):
    """there is a row for every position: rows are wanted for the new tokens only, the last T_q of them"""
    return torch.ones(seq_len_k, seq_len_k, dtype=torch.bool, device=device).triu(1)


@ex.mistake
def transposed(seq_len_q, seq_len_k, cache_len, device=None):
    """rows and columns are swapped: rows are queries, columns are keys"""
    return right(seq_len_q, seq_len_k, cache_len, device).T


@ex.mistake
def none_for_one_token(seq_len_q, seq_len_k, cache_len, device=None):
    """it returns None for one new token: the mask is then all False, (1, T_k), and still returned"""
    return None if seq_len_q == 1 else right(seq_len_q, seq_len_k, cache_len, device)
