"""Wrong answers for multi_head_attention (NumPy), one mistake a cell unless it says two."""
# %% output_like_q: collects the heads in zeros_like(Q), so integer inputs cut the result down to integers
def multi_head_attention(Q, K, V, n_heads):
    T, D = Q.shape
    d = D // n_heads
    out = np.zeros_like(Q)
    for h in range(n_heads):
        cols = slice(h * d, (h + 1) * d)
        scores = Q[:, cols] @ K[:, cols].T / np.sqrt(d)
        scores = scores - scores.max(axis=1, keepdims=True)
        w = np.exp(scores)
        w = w / w.sum(axis=1, keepdims=True)
        out[:, cols] = w @ V[:, cols]
    return out
# %% strided_heads: takes every n-th feature for a head instead of a contiguous block
def multi_head_attention(Q, K, V, n_heads):
    heads = []
    for h in range(n_heads):
        q, k, v = Q[:, h::n_heads], K[:, h::n_heads], V[:, h::n_heads]
        s = q @ k.T / np.sqrt(q.shape[1])
        e = np.exp(s - s.max(-1, keepdims=True))
        heads.append((e / e.sum(-1, keepdims=True)) @ v)
    return np.concatenate(heads, axis=-1)
# %% softmax_down_the_columns: normalises over axis 0, so the weights of each key sum to 1 and not those of each query
def softmax(z):
    z = z - np.max(z, axis=0)
    return np.exp(z) / np.sum(np.exp(z), axis=0)

def multi_head_attention(Q, K, V, n_heads):
    d_k = Q.shape[-1] // n_heads
    outputs = []
    for i in range(n_heads):
        q = Q[:, i * d_k:(i + 1) * d_k]
        k = K[:, i * d_k:(i + 1) * d_k]
        v = V[:, i * d_k:(i + 1) * d_k]
        outputs.append(softmax(np.dot(q, k.T) / np.sqrt(d_k)) @ v)
    return np.hstack(outputs)
# %% reshape_straight_to_heads: reshapes (T, D) to (heads, T, d_head) directly, so a head gets other tokens' features
def multi_head_attention(Q, K, V, n_heads):
    T, D = Q.shape
    d = D // n_heads
    q, k, v = (M.reshape(n_heads, T, d) for M in (Q, K, V))
    out = []
    for h in range(n_heads):
        s = q[h] @ k[h].T / d ** 0.5
        w = np.exp(s - s.max(axis=-1, keepdims=True))
        w /= w.sum(axis=-1, keepdims=True)
        out.append(w @ v[h])
    return np.stack(out).reshape(T, D)
# %% last_head_left_out: the loop over the columns stops one head early, so the last columns stay zero
def multi_head_attention(Q, K, V, n_heads):
    T, D = Q.shape
    d_head = D // n_heads
    result = np.zeros((T, D))
    for start in range(0, D - d_head, d_head):
        stop = start + d_head
        scores = np.einsum("id,jd->ij", Q[:, start:stop], K[:, start:stop]) / np.sqrt(d_head)
        scores -= scores.max(axis=1, keepdims=True)
        weights = np.exp(scores)
        weights = weights / weights.sum(axis=1, keepdims=True)
        result[:, start:stop] = np.einsum("ij,jd->id", weights, V[:, start:stop])
    return result
# %% scales_by_full_width: divides by the square root of the full width instead of the head's width
def multi_head_attention(Q, K, V, n_heads):
    Qs = np.split(Q, n_heads, axis=1)
    Ks = np.split(K, n_heads, axis=1)
    Vs = np.split(V, n_heads, axis=1)
    scale = np.sqrt(Q.shape[1])
    outs = []
    for q, k, v in zip(Qs, Ks, Vs):
        a = q @ k.T / scale
        a = np.exp(a - a.max(axis=1, keepdims=True))
        a = a / a.sum(axis=1, keepdims=True)
        outs.append(a @ v)
    return np.concatenate(outs, axis=1)
# %% heads_stacked_below: concatenates the heads below one another and reshapes, so the tokens get mixed
def multi_head_attention(Q, K, V, n_heads):
    T, D = Q.shape
    d = D // n_heads
    heads = []
    for h in range(n_heads):
        q = Q[:, h*d:(h+1)*d]; k = K[:, h*d:(h+1)*d]; v = V[:, h*d:(h+1)*d]
        logits = q.dot(k.T) / np.sqrt(d)
        p = np.exp(logits - logits.max(axis=1)[:, None])
        p = p / p.sum(axis=1)[:, None]
        heads.append(p.dot(v))
    return np.concatenate(heads, axis=0).reshape(T, D)
# %% one_hot_and_unscaled: two mistakes, every query copies its best key's value and the scores are not scaled
def multi_head_attention(Q, K, V, n_heads):
    T, D = Q.shape
    d = D // n_heads
    out = np.empty((T, D))
    for h in range(n_heads):
        s = slice(h * d, h * d + d)
        best = (Q[:, s] @ K[:, s].T).argmax(axis=-1)
        out[:, s] = np.eye(T)[best] @ V[:, s]
    return out
# %% no_scale_unstable: no scale and unstable softmax
def multi_head_attention(Q, K, V, n_heads):
    dh = Q.shape[1] // n_heads
    outs = []
    for h in range(n_heads):
        q, k, v = (m[:, h*dh:(h+1)*dh] for m in (Q, K, V))
        w = np.exp(q @ k.T); w = w / w.sum(-1, keepdims=True)
        outs.append(w @ v)
    return np.hstack(outs)
# %% hard: takes the argmax key only
def multi_head_attention(Q, K, V, n_heads):
    outs = []
    for q, k, v in zip(*(np.split(m, n_heads, axis=1) for m in (Q, K, V))):
        outs.append(v[(q @ k.T).argmax(-1)])
    return np.concatenate(outs, -1)
# %% scores_clipped: large scores are cut off at 700, so that they come out alike
def multi_head_attention(Q, K, V, n_heads):
    heads = []
    for q, k, v in zip(*(np.split(t, n_heads, axis=1) for t in (Q, K, V))):
        scores = q @ k.T / np.sqrt(q.shape[1])
        e = np.exp(np.clip(scores - scores.mean(), -700, 700))
        heads.append(e / e.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(heads, axis=1)
