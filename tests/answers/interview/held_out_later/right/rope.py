# %% rope_01
def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)

def rotary_cos_sin(position_ids, head_dim, theta=10000.0):
    inv_freq = 1.0 / (
        theta ** (torch.arange(0, head_dim, 2, device=position_ids.device).float() / head_dim)
    )
    freqs = position_ids[..., None].float() * inv_freq
    emb = torch.cat((freqs, freqs), dim=-1)
    return emb.cos(), emb.sin()

def apply_rotary_pos_emb(q, k, position_ids=None, theta=10000.0):
    """q, k: (batch, heads, seq, head_dim); position_ids: (batch, seq), 0, 1, 2, ... by default."""
    if position_ids is None:
        position_ids = torch.arange(q.shape[2], device=q.device)[None]
    cos, sin = rotary_cos_sin(position_ids, q.shape[-1], theta)
    cos = cos.unsqueeze(1).to(q.dtype)
    sin = sin.unsqueeze(1).to(q.dtype)
    q_embed = q * cos + rotate_half(q) * sin
    k_embed = k * cos + rotate_half(k) * sin
    return q_embed, k_embed
# %% rope_02
def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0, device=None):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: dim // 2].float() / dim))
    t = torch.arange(end, device=device).float()
    freqs = torch.outer(t, freqs)
    return torch.polar(torch.ones_like(freqs), freqs)

def apply_rotary_emb(x: torch.Tensor, start_pos: int = 0, theta: float = 10000.0):
    """x: (B, T, H, d), pairs are neighbours (0,1), (2,3), ..."""
    B, T, H, d = x.shape
    freqs_cis = precompute_freqs_cis(d, start_pos + T, theta, x.device)[start_pos:]
    x_ = torch.view_as_complex(x.float().reshape(B, T, H, d // 2, 2))
    y = torch.view_as_real(x_ * freqs_cis[None, :, None, :]).flatten(3)
    return y.type_as(x)
# %% rope_03
def rope(x, positions=None, base=10000.0):
    """x: (..., T, d) with d even. First half of the features pairs with the second half."""
    x = np.asarray(x)
    T, d = x.shape[-2:]
    half = d // 2
    if positions is None:
        positions = np.arange(T)
    w = base ** (-np.arange(half) / half)
    ang = np.asarray(positions)[:, None] * w[None, :]
    c, s = np.cos(ang), np.sin(ang)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * c - b * s, a * s + b * c], axis=-1)
# %% rope_04
from math import cos, sin

def rotate(vec, pos, base):
    d = len(vec)
    out = []
    for i in range(0, d, 2):
        angle = pos * base ** (-i / d)
        x, y = vec[i], vec[i + 1]
        out.append(x * cos(angle) - y * sin(angle))
        out.append(x * sin(angle) + y * cos(angle))
    return out

def rope(vectors, first_pos=0, base=10000.0):
    """vectors: one list of numbers (even length) a token."""
    return [rotate(v, first_pos + t, base) for t, v in enumerate(vectors)]
