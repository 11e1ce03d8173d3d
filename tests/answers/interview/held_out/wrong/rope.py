# %% rope_01: the exponent is i / d for i in 0..d/2-1, missing the factor 2, so the frequencies fall half as fast.
def rotary(x, base=10000.0):
    """x: (B, H, T, D), halves paired"""
    B, H, T, D = x.shape
    i = torch.arange(D // 2, dtype=torch.float32)
    freqs = base ** (-i / D)
    ang = torch.arange(T, dtype=torch.float32)[:, None] * freqs
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., :D // 2], x[..., D // 2:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)
# %% rope_02: the angles are laid out for halves (cat) but the rotation pairs neighbouring features.
class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, d, max_len=512):
        super().__init__()
        theta = 1.0 / (10000 ** (torch.arange(0, d, 2).float() / d))
        idx_theta = torch.einsum("n,d->nd", torch.arange(max_len).float(), theta)
        idx_theta2 = torch.cat([idx_theta, idx_theta], dim=1)
        self.register_buffer("cos", idx_theta2.cos()[None, None])
        self.register_buffer("sin", idx_theta2.sin()[None, None])

    @staticmethod
    def rotate_every_two(x):
        return torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)

    def forward(self, x):
        # x: (B, H, T, d)
        T = x.shape[2]
        return x * self.cos[:, :, :T] + self.rotate_every_two(x) * self.sin[:, :, :T]
# %% rope_03: rotate_half does not negate the second half, so this is not a rotation.
def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([x[..., half:], x[..., :half]], dim=-1)

def get_cos_sin(seq_len, dim, base=10000):
    inv_freq = 1.0 / base ** (torch.arange(0, dim, 2) / dim)
    f = torch.outer(torch.arange(seq_len).float(), inv_freq).repeat(1, 2)
    return f.cos(), f.sin()

