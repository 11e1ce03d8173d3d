"""Right answers to the topic cached_mha."""
# %% pair_of_tensors: cache=None, (output, (k, v))
class Attn(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.head_dim = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x, past_kv=None):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.n_heads, self.head_dim).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if past_kv is not None:
            k, v = torch.cat([past_kv[0], k], dim=2), torch.cat([past_kv[1], v], dim=2)
        S = k.size(2)
        mask = torch.ones(T, S, dtype=torch.bool).tril(S - T)
        w = (q @ k.transpose(-1, -2) / math.sqrt(self.head_dim)).masked_fill(~mask, float("-inf")).softmax(-1)
        return self.out((w @ v).transpose(1, 2).reshape(B, T, D)), (k, v)
# %% two_caches: three results
class TwoCaches(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.h = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(embed_dim, embed_dim, bias=False) for _ in "qkvo")

    def forward(self, x, k_cache=None, v_cache=None):
        B, T, D = x.shape
        heads = lambda t: t.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = heads(self.q_proj(x)), heads(self.k_proj(x)), heads(self.v_proj(x))
        if k_cache is not None:
            k, v = torch.cat((k_cache, k), 2), torch.cat((v_cache, v), 2)
        i = torch.arange(k.shape[2] - T, k.shape[2])[:, None]
        s = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(torch.arange(k.shape[2]) > i, -torch.inf)
        return self.o_proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2)), k, v
