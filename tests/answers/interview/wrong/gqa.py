"""Wrong answers to the topic gqa."""
# %% repeat < own_key_masked
~ k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1) => k, v = k.repeat(1, g, 1, 1), v.repeat(1, g, 1, 1)
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
# %% expand_before < own_key_masked
-     k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
+     k, v = (t[:, None].expand(B, g, -1, T, d).reshape(B, H, T, d) for t in (k, v))
-     s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
# %% repeat_keys_only < own_key_masked
~ k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1) => k, v = k.repeat(1, g, 1, 1), v.repeat_interleave(g, 1)
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
# %% first_head < own_key_masked
-     k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
+     k, v = k[:, :1], v[:, :1]
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
# %% mean_of_heads < own_key_masked
-     k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
+     k, v = k.mean(1, keepdim=True), v.mean(1, keepdim=True)
-     s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
# %% no_scale < own_key_masked
~ s = q @ k.transpose(-1, -2) / d**0.5 => s = q @ k.transpose(-1, -2)
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
# %% scale_without_root < own_key_masked
~ s = q @ k.transpose(-1, -2) / d**0.5 => s = q @ k.transpose(-1, -2) / d
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
# %% scale_of_all < over_queries
~ s = q @ k.transpose(-1, -2) / d**0.5 => s = q @ k.transpose(-1, -2) / (H * d)**0.5
~ return s.softmax(-2) @ v => return s.softmax(-1) @ v
# %% own_key_masked
def f(q, k, v):
    B, H, T, d = q.shape
    g = H // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ k.transpose(-1, -2) / d**0.5
    s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
    return s.softmax(-1) @ v
# %% sees_next < own_key_masked
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(2).bool(), -torch.inf)
# %% inverted < own_key_masked
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).tril(-1).bool(), -torch.inf)
# %% over_queries
def f(q, k, v):
    B, H, T, d = q.shape
    g = H // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = q @ k.transpose(-1, -2) / d**0.5
    return s.softmax(-2) @ v
# %% over_heads < over_queries
~ return s.softmax(-2) @ v => return s.softmax(1) @ v
# %% keys_for_values < own_key_masked
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
~ return s.softmax(-1) @ v => return s.softmax(-1) @ k
# %% no_softmax < over_queries
~ return s.softmax(-2) @ v => return s @ v
# %% zero_fill < own_key_masked
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), 0)
# %% ready_made < over_queries
-     s = q @ k.transpose(-1, -2) / d**0.5
-     return s.softmax(-2) @ v
+     return torch.nn.functional.scaled_dot_product_attention(q, k, v)
# %% group_by_modulo
def f(q, k, v):
    H, G = q.shape[1], k.shape[1]
    idx = torch.arange(H) % G
    return (q @ k[:, idx].mT / q.shape[-1] ** 0.5).softmax(-1) @ v[:, idx]
# %% summed_groups
def f(q, k, v):
    B, H, T, d = q.shape
    G = k.shape[1]
    q = q.view(B, G, H // G, T, d).mean(2)
    o = (q @ k.mT / d ** 0.5).softmax(-1) @ v
    return o.repeat_interleave(H // G, 1)
# %% w10
def f(q, k, v):
    B, H, T, d = q.shape
    g = H // k.shape[1]
    q = q.reshape(B, g, k.shape[1], T, d)
    w = (q @ k[:, None].mT / d ** 0.5).softmax(-1)
    return (w @ v[:, None]).reshape(B, H, T, d)
# %% w11
def f(q, k, v):
    k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
    v = v.repeat_interleave(q.shape[1] // v.shape[1], 1)
    w = (q @ k.mT / q.shape[1] ** 0.5).softmax(-1)
    return w @ v
# %% group_softmax
def gqa(q, k, v):
    B, H, T, d = q.shape
    G = k.shape[1]
    s = torch.einsum("bgrtd,bgsd->bgrts", q.view(B, G, H // G, T, d), k) / d**0.5
    return torch.einsum("bgrts,bgsd->bgrtd", s.softmax(2), v).reshape(B, H, T, d)
# %% mean_queries < summed_groups
~ def f(q, k, v): => def gqa(q, k, v):
~ q = q.view(B, G, H // G, T, d).mean(2) => m = q.view(B, G, H // G, T, d).mean(2)
~ o = (q @ k.mT / d ** 0.5).softmax(-1) @ v => o = (m @ k.mT / d**0.5).softmax(-1) @ v
# %% along_time
def gqa(q, k, v):
    B, H, T, d = q.shape
    r = H // k.shape[1]
    k, v = (t.repeat_interleave(r, 2).reshape(B, H, T, d) for t in (k, v))
    return (q @ k.mT / d**0.5).softmax(-1) @ v
# %% width_of_keys
def gqa(x, wq, wk, wv, wo, n_heads, n_kv):
    T = len(x)
    q, k, v = x @ wq, x @ wk, x @ wv
    scale = k.shape[-1] ** -0.5
    q, k, v = q.reshape(T, n_heads, -1), k.reshape(T, n_kv, -1), v.reshape(T, n_kv, -1)
    k, v = np.repeat(k, n_heads // n_kv, 1), np.repeat(v, n_heads // n_kv, 1)
    s = np.einsum("ihd,jhd->hij", q, k) * scale
    w = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("hij,jhd->ihd", w / w.sum(-1, keepdims=True), v).reshape(T, -1) @ wo
# %% first_of_stacked
def gqa(x, Wq, Wk, Wv, Wo):
    heads = []
    for h in range(len(Wq)):
        q, k, v = x @ Wq[h], x @ Wk[0], x @ Wv[0]
        s = q @ k.T / q.shape[1] ** 0.5
        w = np.exp(s - s.max(1, keepdims=True))
        heads.append(w / w.sum(1, keepdims=True) @ v)
    return np.hstack(heads) @ Wo
# %% heads_backwards: kv heads in the other order
def gqa(q, k, v):
    r = q.shape[1] // k.shape[1]
    k, v = k.flip(1).repeat_interleave(r, 1), v.flip(1).repeat_interleave(r, 1)
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v
# %% naive_softmax_in_numpy
def grouped(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    e = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return e / e.sum(-1, keepdims=True) @ v
