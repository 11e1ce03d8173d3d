# %% single_1: results are written into an array of the input's dtype, whole numbers cut the fractions off
def multi_head_attention(Q, K, V, n_heads):
    out = np.zeros_like(V)
    d = Q.shape[1] // n_heads
    for h in range(n_heads):
        q, k, v = Q[:, h*d:(h+1)*d], K[:, h*d:(h+1)*d], V[:, h*d:(h+1)*d]
        a = q @ k.T / d ** 0.5
        a = np.exp(a - a.max(1, keepdims=True))
        a = a / a.sum(1, keepdims=True)
        out[:, h*d:(h+1)*d] = a @ v
    return out
# %% single_2: no maximum is subtracted, so large scores overflow to NaN
def multi_head_attention(Q, K, V, n_heads):
    def soft(z):
        return np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    dh = Q.shape[1] // n_heads
    heads = [soft(q @ k.T / np.sqrt(dh)) @ v
             for q, k, v in zip(np.split(Q, n_heads, 1), np.split(K, n_heads, 1), np.split(V, n_heads, 1))]
    return np.hstack(heads)
# %% crash_3: line `q @ k.T`: .T of a three-dimensional array reverses all axes, the product does not fit
def multi_head_attention(Q, K, V, n_heads):
    T, D = Q.shape
    d = D // n_heads
    q = Q.reshape(T, n_heads, d).transpose(1, 0, 2)
    k = K.reshape(T, n_heads, d).transpose(1, 0, 2)
    v = V.reshape(T, n_heads, d).transpose(1, 0, 2)
    s = q @ k.T / np.sqrt(d)
    s = s - s.max(-1, keepdims=True)
    w = np.exp(s) / np.exp(s).sum(-1, keepdims=True)
    return (w @ v).transpose(1, 0, 2).reshape(T, D)
