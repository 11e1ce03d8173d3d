"""multi_head_attention: NumPy, one sequence, head by head."""

import numpy as np
import torch

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
from autograder.authoring.draws import call, normal, surely_large
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"output": "T d_model"},
    library="numpy",
    gradients=False,
    devices=False,
    narrow=(),
    hints=[
        "Which columns of Q belong to head 2, when d_model is 12 and there are 3 heads?",
        "Head h owns the columns h*d_head to (h+1)*d_head of Q, K and V alike. It computes softmax(Q_h "
        "K_h^T / sqrt(d_head)) V_h, a (T, d_head) table.",
        "Collect the tables in a list and join them with np.concatenate(heads, axis=-1). Mind the softmax: "
        "its rows sum to 1, so sum over axis=-1 with keepdims=True.",
        "own = slice(h * d_head, (h + 1) * d_head)\nscores = Q[:, own] @ K[:, own].T / np.sqrt(d_head)  # "
        "(T, T)",
    ],
)


@ex.reference
def multi_head_attention(Q, K, V, n_heads):
    """torch's own operator, all heads at once."""
    tensors = (torch.as_tensor(t, dtype=torch.float64) for t in (Q, K, V))
    split = (t.unflatten(-1, (n_heads, -1)).transpose(0, 1) for t in tensors)
    return torch.nn.functional.scaled_dot_product_attention(*split).transpose(0, 1).flatten(1).numpy()


def three(g, T, D, n_heads, scale=1):
    return call(**{name: normal(g, T, D, scale=scale) for name in ("Q", "K", "V")}, n_heads=n_heads)


ex.case(
    three_heads=lambda g: three(g, 5, 12, 3),
    two_heads=lambda g: three(g, 4, 6, 2),
    identity=lambda g: call(**dict.fromkeys("QKV", torch.eye(2, dtype=torch.float64)), n_heads=2),
)
ex.edge(
    one_head=lambda g: three(g, 3, 5, 1),
    as_many_heads_as_features=lambda g: three(g, 6, 4, 4),
    one_token=lambda g: three(g, 1, 6, 3),
)


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
        tensors = (torch.from_numpy(np.asarray(t, dtype=np.float64))[None] for t in (Q, K, V))
        made = dict(zip("QKV", tensors, strict=True))
        q, k, v = (chosen.split(made[role], n_heads) for role in chosen.roles)
        heads, _, _ = pipeline.attend(q, k, v, None, n_heads, chosen)
        return chosen.merge(heads, n_heads)[0].numpy()

    return implementation


right = attention()


def row_maximum(s):
    return s.max(-1, keepdims=True)


def row_sum(e):
    return e.sum(-1, keepdims=True)


def own_columns(t, own):
    return t[:, own]


def by_hand(Q, K, V, n_heads, cut=own_columns, top=row_maximum, total=row_sum):
    """The loop with another cut, maximum or sum."""
    d_head = Q.shape[1] // n_heads
    heads = []
    for h in range(n_heads):
        q, k, v = (cut(t, slice(h * d_head, (h + 1) * d_head)) for t in (Q, K, V))
        s = q @ k.T / np.sqrt(d_head)
        e = np.exp(s - top(s))
        heads.append(e / total(e) @ v)
    return np.concatenate(heads, axis=-1)


ex.shared(attention, *known.SCALE, *known.SOFTMAX, *known.UNSTABLE, *known.SPLIT, *known.MERGE, *known.ROLES)
ex.shared(attention, *known.ROUNDED, *known.K_RESHAPED, *known.WIDE)


@ex.mistake
def keepdims_forgotten(Q, K, V, n_heads, top=row_maximum):
    """the row maximum, or the row sum, has lost its axis, so it is used on columns: keep that axis with size
    1, keepdims=True"""
    return by_hand(Q, K, V, n_heads, top=top, total=lambda e: e.sum(-1))


ex.another("keepdims_forgotten", lambda Q, K, V, n_heads: by_hand(Q, K, V, n_heads, top=lambda s: s.max(-1)))


@ex.another("keepdims_forgotten", top=[lambda s: s.max(-1), lambda s: 0])
def of_both(Q, K, V, n_heads, top):
    return keepdims_forgotten(Q, K, V, n_heads, top)


@ex.mistake(top=[row_maximum, lambda s: 0])
def rows_for_columns(Q, K, V, n_heads, top):
    """rows are cut, which are tokens: a head owns columns of Q, K and V, Q[:, own]"""
    return by_hand(Q, K, V, n_heads, lambda t, own: t[own], top)


@ex.mistake
def stacked_not_concatenated(Q, K, V, n_heads):
    """the heads are stacked into (n_heads, T, d_head): concatenate them along the features, (T, d_model)"""
    return np.stack(np.split(right(Q, K, V, n_heads), n_heads, -1))


@ex.mistake(head=[0, -1])
def one_head_returned(Q, K, V, n_heads, head):
    """only one head's table comes back, d_head columns wide: collect all of them (is a `return` inside the
    loop, or does each head replace the one before?) and concatenate them along the features"""
    return np.split(right(Q, K, V, n_heads), n_heads, -1)[head]


@ex.mistake
def concatenated_on_tokens(Q, K, V, n_heads):
    """the heads are concatenated along the tokens: join them along the features, axis=-1"""
    return np.concatenate(np.split(right(Q, K, V, n_heads), n_heads, -1), 0)


@ex.mistake
def v_returned(Q, K, V, n_heads):
    """this is V itself: the weights mix the rows of V (with Q = K = V = I the result is not I, whatever is
    often claimed)"""
    return V.copy()


@ex.mistake
def hard_argmax(Q, K, V, n_heads):
    """each query takes the value of its best key alone: softmax gives every key a share"""
    heads = zip(*(np.split(t, n_heads, -1) for t in (Q, K, V)), strict=True)
    return np.concatenate([v[np.argmax(q @ k.T, -1)] for q, k, v in heads], -1)


@ex.mistake
def truncated_to_integers(Q, K, V, n_heads):
    """the result is cut to whole numbers: np.zeros_like of an integer array holds integers. Make it float"""
    result = np.zeros_like(V)
    result[:] = right(Q, K, V, n_heads)
    return result


@ex.mistake
def causal_here(Q, K, V, n_heads):
    """the future is masked: this first version has no mask"""
    heads = []
    for q, k, v in zip(*(np.split(np.asarray(t, float), n_heads, -1) for t in (Q, K, V)), strict=True):
        s = np.where(np.triu(np.ones((len(q), len(q))), 1) > 0, -np.inf, q @ k.T / np.sqrt(q.shape[-1]))
        e = np.exp(s - row_maximum(s))
        heads.append(e / row_sum(e) @ v)
    return np.concatenate(heads, -1)