# %% remembers_itself: the module keeps its cache
class Stateful(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.Wq, self.Wk, self.Wv, self.Wo = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.reset()

    def reset(self):
        self.cache = None

    def forward(self, x):
        B, T, D = x.shape
        k, v = self.Wk(x), self.Wv(x)
        if self.cache is not None:
            k, v = torch.cat([self.cache[0], k], 1), torch.cat([self.cache[1], v], 1)
        self.cache = (k, v)
        S = k.shape[1]
        q, k, v = (t.view(B, -1, self.h, D // self.h).transpose(1, 2) for t in (self.Wq(x), k, v))
        s = q @ k.transpose(2, 3) / (D // self.h) ** 0.5
        s = s + torch.full((T, S), float("-inf")).triu(S - T + 1)
        return self.Wo((torch.softmax(s, -1) @ v).transpose(1, 2).reshape(B, T, D))
# %% dict_cache: changed in place
class DictCache(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x, cache):
        b, n, d = x.shape
        q, k, v = self.to_qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        if "k" in cache:
            k, v = torch.cat([cache["k"], k], -2), torch.cat([cache["v"], v], -2)
        cache["k"], cache["v"] = k, v
        m = torch.ones(n, k.shape[-2]).tril(k.shape[-2] - n).bool()
        a = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~m, -1e30).softmax(-1)
        return self.to_out((a @ v).transpose(1, 2).reshape(b, n, d))
# %% llama: preallocated, start_pos
class LlamaAttention(nn.Module):
    def __init__(self, dim, n_heads, max_batch_size, max_seq_len):
        super().__init__()
        self.n_heads, self.head_dim = n_heads, dim // n_heads
        self.wq, self.wk = nn.Linear(dim, dim, bias=False), nn.Linear(dim, dim, bias=False)
        self.wv, self.wo = nn.Linear(dim, dim, bias=False), nn.Linear(dim, dim, bias=False)
        self.cache_k = torch.zeros(max_batch_size, max_seq_len, n_heads, self.head_dim)
        self.cache_v = torch.zeros(max_batch_size, max_seq_len, n_heads, self.head_dim)

    def forward(self, x, start_pos):
        bsz, seqlen, _ = x.shape
        xq, xk, xv = (w(x).view(bsz, seqlen, self.n_heads, self.head_dim) for w in (self.wq, self.wk, self.wv))
        self.cache_k[:bsz, start_pos : start_pos + seqlen] = xk
        self.cache_v[:bsz, start_pos : start_pos + seqlen] = xv
        keys = self.cache_k[:bsz, : start_pos + seqlen].transpose(1, 2)
        values = self.cache_v[:bsz, : start_pos + seqlen].transpose(1, 2)
        scores = torch.matmul(xq.transpose(1, 2), keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if seqlen > 1:
            mask = torch.full((seqlen, seqlen), float("-inf")).triu(1)
            scores = scores + torch.hstack([torch.zeros(seqlen, start_pos), mask])
        out = torch.softmax(scores, dim=-1) @ values
        return self.wo(out.transpose(1, 2).contiguous().view(bsz, seqlen, -1))
# %% numpy_step: one token, no batch
class Decoder:
    def __init__(self, d_model, n_heads):
        self.n = n_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (np.random.randn(d_model, d_model) for _ in range(4))
        self.keys, self.values = [], []

    def step(self, x):
        self.keys.append(x @ self.Wk)
        self.values.append(x @ self.Wv)
        q = (x @ self.Wq).reshape(self.n, -1)
        K = np.stack(self.keys).reshape(len(self.keys), self.n, -1)
        V = np.stack(self.values).reshape(len(self.values), self.n, -1)
        s = np.einsum("hd,thd->ht", q, K) / np.sqrt(q.shape[-1])
        p = np.exp(s - s.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        return np.einsum("ht,thd->hd", p, V).reshape(-1) @ self.Wo
# %% function: weights and cache come in
def cached_attention(x, W_q, W_k, W_v, W_o, num_heads, cache=None):
    B, T, D = x.shape
    split = lambda t: t.reshape(B, -1, num_heads, D // num_heads).transpose(1, 2)
    k, v = x @ W_k, x @ W_v
    if cache:
        k, v = torch.cat([cache["k"], k], 1), torch.cat([cache["v"], v], 1)
    s = split(x @ W_q) @ split(k).mT / (D // num_heads) ** 0.5
    s = s.masked_fill(torch.ones(s.shape[-2:]).triu(1 + k.shape[1] - T).bool(), -torch.inf)
    out = (s.softmax(-1) @ split(v)).transpose(1, 2).reshape(B, T, D)
    return out @ W_o, {"k": k, "v": v}
# %% prefill_and_decode: two methods
class PrefillDecode(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.dk = num_heads, d_model // num_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def _heads(self, t):
        return t.view(t.shape[0], -1, self.h, self.dk).transpose(1, 2)

    def _attend(self, x, mask):
        s = self._heads(self.q(x)) @ self.K.mT / self.dk**0.5
        s = s.masked_fill(mask, -torch.inf) if mask is not None else s
        return self.o((s.softmax(-1) @ self.V).transpose(1, 2).flatten(2))

    def prefill(self, x):
        self.K, self.V = self._heads(self.k(x)), self._heads(self.v(x))
        return self._attend(x, torch.ones(x.shape[1], x.shape[1]).triu(1).bool())

    def decode(self, x):
        assert x.shape[1] == 1
        self.K = torch.cat([self.K, self._heads(self.k(x))], 2)
        self.V = torch.cat([self.V, self._heads(self.v(x))], 2)
        return self._attend(x, None)
# %% one_token_module: no mask, one token per call | one_token=True
class OneToken(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        k, v = self.k(x), self.v(x)
        if cache is not None:
            k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
        f = lambda t: t.view(B, -1, self.h, D // self.h).transpose(1, 2)
        w = (f(self.q(x)) @ f(k).mT / (D // self.h) ** 0.5).softmax(-1)
        return self.o((w @ f(v)).transpose(1, 2).reshape(B, T, D)), (k, v)
# %% cache_class: an object of its own
class KVCache:
    def __init__(self):
        self.k = self.v = None

    def update(self, k, v):
        self.k = k if self.k is None else torch.cat([self.k, k], dim=2)
        self.v = v if self.v is None else torch.cat([self.v, v], dim=2)
        return self.k, self.v

class AttentionWithCache(nn.Module):
    def __init__(self, dim, n_heads):
        super().__init__()
        self.n = n_heads
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, cache: KVCache):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.n, C // self.n).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        k, v = cache.update(k, v)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) * (C // self.n) ** -0.5
        s = s + torch.full((T, S), float("-inf")).triu(S - T + 1)
        return self.proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
# %% optional_dict: filled where there is one
class OptionalDict(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads, self.drop = num_heads, nn.Dropout(dropout)
        self.q, self.k, self.v, self.out = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, kv_cache=None):
        b, t, d = x.shape
        k, v = self.k(x), self.v(x)
        if kv_cache is not None:
            if "k" in kv_cache:
                k, v = torch.cat([kv_cache["k"], k], 1), torch.cat([kv_cache["v"], v], 1)
            kv_cache.update(k=k, v=v)
        f = lambda z: z.reshape(b, -1, self.num_heads, d // self.num_heads).transpose(1, 2)
        a = f(self.q(x)) @ f(k).mT / (d // self.num_heads) ** 0.5
        a = a.masked_fill(torch.ones(t, k.shape[1]).triu(k.shape[1] - t + 1) == 1, -1e9)
        return self.out((self.drop(a.softmax(-1)) @ f(v)).transpose(1, 2).reshape(b, t, d))
# %% use_cache_flag: kept inside
class Flagged(nn.Module):
    def __init__(self, emb, heads, max_len=64):
        super().__init__()
        self.heads = heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(emb, emb, bias=False) for _ in range(4))
        self.register_buffer("mask", torch.triu(torch.ones(max_len, max_len), 1).bool())
        self.k_cache = self.v_cache = None
        self.pos = 0

    def forward(self, x, use_cache=False):
        B, T, C = x.shape
        k, v = self.wk(x), self.wv(x)
        if use_cache:
            if self.k_cache is not None:
                k, v = torch.cat([self.k_cache, k], 1), torch.cat([self.v_cache, v], 1)
            self.k_cache, self.v_cache = k, v
        m = self.mask[self.pos : self.pos + T, : k.shape[1]]
        if use_cache:
            self.pos += T
        f = lambda z: z.view(B, -1, self.heads, C // self.heads).transpose(1, 2)
        a = (f(self.wq(x)) @ f(k).mT / (C // self.heads) ** 0.5).masked_fill(m, -torch.inf)
        return self.wo((a.softmax(-1) @ f(v)).transpose(1, 2).reshape(B, T, C))
# %% hf_style
class GPT2Attention(nn.Module):
    def __init__(self, hidden_size, num_attention_heads):
        super().__init__()
        self.nh = num_attention_heads
        self.c_attn = nn.Linear(hidden_size, 3 * hidden_size)
        self.c_proj = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, layer_past=None, use_cache=False):
        B, T, C = hidden_states.shape
        q, k, v = (t.view(B, T, self.nh, -1).transpose(1, 2) for t in self.c_attn(hidden_states).chunk(3, dim=2))
        if layer_past is not None:
            pk, pv = layer_past
            k, v = torch.cat((pk, k), dim=-2), torch.cat((pv, v), dim=-2)
        present = (k, v) if use_cache else None
        nd, ns = q.size(-2), k.size(-2)
        bias = torch.tril(torch.ones(ns, ns)).bool()[ns - nd : ns, :ns]
        w = torch.where(bias, q @ k.mT / math.sqrt(v.size(-1)), torch.finfo(q.dtype).min)
        out = (w.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C)
        return self.c_proj(out), present
# %% static_cache_inside
class StaticCache(nn.Module):
    def __init__(self, d_model, n_heads, max_len=32, max_batch=8):
        super().__init__()
        self.h, self.hd, self.len = n_heads, d_model // n_heads, 0
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.o = nn.Linear(d_model, d_model, bias=False)
        self.register_buffer("ck", torch.zeros(max_batch, n_heads, max_len, self.hd))
        self.register_buffer("cv", torch.zeros(max_batch, n_heads, max_len, self.hd))

    @torch.no_grad()
    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = (t.view(B, T, self.h, self.hd).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        a, b = self.len, self.len + T
        self.ck[:B, :, a:b], self.cv[:B, :, a:b] = k, v
        self.len = b
        s = q @ self.ck[:B, :, :b].mT / self.hd ** 0.5
        s = s.masked_fill(torch.arange(b)[None] > torch.arange(a, b)[:, None], -torch.inf)
        return self.o((s.softmax(-1) @ self.cv[:B, :, :b]).transpose(1, 2).flatten(2))
# %% list_cache
class ListCache(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.wq, self.wk, self.wv, self.wo = (nn.Parameter(torch.randn(dim, dim)) for _ in range(4))
        self.heads = heads

    def forward(self, x, cache):
        cache.append((x @ self.wk, x @ self.wv))
        k = torch.cat([c[0] for c in cache], 1)
        v = torch.cat([c[1] for c in cache], 1)
        B, T, D = x.shape
        h = lambda t: t.reshape(B, -1, self.heads, D // self.heads).transpose(1, 2)
        s = h(x @ self.wq) @ h(k).mT * (D // self.heads) ** -0.5
        s = s + torch.full(s.shape[-2:], -torch.inf).triu(k.shape[1] - T + 1)
        return (torch.softmax(s, -1) @ h(v)).transpose(1, 2).reshape(B, T, D) @ self.wo
# %% step_function
def step(x_t, K_cache, V_cache, Wq, Wk, Wv, Wo, n_heads):
    q, k, v = x_t @ Wq, x_t @ Wk, x_t @ Wv
    K_cache = k[None] if K_cache is None else np.concatenate([K_cache, k[None]])
    V_cache = v[None] if V_cache is None else np.concatenate([V_cache, v[None]])
    d = len(q) // n_heads
    out = []
    for h in range(n_heads):
        sl = slice(h * d, (h + 1) * d)
        s = K_cache[:, sl] @ q[sl] / np.sqrt(d)
        w = np.exp(s - s.max())
        out.append((w / w.sum()) @ V_cache[:, sl])
    return np.concatenate(out) @ Wo, K_cache, V_cache
# %% kv_cache_pair: a pair called kv_cache
class Attn(nn.Module):
    def __init__(self, dim, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, kv_cache=None):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if kv_cache is not None:
            k, v = torch.cat([kv_cache[0], k], 2), torch.cat([kv_cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s + torch.full((T, S), float("-inf")).triu(S - T + 1)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), (k, v)
# %% keys_so_far: two lists that grow
def step(x, Wq, Wk, Wv, Wo, n_heads, keys_so_far, values_so_far):
    keys_so_far.append(x @ Wk)
    values_so_far.append(x @ Wv)
    K, V = np.array(keys_so_far), np.array(values_so_far)
    d = len(x) // n_heads
    q, outs = x @ Wq, []
    for h in range(n_heads):
        part = slice(h * d, (h + 1) * d)
        s = K[:, part] @ q[part] / np.sqrt(d)
        w = np.exp(s - s.max())
        outs.append(w @ V[:, part] / w.sum())
    return np.concatenate(outs) @ Wo
# %% key_value_cache_dict: with a place to write at
class Cached(nn.Module):
    def __init__(self, d_model, num_heads, max_len=64):
        super().__init__()
        self.h, self.d, self.max_len = num_heads, d_model // num_heads, max_len
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, key_value_cache=None):
        B, T, D = x.shape
        if key_value_cache is None:
            key_value_cache = {"k": torch.zeros(B, self.max_len, D), "v": torch.zeros(B, self.max_len, D), "n": 0}
        n = key_value_cache["n"]
        key_value_cache["k"][:, n:n + T], key_value_cache["v"][:, n:n + T] = self.wk(x), self.wv(x)
        key_value_cache["n"] = n + T
        k, v = key_value_cache["k"][:, :n + T], key_value_cache["v"][:, :n + T]
        q, k, v = (t.view(B, -1, self.h, self.d).transpose(1, 2) for t in (self.wq(x), k, v))
        s = q @ k.mT / self.d**0.5
        s = s.masked_fill(torch.arange(n + T)[None] > torch.arange(n, n + T)[:, None], float("-inf"))
        return self.wo((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), key_value_cache
# %% held_params: a constructor that takes a dict of weights
class CachedAttention:
    def __init__(self, params, n_head):
        self.p, self.h = params, n_head
        self.reset()

    def reset(self):
        self.k, self.v = None, None

    def __call__(self, x):
        T, D = x.shape
        k, v = x @ self.p["wk"], x @ self.p["wv"]
        self.k = k if self.k is None else np.vstack([self.k, k])
        self.v = v if self.v is None else np.vstack([self.v, v])
        n, d = len(self.k), D // self.h
        q = (x @ self.p["wq"]).reshape(T, self.h, d)
        s = np.einsum("ihd,jhd->hij", q, self.k.reshape(n, self.h, d)) / d**0.5
        s = np.where(np.arange(n)[None] <= np.arange(n - T, n)[:, None], s, -np.inf)
        w = np.exp(s - s.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        return np.einsum("hij,jhd->ihd", w, self.v.reshape(n, self.h, d)).reshape(T, D) @ self.p["wo"]
# %% past_key_values_length: buffers and a length come in
class SelfAttn(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.h = config.num_attention_heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (
            nn.Linear(config.hidden_size, config.hidden_size) for _ in range(4)
        )

    def forward(self, hidden_states, past_key_value=None, past_key_values_length=0):
        B, T, D = hidden_states.shape
        q, k, v = (f(hidden_states).view(B, T, self.h, -1).transpose(1, 2) for f in (self.q_proj, self.k_proj, self.v_proj))
        if past_key_value is not None:
            k, v = torch.cat((past_key_value[0], k), 2), torch.cat((past_key_value[1], v), 2)
        keep = torch.ones(T, k.shape[2]).tril(past_key_values_length).bool()
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, torch.finfo(q.dtype).min)
        return self.o_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), (k, v)
# %% positions_as_a_tensor: index_copy at input_pos
class KVCache(nn.Module):
    def __init__(self, max_batch_size, max_seq_length, n_heads, head_dim):
        super().__init__()
        shape = (max_batch_size, n_heads, max_seq_length, head_dim)
        self.register_buffer("k_cache", torch.zeros(shape))
        self.register_buffer("v_cache", torch.zeros(shape))

    def update(self, input_pos, k_val, v_val):
        assert input_pos.shape[0] == k_val.shape[2]
        k_out, v_out = self.k_cache, self.v_cache
        rows = k_val.shape[0]
        k_out[:rows, :, input_pos] = k_val.detach()
        v_out[:rows, :, input_pos] = v_val.detach()
        return k_out[:rows], v_out[:rows]

class Attention(nn.Module):
    def __init__(self, dim, n_head, max_batch_size=8, max_seq_length=64):
        super().__init__()
        self.n_head, self.head_dim = n_head, dim // n_head
        self.wqkv = nn.Linear(dim, 3 * dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.kv_cache = KVCache(max_batch_size, max_seq_length, n_head, self.head_dim)
        self.register_buffer("causal_mask", torch.tril(torch.ones(max_seq_length, max_seq_length, dtype=torch.bool)))

    def forward(self, x, input_pos):
        bsz, seqlen, dim = x.shape
        q, k, v = self.wqkv(x).split(dim, dim=-1)
        q, k, v = (t.view(bsz, seqlen, self.n_head, self.head_dim).transpose(1, 2) for t in (q, k, v))
        keys, values = self.kv_cache.update(input_pos, k, v)
        mask = self.causal_mask[None, None, input_pos]
        att = (q @ keys.transpose(-2, -1)) / math.sqrt(self.head_dim)
        att = att.masked_fill(~mask, float("-inf")).softmax(-1)
        return self.wo((att @ values).transpose(1, 2).reshape(bsz, seqlen, dim))
# %% positions_from_outside: positions (t,), cache handed in
class Attn(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, hidden_size // num_heads
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, name, nn.Linear(hidden_size, hidden_size))

    def forward(self, hidden_states, past_key_values=None, cache_position=None):
        b, t, _ = hidden_states.shape
        shape = (b, t, self.num_heads, self.head_dim)
        q, k, v = (getattr(self, n)(hidden_states).view(shape).transpose(1, 2) for n in ("q_proj", "k_proj", "v_proj"))
        if past_key_values is None:
            past_key_values = (k.new_zeros(b, self.num_heads, 128, self.head_dim), k.new_zeros(b, self.num_heads, 128, self.head_dim))
        ks, vs = past_key_values
        ks = ks.index_copy(2, cache_position, k)
        vs = vs.index_copy(2, cache_position, v)
        n = int(cache_position[-1]) + 1
        open_ = torch.arange(n)[None, :] <= cache_position[:, None]
        s = q @ ks[:, :, :n].transpose(2, 3) * self.head_dim ** -0.5
        s = s.masked_fill(~open_, torch.finfo(s.dtype).min)
        out = (s.softmax(-1) @ vs[:, :, :n]).transpose(1, 2).reshape(b, t, -1)
        return self.o_proj(out), (ks, vs)
# %% positions_of_each_sequence: (B, t)
class Attn(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, position_ids, cache=None):
        split = lambda t: t.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        blocked = torch.arange(k.size(2))[None, None, None, :] > position_ids[:, None, :, None]
        s = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(blocked, -torch.inf)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2)), (k, v)
# %% how_far_each_sequence_is: (B,)
class Attn(nn.Module):
    def __init__(self, d_model, n_heads, max_len=64, max_batch=8):
        super().__init__()
        self.h, self.hd = n_heads, d_model // n_heads
        self.wqkv, self.wo = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.k_cache = torch.zeros(max_batch, max_len, n_heads, self.hd)
        self.v_cache = torch.zeros(max_batch, max_len, n_heads, self.hd)

    def forward(self, x, cache_seqlens):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, self.hd) for t in self.wqkv(x).chunk(3, -1))
        at = cache_seqlens[:, None] + torch.arange(T)
        rows = torch.arange(B)[:, None]
        self.k_cache[rows, at], self.v_cache[rows, at] = k.detach(), v.detach()
        s = torch.einsum("bqhd,bkhd->bhqk", q, self.k_cache[:B]) / self.hd ** 0.5
        hidden = torch.arange(s.size(-1)) > at[:, None, :, None]
        p = s.masked_fill(hidden, float("-inf")).softmax(-1)
        return self.wo(torch.einsum("bhqk,bkhd->bqhd", p, self.v_cache[:B]).flatten(2))
# %% unknown_cache_name: kept=None
class Attn(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, kept=None):
        T = x.size(1)
        split = lambda t: t.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        if kept is not None:
            k, v = torch.cat([kept[0], k], 2), torch.cat([kept[1], v], 2)
        S = k.size(2)
        open_ = torch.ones(T, S, dtype=torch.bool).tril(S - T)
        s = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(~open_, -torch.inf)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2)), (k, v)
