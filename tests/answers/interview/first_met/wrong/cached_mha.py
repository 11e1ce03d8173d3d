# %% cached_mha_01: the causal mask for a chunk after cached tokens is not shifted by the past length
class KVAttention(nn.Module):
    def __init__(self, hidden_size, num_attention_heads):
        super().__init__()
        self.nh = num_attention_heads
        self.hs = hidden_size // num_attention_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.dense = nn.Linear(hidden_size, hidden_size)

    def transpose_for_scores(self, t):
        return t.view(*t.shape[:-1], self.nh, self.hs).permute(0, 2, 1, 3)

    def forward(self, hidden_states, past_key_value=None):
        q = self.transpose_for_scores(self.query(hidden_states))
        k = self.transpose_for_scores(self.key(hidden_states))
        v = self.transpose_for_scores(self.value(hidden_states))
        if past_key_value is not None:
            k = torch.cat([past_key_value[0], k], dim=2)
            v = torch.cat([past_key_value[1], v], dim=2)
        present = (k, v)
        scores = torch.matmul(q, k.transpose(-1, -2)) / self.hs ** 0.5
        tq, tk = scores.shape[-2:]
        causal = torch.tril(torch.ones(tq, tk, dtype=torch.bool))
        scores = scores.masked_fill(~causal, torch.finfo(scores.dtype).min)
        ctx = torch.matmul(torch.softmax(scores, dim=-1), v)
        ctx = ctx.permute(0, 2, 1, 3).flatten(2)
        return self.dense(ctx), present
# %% cached_mha_02: no mask at all, so when several tokens come in at once the earlier see the later
def attend(x, weights, heads, cache=None):
    """x: (S, D) new tokens. Gives (y, cache); cache = (K, V) each (T, H, d)"""
    S, D = x.shape
    q, k, v = [(x @ weights[n]).reshape(S, heads, -1) for n in ("q", "k", "v")]
    if cache is not None:
        k = np.concatenate([cache[0], k], 0)
        v = np.concatenate([cache[1], v], 0)
    T = k.shape[0]
    s = np.einsum("shd,thd->hst", q, k) / np.sqrt(D / heads)
    s = np.exp(s - s.max(-1, keepdims=True))
    s = s / s.sum(-1, keepdims=True)
    y = np.einsum("hst,thd->shd", s, v).reshape(S, D)
    return y @ weights["o"], (k, v)
# %% cached_mha_03: the cache is overwritten with only the new keys and values instead of the joined ones
class IncrementalAttention(nn.Module):
    def __init__(self, *, dim: int, heads: int):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, dim * 2, bias=False)
        self.to_out = nn.Linear(dim, dim, bias=False)
        self.memory = None

    def clear(self):
        self.memory = None

    def forward(self, tok):
        """tok: (B, 1, D), one new token"""
        B = tok.shape[0]
        q = self.to_q(tok).view(B, 1, self.heads, -1).transpose(1, 2)
        new = self.to_kv(tok).view(B, 1, 2, self.heads, -1).permute(2, 0, 3, 1, 4)
        kv = new if self.memory is None else torch.cat((self.memory, new), dim=3)
        self.memory = new
        y = F.scaled_dot_product_attention(q, kv[0], kv[1])
        return self.to_out(y.transpose(1, 2).reshape(B, 1, -1))
