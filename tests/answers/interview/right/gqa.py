"""Right answers to the topic gqa."""
# %% repeat_interleave
def gqa(q, k, v):
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, dim=1), v.repeat_interleave(g, dim=1)
    return torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1) @ v
# %% grouped_einsum: nothing is copied, (B, T, H, d)
def grouped(query, key, value):
    B, T, H, d = query.shape
    K = key.shape[2]
    q = query.reshape(B, T, K, H // K, d)
    s = torch.einsum("btkgd,bskd->bkgts", q, key) * d**-0.5
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
    return torch.einsum("bkgts,bskd->btkgd", s.softmax(-1), value).reshape(B, T, H, d)
# %% repeat_kv: a layer, as in transformers
def repeat_kv(x, n_rep):
    b, h, t, d = x.shape
    return x[:, :, None].expand(b, h, n_rep, t, d).reshape(b, h * n_rep, t, d)

class GroupedQueryAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads):
        super().__init__()
        self.nh, self.nkv, self.hd = num_heads, num_kv_heads, hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.hd, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.hd, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.hd, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

    def forward(self, hidden_states, attention_mask=None):
        B, T, _ = hidden_states.shape
        q = self.q_proj(hidden_states).view(B, T, self.nh, self.hd).transpose(1, 2)
        k = self.k_proj(hidden_states).view(B, T, self.nkv, self.hd).transpose(1, 2)
        v = self.v_proj(hidden_states).view(B, T, self.nkv, self.hd).transpose(1, 2)
        k, v = repeat_kv(k, self.nh // self.nkv), repeat_kv(v, self.nh // self.nkv)
        s = q @ k.transpose(2, 3) / math.sqrt(self.hd)
        if attention_mask is not None:
            s = s + attention_mask
        return self.o_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1))
