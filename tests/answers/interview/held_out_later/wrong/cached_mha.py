# %% cached_mha_01: the mask has no offset for the cached tokens (tril of (T, S) without diagonal=past): later queries see only the first keys
class CausalAttentionWithCache(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.n_head = n_head
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)

    def forward(self, x, cache=None):
        B, T, C = x.shape
        hs = C // self.n_head
        q, k, v = self.c_attn(x).split(C, dim=2)
        q = q.view(B, T, self.n_head, hs).transpose(1, 2)
        k = k.view(B, T, self.n_head, hs).transpose(1, 2)
        v = v.view(B, T, self.n_head, hs).transpose(1, 2)
        if cache is not None:
            pk, pv = cache
            k = torch.cat((pk, k), dim=-2)
            v = torch.cat((pv, v), dim=-2)
        S = k.size(-2)
        att = q @ k.transpose(-2, -1) * hs ** -0.5
        mask = torch.tril(torch.ones(T, S, device=x.device))
        att = att.masked_fill(mask == 0, float("-inf")).softmax(-1)
        y = (att @ v).transpose(1, 2).reshape(B, T, C)
        return self.c_proj(y), (k, v)
# %% cached_mha_02: masks only when the cache is empty, so several tokens in a later call see each other's future
class CachedMHA(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, dim, bias=False)
        self.wv = nn.Linear(dim, dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.reset()

    def reset(self):
        self.cache = {"k": None, "v": None}

    def forward(self, x):
        b, t, c = x.shape
        d = c // self.heads
        q = self.wq(x).view(b, t, self.heads, d)
        k = self.wk(x).view(b, t, self.heads, d)
        v = self.wv(x).view(b, t, self.heads, d)
        first = self.cache["k"] is None
        if not first:
            k = torch.cat([self.cache["k"], k], 1)
            v = torch.cat([self.cache["v"], v], 1)
        self.cache["k"], self.cache["v"] = k, v
        s = torch.einsum("bqhd,bkhd->bhqk", q, k) / d ** 0.5
        if first:
            s = s.masked_fill(torch.ones(t, t, device=x.device).triu(1).bool(), float("-inf"))
        y = torch.einsum("bhqk,bkhd->bqhd", s.softmax(-1), v)
        return self.wo(y.reshape(b, t, c))
# %% cached_mha_03: new keys and values are put before the cached ones, so the mask hides the wrong columns when a later call has several tokens
def attn_step(p, x, cache, n_heads):
    """p: dict wq wk wv wo (D, D); x (T, D); cache: dict, empty at the start, changed in place."""
    T, D = x.shape
    d = D // n_heads
    q = (x @ p["wq"]).reshape(T, n_heads, d)
    k = (x @ p["wk"]).reshape(T, n_heads, d)
    v = (x @ p["wv"]).reshape(T, n_heads, d)
    if "k" in cache:
        k = np.concatenate([k, cache["k"]], axis=0)
        v = np.concatenate([v, cache["v"]], axis=0)
    cache["k"], cache["v"] = k, v
    S = k.shape[0]
    s = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(d)
    allowed = np.arange(S)[None, :] <= (S - T + np.arange(T))[:, None]
    s = np.where(allowed[None], s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    a = e / e.sum(-1, keepdims=True)
    return np.einsum("hij,jhd->ihd", a, v).reshape(T, D) @ p["wo"]
# %% cached_mha_04: the position goes on by 1 instead of by the number of tokens, so after a prompt of several tokens the cache is overwritten and cut off
class StaticCacheAttention(nn.Module):
    def __init__(self, d_model, n_heads, max_len):
        super().__init__()
        self.nh, self.hd, self.max_len = n_heads, d_model // n_heads, max_len
        self.in_proj = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.clear()

    def clear(self):
        self.pos = 0
        self.k_cache = None
        self.v_cache = None

    @torch.no_grad()
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.in_proj(x).view(B, T, 3, self.nh, self.hd).permute(2, 0, 3, 1, 4)
        if self.k_cache is None:
            self.k_cache = x.new_zeros(B, self.nh, self.max_len, self.hd)
            self.v_cache = torch.zeros_like(self.k_cache)
        start, end = self.pos, self.pos + T
        self.k_cache[:, :, start:end] = k
        self.v_cache[:, :, start:end] = v
        self.pos += 1
        scores = q @ self.k_cache[:, :, :end].transpose(-1, -2) / math.sqrt(self.hd)
        qp = torch.arange(start, end, device=x.device)[:, None]
        kp = torch.arange(end, device=x.device)[None, :]
        w = scores.masked_fill(kp > qp, float("-inf")).softmax(dim=-1)
        y = w @ self.v_cache[:, :, :end]
        return self.out_proj(y.transpose(1, 2).reshape(B, T, C))
# %% cached_mha_05: the returned cache is taken before the concatenation, so from the third call on only the last chunk is remembered
class GPTAttention(nn.Module):
    def __init__(self, hidden_size, num_attention_heads):
        super().__init__()
        self.num_heads = num_attention_heads
        self.head_dim = hidden_size // num_attention_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size)
        self.k_proj = nn.Linear(hidden_size, hidden_size)
        self.v_proj = nn.Linear(hidden_size, hidden_size)
        self.out_proj = nn.Linear(hidden_size, hidden_size)

    def _split_heads(self, t):
        return t.view(t.size(0), t.size(1), self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(self, hidden_states, layer_past=None, use_cache=True):
        query = self._split_heads(self.q_proj(hidden_states))
        key = self._split_heads(self.k_proj(hidden_states))
        value = self._split_heads(self.v_proj(hidden_states))
        present = (key, value) if use_cache else None
        if layer_past is not None:
            key = torch.cat((layer_past[0], key), dim=-2)
            value = torch.cat((layer_past[1], value), dim=-2)
        q_len, k_len = query.size(-2), key.size(-2)
        causal = torch.ones(k_len, k_len, dtype=torch.bool, device=key.device).tril()
        causal = causal[k_len - q_len : k_len]
        w = torch.matmul(query, key.transpose(-1, -2)) / self.head_dim ** 0.5
        w = torch.where(causal, w, torch.finfo(w.dtype).min)
        out = torch.matmul(torch.softmax(w, dim=-1), value)
        out = out.permute(0, 2, 1, 3).contiguous().view(hidden_states.shape)
        return self.out_proj(out), present
