"""multi_head_attention: attention of one sequence in NumPy, head by head."""

import numpy as np
import torch

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as shared
from autograder.authoring.draws import call, make_scores_large, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"output": "T d_model"},
    library="numpy",
    gradients=False,
    devices=False,
    narrow=(),
    hints="""
    Which columns of Q belong to head 2 when d_model is 12 and there are 3 heads?

    Head h owns the columns h*d_head to (h+1)*d_head of Q, K and V alike. It computes softmax(Q_h K_h^T /
    sqrt(d_head)) V_h, a (T, d_head) table.

    Collect the tables in a list and join them with np.concatenate(heads, axis=-1). Mind the softmax: its rows
    sum to 1, so sum over axis=-1 with keepdims=True.

        own = slice(h * d_head, (h + 1) * d_head)
        scores = Q[:, own] @ K[:, own].T / np.sqrt(d_head)  # (T, T)
    """,
)


@ex.reference
def multi_head_attention(Q, K, V, n_heads):
    """Uses torch's own operator on all heads at once."""
    tensors = (torch.as_tensor(t, dtype=torch.float64) for t in (Q, K, V))
    Q, K, V = (t.unflatten(-1, (n_heads, -1)).transpose(0, 1) for t in tensors)
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V).transpose(0, 1).flatten(1).numpy()


def three(g, T, D, n_heads, scale=1):
    return call(**{name: normal(g, T, D, scale=scale) for name in ("Q", "K", "V")}, n_heads=n_heads)


ex.case(
    three_heads=lambda g: three(g, 5, 12, 3),
    two_heads=lambda g: three(g, 4, 6, 2),
)
ex.edge(
    identity=lambda g: call(**dict.fromkeys("QKV", torch.eye(2, dtype=torch.float64)), n_heads=2),
    one_head=lambda g: three(g, 3, 5, 1),
    as_many_heads_as_features=lambda g: three(g, 6, 4, 4),
    one_token=lambda g: three(g, 1, 6, 3),
)


@ex.edge
def whole_numbers(g):
    return call(**{name: torch.from_numpy(g.integers(-3, 4, (5, 4))) for name in ("Q", "K", "V")}, n_heads=2)


@ex.edge
def large_scores(g):
    return make_scores_large(three(g, 4, 6, 2, scale=15))


def attention(**switches):
    """An implementation with these switches of authoring/attention.py, for one sequence of NumPy arrays."""
    steps = pipeline.with_switches(**switches)

    def implementation(Q, K, V, n_heads):
        tensors = (torch.from_numpy(np.asarray(t, dtype=np.float64))[None] for t in (Q, K, V))
        arrays = dict(zip("QKV", tensors, strict=True))
        q, k, v = (steps.split(arrays[role], n_heads) for role in steps.roles)
        heads, _, _ = pipeline.attend(q, k, v, None, n_heads, steps)
        return steps.merge(heads, n_heads)[0].numpy()

    return implementation


right = attention()


def row_maximum(s):
    return s.max(-1, keepdims=True)


def by_hand(top=row_maximum, total=lambda e: e.sum(-1, keepdims=True), scores=lambda s: s):
    """An implementation that loops over the heads, with these functions for the row maximum, the row sum and
    a change of the scores."""

    def implementation(Q, K, V, n_heads):
        d_head = Q.shape[1] // n_heads
        heads = []
        for h in range(n_heads):
            q, k, v = (t[:, h * d_head : (h + 1) * d_head] for t in (Q, K, V))
            s = scores(q @ k.T / np.sqrt(d_head))
            e = np.exp(s - top(s))
            heads.append(e / total(e) @ v)
        return np.concatenate(heads, axis=-1)

    return implementation


def of_heads(join):
    """An implementation that returns join(heads), given the right heads as a list of (T, d_head) arrays."""
    return lambda Q, K, V, n_heads: join(np.split(right(Q, K, V, n_heads), n_heads, -1))


def hard_argmax(Q, K, V, n_heads):
    heads = zip(*(np.split(t, n_heads, -1) for t in (Q, K, V)), strict=True)
    return np.concatenate([v[np.argmax(q @ k.T, -1)] for q, k, v in heads], -1)


def future_hidden(s):
    return np.where(np.triu(np.ones(s.shape), 1) > 0, -np.inf, s)


ex.shared(attention, *shared.SCALE, *shared.SOFTMAX, *shared.SPLIT, *shared.MERGE, *shared.ROLES)
ex.shared(attention, *shared.WIDE, "k_reshaped")
ex.wrong(
    "keepdims_forgotten: the row maximum, or the row sum, has lost its axis, so it is applied to columns instead of rows: keep that axis with size 1, keepdims=True",
    by_hand(total=lambda e: e.sum(-1)),
    by_hand(top=lambda s: s.max(-1)),
    by_hand(top=lambda s: s.max(-1), total=lambda e: e.sum(-1)),
    "normalised_over_everything: a head's exponentials are divided by the sum of its whole table: each row must sum to 1, so sum along the last axis, with keepdims=True",
    by_hand(total=lambda e: e.sum()),
    "heads_attend_to_heads: the heads of one token attend to each other: move the heads before the tokens, (H, T, d_head), so that the scores are (H, T, T)",
    attention(split=lambda t, H: t.unflatten(-1, (H, -1)), merge=lambda heads, H: heads.flatten(-2)),
    "one_head_returned: only one head's table comes back, d_head columns wide: collect all of them (is a `return` inside the loop, or does each head overwrite the one before?) and concatenate them along the features",
    of_heads(lambda heads: heads[0]),
    of_heads(lambda heads: heads[-1]),
    "v_returned: this is V itself: the weights must mix the rows of V (with Q = K = V = I the result is not I, despite what is often claimed)",
    lambda Q, K, V, n_heads: V.copy(),
    "hard_argmax: each query takes only the value of its best key: softmax gives every key a share",
    hard_argmax,
    "truncated_to_integers: the result is truncated to whole numbers (np.zeros_like of an integer array holds integers): make it float",
    lambda Q, K, V, n_heads: right(Q, K, V, n_heads).astype(V.dtype),
    "causal_here: the future is masked: this first version has no mask",
    by_hand(scores=future_hidden),
)