# %% cached_mha_04: keys are joined as (past, new) but values as (new, past), so they no longer line up
def mha_step(x, wqkv, wo, n_head, past=None):
    b, t, c = x.shape
    q, k, v = (x @ wqkv).split(c, dim=2)
    q, k, v = (z.reshape(b, t, n_head, c // n_head).permute(0, 2, 1, 3) for z in (q, k, v))
    if past is not None:
        pk, pv = past.unbind(0)
        k = torch.cat((pk, k), dim=-2)
        v = torch.cat((v, pv), dim=-2)
    total = k.shape[-2]
    a = q @ k.transpose(-2, -1) * (c // n_head) ** -0.5
    keep = torch.arange(total).view(1, total) <= torch.arange(total - t, total).view(t, 1)
    a = torch.where(keep, a, -1e10).softmax(-1)
    y = (a @ v).permute(0, 2, 1, 3).reshape(b, t, c) @ wo
    return y, torch.stack((k, v))
# %% cached_mha_05: attends to the whole preallocated buffer, the empty (zero) slots get weight too
class StaticCacheAttention(nn.Module):
    def __init__(self, d_model, n_heads, max_len=32, max_batch=8):
        super().__init__()
        self.n_heads, self.hd = n_heads, d_model // n_heads
        self.in_proj = nn.Linear(d_model, 3 * d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.register_buffer("ck", torch.zeros(max_batch, n_heads, max_len, self.hd))
        self.register_buffer("cv", torch.zeros(max_batch, n_heads, max_len, self.hd))

    @torch.no_grad()
    def decode(self, x, pos: int):
        # x: (B, D) token at position pos
        B = x.size(0)
        q, k, v = self.in_proj(x).view(B, 3, self.n_heads, self.hd).unbind(1)
        self.ck[:B, :, pos] = k
        self.cv[:B, :, pos] = v
        K, V = self.ck[:B], self.cv[:B]
        w = torch.einsum("bhd,bhtd->bht", q, K) / self.hd ** 0.5
        w = torch.softmax(w, dim=-1)
        y = torch.einsum("bht,bhtd->bhd", w, V)
        return self.out_proj(y.reshape(B, -1))
# %% cached_mha_06: reads the cache before the place of the current token is counted, so a token never sees itself
class CachedAttentionNP:
    def __init__(self, W_q, W_k, W_v, W_o, n_heads, capacity=64):
        self.W_q, self.W_k, self.W_v, self.W_o = W_q, W_k, W_v, W_o
        self.H = n_heads
        self.hd = W_q.shape[1] // n_heads
        self.K = np.zeros((n_heads, capacity, self.hd))
        self.V = np.zeros((n_heads, capacity, self.hd))
        self.n = 0

    def __call__(self, token):
        q = (token @ self.W_q).reshape(self.H, self.hd)
        self.K[:, self.n] = (token @ self.W_k).reshape(self.H, self.hd)
        self.V[:, self.n] = (token @ self.W_v).reshape(self.H, self.hd)
        end = max(self.n, 1)
        s = np.einsum("hd,htd->ht", q, self.K[:, :end]) / np.sqrt(self.hd)
        self.n += 1
        p = np.exp(s - s.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        return np.einsum("ht,htd->hd", p, self.V[:, :end]).reshape(-1) @ self.W_o
# %% cached_mha_07: the write index goes on by one instead of by the number of new tokens, so chunks overwrite each other
import torch
from dataclasses import dataclass, replace

@dataclass(frozen=True)
class State:
    k: torch.Tensor
    v: torch.Tensor
    pos: int = 0

    @classmethod
    def empty(cls, batch, length, heads, width):
        return cls(torch.zeros(batch, length, heads, width), torch.zeros(batch, length, heads, width))

def apply(params, x, state):
    b, s, _ = x.shape
    _, L, h, d = state.k.shape
    q, k, v = ((x @ params[n]).view(b, s, h, d) for n in "qkv")
    K, V = state.k.clone(), state.v.clone()
    K[:, state.pos:state.pos + s] = k
    V[:, state.pos:state.pos + s] = v
    logits = torch.einsum("bshd,blhd->bhsl", q, K) / d ** 0.5
    ok = torch.arange(L)[None, :] <= state.pos + torch.arange(s)[:, None]
    w = logits.masked_fill(~ok, -1e30).softmax(-1)
    y = torch.einsum("bhsl,blhd->bshd", w, V).reshape(b, s, h * d) @ params["o"]
    return y, replace(state, k=K, v=V, pos=state.pos + 1)
# %% cached_mha_08: mutable default argument: a call without a cache still sees the tokens of earlier calls
def self_attn(x, Wq, Wk, Wv, Wo, nHead, cache={}):
    B, T, D = x.shape
    sp = lambda u: u.view(B, T, nHead, D // nHead).transpose(1, 2)
    q, k, v = sp(x @ Wq), sp(x @ Wk), sp(x @ Wv)
    if "k" in cache:
        k = torch.cat([cache["k"], k], dim=2)
        v = torch.cat([cache["v"], v], dim=2)
    cache["k"], cache["v"] = k, v
    past = k.size(2) - T
    s = q @ k.mT / (D // nHead) ** 0.5
    s = s + torch.full((T, past + T), float("-inf")).triu(past + 1)
    y = s.softmax(-1) @ v
    return y.transpose(1, 2).reshape(B, T, D) @ Wo