# %% numpy_heads: one head after the other
def attention(q, k, v):
    out = np.zeros_like(q)
    B, H = q.shape[:2]
    group = H // k.shape[1]
    for b in range(B):
        for h in range(H):
            s = q[b, h] @ k[b, h // group].T / np.sqrt(q.shape[-1])
            w = np.exp(s - s.max(1, keepdims=True))
            out[b, h] = w / w.sum(1, keepdims=True) @ v[b, h // group]
    return out
# %% fused_layer: q, k and v in one projection
class GQA(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.h, self.g, self.d = n_heads, n_kv_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, (n_heads + 2 * n_kv_heads) * self.d)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).split([self.h * self.d, self.g * self.d, self.g * self.d], -1)
        q = q.view(B, T, self.g, self.h // self.g, self.d).permute(0, 2, 3, 1, 4)
        k, v = (t.view(B, T, self.g, 1, self.d).permute(0, 2, 3, 1, 4) for t in (k, v))
        s = (q @ k.mT / self.d**0.5).masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        return self.proj((s.softmax(-1) @ v).permute(0, 3, 1, 2, 4).reshape(B, T, D))
# %% function_with_weights
def gqa_forward(x, Wq, Wk, Wv, Wo, n_heads, n_kv_heads):
    B, T, D = x.shape
    hd = D // n_heads
    q = (x @ Wq).view(B, T, n_heads, hd).transpose(1, 2)
    k = (x @ Wk).view(B, T, n_kv_heads, hd).transpose(1, 2)
    v = (x @ Wv).view(B, T, n_kv_heads, hd).transpose(1, 2)
    idx = torch.arange(n_heads) // (n_heads // n_kv_heads)
    w = torch.softmax(q @ k[:, idx].mT / hd**0.5, -1)
    return (w @ v[:, idx]).transpose(1, 2).reshape(B, T, D) @ Wo
# %% group_size_given
def gq_attention(q, k, v, group_size, causal=True):
    k = torch.stack([k] * group_size, dim=2).flatten(1, 2)
    v = torch.stack([v] * group_size, dim=2).flatten(1, 2)
    s = torch.einsum("bhid,bhjd->bhij", q, k) / q.size(-1) ** 0.5
    if causal:
        n = q.size(2)
        s = s.masked_fill(torch.arange(n)[None, :] > torch.arange(n)[:, None], float("-inf"))
    return torch.einsum("bhij,bhjd->bhid", s.softmax(dim=-1), v)
# %% config_dict
class Attn(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.nh, self.nkv = cfg["n_heads"], cfg["n_kv_groups"]
        d = cfg["emb_dim"]
        self.hd = d // self.nh
        self.W_query = nn.Linear(d, d, bias=False)
        self.W_key = nn.Linear(d, self.nkv * self.hd, bias=False)
        self.W_value = nn.Linear(d, self.nkv * self.hd, bias=False)
        self.out_proj = nn.Linear(d, d)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.nh, self.hd).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.nkv, self.hd).transpose(1, 2).repeat_interleave(self.nh // self.nkv, 1)
        v = self.W_value(x).view(b, t, self.nkv, self.hd).transpose(1, 2).repeat_interleave(self.nh // self.nkv, 1)
        w = torch.softmax(q @ k.mT / self.hd**0.5, -1)
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, t, -1))
# %% kv_groups_config_free
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, num_kv_groups, dtype=None):
        super().__init__()
        self.nh, self.g, self.hd = num_heads, num_kv_groups, d_out // num_heads
        self.W_key = nn.Linear(d_in, num_kv_groups * self.hd, bias=False, dtype=dtype)
        self.W_value = nn.Linear(d_in, num_kv_groups * self.hd, bias=False, dtype=dtype)
        self.W_query = nn.Linear(d_in, d_out, bias=False, dtype=dtype)
        self.out_proj = nn.Linear(d_out, d_out, bias=False, dtype=dtype)

    def forward(self, x, mask=None):
        b, n, _ = x.shape
        q = self.W_query(x).view(b, n, self.nh, self.hd).transpose(1, 2)
        k = self.W_key(x).view(b, n, self.g, self.hd).transpose(1, 2)
        v = self.W_value(x).view(b, n, self.g, self.hd).transpose(1, 2)
        k, v = k.repeat_interleave(self.nh // self.g, dim=1), v.repeat_interleave(self.nh // self.g, dim=1)
        if mask is None:
            mask = torch.triu(torch.ones(n, n), diagonal=1).bool()
        s = (q @ k.transpose(2, 3)).masked_fill(mask, -torch.inf) / self.hd ** 0.5
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(b, n, -1))
# %% flat_inputs
def gqa(q, k, v, num_heads, num_kv_heads):
    B, T, D = q.shape
    hd = D // num_heads
    rep = num_heads // num_kv_heads
    q = q.view(B, T, num_kv_heads, rep, hd).permute(0, 2, 3, 1, 4)
    k = k.view(B, T, num_kv_heads, hd).permute(0, 2, 1, 3).unsqueeze(2)
    v = v.view(B, T, num_kv_heads, hd).permute(0, 2, 1, 3).unsqueeze(2)
    w = torch.softmax(q @ k.transpose(-1, -2) / hd ** 0.5, dim=-1)
    return (w @ v).permute(0, 3, 1, 2, 4).reshape(B, T, D)
