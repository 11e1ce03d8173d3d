"""sliding_window_mask: each query sees only the latest tokens and the first few of the whole text."""

import torch

from autograder.authoring.draws import call, each_changed
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "T_q T_k"},
    uses=["create_causal_mask_with_cache"],
    gradients=False,
    hints="""
    With 9 keys, 2 queries and a window of 3: at which position is each query, and which keys may it
    attend to?

    Query i is at position T_k - T_q + i. Two kinds of keys are masked: those in the future, and those that lie
    `window` or more positions back, unless they are among the first `sinks` keys.

    Make the queries' positions a column and the keys' positions a row. Then three comparisons are enough,
    joined by | (or) and & (and). Put each one in parentheses.

    (keys > queries) | ((keys <= queries - window) & (keys >= sinks))  # (T_q, T_k)
    """,
)


@ex.reference
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    rows = []
    for query in range(seq_len_k - seq_len_q, seq_len_k):
        allowed = {*range(query - window + 1, query + 1), *range(min(sinks, query + 1))}
        rows.append([key not in allowed for key in range(seq_len_k)])
    return torch.tensor(rows, dtype=torch.bool, device=device)


def sizes(T_q, T_k, window, sinks=0):
    """The arguments; sinks=0 is left out."""
    arguments = {"seq_len_q": int(T_q), "seq_len_k": int(T_k), "window": int(window)}
    return arguments | ({"sinks": int(sinks)} if sinks else {})


@ex.case
def whole_text(g):
    T = g.integers(6, 10)
    return call(**sizes(T, T, g.integers(2, 5)))


@ex.case
def behind_a_cache(g):
    T_q, window = 3 + g.permutation(4)[:2]
    T_k = int(g.integers(10, 20))
    first = call(**sizes(T_q, T_k, window))
    return each_changed(first, seq_len_q=int(T_q) + 1, seq_len_k=T_k + 1, window=int(window) + 1, sinks=1)


@ex.case
def sinks_in_the_past(g):
    T_q, window, sinks = 2 + g.permutation(3)
    return call(**sizes(T_q, g.integers(14, 20), window, sinks))


@ex.case
def sinks_from_the_start(g):
    """The first queries are among the sinks, or before them."""
    T = g.integers(9, 16)
    return call(**sizes(T, T, g.integers(2, 4), g.integers(4, 7)))


ex.edge(
    one_new_token=lambda g: call(**sizes(1, g.integers(9, 20), g.integers(2, 5), g.integers(1, 4))),
    itself_alone=lambda g: call(**sizes(g.integers(2, 6), g.integers(6, 20), 1)),
    nothing_left_out=lambda g: call(**sizes(g.integers(3, 6), g.integers(8, 12), g.integers(12, 20))),
    many_sinks=lambda g: call(**sizes(g.integers(3, 6), g.integers(8, 12), 2, g.integers(12, 20))),
)


@ex.edge
def sinks_meet_the_window(g):
    """One key lies between the sinks and the last query's window; for the other queries there is none."""
    T_q, T_k, window = (int(n) for n in (g.integers(3, 6), g.integers(13, 17), g.integers(3, 6)))
    return call(**sizes(T_q, T_k, window, T_k - window - 1))


@ex.edge
def same_sizes_again(g):
    """A mask that the answer stored by T_q and T_k has the wrong window or sinks."""
    T_q, T_k, window = int(g.integers(3, 6)), int(g.integers(12, 20)), int(g.integers(2, 5))
    case = call(**sizes(T_q, T_k, window)).call(**sizes(T_q, T_k, window + 2))
    return case.call(**sizes(T_q, T_k, window, int(g.integers(1, 4))))


@ex.edge
def other_device(g):
    """Two sizes, first on the CPU, then on another device: a mask that the answer stored for a size is on the
    wrong device."""
    first, second = sizes(4, 6, 2), sizes(1, 5, 2, 1)
    return call(**first).call(**second).call(**first, device="meta").call(**second, device="meta")


# ---- mistakes


def rule(masked, start=lambda T_q, T_k: T_k - T_q):
    """An implementation that returns masked(q, k, w, s), with query positions q (from start(T_q, T_k) on),
    key positions k, the window w and the number of sinks s."""

    def implementation(seq_len_q, seq_len_k, window, sinks=0, device=None):
        q = torch.arange(seq_len_q, device=device)[:, None] + start(seq_len_q, seq_len_k)
        k = torch.arange(seq_len_k, device=device)[None, :]
        return masked(q, k, window, sinks).expand(seq_len_q, seq_len_k)  # (T_q, T_k)

    return implementation


def far(q, k, w, s):
    """True for keys before the window that are not sinks."""
    return (k <= q - w) & (k >= s)


def right(q, k, w, s):
    return (k > q) | far(q, k, w, s)


ex.wrong(
    "window_too_long: one key too many is visible: the window holds the query's own position and the window - 1 before it (FlashAttention's `window_size` does not count the query; here it counts)",
    rule(lambda q, k, w, s: (k > q) | ((k < q - w) & (k >= s))),
    "window_too_short: one key too few is visible: the window holds the query's own position and the window - 1 before it",
    rule(lambda q, k, w, s: (k > q) | ((k <= q - w + 1) & (k < q) & (k >= s))),
    "diagonal_masked: each query's own position is masked: it belongs to the window",
    rule(lambda q, k, w, s: (k >= q) | far(q, k, w, s)),
    "future_visible: the future is visible: a key after the query is masked, whatever the window",
    rule(far),
    "window_both_ways: the window reaches as far into the future as into the past: it ends at the query's own position",
    rule(lambda q, k, w, s: ((k - q).abs() >= w) & (k >= s)),
    rule(lambda q, k, w, s: ((k - q).abs() > w) & (k >= s)),
    "inverted: True and False are swapped: True means masked, so inside the window the mask is False",
    rule(lambda q, k, w, s: ~right(q, k, w, s)),
    "sinks_from_the_future: sinks are visible to queries that come before them: the first `sinks` keys are visible only where they are not in the query's future",
    rule(lambda q, k, w, s: ((k > q) | (k <= q - w)) & (k >= s)),
    "top_left: the queries are counted from the first key: with a cache, query i is at position T_k - T_q + i",
    rule(right, lambda T_q, T_k: 0),
    "queries_behind_keys: the queries are placed after all the keys: the last query and the last key are the same token, at position T_k - 1",
    rule(right, lambda T_q, T_k: T_k),
)
