# %% rope_01: layouts mixed: angles repeated for neighbouring pairs (repeat_interleave) but the rotation pairs halves (rotate_half)
def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)

def apply_rope(x, offset=0, base=10000.0):
    """x: (B, H, T, d)"""
    T, d = x.shape[-2:]
    inv_freq = base ** (-torch.arange(0, d, 2, device=x.device).float() / d)
    t = torch.arange(offset, offset + T, device=x.device).float()
    ang = torch.outer(t, inv_freq).repeat_interleave(2, dim=-1)
    return x * ang.cos() + rotate_half(x) * ang.sin()
# %% rope_02: sign error: x1*cos + x2*sin in the first half with x1*sin + x2*cos in the second is not a rotation
def rope(x, start=0, theta=10000.0):
    """x: (..., T, d), halves are paired."""
    T, d = x.shape[-2], x.shape[-1]
    freqs = 1.0 / theta ** (np.arange(0, d, 2) / d)
    angles = np.arange(start, start + T)[:, None] * freqs
    cos, sin = np.cos(angles), np.sin(angles)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate((x1 * cos + x2 * sin, x1 * sin + x2 * cos), axis=-1)
# %% rope_03: the exponent is i/d instead of 2i/d, so the frequencies fall only to 1/sqrt(base)
def rotary(q, k, base=10000.0):
    """q, k: (B, T, H, d), neighbouring features are paired."""
    T, d = q.shape[1], q.shape[-1]
    i = torch.arange(d // 2, dtype=torch.float32, device=q.device)
    freq = base ** (-i / d)
    theta = torch.arange(T, dtype=torch.float32, device=q.device)[:, None] * freq
    c = theta.cos()[None, :, None, :]
    s = theta.sin()[None, :, None, :]

    def rot(x):
        e, o = x[..., 0::2], x[..., 1::2]
        return torch.stack((e * c - o * s, e * s + o * c), dim=-1).flatten(-2)

    return rot(q), rot(k)
# %% rope_04: takes the length from dim 1 of a (B, H, T, d) tensor, so it turns by head number and not by position
class RotaryEmbedding(nn.Module):
    """forward(x) with x of shape (batch, heads, tokens, head_dim)"""

    def __init__(self, dim, base=10000.0):
        super().__init__()
        inv = 1.0 / base ** (torch.arange(0, dim, 2).float() / dim)
        self.register_buffer("inv_freq", inv, persistent=False)

    def forward(self, x):
        seq = torch.arange(x.shape[1], device=x.device).float()
        freqs = torch.einsum("i,j->ij", seq, self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)[None, :, None, :]
        x1, x2 = x.chunk(2, dim=-1)
        return x * emb.cos() + torch.cat((-x2, x1), dim=-1) * emb.sin()
# %% rope_05: the odd features are computed from even ones that were already overwritten in place
def rope(x, pos=None, base=10000.0):
    """x: (T, d) or (..., T, d); pairs (0,1), (2,3), ..."""
    x = np.array(x, dtype=np.float64)
    T, d = x.shape[-2:]
    pos = np.arange(T) if pos is None else np.asarray(pos)
    ang = pos[:, None] / base ** (np.arange(0, d, 2) / d)
    cos, sin = np.cos(ang), np.sin(ang)
    even, odd = x[..., 0::2], x[..., 1::2]
    x[..., 0::2] = even * cos - odd * sin
    x[..., 1::2] = even * sin + odd * cos
    return x
