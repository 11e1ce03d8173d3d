"""sliding_window_mask: each query sees the last tokens only, and the first few of the whole text."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "T_q T_k"},
    uses=["create_causal_mask_with_cache"],
    gradients=False,
    hints=[
        "With 9 keys, 2 queries and a window of 3: at which position does each query stand, and which keys "
        "may it attend to?",
        "Query i stands at position T_k - T_q + i. Masked are the future, and what lies window or more "
        "positions back unless it is one of the first `sinks` keys.",
        "Make the queries' positions a column and the keys' positions a row. Then three comparisons are "
        "enough, joined by | (or) and & (and); each goes into brackets of its own.",
        "(keys > queries) | ((keys <= queries - window) & (keys >= sinks))  # (T_q, T_k)",
    ],
)


@ex.reference
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    rows = []
    for query in range(seq_len_k - seq_len_q, seq_len_k):
        allowed = {*range(query - window + 1, query + 1), *range(min(sinks, query + 1))}
        rows.append([key not in allowed for key in range(seq_len_k)])
    return torch.tensor(rows, dtype=torch.bool, device=device)


def sizes(T_q, T_k, window, sinks=0):
    """The arguments, sinks only where there are some."""
    given = {"seq_len_q": int(T_q), "seq_len_k": int(T_k), "window": int(window)}
    return given | ({"sinks": int(sinks)} if sinks else {})


@ex.case
def whole_text(g):
    T = g.integers(7, 16)
    return call(**sizes(T, T, g.integers(2, 5)))


@ex.case
def behind_a_cache(g):
    return call(**sizes(g.integers(3, 6), g.integers(10, 20), g.integers(3, 6)))


@ex.case
def sinks_in_the_past(g):
    return call(**sizes(g.integers(3, 6), g.integers(14, 20), g.integers(3, 6), g.integers(2, 4)))


@ex.case
def sinks_from_the_start(g):
    """The first queries stand among the sinks, or before them."""
    T = g.integers(9, 16)
    return call(**sizes(T, T, g.integers(2, 4), g.integers(3, 6)))


ex.edge(
    one_new_token=lambda g: call(**sizes(1, g.integers(9, 20), g.integers(2, 5), g.integers(1, 4))),
    itself_alone=lambda g: call(**sizes(g.integers(2, 6), g.integers(6, 20), 1)),
    nothing_left_out=lambda g: call(**sizes(g.integers(3, 6), g.integers(8, 12), g.integers(12, 20))),
    many_sinks=lambda g: call(**sizes(g.integers(3, 6), g.integers(8, 12), 2, g.integers(12, 20))),
)


@ex.edge
def sinks_meet_the_window(g):
    """One key lies between the sinks and the last query's window, and none between them and the first's."""
    T_q, T_k, window = (int(n) for n in (g.integers(3, 6), g.integers(13, 17), g.integers(3, 6)))
    return call(**sizes(T_q, T_k, window, T_k - window - 1))


@ex.edge
def other_device(g):
    """Two sizes twice: a mask that was kept for them lies on another device."""
    first, second = sizes(4, 6, 2), sizes(1, 5, 2, 1)
    return call(**first).call(**second).call(**first, device="meta").call(**second, device="meta")


def by_rule(masked):
    """An implementation from a rule on q (a query's position), k (a key's), w = window, s = sinks."""

    def implementation(seq_len_q, seq_len_k, window, sinks=0, device=None):
        q = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]
        k = torch.arange(seq_len_k, device=device)[None, :]
        return masked(q, k, window, sinks).expand(seq_len_q, seq_len_k)  # (T_q, T_k)

    return implementation


def far(q, k, w, s):
    """Too far back, and no sink."""
    return (k <= q - w) & (k >= s)


def with_queries(place):
    """An implementation in which place(T_q, T_k) gives the queries' positions."""

    def implementation(seq_len_q, seq_len_k, window, sinks=0, device=None):
        q, k = place(seq_len_q, seq_len_k)[:, None], torch.arange(seq_len_k)
        return (k > q) | far(q, k, window, sinks)  # (T_q, T_k)

    return implementation


@by_rule
def right(q, k, w, s):
    return (k > q) | far(q, k, w, s)


@ex.mistake(through=by_rule)
def window_ignored(q, k, w, s):
    """nothing is too far back: a key is masked when it lies `window` or more positions before the query"""
    return (k > q) | (q < 0)


