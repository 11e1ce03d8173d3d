"""create_causal_mask: key j is masked for query i when j > i."""

import torch

from autograder.authoring.draws import call, each_changed
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "T_q T_k"},
    gradients=False,
    hints="""
    Which keys lie in the future of query i? Write the condition on the two positions i (row) and j (column).

    Make the query positions a column, (T_q, 1), and the key positions a row, (1, T_k): comparing them
    broadcasts to (T_q, T_k).

    torch.arange(n, device=device) gives positions; x[:, None] makes a column and x[None, :] a row. Note: `j >
    i`, strictly.

        torch.arange(T_k, device=device)[None, :] > torch.arange(T_q, device=device)[:, None]  # (T_q, T_k)
    """,
)


@ex.reference
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    return torch.tensor([[j > i for j in range(seq_len_k)] for i in range(seq_len_q)], device=device)


@ex.case
def square(g):
    return call(seq_len_q=5)


@ex.case
def more_keys(g):
    T_q = int(g.integers(3, 12))
    T_k = T_q + int(g.integers(2, 12))
    return each_changed(call(seq_len_q=T_q, seq_len_k=T_k), seq_len_k=T_k + 1, seq_len_q=T_q + 1)


@ex.case
def more_queries(g):
    T_k = int(g.integers(3, 12))
    return call(seq_len_q=T_k + int(g.integers(2, 12)), seq_len_k=T_k)


ex.edge(
    one_token=lambda g: call(seq_len_q=1),
    long=lambda g: call(seq_len_q=int(g.integers(66, 80)), seq_len_k=int(g.integers(80, 90))),
    other_device=lambda g: call(seq_len_q=4, seq_len_k=2, device="meta").call(seq_len_q=3, device="meta"),
)


def by_rule(masked):
    """An implementation that returns masked(i, j, T_q, T_k), with query positions i (T_q, 1) and key
    positions j (1, T_k)."""

    def implementation(seq_len_q, seq_len_k=None, device=None):
        T_q, T_k = seq_len_q, seq_len_q if seq_len_k is None else seq_len_k
        i, j = torch.arange(T_q, device=device)[:, None], torch.arange(T_k, device=device)[None, :]
        return masked(i, j, T_q, T_k)  # (T_q, T_k)

    return implementation


ex.wrong(
    "inverted: True and False are swapped: here True means masked, so the future (j > i) is True and the past False",
    by_rule(lambda i, j, T_q, T_k: j <= i),
    "diagonal_masked: the diagonal is masked too: a token may always attend to itself, so use j > i, not j >= i (with torch.triu: diagonal=1)",
    by_rule(lambda i, j, T_q, T_k: j >= i),
    "past_masked: the past is masked instead of the future: rows are queries and columns are keys, so the True entries belong above the diagonal",
    by_rule(lambda i, j, T_q, T_k: j < i),
    "off_by_one_late: each token sees one token ahead: mask j > i, not j > i + 1 (with torch.triu: diagonal=1)",
    by_rule(lambda i, j, T_q, T_k: j > i + 1),
    "nothing_masked: nothing is masked: True belongs where the key lies in the future of the query, j > i",
    by_rule(lambda i, j, T_q, T_k: (j < 0) & (i < 0)),
    "diagonal_only: everything but the diagonal is masked: the past, j < i, must stay visible",
    by_rule(lambda i, j, T_q, T_k: j != i),
    "bottom_right: the mask is aligned to the bottom right corner: query and key positions both start at 0, even when there are more keys than queries",
    by_rule(lambda i, j, T_q, T_k: j > i + T_k - T_q),
    "additive_mask: this is an additive mask (0 and -inf): return a boolean mask, True where masked",
    by_rule(lambda i, j, T_q, T_k: torch.where(j > i, -torch.inf, 0.0)),
)