def apply_rotary_pos_emb(q, k):
    """[..., T, dim]"""
    cos, sin = get_cos_sin(q.shape[-2], q.shape[-1])
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
# %% rope_04: the even features are overwritten before the odd features are computed from them.
def rope_inplace(x, theta=10000.0):
    """x: (T, H, d) float array, rotated in place and returned"""
    T, H, d = x.shape
    inv = theta ** (-np.arange(0, d, 2) / d)
    ang = np.arange(T)[:, None, None] * inv          # (T, 1, d/2)
    c, s = np.cos(ang), np.sin(ang)
    x[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    x[..., 1::2] = x[..., 0::2] * s + x[..., 1::2] * c
    return x
# %% rope_05: forward takes start_pos but always uses the first T rows of the table, so decoding sees position 0 each step.
class Rotary(nn.Module):
    def __init__(self, head_dim, max_seq_len=1024, base=10000.0):
        super().__init__()
        freqs = 1.0 / base ** (torch.arange(0, head_dim, 2).float() / head_dim)
        table = torch.outer(torch.arange(max_seq_len).float(), freqs)
        self.register_buffer("cis", torch.polar(torch.ones_like(table), table), persistent=False)

    def forward(self, x: torch.Tensor, start_pos: int = 0) -> torch.Tensor:
        """x: (B, T, H, hd)"""
        T = x.shape[1]
        xc = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
        cis = self.cis[:T].unsqueeze(1)
        return torch.view_as_real(xc * cis).flatten(-2).type_as(x)
# %% rope_06: the keys are returned unrotated; only q is rotated.
def rope_qk(q, k, positions, base=10000.0):
    """q: (T, H, D), k: (T, Hk, D), positions: (T,)"""
    D = q.shape[-1]
    inv = base ** (-torch.arange(0, D, 2, dtype=torch.float32) / D)
    a = positions.float()[:, None] * inv
    cos, sin = a.cos()[:, None], a.sin()[:, None]

    def rot(t):
        u, w = t.chunk(2, -1)
        return torch.cat((u * cos - w * sin, u * sin + w * cos), -1)

    q_rot = rot(q)
    return q_rot, k
# %% rope_07: the sign of the exponent is wrong: base ** (2i/d), so frequencies grow rather than shrink.
def rope(x, base=10000):
    """x: list of T vectors, each a list of even length d; neighbouring features form a pair"""
    out = []
    for m, v in enumerate(x):
        d = len(v)
        row = []
        for i in range(0, d, 2):
            w = base ** (i / d)
            c, s = math.cos(m * w), math.sin(m * w)
            row.append(v[i] * c - v[i + 1] * s)
            row.append(v[i] * s + v[i + 1] * c)
        out.append(row)
    return out
# %% rope_08: sin and cos are added to the features as in sinusoidal embeddings; nothing is rotated.
def add_rotary(x, base=10000.0):
    # x: (batch, seq, dim)
    _, seq, dim = x.shape
    inv_freq = 1.0 / base ** (np.arange(0, dim, 2) / dim)
    angles = np.outer(np.arange(seq), inv_freq)
    out = x.copy()
    out[:, :, 0::2] += np.cos(angles)
    out[:, :, 1::2] += np.sin(angles)
    return out
# %% rope_09: the cached tables are swapped: the one called cos holds the sines and the other way round.
import torch
from torch import nn, Tensor

class RotaryEmbedding(nn.Module):
    def __init__(self, dim: int, max_len: int = 2048, base: float = 10000.0) -> None:
        super().__init__()
        pos = torch.arange(max_len, dtype=torch.float)
        inv = torch.pow(base, -torch.arange(0, dim, 2, dtype=torch.float) / dim)
        table = torch.stack([f(pos[:, None] * inv[None, :]) for f in (torch.sin, torch.cos)])
        self.register_buffer("table", table)

    def forward(self, x: Tensor) -> Tensor:
        """x: [batch, seq, heads, dim]"""
        cos, sin = self.table[:, : x.size(1), None, :]
        x1, x2 = torch.chunk(x, 2, dim=-1)
        return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
# %% rope_10: integer division (2*i // d) makes every exponent 0, so all pairs turn at the same speed.
def rotary_embedding(x, start=0):
    """x: (seq, d) -> (seq, d)"""
    seq, d = x.shape
    half = d // 2
    theta = np.array([10000.0 ** -(2 * i // d) for i in range(half)])
    m = np.arange(start, start + seq)
    ang = m[:, None] * theta[None, :]
    z = x[:, :half] + 1j * x[:, half:]
    z = z * np.exp(1j * ang)
    return np.concatenate([z.real, z.imag], axis=1)
# %% rope_11: torch.polar gets the angles as magnitudes and ones as angles.
def freqs_cis(head_dim, seq_len, theta=10000.0):
    f = theta ** (-torch.arange(0, head_dim, 2).float() / head_dim)
    angles = torch.outer(torch.arange(seq_len).float(), f)
    return torch.polar(angles, torch.ones_like(angles))

def apply_rotary_emb(x):
    """x: (..., T, head_dim)"""
    T, hd = x.shape[-2:]
    xc = torch.view_as_complex(x.reshape(*x.shape[:-1], hd // 2, 2).contiguous())
    return torch.view_as_real(xc * freqs_cis(hd, T)).reshape(x.shape)
# %% rope_12: the untouched part is put in front when concatenating, so the features are reordered.
def partial_rope(x, rotary_dim, base=10000.0):
    """Rotate the first rotary_dim features of x (B, H, T, D); leave the others alone."""
    T = x.shape[-2]
    x_rot, x_pass = x.split([rotary_dim, x.shape[-1] - rotary_dim], dim=-1)
    inv_freq = 1.0 / base ** (torch.arange(0, rotary_dim, 2) / rotary_dim)
    ang = torch.outer(torch.arange(T).float(), inv_freq)
    ang = torch.cat((ang, ang), dim=-1)
    lo, hi = x_rot.chunk(2, dim=-1)
    x_rot = x_rot * ang.cos() + torch.cat((-hi, lo), dim=-1) * ang.sin()
    return torch.cat((x_pass, x_rot), dim=-1)
# %% rope_13: x has layout (B, H, T, D), yet the positions are taken along axis 1, the heads.
def rope(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """x: (B, H, T, D), features 2i and 2i+1 form a pair"""
    n, D = x.shape[1], x.shape[-1]
    inv_freq = base ** -(torch.arange(0, D, 2, device=x.device) / D)
    angle = torch.arange(n, device=x.device)[:, None] * inv_freq       # (n, D/2)
    cos = angle.cos()[None, :, None, :]
    sin = angle.sin()[None, :, None, :]
    xe, xo = x[..., ::2], x[..., 1::2]
    out = torch.empty_like(x)
    out[..., ::2] = xe * cos - xo * sin
    out[..., 1::2] = xe * sin + xo * cos
    return out
# %% rope_14: the second half is x1 * cos + x2 * sin, with x1 and x2 swapped.
from typing import Tuple
import numpy as np

def _angles(n_pos: int, dim: int, base: float) -> np.ndarray:
    return np.arange(n_pos)[:, None] / base ** (np.arange(0, dim, 2)[None, :] / dim)

def rotate_queries_and_keys(q: np.ndarray, k: np.ndarray, base: float = 10000.0) -> Tuple[np.ndarray, np.ndarray]:
    """q, k: (heads, seq, dim)"""
    a = _angles(q.shape[1], q.shape[2], base)
    c, s = np.cos(a), np.sin(a)

    def go(x):
        x1, x2 = np.split(x, 2, axis=-1)
        return np.concatenate([x1 * c - x2 * s, x1 * c + x2 * s], axis=-1)

    return go(q), go(k)
# %% rope_15: pairs are taken from even and odd places but joined again with cat, so the features come out in another order than they went in.
def rope_attention_inputs(q, k, theta=10_000.0):
    """
    q, k : [B, T, H, D]
    RoFormer pairing: (x0, x1), (x2, x3), ... and the output keeps the input's feature order.
    """
    B, T, H, D = q.shape
    w = 1.0 / theta ** (torch.arange(0, D, 2) / D)                    # [D/2]
    ang = torch.arange(T)[:, None] * w[None, :]                       # [T, D/2]
    cos, sin = ang.cos()[None, :, None], ang.sin()[None, :, None]     # [1, T, 1, D/2]

    def rot(x):
        x0, x1 = x[..., 0::2], x[..., 1::2]
        return torch.cat([x0 * cos - x1 * sin, x0 * sin + x1 * cos], dim=-1)

    return rot(q), rot(k)
