# %% program_1
def multi_head_attention(Q, K, V, n_heads):
    T = Q.shape[0]
    q, k, v = (np.asarray(m, dtype=float).reshape(T, n_heads, -1) for m in (Q, K, V))
    s = np.einsum("ihd,jhd->hij", q, k) * q.shape[-1] ** -0.5
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return np.einsum("hij,jhd->ihd", w, v).reshape(T, -1)
