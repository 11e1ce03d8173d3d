# %% rope_01: neighbours are paired by the rotation but cos and sin are laid out for the two halves
def rotate_every_two(x):
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).flatten(-2)

def apply_rotary_pos_emb(x, base=10000):
    # x: (B, H, T, d)
    T, d = x.shape[-2], x.shape[-1]
    inv = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    f = torch.einsum("i,j->ij", torch.arange(T).float(), inv)
    emb = torch.cat((f, f), dim=-1)
    return x * emb.cos() + rotate_every_two(x) * emb.sin()
# %% rope_02: the exponent is i/d where it must be 2i/d
def rotary(x, pos0=0, base=10000.0):
    """x: (T, H, d), halves convention"""
    T, H, d = x.shape
    half = d // 2
    freq = base ** (-np.arange(half) / d)
    ang = (pos0 + np.arange(T))[:, None] * freq[None]
    c, s = np.cos(ang)[:, None], np.sin(ang)[:, None]
    lo, hi = x[..., :half], x[..., half:]
    return np.concatenate([lo * c - hi * s, hi * c + lo * s], axis=-1)
# %% rope_03: the even features are overwritten before the odd ones are worked out from them
def rotateInPlace(x, startPos=0, theta=10000.0):
    y = x.clone()
    B, T, H, D = y.shape
    p = torch.arange(startPos, startPos + T, dtype=torch.float32)
    w = theta ** (-torch.arange(0, D, 2, dtype=torch.float32) / D)
    a = torch.outer(p, w).view(1, T, 1, D // 2)
    c, s = a.cos(), a.sin()
    y[..., 0::2] = y[..., 0::2] * c - y[..., 1::2] * s
    y[..., 1::2] = y[..., 0::2] * s + y[..., 1::2] * c
    return y
# %% rope_04: with a cache the new queries are rotated as if they stood at positions 0, 1, ... instead of after the past
def rope(x, positions):
    d = x.shape[-1]
    f = 10000.0 ** (-torch.arange(0, d, 2).float() / d)
    ang = positions[:, None].float() * f
    a, b = x[..., : d // 2], x[..., d // 2:]
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], dim=-1)

class RopeAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(dim, dim * 3, bias=False)
        self.o = nn.Linear(dim, dim, bias=False)

    def forward(self, x, cache=None):
        """The cache holds keys before rotation."""
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.h, C // self.h).permute(2, 0, 3, 1, 4)
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        cache = (k, v)
        S = k.shape[2]
        q = rope(q, torch.arange(T))
        kr = rope(k, torch.arange(S))
        s = q @ kr.transpose(-1, -2) / (C // self.h) ** 0.5
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float("-inf"))
        y = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C)
        return self.o(y), cache
# %% rope_05: the sign of the sine in the second half is wrong, so it is not a rotation
def rot(v, p, base=1e4):
    """one vector v at position p -> rotated vector (first half with second half)"""
    n = len(v) // 2
    out = [0.0] * (2 * n)
    for i in range(n):
        t = p * base ** (-2.0 * i / (2 * n))
        c, s = np.cos(t), np.sin(t)
        out[i] = v[i] * c - v[i + n] * s
        out[i + n] = v[i + n] * c - v[i] * s
    return np.array(out)
# %% rope_06: positions run over axis 1, which here is the heads axis of (B, H, T, d), so the angle follows the head
class RotaryPositionalEmbeddings(nn.Module):
    def __init__(self, dim, max_seq_len=64, base=10_000):
        super().__init__()
        theta = 1.0 / (base ** (torch.arange(0, dim, 2)[: dim // 2].float() / dim))
        idx_theta = torch.outer(torch.arange(max_seq_len).float(), theta)
        self.register_buffer("cache", torch.stack([idx_theta.cos(), idx_theta.sin()], dim=-1))

    def forward(self, x):
        """x: [b, n_h, s, h_d]"""
        seq_len = x.size(1)
        rope_cache = self.cache[:seq_len].view(1, seq_len, 1, -1, 2)
        xs = x.float().reshape(*x.shape[:-1], -1, 2)
        out = torch.stack(
            [
                xs[..., 0] * rope_cache[..., 0] - xs[..., 1] * rope_cache[..., 1],
                xs[..., 1] * rope_cache[..., 0] + xs[..., 0] * rope_cache[..., 1],
            ],
            -1,
        )
        return out.flatten(3).type_as(x)
# %% rope_07: the values are rotated as well as the queries and keys
def _angles(n, d, base=10000.0):
    k = torch.arange(d // 2, dtype=torch.float64)
    return torch.exp(1j * torch.arange(n, dtype=torch.float64)[:, None] * base ** (-2 * k / d))

def _turn(x, z):
    c = torch.complex(x[..., 0::2].double(), x[..., 1::2].double()) * z
    return torch.stack([c.real, c.imag], -1).flatten(-2).to(x.dtype)

def attend_with_rope(q, k, v, causal=True):
    """q, k, v: (B, H, T, d)"""
    z = _angles(q.shape[-2], q.shape[-1])
    q, k, v = (_turn(t, z) for t in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
# %% rope_08: the angle is position times base**(2i/d) where it must be divided by it
def rope_tables(n_ctx, d_head, *, base=10000.0):
    pair = np.arange(d_head // 2)
    angle = np.arange(n_ctx)[:, None] * base ** (2 * pair / d_head)
    return np.sin(angle), np.cos(angle)

def rope_tables_and_apply(x):
    """x [batch, pos, head, d_head], halves"""
    _, n, _, d = x.shape
    sin, cos = rope_tables(n, d)
    sin, cos = sin[None, :, None, :], cos[None, :, None, :]
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate((a * cos - b * sin, a * sin + b * cos), axis=-1)
