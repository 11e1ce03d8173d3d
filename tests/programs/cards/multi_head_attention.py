# %% one_sum_for_a_head: e / e.sum()
# refused: normalised_over_everything
# says: divided by the sum of its whole table
import numpy as np

def multi_head_attention(Q, K, V, n_heads):
    columns = np.split(np.arange(Q.shape[1]), n_heads)
    tables = []
    for own in columns:
        scores = Q[:, own] @ K[:, own].T / len(own) ** 0.5
        powers = np.exp(scores - scores.max(1, keepdims=True))
        tables.append(powers / powers.sum() @ V[:, own])
    return np.hstack(tables)
# %% heads_not_moved: the heads of one token attend to each other
# refused: heads_attend_to_heads
# says: The heads of one token attend to each other
import numpy as np

def multi_head_attention(Q, K, V, n_heads):
    q, k, v = (t.reshape(len(t), n_heads, -1) for t in (Q, K, V))
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return (powers / powers.sum(-1, keepdims=True) @ v).reshape(Q.shape)
