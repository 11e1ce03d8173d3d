# %% softmax_helper: a softmax function, np.split and np.hstack
# taken
import numpy as np
def softmax(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)

def multi_head_attention(Q, K, V, n_heads):
    if Q.shape[-1] % n_heads != 0:
        raise ValueError("the width must be divisible by n_heads")
    parts = zip(np.split(Q, n_heads, axis=1), np.split(K, n_heads, axis=1), np.split(V, n_heads, axis=1))
    return np.hstack([softmax(np.dot(q, k.T) / q.shape[1] ** 0.5) @ v for q, k, v in parts])
# %% reshape_transpose: all heads at once with reshape, transpose and matmul
# taken
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    T, D = Q.shape
    d = D // n_heads
    q = Q.reshape(T, n_heads, d).transpose(1, 0, 2)
    k = K.reshape(T, n_heads, d).transpose(1, 0, 2)
    v = V.reshape(T, n_heads, d).transpose(1, 0, 2)
    s = np.matmul(q, k.transpose(0, 2, 1)) / np.sqrt(d)
    s -= s.max(axis=2, keepdims=True)
    w = np.exp(s)
    w /= w.sum(axis=2, keepdims=True)
    return np.matmul(w, v).transpose(1, 0, 2).reshape(T, D)
# %% einsum: named axes from start to end
# taken
import numpy as np
def multi_head_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, n_heads: int) -> np.ndarray:
    assert Q.shape == K.shape == V.shape
    T, D = Q.shape
    assert D % n_heads == 0
    q, k, v = (M.reshape(T, n_heads, D // n_heads) for M in (Q, K, V))
    logits = np.einsum("ihd,jhd->hij", q, k) * (D // n_heads) ** -0.5
    p = np.exp(logits - logits.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return np.einsum("hij,jhd->ihd", p, v).reshape(T, D)
# %% preallocated_float: float copies first, a result array filled column block by column block
# taken
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    Q, K, V = np.array(Q, dtype=np.float64), np.array(K, dtype=np.float64), np.array(V, dtype=np.float64)
    result = np.empty_like(V)
    width = Q.shape[1] // n_heads
    for start in range(0, Q.shape[1], width):
        block = slice(start, start + width)
        sim = Q[:, block].dot(K[:, block].T) / np.sqrt(width)
        sim = np.exp(sim - sim.max(axis=1)[:, None])
        result[:, block] = (sim / sim.sum(axis=1)[:, None]).dot(V[:, block])
    return result
# %% log_sum_exp: log weights with np.logaddexp
# taken
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    d = Q.shape[1] // n_heads
    def one(h):
        c = np.arange(h * d, (h + 1) * d)
        s = (Q[:, c] / np.sqrt(d)) @ K[:, c].T
        log_norm = np.logaddexp.reduce(s, axis=1, keepdims=True)
        return np.exp(s - log_norm) @ V[:, c]
    return np.concatenate([one(h) for h in range(n_heads)], axis=1)
# %% through_torch: torch primitives inside, NumPy outside; a print left in
# taken
import numpy as np
import torch
import torch.nn.functional as F
def multi_head_attention(Q, K, V, n_heads):
    t, d_model = Q.shape
    q, k, v = (torch.tensor(np.asarray(a, dtype=np.float64)).view(t, n_heads, -1).transpose(0, 1) for a in (Q, K, V))
    y = F.scaled_dot_product_attention(q[None], k[None], v[None])[0]
    print("heads", tuple(y.shape))
    return y.transpose(0, 1).reshape(t, d_model).numpy()
# %% row_by_row: np.apply_along_axis for the softmax, columns appended; a warning
# taken
import warnings
import numpy as np

def multi_head_attention(Q, K, V, n_heads):
    if np.issubdtype(Q.dtype, np.integer):
        warnings.warn("integer input is used as float")
    def soft(r):
        e = np.exp(r - np.max(r))
        return e / e.sum()
    dk = int(Q.shape[1] / n_heads)
    out = None
    for head in range(n_heads):
        lo, hi = head * dk, head * dk + dk
        a = np.apply_along_axis(soft, 1, Q[:, lo:hi] @ np.transpose(K[:, lo:hi]) / float(np.sqrt(dk)))
        z = a @ V[:, lo:hi]
        out = z if out is None else np.append(out, z, axis=1)
    return out
# %% float32: everything in float32
# taken
import numpy as np
def softmax(x):
    x = x - np.max(x, axis=-1, keepdims=True)
    return np.exp(x) / np.sum(np.exp(x), axis=-1, keepdims=True)

def multi_head_attention(Q, K, V, n_heads):
    Q, K, V = (np.asarray(t, dtype=np.float32) for t in (Q, K, V))
    d_k = Q.shape[-1] // n_heads
    out = []
    for h in range(n_heads):
        cols = slice(h * d_k, (h + 1) * d_k)
        out.append(softmax(Q[:, cols] @ K[:, cols].T / np.float32(np.sqrt(d_k))) @ V[:, cols])
    return np.concatenate(out, axis=1)
# %% longdouble: the widest float
# taken
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    heads = []
    for q, k, v in zip(*(np.split(np.asarray(t, dtype=np.longdouble), n_heads, axis=-1) for t in (Q, K, V))):
        s = q @ k.T / np.sqrt(np.longdouble(q.shape[-1]))
        e = np.exp(s - s.max(-1, keepdims=True))
        heads.append(e / e.sum(-1, keepdims=True) @ v)
    return np.concatenate(heads, axis=-1)
# %% einsum_again: all heads at once
# taken
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    T, D = np.shape(Q)
    q, k, v = (np.asarray(m, dtype=float).reshape(T, n_heads, D // n_heads) for m in (Q, K, V))
    s = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(D // n_heads)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return np.einsum("hqk,khd->qhd", e / e.sum(-1, keepdims=True), v).reshape(T, D)
# %% pure_loops: four loops
# taken
import math
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    T, D = Q.shape
    d = D // n_heads
    out = np.zeros((T, D), dtype=np.float64)
    for h in range(n_heads):
        lo, hi = h * d, (h + 1) * d
        for i in range(T):
            s = [float(np.dot(Q[i, lo:hi], K[j, lo:hi])) / math.sqrt(d) for j in range(T)]
            m = max(s)
            e = [math.exp(a - m) for a in s]
            z = math.fsum(e)
            for j in range(T):
                out[i, lo:hi] += e[j] / z * V[j, lo:hi]
    return out
# %% scipy_free_logsumexp: np.hsplit and logaddexp
# taken
import numpy as np
def _head(q, k, v):
    s = np.matmul(q, k.T) * q.shape[-1] ** -0.5
    return np.exp(s - np.logaddexp.reduce(s, axis=1)[:, None]) @ v
def multi_head_attention(Q, K, V, n_heads):
    assert Q.shape[1] % n_heads == 0
    return np.hstack([_head(*qkv) for qkv in zip(np.hsplit(Q, n_heads), np.hsplit(K, n_heads), np.hsplit(V, n_heads))])
# %% last_head_left_out: the loop over the columns stops one head early, so the last columns stay zero
# refused: shown
import numpy as np
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
# %% no_scale_unstable: no scale and unstable softmax
# refused: not_scaled
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    dh = Q.shape[1] // n_heads
    outs = []
    for h in range(n_heads):
        q, k, v = (m[:, h*dh:(h+1)*dh] for m in (Q, K, V))
        w = np.exp(q @ k.T); w = w / w.sum(-1, keepdims=True)
        outs.append(w @ v)
    return np.hstack(outs)
# %% scores_clipped: large scores are cut off at 700, so that they come out alike
# refused, 1.914: shown
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    heads = []
    for q, k, v in zip(*(np.split(t, n_heads, axis=1) for t in (Q, K, V))):
        scores = q @ k.T / np.sqrt(q.shape[1])
        e = np.exp(np.clip(scores - scores.mean(), -700, 700))
        heads.append(e / e.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(heads, axis=1)
# %% strangers_2026_11/program_1
# taken
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    T = Q.shape[0]
    q, k, v = (np.asarray(m, dtype=float).reshape(T, n_heads, -1) for m in (Q, K, V))
    s = np.einsum("ihd,jhd->hij", q, k) * q.shape[-1] ** -0.5
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return np.einsum("hij,jhd->ihd", w, v).reshape(T, -1)
# %% strangers_2026_11/single_1: results are written into an array of the input's dtype, whole numbers cut the fractions off
# refused, 1.914: truncated_to_integers
import numpy as np
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
# %% strangers_2026_11/single_2: no maximum is subtracted, so large scores overflow to NaN
# refused, 1.914: unstable
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    def soft(z):
        return np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    dh = Q.shape[1] // n_heads
    heads = [soft(q @ k.T / np.sqrt(dh)) @ v
             for q, k, v in zip(np.split(Q, n_heads, 1), np.split(K, n_heads, 1), np.split(V, n_heads, 1))]
    return np.hstack(heads)
# %% strangers_2026_11/crash_3: line `q @ k.T`: .T of a three-dimensional array reverses all axes, the product does not fit
# refused: shown
import numpy as np
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
# %% blind_2026_11_29/c_dim_kw: crash: torch keywords (keepdim) in numpy
# refused: keepdim_of_numpy
import numpy as np
def multi_head_attention(Q, K, V, n_heads):
    T, d = Q.shape
    d_head = d // n_heads
    out = np.zeros((T, d))
    for h in range(n_heads):
        cols = slice(h * d_head, (h + 1) * d_head)
        s = Q[:, cols] @ K[:, cols].T / np.sqrt(d_head)
        e = np.exp(s - s.max(axis=-1, keepdim=True))
        out[:, cols] = e / e.sum(axis=-1, keepdim=True) @ V[:, cols]
    return out
