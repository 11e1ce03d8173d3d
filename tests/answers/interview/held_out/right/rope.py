# %% rope_01 < interview/first_met/right/rope_02
~ (dim: int, end: int, theta: float = 10000.0) -> torch.Tensor => (dim: int, end: int, theta: float = 10000.0)
~ freqs = torch.outer(t, freqs).float() => freqs = torch.outer(t, freqs)
~ (torch.ones_like(freqs), freqs) => (torch.ones_like(freqs), freqs)      # complex64, (end, dim/2)
  def apply_rotary_emb(xq, xk, freqs_cis):
+     """xq, xk: (B, T, H, hd)"""
~ q = torch.view_as_real(xq_ * f).flatten(3) => xq_out = torch.view_as_real(xq_ * f).flatten(3)
~ k = torch.view_as_real(xk_ * f).flatten(3) => xk_out = torch.view_as_real(xk_ * f).flatten(3)
~ return q.type_as(xq), k.type_as(xk) => return xq_out.type_as(xq), xk_out.type_as(xk)
# %% rope_02
def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)

class RotaryEmbedding(nn.Module):
    def __init__(self, dim, max_position_embeddings=2048, base=10000):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        t = torch.arange(max_position_embeddings).float()
        emb = torch.outer(t, inv_freq)
        emb = torch.cat((emb, emb), dim=-1)
        self.register_buffer("cos_cached", emb.cos(), persistent=False)
        self.register_buffer("sin_cached", emb.sin(), persistent=False)

    def forward(self, q, k, position_ids=None):
        """q, k: [bs, heads, seq, dim]; position_ids: [bs, seq]"""
        if position_ids is None:
            position_ids = torch.arange(q.shape[-2], device=q.device).unsqueeze(0)
        cos = self.cos_cached[position_ids].unsqueeze(1)
        sin = self.sin_cached[position_ids].unsqueeze(1)
        return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
# %% rope_03
def rope(x, base=10000.0):
    """x: (T, d).  Rotates the pairs (0,1), (2,3), ... of row t by t * base^(-2i/d)."""
    T, d = x.shape
    out = np.empty_like(x, dtype=np.float64)
    for t in range(T):
        for i in range(d // 2):
            theta = t * base ** (-2.0 * i / d)
            c, s = np.cos(theta), np.sin(theta)
            a, b = x[t, 2 * i], x[t, 2 * i + 1]
            out[t, 2 * i] = a * c - b * s
            out[t, 2 * i + 1] = a * s + b * c
    return out
# %% rope_04
def apply_rope(x, positions, max_wavelength=10_000):
    """
    x:         [B, L, N, H]
    positions: [B, L]
    """
    head_dim = x.shape[-1]
    fraction = 2 * torch.arange(0, head_dim // 2) / head_dim                  # [H/2]
    timescale = max_wavelength ** fraction                                    # [H/2]
    angle = positions[..., None].float() / timescale[None, None, :]           # [B, L, H/2]
    angle = angle[..., None, :]                                               # [B, L, 1, H/2]
    sin, cos = torch.sin(angle), torch.cos(angle)
    first_half, second_half = torch.split(x, head_dim // 2, dim=-1)
    first_part = first_half * cos - second_half * sin
    second_part = second_half * cos + first_half * sin
    return torch.cat([first_part, second_part], dim=-1).to(x.dtype)
# %% rope_05
class RoPE(nn.Module):
    """Interleaved pairs; tables are built once.  `offset` is the number of tokens already cached."""

    def __init__(self, head_dim: int, max_len: int = 4096, theta: float = 1e4):
        super().__init__()
        if head_dim % 2:
            raise ValueError("head_dim must be even")
        k = torch.arange(head_dim // 2, dtype=torch.float32)
        omega = torch.exp(-2.0 * k / head_dim * torch.log(torch.tensor(theta)))
        ang = torch.arange(max_len, dtype=torch.float32)[:, None] * omega[None, :]
        self.register_buffer("cos", ang.cos(), persistent=False)
        self.register_buffer("sin", ang.sin(), persistent=False)

    def forward(self, x: torch.Tensor, offset: int = 0) -> torch.Tensor:
        # x: (..., T, head_dim)
        T = x.size(-2)
        cos, sin = self.cos[offset:offset + T], self.sin[offset:offset + T]     # (T, hd/2)
        even, odd = x[..., 0::2], x[..., 1::2]
        rotated = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
        return rotated.flatten(-2)
# %% rope_06
def rotation_matrix(pos, d, base=10000.0):
    R = np.zeros((d, d))
    for i in range(d // 2):
        a = pos / base ** (2 * i / d)
        R[2 * i:2 * i + 2, 2 * i:2 * i + 2] = [[np.cos(a), -np.sin(a)],
                                               [np.sin(a), np.cos(a)]]
    return R

def rope_by_matrix(X, start=0, base=10000.0):
    """X: (..., T, d).  Slow but it is literally the formula in the paper: R_m x."""
    T, d = X.shape[-2:]
    R = np.stack([rotation_matrix(start + m, d, base) for m in range(T)])     # (T, d, d)
    return np.einsum("tij,...tj->...ti", R, X)
# %% rope_07
def build_cache(seq_len, rot_dim, base=10000.0, device=None):
    inv = base ** -(torch.arange(0, rot_dim, 2, device=device).float() / rot_dim)
    ang = torch.einsum("t,f->tf", torch.arange(seq_len, device=device).float(), inv)
    return ang.cos(), ang.sin()

def apply_partial_rotary(q, k, rotary_pct=1.0, base=10000.0):
    """GPT-NeoX style: only the first rotary_pct of each head is rotated.  q, k: (B, H, T, D)."""
    D = q.size(-1)
    rot = int(D * rotary_pct)
    cos, sin = build_cache(q.size(-2), rot, base, q.device)        # (T, rot/2)

    def turn(x):
        x_rot, x_pass = x[..., :rot], x[..., rot:]
        a, b = x_rot[..., : rot // 2], x_rot[..., rot // 2:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin, x_pass], dim=-1)

    return turn(q), turn(k)
# %% rope_08
from math import cos, sin

def rotate(vec, pos, base=10000.0):
    """Rotary embedding of one head vector (list of floats) at one position."""
    d = len(vec)
    half = d // 2
    res = vec[:]
    freq = 1.0
    step = base ** (-1.0 / half)
    for i in range(half):
        ang = pos * freq
        x, y = vec[i], vec[i + half]
        res[i] = x * cos(ang) - y * sin(ang)
        res[i + half] = x * sin(ang) + y * cos(ang)
        freq *= step
    return res