# %% no_batch
def grouped(Q, K, V):
    H, T, d = Q.shape
    n = H // K.shape[0]
    return np.stack([att(Q[h], K[h // n], V[h // n]) for h in range(H)])

def att(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v

def gqa(Q, K, V):
    return grouped(Q, K, V)
# %% per_head_lists: a matrix for each head and each group, no counts
def gqa(x, Wqs, Wks, Wvs, Wo):
    per = len(Wqs) // len(Wks)
    heads = []
    for h, Wq in enumerate(Wqs):
        q, k, v = x @ Wq, x @ Wks[h // per], x @ Wvs[h // per]
        s = q @ k.T / np.sqrt(q.shape[-1])
        w = np.exp(s - s.max(-1, keepdims=True))
        heads.append(w / w.sum(-1, keepdims=True) @ v)
    return np.concatenate(heads, axis=-1) @ Wo
# %% stacked_heads: (heads, d_model, d_head), and a flat W_O
def grouped_attention(x, w_q, w_k, w_v, w_o):
    H, G = w_q.shape[0], w_k.shape[0]
    q = torch.einsum("btm,hmd->bhtd", x, w_q)
    k = torch.einsum("btm,hmd->bhtd", x, w_k).repeat_interleave(H // G, 1)
    v = torch.einsum("btm,hmd->bhtd", x, w_v).repeat_interleave(H // G, 1)
    a = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v
    return a.transpose(1, 2).flatten(2) @ w_o
# %% llama_names: num_key_value_heads, an additive mask, and the weights beside the output
class Attention(nn.Module):
    def __init__(self, hidden_size, num_attention_heads, num_key_value_heads, attention_dropout=0.0):
        super().__init__()
        self.h, self.kv = num_attention_heads, num_key_value_heads
        self.d = hidden_size // num_attention_heads
        self.q_proj = nn.Linear(hidden_size, self.h * self.d, bias=False)
        self.k_proj = nn.Linear(hidden_size, self.kv * self.d, bias=False)
        self.v_proj = nn.Linear(hidden_size, self.kv * self.d, bias=False)
        self.o_proj = nn.Linear(self.h * self.d, hidden_size, bias=False)

    def forward(self, hidden_states, attention_mask=None):
        shape = (*hidden_states.shape[:-1], -1, self.d)
        q, k, v = (f(hidden_states).view(shape).transpose(1, 2) for f in (self.q_proj, self.k_proj, self.v_proj))
        k, v = k.repeat_interleave(self.h // self.kv, 1), v.repeat_interleave(self.h // self.kv, 1)
        s = q @ k.mT * self.d**-0.5
        if attention_mask is not None:
            s = s + attention_mask
        w = s.softmax(-1)
        return self.o_proj((w @ v).transpose(1, 2).flatten(2)), w
# %% queries_per_kv
class GroupedQuery(nn.Module):
    def __init__(self, embed_dim, n_query_heads, queries_per_kv):
        super().__init__()
        self.h, self.r, self.d = n_query_heads, queries_per_kv, embed_dim // n_query_heads
        self.q = nn.Linear(embed_dim, embed_dim)
        self.kv = nn.Linear(embed_dim, 2 * (n_query_heads // queries_per_kv) * self.d)
        self.out = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        B, T, D = x.shape
        q = self.q(x).view(B, T, -1, self.r, self.d)
        k, v = (t.view(B, T, -1, self.d) for t in self.kv(x).chunk(2, -1))
        s = torch.einsum("btgrd,bsgd->bgrts", q, k) / self.d**0.5
        return self.out(torch.einsum("bgrts,bsgd->btgrd", s.softmax(-1), v).reshape(B, T, D))
# %% head_counts_of_queries_and_keys
def gqa_np(x, Wq, Wk, Wv, Wo, n_heads_q, n_heads_kv):
    T = x.shape[0]
    q = (x @ Wq).reshape(T, n_heads_q, -1)
    k, v = (x @ Wk).reshape(T, n_heads_kv, -1), (x @ Wv).reshape(T, n_heads_kv, -1)
    k, v = np.repeat(k, n_heads_q // n_heads_kv, 1), np.repeat(v, n_heads_q // n_heads_kv, 1)
    s = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(q.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return np.einsum("hqk,khd->qhd", w, v).reshape(T, -1) @ Wo
# %% group_dict: settings in the call, as a dict
def gqa(x, params, config):
    B, T, D = x.shape
    H, G = config["n_heads"], config["n_kv_heads"]
    d = D // H
    q = (x @ params["wq"]).view(B, T, H, d).transpose(1, 2)
    k = (x @ params["wk"]).view(B, T, G, d).transpose(1, 2)
    v = (x @ params["wv"]).view(B, T, G, d).transpose(1, 2)
    i = torch.arange(H) * G // H
    return ((q @ k[:, i].mT / d**0.5).softmax(-1) @ v[:, i]).transpose(1, 2).reshape(B, T, D) @ params["wo"]