@ex.mistake(through=by_rule)
def window_too_long(q, k, w, s):
    """one key too many is visible: the window holds the query's own position and the window - 1 before it"""
    return (k > q) | ((k < q - w) & (k >= s))


@ex.mistake(through=by_rule)
def window_too_short(q, k, w, s):
    """one key too few is visible: the window holds the query's own position and the window - 1 before it"""
    return (k > q) | ((k <= q - w + 1) & (k < q) & (k >= s))


@ex.mistake(through=by_rule)
def diagonal_masked(q, k, w, s):
    """each query is hidden from itself: its own position belongs to the window"""
    return (k >= q) | far(q, k, w, s)


@ex.mistake(through=by_rule)
def future_visible(q, k, w, s):
    """the future is visible: a key that stands after the query is masked, whatever the window"""
    return far(q, k, w, s)


@ex.mistake(through=by_rule)
def window_both_ways(q, k, w, s):
    """the window reaches into the future as far as into the past: it ends with the query's own position"""
    return ((k - q).abs() >= w) & (k >= s)


@ex.another("window_both_ways", through=by_rule)
def causal_for_no_sink(q, k, w, s):
    return ((k - q).abs() >= w) & ((k >= s) | (k > q))


@ex.mistake(through=by_rule)
def centred(q, k, w, s):
    """the query stands in the middle of the window: it stands at its end"""
    return (((k - q).abs() > w // 2) & (k >= s)) | ((k < s) & (k > q))


@ex.mistake(through=by_rule)
def sees_the_next(q, k, w, s):
    """one key of the future is visible: the window ends with the query's own position"""
    return (k > q + 1) | far(q, k, w, s)


@ex.mistake(through=by_rule)
def and_for_or(q, k, w, s):
    """nothing is masked: no key is both in the future and too far back, so join the two with | (or)"""
    return (k > q) & (k <= q - w)


@ex.mistake(through=by_rule)
def inverted(q, k, w, s):
    """True and False are swapped: True means masked, so the window is False"""
    return ~((k > q) | far(q, k, w, s))


@ex.mistake(through=by_rule)
def window_masked(q, k, w, s):
    """the window is masked, and what lies before it is visible: it is the other way round"""
    return (k > q) | ((k > q - w) & (k >= s))


@ex.mistake(through=by_rule)
def past_masked(q, k, w, s):
    """the past is masked instead of the future: the window lies before the query"""
    return (k < q) | ((k >= q + w) & (k >= s))


@ex.mistake(through=by_rule)
def blocks(q, k, w, s):
    """the text is cut into blocks of `window` tokens: the window slides, each query has one of its own"""
    return (k > q) | ((k // w < q // w) & (k >= s))


@ex.mistake(through=by_rule)
def one_window_for_all(q, k, w, s):
    """all queries have the last query's window: each has one that ends at its own position"""
    return (k > q) | far(q.max(), k, w, s)


# ---- sinks


@ex.mistake(through=by_rule)
def sinks_ignored(q, k, w, s):
    """`sinks` is ignored: the first `sinks` keys stay visible, however far back they lie"""
    return (k > q) | (k <= q - w)


@ex.mistake(through=by_rule)
def sinks_from_the_future(q, k, w, s):
    """sinks are visible before they have come: the first `sinks` keys are visible only as far as they are not
    in the query's future"""
    return ((k > q) | (k <= q - w)) & (k >= s)


@ex.mistake(through=by_rule)
def one_sink_too_many(q, k, w, s):
    """one key too many is a sink: sinks are the keys 0 to sinks - 1"""
    return (k > q) | ((k <= q - w) & (k > s))


@ex.mistake(through=by_rule)
def one_sink_too_few(q, k, w, s):
    """one sink is missing: sinks are the keys 0 to sinks - 1"""
    return (k > q) | ((k <= q - w) & (k >= s - 1))


@ex.mistake(through=by_rule)
def sinks_masked(q, k, w, s):
    """the sinks are masked: they are the keys that always stay visible"""
    return (k > q) | (k <= q - w) | (k < s)


@ex.mistake(through=by_rule)
def only_sinks_masked(q, k, w, s):
    """only sinks are masked where they lie too far back: they are just the keys that stay visible there"""
    return (k > q) | ((k <= q - w) & (k < s))


@ex.mistake(through=by_rule)
def sinks_taken_from_the_window(q, k, w, s):
    """the sinks are taken from the window, which is shorter by as many: a query sees `window` tokens and the
    sinks besides"""
    return (k > q) | ((k <= q - w + s) & (k < q) & (k >= s))


@ex.another("sinks_taken_from_the_window", through=by_rule)
def without_itself(q, k, w, s):
    return (k > q) | far(q, k, w - s, s)


@ex.mistake(through=by_rule)
def window_lengthened_by_sinks(q, k, w, s):
    """the window is longer by `sinks`: the sinks are the first keys of the whole text"""
    return (k > q) | (k <= q - w - s)


@ex.mistake(through=by_rule)
def sinks_at_the_end(q, k, w, s):
    """the last `sinks` keys are taken for the sinks: they are the first"""
    return (k > q) | ((k <= q - w) & (k < k.max() + 1 - s))


@ex.mistake(through=by_rule)
def rows_of_sinks(q, k, w, s):
    """the first `sinks` queries see more, not the first `sinks` keys: keys are columns, mask[:, :sinks]"""
    return (k > q) | ((k <= q - w) & (q - q.min() >= s))


@ex.another("rows_of_sinks", through=by_rule)
def rows_see_all(q, k, w, s):
    return ((k > q) | (k <= q - w)) & (q - q.min() >= s)


# ---- where the queries stand, and the table itself


@ex.mistake(through=with_queries)
def top_left(T_q, T_k):
    """the queries' positions start at 0: they are the last T_q positions, T_k - T_q and so on"""
    return torch.arange(T_q)


@ex.mistake(through=with_queries)
def queries_behind_keys(T_q, T_k):
    """the queries stand behind all keys: the last query is the last key's own token, at position T_k - 1"""
    return T_k + torch.arange(T_q)


@ex.mistake(through=with_queries)
def one_place_early(T_q, T_k):
    """every window ends one position too early: it ends with the query's own position, and the last query
    stands at T_k - 1"""
    return T_k - T_q - 1 + torch.arange(T_q)


ex.another("queries_behind_keys", lambda T_q, T_k: T_k - T_q + 1 + torch.arange(T_q), through=with_queries)


@ex.mistake(through=with_queries)
def counted_backwards(T_q, T_k):
    """the queries stand in the opposite order: the first one at T_k - T_q, the last one at T_k - 1"""
    return T_k - 1 - torch.arange(T_q)


@ex.mistake
def queries_ignored(seq_len_q, seq_len_k, window, sinks=0, device=None):
    """the mask has T_k rows: one row for each of the T_q queries"""
    return right(seq_len_k, seq_len_k, window, sinks, device)


@ex.mistake
def keys_ignored(seq_len_q, seq_len_k, window, sinks=0, device=None):
    """`seq_len_k` is ignored: the mask has T_k columns"""
    return right(seq_len_q, seq_len_q, window, sinks, device)


@ex.mistake
def transposed(seq_len_q, seq_len_k, window, sinks=0, device=None):
    """rows and columns are swapped: rows are queries, columns are keys"""
    return right(seq_len_q, seq_len_k, window, sinks, device).T


@ex.mistake
def positions_side_by_side(seq_len_q, seq_len_k, window, sinks=0, device=None):
    """two rows of positions are compared place by place: make the queries a column, [:, None], so that every
    query meets every key"""
    q, k = torch.arange(seq_len_k - seq_len_q, seq_len_k), torch.arange(seq_len_k)
    return (k > q) | far(q, k, window, sinks)


@ex.mistake(dtype=[torch.float32, torch.int64])
def numbers_for_booleans(seq_len_q, seq_len_k, window, sinks=0, device=None, dtype=None):
    """the mask holds numbers, not booleans: compare positions, or add .bool()"""
    return right(seq_len_q, seq_len_k, window, sinks, device).to(dtype)


@ex.mistake
def additive_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    """this is an additive mask (0 and -inf): here a boolean mask is wanted, True where masked"""
    return torch.zeros(seq_len_q, seq_len_k).masked_fill(
        right(seq_len_q, seq_len_k, window, sinks), float("-inf")
    )


@ex.mistake
def none_for_one_token(seq_len_q, seq_len_k, window, sinks=0, device=None):
    """it returns None for one new token: the keys before its window are masked for it as well"""
    return None if seq_len_q == 1 else right(seq_len_q, seq_len_k, window, sinks, device)


@ex.mistake
def nothing_masked_for_one_token(seq_len_q, seq_len_k, window, sinks=0, device=None):
    """nothing is masked for one new token: the keys before its window are masked for it as well"""
    found = right(seq_len_q, seq_len_k, window, sinks, device)
    return torch.zeros_like(found) if seq_len_q == 1 else found
