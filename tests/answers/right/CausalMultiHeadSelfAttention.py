"""Right answers to `CausalMultiHeadSelfAttention`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% view_transpose: the classic
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError("embedding_dim must be divisible by num_heads")
        self.embedding_dim = embedding_dim
        self.num_heads = num_heads
        self.head_dim = embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        B, T, _ = x.shape
        return x.view(B, T, self.num_heads, self.head_dim).transpose(1, 2)

    def _merge_heads(self, x):
        B, H, T, d = x.shape
        return x.transpose(1, 2).contiguous().view(B, T, H * d)

    def forward(self, x):
        T = x.shape[1]
        q = self._split_heads(self.W_q(x))
        k = self._split_heads(self.W_k(x))
        v = self._split_heads(self.W_v(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
        scores = scores.masked_fill(mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        return self.W_o(self._merge_heads(weights @ v))
# %% growing_buffer: a tril buffer that grows with the longest sequence seen
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head, dtype=None, device=None):
        super().__init__()
        assert n_embd % n_head == 0
        self.n_head = n_head
        self.W_q = nn.Linear(n_embd, n_embd, bias=False, dtype=dtype, device=device)
        self.W_k = nn.Linear(n_embd, n_embd, bias=False, dtype=dtype, device=device)
        self.W_v = nn.Linear(n_embd, n_embd, bias=False, dtype=dtype, device=device)
        self.W_o = nn.Linear(n_embd, n_embd, bias=False, dtype=dtype, device=device)
        self.register_buffer("tril", torch.tril(torch.ones(16, 16, device=device)))

    def _split_heads(self, x):
        return x.reshape(x.size(0), x.size(1), self.n_head, -1).permute(0, 2, 1, 3)

    def _merge_heads(self, x):
        return x.permute(0, 2, 1, 3).flatten(2)

    def forward(self, x):
        B, T, C = x.shape
        if self.tril.size(0) < T:
            self.tril = torch.tril(torch.ones(T, T, device=x.device))
        q, k, v = map(self._split_heads, (self.W_q(x), self.W_k(x), self.W_v(x)))
        wei = q @ k.transpose(-2, -1) * (C // self.n_head) ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        return self.W_o(self._merge_heads(wei @ v))
# %% sdpa: the library with is_causal=True and dropout_p=0
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim: int, num_heads: int) -> None:
        super().__init__()
        if embedding_dim % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {embedding_dim}")
        self.h = num_heads
        for n in "qkvo":
            self.add_module(f"W_{n}", nn.Linear(embedding_dim, embedding_dim, bias=False))

    def _split_heads(self, x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(-1, (self.h, -1)).transpose(-3, -2)

    def _merge_heads(self, x: torch.Tensor) -> torch.Tensor:
        return x.transpose(-3, -2).flatten(-2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (self._split_heads(layer(x)) for layer in (self.W_q, self.W_k, self.W_v))
        return self.W_o(self._merge_heads(F.scaled_dot_product_attention(q, k, v, dropout_p=0.0, is_causal=True)))
# %% einsum: einsum with a where mask
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads, **kw):
        super().__init__()
        assert embedding_dim % num_heads == 0
        self.num_heads, self.scale = num_heads, (embedding_dim // num_heads) ** -0.5
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False, **kw)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False, **kw)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False, **kw)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False, **kw)

    def _split_heads(self, x):
        return torch.einsum("bthd->bhtd", x.reshape(*x.shape[:2], self.num_heads, -1))

    def _merge_heads(self, x):
        return torch.einsum("bhtd->bthd", x).reshape(x.shape[0], x.shape[2], -1)

    def forward(self, x):
        i = torch.arange(x.shape[1], device=x.device)
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        sim = torch.einsum("bhid,bhjd->bhij", self.scale * q, k)
        sim = torch.where(i[None] > i[:, None], -torch.inf, sim)
        return self.W_o(self._merge_heads(torch.einsum("bhij,bhjd->bhid", sim.softmax(-1), v)))
# %% loop_over_heads: heads as slices in a loop, -1e9 fill
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super(CausalMultiHeadSelfAttention, self).__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.d = embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        return torch.stack([x[..., h * self.d:(h + 1) * self.d] for h in range(self.num_heads)], dim=1)

    def _merge_heads(self, x):
        return torch.cat([x[:, h] for h in range(self.num_heads)], dim=-1)

    def _mask(self, T, device):
        m = torch.zeros(T, T, dtype=torch.bool, device=device)
        for i in range(T):
            m[i, i + 1:] = True
        return m

    def forward(self, x):
        Q, K, V = [self._split_heads(f(x)) for f in (self.W_q, self.W_k, self.W_v)]
        hidden = self._mask(x.shape[1], x.device)
        outs = []
        for h in range(self.num_heads):
            s = torch.bmm(Q[:, h], K[:, h].transpose(1, 2)) / (self.d ** 0.5)
            s = s.masked_fill(hidden, -1e9)
            outs.append(torch.bmm(torch.softmax(s, dim=-1), V[:, h]))
        return self.W_o(self._merge_heads(torch.stack(outs, dim=1)))
# %% fused_qkv_additive: weights stacked, one linear, minus infinity added, softmax by hand
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads, device=None, dtype=None):
        super().__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError("embedding_dim % num_heads must be 0")
        make = lambda: nn.Linear(embedding_dim, embedding_dim, bias=False, device=device, dtype=dtype)
        self.W_q, self.W_k, self.W_v, self.W_o = make(), make(), make(), make()
        self.num_heads = num_heads

    def _split_heads(self, x):
        return torch.stack(x.chunk(self.num_heads, dim=2), 1)

    def _merge_heads(self, x):
        return torch.cat(x.unbind(1), 2)

    def forward(self, x):
        w = torch.cat((self.W_q.weight, self.W_k.weight, self.W_v.weight), 0)
        q, k, v = [self._split_heads(t) for t in F.linear(x, w).chunk(3, dim=-1)]
        s = q.matmul(k.mT) / math.sqrt(q.size(-1))
        t = x.size(1)
        s = s + nn.Transformer.generate_square_subsequent_mask(t, device=x.device, dtype=s.dtype)
        e = torch.exp(s - s.amax(-1, keepdim=True))
        return self.W_o(self._merge_heads((e / e.sum(-1, keepdim=True)).matmul(v)))
# %% renormalised: lower triangle kept after the softmax, divided by the row sums
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        assert embedding_dim % num_heads == 0, "embedding_dim must be divisible by num_heads"
        self.H = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        b, t, c = x.shape
        return x.reshape(b, t, self.H, c // self.H).swapaxes(1, 2)

    def _merge_heads(self, x):
        b, h, t, d = x.shape
        return x.swapaxes(1, 2).reshape(b, t, h * d)

    def forward(self, x):
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        p = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
        p = p.tril()
        p = p / p.sum(dim=-1, keepdim=True)
        y = self._merge_heads(p @ v)
        assert y.shape == x.shape
        return self.W_o(y)
# %% parent_class: a general attention class with a mask argument, the causal one inherits; a print
class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        if dim % heads:
            raise ValueError("heads must divide dim")
        self.dim, self.heads = dim, heads
        self.W_q = nn.Linear(dim, dim, bias=False)
        self.W_k = nn.Linear(dim, dim, bias=False)
        self.W_v = nn.Linear(dim, dim, bias=False)
        self.W_o = nn.Linear(dim, dim, bias=False)

    def _split_heads(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, self.dim // self.heads).permute(0, 2, 1, 3)

    def _merge_heads(self, x):
        return x.permute(0, 2, 1, 3).contiguous().view(x.shape[0], x.shape[2], self.dim)

    def attend(self, x, mask):
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        s = q @ k.permute(0, 1, 3, 2) / math.sqrt(self.dim / self.heads)
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
        return self.W_o(self._merge_heads(s.softmax(dim=-1) @ v))

class CausalMultiHeadSelfAttention(Attention):
    def forward(self, x):
        print("causal attention over", x.shape[1], "tokens")
        n = x.shape[1]
        return self.attend(x, ~torch.ones(n, n, dtype=torch.bool, device=x.device).tril())
# %% library_function: F.multi_head_attention_forward with the four weights
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError("bad number of heads")
        self.embedding_dim, self.num_heads = embedding_dim, num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        return x.unflatten(2, (self.num_heads, -1)).movedim(1, 2)

    def _merge_heads(self, x):
        return x.movedim(2, 1).flatten(2)

    def forward(self, x):
        t = x.transpose(0, 1)
        future = torch.ones(len(t), len(t), dtype=torch.bool, device=x.device).triu(1)
        y = F.multi_head_attention_forward(
            t, t, t, self.embedding_dim, self.num_heads,
            torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight]), None, None, None, False, 0.0,
            self.W_o.weight, None, training=self.training, need_weights=False, attn_mask=future)[0]
        return y.transpose(0, 1)
# %% hf_float32_softmax: softmax(dtype=torch.float32).to(dtype), as Hugging Face writes it
def att(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / torch.sqrt(torch.tensor(q.size(-1)))
    if mask is not None:
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
    w = nn.functional.softmax(s, dim=-1, dtype=torch.float32).to(q.dtype)
    return w @ v, w
def cut(t, h): return t.unflatten(-1, (h, -1)).transpose(1, 2)
def up(T, S, dev): return torch.ones(T, S, dtype=torch.bool, device=dev).triu(S - T + 1)
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
    def _split_heads(self, x): return cut(x, self.h)
    def _merge_heads(self, x): return x.transpose(1, 2).flatten(2)
    def forward(self, x):
        y, _ = att(cut(self.W_q(x), self.h), cut(self.W_k(x), self.h), cut(self.W_v(x), self.h), up(x.shape[1], x.shape[1], x.device))
        return self.W_o(self._merge_heads(y))
# %% sdpa_is_causal: split and merge by einops-like helpers
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        if embedding_dim % num_heads:
            raise ValueError("num_heads must divide embedding_dim")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in "qkvo")
    def _split_heads(self, x):
        return x.unflatten(2, (self.num_heads, -1)).movedim(2, 1)
    def _merge_heads(self, x):
        return x.movedim(1, 2).flatten(2)
    def forward(self, x):
        y = F.scaled_dot_product_attention(*(self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v)), is_causal=True)
        return self.W_o(self._merge_heads(y))
# %% subclass_with_a_growing_buffer: mask kept and enlarged
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H, self.d = num_heads, embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.register_buffer("later", torch.ones(4, 4, dtype=torch.bool).triu(1), persistent=False)
    def _split_heads(self, x):
        return torch.stack(x.split(self.d, dim=-1), dim=1)
    def _merge_heads(self, x):
        return torch.cat(tuple(x[:, h] for h in range(self.H)), dim=-1)
    def forward(self, x):
        T = x.size(1)
        if T > self.later.size(0) or self.later.device != x.device:
            self.later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        q, k, v = map(self._split_heads, (self.W_q(x), self.W_k(x), self.W_v(x)))
        s = torch.einsum("bhqd,bhkd->bhqk", q, k).mul(self.d ** -0.5).masked_fill(self.later[:T, :T], -torch.inf)
        return self.W_o(self._merge_heads(torch.einsum("bhqk,bhkd->bhqd", s.softmax(-1), v)))
# %% prefix_loop: each token attends to its prefix, ModuleDict-free aliases
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)
    def _split_heads(self, x):
        B, T, D = x.shape
        return x.reshape(B, T, self.num_heads, D // self.num_heads).permute(0, 2, 1, 3)
    def _merge_heads(self, x):
        B, H, T, d = x.shape
        return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * d)
    def forward(self, x):
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        outs = []
        for t in range(x.shape[1]):
            w = (q[:, :, t:t + 1] @ k[:, :, :t + 1].mT / q.shape[-1] ** 0.5).softmax(-1)
            outs.append(w @ v[:, :, :t + 1])
        return self.W_o(self._merge_heads(torch.cat(outs, 2)))
