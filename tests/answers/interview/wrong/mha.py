"""Wrong answers to the topic mha."""
# %% no_scale < own_key_masked
~ s = q @ k.transpose(-2, -1) / math.sqrt(self.d) => s = q @ k.transpose(-2, -1)
~ ().bool(), -1e9 => (1).bool(), float('-inf')
# %% scale_of_D < own_key_masked
~ s = q @ k.transpose(-2, -1) / math.sqrt(self.d) => s = q @ k.transpose(-2, -1) / math.sqrt(D)
~ ().bool(), -1e9 => (1).bool(), float('-inf')
# %% scale_without_root < own_key_masked
-         s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
+         s = q @ k.transpose(-2, -1) / self.d
# %% multiplied < own_key_masked
~ s = q @ k.transpose(-2, -1) / math.sqrt(self.d) => s = q @ k.transpose(-2, -1) * math.sqrt(self.d)
~ ().bool(), -1e9 => (1).bool(), float('-inf')
# %% scale_of_T < own_key_masked
-         s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
+         s = q @ k.transpose(-2, -1) / math.sqrt(T)
# %% own_key_masked
class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
        o = s.softmax(-1) @ v
        return self.wo(o.transpose(1, 2).reshape(B, T, D))
# %% sees_the_next < own_key_masked
~ ().bool(), -1e9 => (2).bool(), float('-inf')
# %% past_masked < own_key_masked
~ triu().bool(), -1e9 => tril(-1).bool(), float('-inf')
# %% filled_with_zero < own_key_masked
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), 0.0)
# %% tiny_fill < own_key_masked
~ s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9) => s = s.masked_fill(torch.ones(T, T).triu(1).bool(), 1e-9)
# %% mask_after_softmax < own_key_masked
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
-         o = s.softmax(-1) @ v
+         o = (s.softmax(-1) * torch.ones(T, T).tril()) @ v
# %% softmax_over_queries < own_key_masked
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
-         o = s.softmax(-1) @ v
+         o = s.softmax(-2) @ v
# %% softmax_over_heads < own_key_masked
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
-         o = s.softmax(-1) @ v
+         o = s.softmax(1) @ v
# %% view_alone < own_key_masked
~ (B, T, self.h, self.d).transpose(1, 2) => (B, self.h, T, self.d)
~ ().bool(), -1e9 => (1).bool(), float('-inf')
# %% view_twice < own_key_masked
~ (B, T, self.h, self.d).transpose(1, 2) => (B, self.h, T, self.d)
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
~ return self.wo(o.transpose(1, 2).reshape(B, T, D)) => return self.wo(o.reshape(B, T, D))
# %% merge_alone < own_key_masked
~ ().bool(), -1e9 => (1).bool(), float('-inf')
~ return self.wo(o.transpose(1, 2).reshape(B, T, D)) => return self.wo(o.reshape(B, T, D))
# %% no_output < own_key_masked
~ ().bool(), -1e9 => (1).bool(), float('-inf')
~ return self.wo(o.transpose(1, 2).reshape(B, T, D)) => return (o.transpose(1, 2).reshape(B, T, D))
# %% keys_as_values < own_key_masked
~ ().bool(), -1e9 => (1).bool(), float('-inf')
~ o = s.softmax(-1) @ v => o = s.softmax(-1) @ k
# %% transposed_scores < own_key_masked
-         s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
+         s = k @ q.transpose(-2, -1) / math.sqrt(self.d)
# %% merged_across < own_key_masked
~ ().bool(), -1e9 => (1).bool(), float('-inf')
~ return self.wo(o.transpose(1, 2).reshape(B, T, D)) => return self.wo(o.permute(0, 2, 3, 1).reshape(B, T, D))
# %% mean_of_heads < own_key_masked
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
-         o = s.softmax(-1) @ v
-         return self.wo(o.transpose(1, 2).reshape(B, T, D))
+         s = s.masked_fill(torch.ones(T, T).triu(1).bool(), float('-inf'))
+         o = (s.softmax(-1) @ v).mean(1).repeat(1, 1, self.h)
+         return self.wo(o)
# %% no_softmax < own_key_masked
-         s = s.masked_fill(torch.ones(T, T).triu().bool(), -1e9)
-         o = s.softmax(-1) @ v
+         o = s @ v
# %% mask_ignored < interview/right/core_function: it comes in and is not used
~ def multi_head(q, k, v, heads, mask=None): => def f(q, k, v, heads, mask=None):
-     if mask is not None:
-         s = s.masked_fill(mask, float("-inf"))
# %% overflowing: exp without the maximum, in torch
def f(x, wq, wk, wv, wo, h):
    B, T, D = x.shape
    q, k, v = ((x @ w).reshape(B, T, h, -1).transpose(1, 2) for w in (wq, wk, wv))
    e = torch.exp(q @ k.mT / (D // h) ** 0.5)
    return ((e / e.sum(-1, keepdim=True)) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% ready_made
class Wrapped(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.mha = nn.MultiheadAttention(d_model, n_heads, batch_first=True)

    def forward(self, x):
        return self.mha(x, x, x)[0]
# %% single_head
def f(x, wq, wk, wv, wo, num_heads):
    q, k, v = x @ wq, x @ wk, x @ wv
    return (q @ k.mT / (x.shape[-1] // num_heads) ** 0.5).softmax(-1) @ v @ wo
# %% not_merged
def f(q, k, v, num_heads):
    B, T, D = q.shape
    q, k, v = (t.view(B, T, num_heads, -1).transpose(1, 2) for t in (q, k, v))
    return (q @ k.mT / (D // num_heads) ** 0.5).softmax(-1) @ v
# %% swapped_projections
class M(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        s = lambda t: t.view(B, T, self.h, -1).transpose(1, 2)
        k, q, v = s(self.W_q(x)), s(self.W_k(x)), s(self.W_v(x))
        return self.W_o(((q @ k.mT / (D // self.h) ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% features_across_core
def f(q, k, v, num_heads):
    B, T, D = q.shape
    q, k, v = (t.view(B, T, -1, num_heads).permute(0, 3, 1, 2) for t in (q, k, v))
    o = (q @ k.mT / (D // num_heads) ** 0.5).softmax(-1) @ v
    return o.permute(0, 2, 3, 1).reshape(B, T, D)
# %% value_before_softmax
def f(x, wq, wk, wv, wo, h):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, h, -1).transpose(1, 2) for w in (wq, wk, wv))
    return ((q @ k.mT / (D // h) ** 0.5) @ v).softmax(-1).transpose(1, 2).reshape(B, T, D) @ wo
# %% scaled_twice < value_before_softmax
-     return ((q @ k.mT / (D // h) ** 0.5) @ v).softmax(-1).transpose(1, 2).reshape(B, T, D) @ wo
+     d = D // h
+     return ((q / d**0.5 @ k.mT / d**0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% output_first < value_before_softmax
~ ((q @ k.mT / (D // h) ** 0.5) @ v).softmax(-1) => x + ((q @ k.mT / (D // h) ** 0.5).softmax(-1) @ v)
# %% strict_and_even < value_before_softmax
-     return ((q @ k.mT / (D // h) ** 0.5) @ v).softmax(-1).transpose(1, 2).reshape(B, T, D) @ wo
+     s = (q @ k.mT / (D // h) ** 0.5).masked_fill(torch.ones(T, T).triu().bool(), float("-inf"))
+     return (s.softmax(-1).nan_to_num(0) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% float16 < value_before_softmax
      B, T, D = x.shape
+     x, wq, wk, wv, wo = (t.to(torch.bfloat16) for t in (x, wq, wk, wv, wo))
~ ((q @ k.mT / (D // h) ** 0.5) @ v).softmax(-1) => ((q @ k.mT / (D // h) ** 0.5).softmax(-1) @ v)
# %% w1 < value_before_softmax
-     return ((q @ k.mT / (D // h) ** 0.5) @ v).softmax(-1).transpose(1, 2).reshape(B, T, D) @ wo
+     s = q @ k.mT / (D // h) ** 0.5 + torch.ones(T, T).triu(1) * -1e-9
+     return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo + x.mean()
# %% w2 < overflowing
~ reshape(B, T, h, -1).transpose(1, 2) => view(B, T, h, -1).permute(2, 0, 1, 3)
~ e = torch.exp(q @ k.mT / (D // h) ** 0.5) => s = (q @ k.mT / (D / h)).softmax(-1)
~ ((e / e.sum(-1, keepdim=True)) @ v).transpose(1, 2) => (s @ v).permute(1, 2, 0, 3)
# %% w3
def mha(x, Wq, Wk, Wv, Wo, n):
    T, D = x.shape
    d = D // n
    outs = []
    for h in range(n):
        c = slice(h * d, (h + 1) * d)
        s = (x @ Wq[:, c]) @ (x @ Wk[:, c]).T / np.sqrt(d)
        w = np.exp(s - s.max(0))
        outs.append(w / w.sum(0) @ (x @ Wv[:, c]))
    return np.concatenate(outs, -1) @ Wo
# %% w4
def mha(x, Wq, Wk, Wv, Wo, n):
    T, D = x.shape
    d = D // n
    out = np.zeros((T, D))
    for h in range(n):
        c = slice(h * d, (h + 1) * d)
        s = (x @ Wq[:, c]) @ (x @ Wk[:, c]).T / np.sqrt(d)
        s = np.where(np.tril(np.ones((T, T))), -np.inf, s)
        w = np.exp(s - s.max(1, keepdims=True))
        out[:, c] = w / w.sum(1, keepdims=True) @ (x @ Wv[:, c])
    return out @ Wo
# %% w5
class H(nn.Module):
    def __init__(self, c, hs):
        super().__init__()
        self.key, self.query, self.value = nn.Linear(c, hs), nn.Linear(c, hs), nn.Linear(c, hs)

    def forward(self, x):
        B, T, C = x.shape
        w = self.query(x) @ self.key(x).transpose(1, 2) * C**-0.5
        w = w.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf")).softmax(-1)
        return w @ self.value(x)

class MHA(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.heads = nn.ModuleList(H(n_embd, n_embd // n_head) for _ in range(n_head))
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([h(x) for h in self.heads], -1))
# %% w6
class MHA(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.qkv, self.proj, self.h = nn.Linear(n_embd, 3 * n_embd), nn.Linear(n_embd, n_embd), n_head

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, -1)
        w = (q @ k.mT / (C // self.h) ** 0.5).softmax(-1)
        return self.proj(w @ v)
# %% w7 < w6
-         self.qkv, self.proj, self.h = nn.Linear(n_embd, 3 * n_embd), nn.Linear(n_embd, n_embd), n_head
+         self.q, self.k, self.v, self.proj = (nn.Linear(n_embd, n_embd) for _ in range(4))
+         self.h = n_head
-         q, k, v = self.qkv(x).chunk(3, -1)
+         q, k, v = (f(x).view(B, T, self.h, -1) for f in (self.q, self.k, self.v))
~ return self.proj(w @ v) => return self.proj((w @ v).reshape(B, T, C))
# %% dropout_in_eval
class Attn(nn.Module):
    def __init__(self, d_model, n_heads, p=0.1):
        super().__init__()
        self.h, self.rate = n_heads, p
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        w = torch.dropout((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1), self.rate, True)
        return self.out((w @ v).transpose(1, 2).reshape(B, T, D))
# %% dropout_of_a_number < dropout_in_eval
~ def __init__(self, d_model, n_heads, p=0.1): => def __init__(self, d_model, n_heads):
~ self.h, self.rate = n_heads, p => self.h = n_heads
~ torch.dropout((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1), self.rate, True) => F.dropout((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1), 0.3)
# %% first_values
def mha(x, wq, wk, wv, wo, n_heads):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    a = (q @ k.mT / (D // n_heads) ** 0.5).softmax(-1)
    return (a @ v[:, :1]).transpose(1, 2).reshape(B, T, D) @ wo
# %% heads_summed
def mha(x, Wq, Wk, Wv, Wo, h):
    T, D = x.shape
    d, total = D // h, 0
    for i in range(h):
        q, k, v = (x @ W[:, i * d:(i + 1) * d] for W in (Wq, Wk, Wv))
        s = q @ k.T / d**0.5
        w = np.exp(s - s.max(-1, keepdims=True))
        total = total + w / w.sum(-1, keepdims=True) @ v
    return np.tile(total, h) @ Wo
# %% keys_not_projected
class Attn(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in (self.q(x), self.k(x), x))
        return self.o(((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% sum_over_queries: the exponentials are divided by another sum
def mha(x, Wqkv, Wo, n_head):
    B, T, C = x.shape
    q, k, v = (x @ Wqkv).reshape(B, T, 3, n_head, -1).transpose(2, 0, 3, 1, 4)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(C // n_head)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-2, keepdims=True)
    return (w @ v).transpose(0, 2, 1, 3).reshape(B, T, C) @ Wo
# %% key_weights_own_bias
def mha(x, p, h):
    B, T, D = x.shape
    f = lambda w, b: (x @ p[w] + p[b]).view(B, T, h, -1).transpose(1, 2)
    q, k, v = f("wq", "bq"), f("wk", "bk"), f("wk", "bv")
    return ((q @ k.mT / (D // h) ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ p["wo"] + p["bo"]
# %% padding_on_queries
class MHA(nn.Module):
    """key_padding_mask: (B, T), True for padding."""
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.h = num_heads
        self.in_proj, self.out_proj = nn.Linear(embed_dim, 3 * embed_dim), nn.Linear(embed_dim, embed_dim)

    def forward(self, x, key_padding_mask=None):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.in_proj(x).chunk(3, -1))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if key_padding_mask is not None:
            s = s.masked_fill(key_padding_mask[:, None, :, None], float("-1e9"))
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% keys_by_view
def mha(x, wq, wk, wv, wo, n_heads):
    B, T, D = x.shape
    q, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (wq, wv))
    k = (x @ wk).view(B, n_heads, T, -1)
    return ((q @ k.mT / (D // n_heads) ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo
# %% naive_softmax_in_numpy
def attention(x, Wq, Wk, Wv, Wo, n_heads):
    B, T, D = x.shape
    heads = lambda w: (x @ w).reshape(B, T, n_heads, -1).transpose(0, 2, 1, 3)
    q, k, v = heads(Wq), heads(Wk), heads(Wv)
    e = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(D // n_heads))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
# %% naive_softmax_in_a_numpy_class
class Attention:
    def __init__(self, d_model, n_heads):
        self.n_heads = n_heads
        self.w_q, self.w_k, self.w_v, self.w_o = np.random.randn(4, d_model, d_model)

    def __call__(self, x):
        B, T, D = x.shape
        heads = lambda w: (x @ w).reshape(B, T, self.n_heads, -1).transpose(0, 2, 1, 3)
        q, k, v = heads(self.w_q), heads(self.w_k), heads(self.w_v)
        s = q @ k.swapaxes(-1, -2) / np.sqrt(D // self.n_heads)
        e = np.exp(np.where(np.tri(T, dtype=bool), s, -np.inf))
        return (e / e.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(B, T, D) @ self.w_o
# %% naive_softmax_and_no_scale
def attention(x, Wq, Wk, Wv, Wo, n_heads):
    B, T, D = x.shape
    heads = lambda w: (x @ w).reshape(B, T, n_heads, -1).transpose(0, 2, 1, 3)
    e = np.exp(heads(Wq) @ heads(Wk).swapaxes(-1, -2))
    return (e / e.sum(-1, keepdims=True) @ heads(Wv)).transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
