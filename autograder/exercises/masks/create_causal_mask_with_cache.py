"""create_causal_mask_with_cache: the same rule, with queries that stand further right."""

import torch

from autograder.authoring.exercise import Exercise, call

ex = Exercise(
    "create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None)",
    {"mask": "T_q T_k"},
    uses=["create_causal_mask"],
    gradients=False,
    hints=[
        "With 4 tokens in the cache, which position in the whole text has the first new token?",
        "Query i stands at position cache_len + i; keys stand at 0, 1, ..., T_k - 1. The rule is unchanged: a key further right than the query is masked.",
        "torch.arange(cache_len, cache_len + seq_len_q, device=device)[:, None] gives the queries' positions as a column.",
    ],
)


@ex.reference
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    rows = [[j > cache_len + i for j in range(seq_len_k)] for i in range(seq_len_q)]
    return torch.tensor(rows, dtype=torch.bool, device=device)


@ex.case
def chunk(g):
    T, cached = int(g.integers(3, 9)), int(g.integers(9, 20))
    return call(seq_len_q=T, seq_len_k=cached + T, cache_len=cached)


@ex.case
def longer_chunk(g):
    T, cached = int(g.integers(9, 16)), int(g.integers(2, 9))
    return call(seq_len_q=T, seq_len_k=cached + T, cache_len=cached)


@ex.edge
def one_new_token(g):
    cached = int(g.integers(3, 20))
    return call(seq_len_q=1, seq_len_k=cached + 1, cache_len=cached)


@ex.edge
def empty_cache(g):
    T = int(g.integers(3, 12))
    return call(seq_len_q=T, seq_len_k=T, cache_len=0)


@ex.edge
def one_cached(g):
    T = int(g.integers(3, 12))
    return call(seq_len_q=T, seq_len_k=T + 1, cache_len=1)


@ex.edge
def long(g):
    T, cached = int(g.integers(20, 30)), int(g.integers(66, 80))
    return call(seq_len_q=T, seq_len_k=cached + T, cache_len=cached)


@ex.edge
def other_device(g):
    """Two sizes twice: a mask that was kept for them lies on another device."""
    first, second = (
        {"seq_len_q": T, "seq_len_k": T + cached, "cache_len": cached} for T, cached in ((4, 0), (1, 5))
    )
    return call(**first).call(**second).call(**first, device="meta").call(**second, device="meta")


def rule(masked):
    """An implementation from a rule on positions i (query in the chunk), j (key), c = cache_len, T_q, T_k."""

    def implementation(seq_len_q, seq_len_k, cache_len, device=None):
        i, j = (
            torch.arange(seq_len_q, device=device)[:, None],
            torch.arange(seq_len_k, device=device)[None, :],
        )
        return masked(i, j, cache_len, seq_len_q, seq_len_k).expand(seq_len_q, seq_len_k)  # (T_q, T_k)

    return implementation


def only_new(seq_len_q, seq_len_k, cache_len, device=None):
    return torch.ones(seq_len_q, seq_len_q, dtype=torch.bool, device=device).triu(1)


def new_first(seq_len_q, seq_len_k, cache_len, device=None):
    new = only_new(seq_len_q, seq_len_k, cache_len, device)
    return torch.cat([new, torch.zeros(seq_len_q, cache_len, dtype=torch.bool, device=device)], 1)


ex.mistake(
    "cache_ignored",
    "the mask ignores the cache: query i stands at position cache_len + i, not at i, so cached keys are being masked (a top-left mask)",
    rule(lambda i, j, c, T_q, T_k: j > i),
)
ex.mistake(
    "off_by_one_late",
    "one key of the future is visible: the queries are placed one too far right",
    rule(lambda i, j, c, T_q, T_k: j > c + i + 1),
)
ex.mistake(
    "diagonal_masked",
    "each new token is hidden from itself: position cache_len + i may attend to itself, so compare with >, not >=",
    rule(lambda i, j, c, T_q, T_k: j >= c + i),
)
ex.mistake(
    "inverted",
    "True and False are swapped: True means masked, so cached keys are False",
    rule(lambda i, j, c, T_q, T_k: j <= c + i),
)
ex.mistake(
    "past_masked",
    "the past is masked instead of the future: key j is masked when its position is greater than the query's",
    rule(lambda i, j, c, T_q, T_k: j < c + i),
)
ex.mistake(
    "cached_keys_masked",
    "cached keys are masked: they lie in the past of every new token and stay visible",
    rule(lambda i, j, c, T_q, T_k: (j > c + i) | (j < c)),
)
ex.mistake(
    "nothing_masked",
    "nothing is masked: within a chunk of several new tokens, earlier ones must not see later ones",
    rule(lambda i, j, c, T_q, T_k: (j < 0) | (i < 0)),
)
ex.mistake(
    "all_new_masked",
    "every new key is masked: a new token may attend to itself and to new tokens before it",
    rule(lambda i, j, c, T_q, T_k: (j >= c) | (i < 0)),
)
ex.mistake(
    "cache_len_subtracted",
    "`cache_len` is on the wrong side: keys are at 0, 1, ...; it is the *query* that stands at cache_len + i",
    rule(lambda i, j, c, T_q, T_k: j + c > i),
)
ex.mistake(
    "offset_by_new",
    "the queries are moved by the number of new tokens: query i stands at cache_len + i",
    rule(lambda i, j, c, T_q, T_k: j > i + T_q),
    rule(lambda i, j, c, T_q, T_k: j >= i + T_q),
)
ex.mistake(
    "positions_side_by_side",
    "two rows of positions are compared place by place: make the queries a column, [:, None], so that every query meets every key",
    *[
        lambda seq_len_q, seq_len_k, cache_len, device=None, f=f: f(
            cache_len + torch.arange(seq_len_q, device=device), torch.arange(seq_len_k, device=device)
        )
        for f in (lambda i, j: j > i, lambda i, j: i < j)
    ],
)
ex.mistake(
    "cached_columns_missing",
    "the columns of the cached keys are missing: the mask is (T_q, cache_len + T_q)",
    only_new,
)
ex.mistake(
    "cached_columns_twice",
    "the mask has cache_len columns too many: seq_len_k counts the cached keys already",
    lambda seq_len_q, seq_len_k, cache_len, device=None: torch.ones(
        seq_len_q, cache_len + seq_len_k, dtype=torch.bool, device=device
    ).triu(cache_len + 1),
)
ex.mistake("new_before_old", "the columns are in the order new, old: the cached keys come first", new_first)
ex.mistake(
    "full_square",
    "there is a row for every position: rows are wanted for the new tokens only, the last T_q of them",
    lambda seq_len_q, seq_len_k, cache_len, device=None: torch.ones(
        seq_len_k, seq_len_k, dtype=torch.bool, device=device
    ).triu(1),
)
ex.mistake(
    "transposed",
    "rows and columns are swapped: rows are queries, columns are keys",
    lambda seq_len_q, seq_len_k, cache_len, device=None: (
        rule(lambda i, j, c, T_q, T_k: j > c + i)(seq_len_q, seq_len_k, cache_len, device).T
    ),
)
ex.mistake(
    "none_for_one_token",
    "it returns None for one new token: the mask is then all False, (1, T_k), and still returned",
    lambda seq_len_q, seq_len_k, cache_len, device=None: (
        None
        if seq_len_q == 1
        else rule(lambda i, j, c, T_q, T_k: j > c + i)(seq_len_q, seq_len_k, cache_len, device)
    ),
)
