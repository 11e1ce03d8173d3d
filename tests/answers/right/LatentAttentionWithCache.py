"""Right answers to `LatentAttentionWithCache`, in the styles of many people. Cells are separated by lines that start with `# %%`."""
# %% naive: keys and values are made again from all latents
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], dim=1)
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_up(c)), self.split(self.v_up(c))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        T_k = c.shape[1]
        mask = torch.triu(torch.ones(T, T_k, dtype=torch.bool, device=x.device), diagonal=T_k - T + 1)
        weights = scores.masked_fill(mask, float("-inf")).softmax(dim=-1)
        out = (weights @ v).transpose(1, 2).reshape(B, T, self.d_model)
        return self.out_proj(out), c
# %% absorbed: queries score the latents, and the weights mix latents
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        new = self.down_proj(x)
        c = new if cache is None else torch.cat((cache, new), 1)
        q = self.q_proj(x).unflatten(-1, (self.h, self.d)).transpose(1, 2)
        W_k = self.k_up.weight.view(self.h, self.d, -1)
        W_v = self.v_up.weight.view(self.h, self.d, -1)
        s = torch.einsum("bhtl,bsl->bhts", q @ W_k, c) * self.d ** -0.5
        past = c.size(1) - x.size(1)
        i = torch.arange(x.size(1), device=x.device)[:, None] + past
        j = torch.arange(c.size(1), device=x.device)
        a = s.masked_fill(j > i, -torch.inf).softmax(-1)
        mixed = torch.einsum("bhts,bsl->bhtl", a, c)
        heads = torch.einsum("bhtl,hdl->bthd", mixed, W_v)
        return self.out_proj(heads.flatten(2)), c
# %% torch's operator
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent, **kw):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False, **kw)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False, **kw)
        self.k_up = nn.Linear(d_latent, d_model, bias=False, **kw)
        self.v_up = nn.Linear(d_latent, d_model, bias=False, **kw)
        self.out_proj = nn.Linear(d_model, d_model, bias=False, **kw)

    def forward(self, x, cache=None):
        latents = self.down_proj(x)
        if cache is not None and cache.size(1) > 0:
            latents = torch.cat([cache, latents], dim=1)
        heads = [t.unflatten(2, (self.num_heads, -1)).transpose(1, 2)
                 for t in (self.q_proj(x), self.k_up(latents), self.v_up(latents))]
        n, m = x.size(1), latents.size(1)
        keep = torch.ones(n, m, dtype=torch.bool, device=x.device).tril(m - n)
        y = F.scaled_dot_product_attention(*heads, attn_mask=keep)
        return self.out_proj(y.transpose(1, 2).flatten(2)), latents
# %% a loop over heads
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        linear = lambda i, o: nn.Linear(i, o, bias=False)
        self.num_heads = num_heads
        self.q_proj, self.out_proj = linear(d_model, d_model), linear(d_model, d_model)
        self.down_proj = linear(d_model, d_latent)
        self.k_up, self.v_up = linear(d_latent, d_model), linear(d_latent, d_model)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        offset = 0 if cache is None else cache.shape[1]
        c = c if cache is None else torch.cat([cache, c], dim=1)
        future = torch.arange(c.shape[1], device=x.device)[None, :] > torch.arange(offset, c.shape[1], device=x.device)[:, None]
        outs = []
        trio = zip(*(t.chunk(self.num_heads, dim=-1) for t in (self.q_proj(x), self.k_up(c), self.v_up(c))))
        for q, k, v in trio:
            s = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
            s = torch.where(future, torch.full_like(s, -1e9), s)
            outs.append(torch.bmm(torch.softmax(s, -1), v))
        return self.out_proj(torch.cat(outs, -1)), c
# %% one fused product for keys and values, token by token
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.H, self.d = num_heads, d_model // num_heads
        for name, sizes in {"q_proj": (d_model, d_model), "down_proj": (d_model, d_latent), "k_up": (d_latent, d_model),
                            "v_up": (d_latent, d_model), "out_proj": (d_model, d_model)}.items():
            setattr(self, name, nn.Linear(*sizes, bias=False))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        old = x.new_zeros(B, 0, self.down_proj.out_features) if cache is None else cache
        c = torch.hstack([old, self.down_proj(x)])
        kv = c @ torch.cat([self.k_up.weight, self.v_up.weight]).T
        k, v = kv.view(B, -1, 2, self.H, self.d).unbind(2)
        q = self.q_proj(x).view(B, T, self.H, self.d)
        rows = []
        for t in range(T):
            n = old.shape[1] + t + 1
            s = torch.einsum("bhd,bnhd->bhn", q[:, t], k[:, :n]) / self.d ** 0.5
            rows.append(torch.einsum("bhn,bnhd->bhd", s.softmax(-1), v[:, :n]).reshape(B, D))
        return self.out_proj(torch.stack(rows, 1)), c
# %% keys absorbed only, an additive mask
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model: int, num_heads: int, d_latent: int):
        super().__init__()
        self.n, self.dh, self.dl = num_heads, d_model // num_heads, d_latent
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        b, t, _ = x.shape
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], -2)
        s = c.shape[1]
        q = self.q_proj(x).reshape(b, t, self.n, self.dh).permute(0, 2, 1, 3)
        q = torch.matmul(q, self.k_up.weight.reshape(self.n, self.dh, self.dl))
        scores = torch.matmul(q, c.unsqueeze(1).transpose(2, 3)) / self.dh ** 0.5
        bias = torch.full((t, s), float("-inf"), dtype=x.dtype, device=x.device).triu(s - t + 1)
        v = self.v_up(c).reshape(b, s, self.n, self.dh).permute(0, 2, 1, 3)
        y = torch.softmax(scores + bias, dim=-1) @ v
        return self.out_proj(y.permute(0, 2, 1, 3).reshape(b, t, -1)), c
# %% hand-made softmax and modules in a dict
def softmax(s):
    e = torch.exp(s - s.max(-1, keepdim=True)[0])
    return e / e.sum(-1, keepdim=True)

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def heads(self, t):
        return torch.stack(t.chunk(self.num_heads, -1), 1)

    def forward(self, x, cache=None):
        latents = self.down_proj(x) if cache is None else torch.cat([cache, self.down_proj(x)], 1)
        q, k, v = map(self.heads, (self.q_proj(x), self.k_up(latents), self.v_up(latents)))
        s = torch.einsum("bhqd,bhkd->bhqk", q, k) / k.size(-1) ** 0.5
        first = latents.size(1) - x.size(1)
        for i in range(x.size(1)):
            gone = torch.arange(latents.size(1), device=x.device) > first + i
            s = torch.cat([s[:, :, :i], s[:, :, i:i + 1].masked_fill(gone, -torch.inf), s[:, :, i + 1:]], 2)
        y = torch.einsum("bhqk,bhkd->bhqd", softmax(s), v)
        return self.out_proj(torch.cat(y.unbind(1), -1)), latents
