"""multi_head_attention: NumPy, one sequence, head by head."""

import numpy as np
import torch

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import Exercise, call, normal, surely_large

ex = Exercise(
    "multi_head_attention(Q, K, V, n_heads)",
    {"output": "T d_model"},
    library="numpy",
    gradients=False,
    devices=False,
    narrow=(),
    hints=[
        "Which columns of Q belong to head 2, when d_model is 12 and there are 3 heads?",
        "Head h owns the columns h*d_head to (h+1)*d_head of Q, K and V alike. It computes softmax(Q_h K_h^T / sqrt(d_head)) V_h, a (T, d_head) table.",
        "Collect the tables in a list and join them with np.concatenate(heads, axis=-1). Mind the softmax: its rows sum to 1, so sum over axis=-1 with keepdims=True.",
    ],
)


@ex.reference
def multi_head_attention(Q, K, V, n_heads):
    """torch's own operator, all heads at once."""
    split = [
        torch.as_tensor(t, dtype=torch.float64).unflatten(-1, (n_heads, -1)).transpose(0, 1)
        for t in (Q, K, V)
    ]
    return torch.nn.functional.scaled_dot_product_attention(*split).transpose(0, 1).flatten(1).numpy()


def three(g, T, D, n_heads, scale=1):
    return call(**{name: normal(g, T, D, scale=scale) for name in ("Q", "K", "V")}, n_heads=n_heads)


@ex.case
def three_heads(g):
    return three(g, 5, 12, 3)


@ex.case
def two_heads(g):
    return three(g, 4, 6, 2)


@ex.case
def identity(g):
    eye = torch.eye(2, dtype=torch.float64)
    return call(Q=eye, K=eye, V=eye, n_heads=2)


@ex.edge
def one_head(g):
    return three(g, 3, 5, 1)


@ex.edge
def as_many_heads_as_features(g):
    return three(g, 6, 4, 4)


@ex.edge
def one_token(g):
    return three(g, 1, 6, 3)


@ex.edge
def whole_numbers(g):
    return call(**{name: torch.from_numpy(g.integers(-3, 4, (5, 4))) for name in ("Q", "K", "V")}, n_heads=2)


@ex.edge
def large_scores(g):
    return surely_large(three(g, 4, 6, 2, scale=15))


def attention(**switches):
    """The pipeline on one sequence of NumPy arrays."""
    chosen = pipeline.changed(**switches)

    def implementation(Q, K, V, n_heads):
        made = dict(
            zip(
                "QKV",
                (torch.from_numpy(np.asarray(t, dtype=np.float64))[None] for t in (Q, K, V)),
                strict=True,
            )
        )
        q, k, v = (pipeline.SPLIT[chosen.split](made[role], n_heads) for role in chosen.roles)
        heads, _, _ = pipeline.attend(q, k, v, None, n_heads, chosen)
        return pipeline.MERGE[chosen.merge](heads, n_heads)[0].numpy()

    return implementation


def truncated(Q, K, V, n_heads):
    result = np.zeros_like(V)
    result[:] = attention()(Q, K, V, n_heads)
    return result


def hard(Q, K, V, n_heads):
    heads = []
    for q, k, v in zip(*(np.split(t, n_heads, -1) for t in (Q, K, V)), strict=True):
        heads.append(v[np.argmax(q @ k.T, -1)])
    return np.concatenate(heads, -1)


def causal(Q, K, V, n_heads):
    heads = []
    for q, k, v in zip(*(np.split(np.asarray(t, float), n_heads, -1) for t in (Q, K, V)), strict=True):
        s = np.where(np.triu(np.ones((len(q), len(q))), 1) > 0, -np.inf, q @ k.T / np.sqrt(q.shape[-1]))
        e = np.exp(s - s.max(-1, keepdims=True))
        heads.append(e / e.sum(-1, keepdims=True) @ v)
    return np.concatenate(heads, -1)


def by_hand(own, top=lambda s: s.max(-1, keepdims=True), total=lambda e: e.sum(-1, keepdims=True)):
    """The loop with another cut, maximum or sum."""

    def implementation(Q, K, V, n_heads):
        d_head = Q.shape[1] // n_heads
        heads = []
        for h in range(n_heads):
            q, k, v = (own(t, slice(h * d_head, (h + 1) * d_head)) for t in (Q, K, V))
            s = q @ k.T / np.sqrt(d_head)
            e = np.exp(s - top(s))
            heads.append(e / total(e) @ v)
        return np.concatenate(heads, axis=-1)

    return implementation


def columns(t, mine):
    return t[:, mine]


def bare_sum(e):
    return e.sum(-1)


def bare_top(s):
    return s.max(-1)


ex.switches(attention, known.SCALE, known.SOFTMAX, known.UNSTABLE, known.SPLIT, known.MERGE, known.ROLES)
ex.mistake(
    "keepdims_forgotten",
    "the row maximum, or the row sum, has lost its axis, so it is used on columns: keep that axis with size 1, keepdims=True",
    by_hand(columns, total=bare_sum),
    by_hand(columns, top=bare_top),
    by_hand(columns, bare_top, bare_sum),
    by_hand(columns, lambda s: 0, bare_sum),
)
ex.mistake(
    "rows_for_columns",
    "rows are cut, which are tokens: a head owns columns of Q, K and V, Q[:, own]",
    by_hand(lambda t, mine: t[mine]),
    by_hand(lambda t, mine: t[mine], lambda s: 0),
)
ex.mistake(
    "stacked_not_concatenated",
    "the heads are stacked into (n_heads, T, d_head): concatenate them along the features, (T, d_model)",
    lambda Q, K, V, n_heads: np.stack(np.split(attention()(Q, K, V, n_heads), n_heads, -1)),
)
ex.mistake(
    "concatenated_on_tokens",
    "the heads are concatenated along the tokens: join them along the features, axis=-1",
    lambda Q, K, V, n_heads: np.concatenate(np.split(attention()(Q, K, V, n_heads), n_heads, -1), 0),
)
ex.mistake(
    "v_returned",
    "this is V itself: the weights mix the rows of V (with Q = K = V = I the result is not I, whatever is often claimed)",
    lambda Q, K, V, n_heads: V.copy(),
)
ex.mistake(
    "hard_argmax", "each query takes the value of its best key alone: softmax gives every key a share", hard
)
ex.mistake(
    "truncated_to_integers",
    "the result is cut to whole numbers: np.zeros_like of an integer array holds integers. Make it float",
    truncated,
)
ex.mistake("causal_here", "the future is masked: this first version has no mask", causal)
