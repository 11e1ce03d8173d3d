"""Wrong answers to the topic cached_mha."""
# %% top_left
class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)
# %% top_left_finite < top_left
~ float('-inf') => -1e9
# %% new_first < top_left
~ ([cache[0], k], 2), torch.cat([cache[1], v], 2) => ([k, cache[0]], 2), torch.cat([v, cache[1]], 2)
~ (1).bool => (S - T + 1).bool
# %% no_mask < top_left
-         s = s.masked_fill(torch.ones(T, S).triu(1).bool(), float('-inf'))
# %% cache_not_used < top_left
-         if cache is not None:
-             k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
~ (1).bool => (S - T + 1).bool
# %% cache_never_grows < top_left
~ (1).bool => (S - T + 1).bool
~ return self.wo(o), (k, v) => return self.wo(o), (k, v) if cache is None else cache
# %% only_the_new_kept < top_left
          q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
+         new = k, v
~ (1).bool => (S - T + 1).bool
~ return self.wo(o), (k, v) => return self.wo(o), new
# %% own_key_masked < top_left
~ (1).bool(), float('-inf') => (S - T).bool(), -1e9
# %% one_ahead < top_left
~ (1).bool => (S - T + 2).bool
# %% no_scale < top_left
~ s = q @ k.transpose(-2, -1) / math.sqrt(self.d) => s = q @ k.transpose(-2, -1)
~ (1).bool => (S - T + 1).bool
# %% scale_of_D < top_left
~ s = q @ k.transpose(-2, -1) / math.sqrt(self.d) => s = q @ k.transpose(-2, -1) / math.sqrt(D)
~ (1).bool => (S - T + 1).bool
# %% only_keys_kept < top_left
-             k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
+             k = torch.cat([cache[0], k], 2)
+             v = torch.cat([v] * (k.shape[2] // v.shape[2]) + [v[:, :, : k.shape[2] % v.shape[2]]], 2)
~ (1).bool => (S - T + 1).bool
# %% k_and_v_exchanged < top_left
~ (1).bool => (S - T + 1).bool
~ return self.wo(o), (k, v) => return self.wo(o), (v, k)
# %% filled_with_zero < top_left
~ (1).bool(), float('-inf') => (S - T + 1).bool(), 0.0
# %% view_alone < top_left
~ (B, T, self.h, self.d).transpose(1, 2) => (B, self.h, T, self.d)
~ (1).bool => (S - T + 1).bool
# %% merge_alone < top_left
~ (1).bool => (S - T + 1).bool
~ o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) => o = (s.softmax(-1) @ v).reshape(B, T, D)
# %% no_output < top_left
~ (1).bool => (S - T + 1).bool
~ return self.wo(o), (k, v) => return o, (k, v)
# %% along_the_heads < top_left
~ ([cache[0], k], 2), torch.cat([cache[1], v], 2) => ([cache[0], k], 1), torch.cat([cache[1], v], 1)
~ (1).bool => (S - T + 1).bool
# %% step_without_itself < interview/right/numpy_step: the new key comes into the cache after it was needed
-         self.keys.append(x @ self.Wk)
-         self.values.append(x @ self.Wv)
+         keys, values = (self.keys or [x @ self.Wk]), (self.values or [x @ self.Wv])
-         K = np.stack(self.keys).reshape(len(self.keys), self.n, -1)
-         V = np.stack(self.values).reshape(len(self.values), self.n, -1)
+         K = np.stack(keys).reshape(len(keys), self.n, -1)
+         V = np.stack(values).reshape(len(values), self.n, -1)
+         self.keys, self.values = self.keys + [x @ self.Wk], self.values + [x @ self.Wv]
# %% cache_of_scores
class M(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.cache = None

    def forward(self, x):
        B, T, D = x.shape
        s = lambda t: t.view(B, -1, self.h, D // self.h).transpose(1, 2)
        k, v = self.k(x), self.v(x)
        if self.cache is not None:
            k, v = torch.cat([self.cache[0], k], 1), torch.cat([v, self.cache[1]], 1)
        self.cache = (k, v)
        a = s(self.q(x)) @ s(k).mT / (D // self.h) ** 0.5
        a = a.masked_fill(torch.ones(T, k.shape[1]).triu(k.shape[1] - T + 1).bool(), -torch.inf)
        return self.o((a.softmax(-1) @ s(v)).transpose(1, 2).reshape(B, T, D))
# %% shared_between_calls_wrong_start
class M(nn.Module):
    def __init__(self, dim, n_heads, max_seq_len=32):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.K = torch.zeros(8, max_seq_len, dim)
        self.V = torch.zeros(8, max_seq_len, dim)

    def forward(self, x, start_pos):
        B, T, D = x.shape
        s = lambda t: t.reshape(B, -1, self.h, D // self.h).transpose(1, 2)
        self.K[:B, start_pos:start_pos + T], self.V[:B, start_pos:start_pos + T] = self.k(x), self.v(x)
        k, v = self.K[:B], self.V[:B]
        a = s(self.q(x)) @ s(k).mT / (D // self.h) ** 0.5
        return self.o((a.softmax(-1) @ s(v)).transpose(1, 2).reshape(B, T, D))
# %% w8
class M(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.kc, self.vc = None, None

    def forward(self, x):
        B, T, D = x.shape
        sp = lambda t: t.view(B, -1, self.h, D // self.h).transpose(1, 2)
        k, v = self.k(x), self.v(x)
        if self.kc is not None:
            k, v = torch.cat([self.kc, k], 1), torch.cat([self.vc, v], 1)
        self.kc, self.vc = k, v
        w = (sp(self.q(x)) @ sp(k).mT).softmax(-1) / (D // self.h) ** 0.5
        return self.o((w @ sp(v)).transpose(1, 2).reshape(B, T, D))
# %% w9
class M(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))

    def forward(self, x, kv=None):
        B, T, D = x.shape
        sp = lambda t: t.view(B, -1, self.h, D // self.h).transpose(1, 2)
        k, v = self.k(x), self.v(x)
        old = kv
        if kv is not None:
            k, v = torch.cat([kv[0], k], 1), torch.cat([kv[1], v], 1)
        S = k.shape[1]
        w = sp(self.q(x)) @ sp(k).mT / (D // self.h) ** 0.5
        m = torch.zeros(T, S).bool()
        m[:, S - T:] = torch.ones(T, T).triu(0).bool()
        m[:, : S - T] = False
        w = w.masked_fill(m, -1e9).softmax(-1)
        return self.o((w @ sp(v)).transpose(1, 2).reshape(B, T, D)), (k, v)
# %% keys_for_values
class C(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.past = None

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        K, V = (k, v) if self.past is None else (torch.cat([self.past[0], k], 2), torch.cat([self.past[1], v], 2))
        self.past = (K, K)
        S = K.shape[2]
        s = (q @ K.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
        return self.out((s.softmax(-1) @ V).transpose(1, 2).reshape(B, T, D))
# %% scaled_once_more
def attn(x, wq, wk, wv, wo, n_heads, kv_cache=None):
    B, T, D = x.shape
    d = D // n_heads
    q, k, v = ((x @ w).view(B, T, n_heads, d).transpose(1, 2) for w in (wq, wk, wv))
    if kv_cache is not None:
        k, v = torch.cat([kv_cache[0], k], 2), torch.cat([kv_cache[1], v], 2)
    k = k / d**0.5
    S = k.shape[2]
    s = (q @ k.mT).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo, (k, v)
# %% empty_for_one
class S(nn.Module):
    def __init__(self, dim, heads, max_len=32):
        super().__init__()
        self.h, self.max_len, self.n = heads, max_len, 0
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if self.n == 0:
            self.k, self.v = (torch.zeros(B, self.h, self.max_len, D // self.h) for _ in range(2))
        self.k[:, :, self.n:self.n + T], self.v[:, :, self.n:self.n + T] = k, v
        s = q @ self.k.mT / (D // self.h) ** 0.5
        if T > 1:
            s = s.masked_fill(torch.arange(self.max_len)[None] > self.n + torch.arange(T)[:, None], -torch.inf)
        self.n += T
        return self.out((s.softmax(-1) @ self.v).transpose(1, 2).reshape(B, T, D))
# %% shared_by_methods
class M:
    def __init__(self, Wq, Wk, Wv, Wo, heads):
        self.W, self.h = (Wq, Wk, Wv, Wo), heads

    def step(self, x, cache={}):
        Wq, Wk, Wv, Wo = self.W
        cache.setdefault("k", []).append(x @ Wk)
        cache.setdefault("v", []).append(x @ Wv)
        K, V, q = np.array(cache["k"]), np.array(cache["v"]), x @ Wq
        d, out = len(x) // self.h, []
        for h in range(self.h):
            c = slice(h * d, h * d + d)
            s = K[:, c] @ q[c] / np.sqrt(d)
            w = np.exp(s - s.max())
            out.append(w / w.sum() @ V[:, c])
        return np.concatenate(out) @ Wo
# %% values_in_front
class V:
    def __init__(self, weights, n_heads):
        self.wq, self.wk, self.wv, self.wo = weights
        self.h, self.k, self.v = n_heads, None, None

    def __call__(self, x):
        q, k, v = x @ self.wq, x @ self.wk, x @ self.wv
        self.k = k if self.k is None else np.concatenate([self.k, k])
        self.v = v if self.v is None else np.concatenate([v, self.v])
        d, out = x.shape[1] // self.h, []
        for h in range(self.h):
            c = slice(h * d, h * d + d)
            s = q[:, c] @ self.k[:, c].T / d**0.5
            w = np.exp(s - s.max(-1, keepdims=True))
            out.append(w / w.sum(-1, keepdims=True) @ self.v[:, c])
        return np.concatenate(out, 1) @ self.wo
# %% mask_off_later
class L(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, past_kv=None):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        n = 0 if past_kv is None else past_kv[0].shape[2]
        if n:
            k, v = torch.cat([past_kv[0], k], 2), torch.cat([past_kv[1], v], 2)
        rows = torch.arange(T)[:, None] + max(n - 1, 0)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.arange(n + T)[None] > rows, -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), (k, v)
# %% first_call_lost
class F(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h, self.seen, self.k, self.v = heads, False, None, None
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if self.k is not None:
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        if self.seen:
            self.k, self.v = k, v
        self.seen = True
        S = k.shape[2]
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% positions_one_less < whole_static_cache: the mask is one off with a cache
-         s = q @ self.k_cache[:B].mT / self.hd ** 0.5
-         return self.wo((s.softmax(-1) @ self.v_cache[:B]).transpose(1, 2).flatten(2))
+         n = int(input_pos[-1]) + 1
+         open_ = torch.ones(T, n, dtype=torch.bool).tril(n - T - 1 if n > T else 0)
+         s = (q @ self.k_cache[:B, :, :n].mT / self.hd ** 0.5).masked_fill(~open_, float("-inf"))
+         return self.wo((s.softmax(-1) @ self.v_cache[:B, :, :n]).transpose(1, 2).flatten(2))
# %% raises_for_several < interview/right/positions_of_each_sequence: the mask of one row
-     def forward(self, x, position_ids, cache=None):
+     def forward(self, x, cache=None):
+         B, T, D = x.shape
-         blocked = torch.arange(k.size(2))[None, None, None, :] > position_ids[:, None, :, None]
-         s = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(blocked, -torch.inf)
+         s = q @ k.mT / q.size(-1) ** 0.5
+         if T > 1:
+             s = s + torch.full((T, T + 1), -torch.inf).triu(1)
# %% whole_static_cache: input_pos, and the empty places are seen
class Attn(nn.Module):
    def __init__(self, d_model, n_heads, max_len=64, max_batch=8):
        super().__init__()
        self.h, self.hd = n_heads, d_model // n_heads
        self.wqkv, self.wo = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.k_cache = torch.zeros(max_batch, n_heads, max_len, self.hd)
        self.v_cache = torch.zeros(max_batch, n_heads, max_len, self.hd)

    def forward(self, x, input_pos):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, self.hd).transpose(1, 2) for t in self.wqkv(x).chunk(3, -1))
        self.k_cache[:B, :, input_pos], self.v_cache[:B, :, input_pos] = k.detach(), v.detach()
        s = q @ self.k_cache[:B].mT / self.hd ** 0.5
        return self.wo((s.softmax(-1) @ self.v_cache[:B]).transpose(1, 2).flatten(2))
# %% naive_in_numpy: no maximum subtracted, float64
class Cached:
    def __init__(self, d_model, n_heads):
        self.h = n_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (np.random.randn(d_model, d_model) / d_model**0.5 for _ in range(4))
        self.k = self.v = None

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (np.swapaxes((x @ w).reshape(B, T, self.h, -1), 1, 2) for w in (self.Wq, self.Wk, self.Wv))
        if self.k is not None:
            k, v = np.concatenate([self.k, k], 2), np.concatenate([self.v, v], 2)
        self.k, self.v = k, v
        S = k.shape[2]
        s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
        s = np.where(np.arange(S) > np.arange(S - T, S)[:, None], -np.inf, s)
        e = np.exp(s)
        return np.swapaxes(e / e.sum(-1, keepdims=True) @ v, 1, 2).reshape(B, T, D) @ self.Wo
