"""Programs for the interview topic rope. tests/course_utils/interview/test_programs.py explains the format."""

# %% rotate_half, part 1: as in transformers
# taken
import torch

def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)

def rope(x):
    T, d = x.shape[-2], x.shape[-1]
    inv = 1.0 / 10000 ** (torch.arange(0, d, 2).float() / d)
    emb = torch.outer(torch.arange(T).float(), inv).repeat(1, 2)
    return x * emb.cos() + rotate_half(x) * emb.sin()

# %% backwards, part 1: wrong way round
# refused: wrong_way_round
import torch

def f(x):
    T, d = x.shape[-2:]
    a = torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d)).repeat(1, 2)
    b, c = x.chunk(2, -1)
    return x * a.cos() + torch.cat([c, -b], -1) * a.sin()

# %% from_one, part 1: positions from one
# refused: positions_from_one
import torch

def f(x):
    T, d = x.shape[-2:]
    a = torch.outer(torch.arange(1, T + 1).float(), 10000 ** (-torch.arange(0, d, 2) / d))
    b, c = x.chunk(2, -1)
    return torch.cat([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1)

# %% rope_01_a, part 1: neighbours are paired by the rotation but cos and sin are laid out for the two halves
# refused: ignores_argument
import torch

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

interview.check(lambda x, positions: apply_rotary_pos_emb(x))

# %% cs336, part 3: right, with buffers
# taken
import torch
import torch.nn as nn

class RoPE(nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device=None):
        super().__init__()
        freqs = theta ** (-torch.arange(0, d_k, 2, device=device).float() / d_k)
        angles = torch.outer(torch.arange(max_seq_len, device=device).float(), freqs)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x: torch.Tensor, token_positions: torch.Tensor) -> torch.Tensor:
        cos, sin = self.cos[token_positions], self.sin[token_positions]
        out = torch.empty_like(x)
        out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
        out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
        return out

# %% cs336_in_halves, part 1: pairs of the other convention
# refused: halves_for_neighbours
import torch
import torch.nn as nn

class RoPE(nn.Module):
    def __init__(self, theta, d_k, max_seq_len, device=None):
        super().__init__()
        freqs = theta ** (-torch.arange(0, d_k, 2, device=device).float() / d_k)
        self.angles = torch.outer(torch.arange(max_seq_len).float(), freqs)

    def forward(self, x, token_positions):
        cos, sin = self.angles[token_positions].cos(), self.angles[token_positions].sin()
        a, b = x.chunk(2, -1)
        return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)

# %% lesson_signature, part 3: right
# taken
import torch

def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    ang = positions.float()[..., None] / base ** (torch.arange(half) / half)
    if ang.dim() == 3:
        ang = ang.unsqueeze(1)
    c, s = ang.cos(), ang.sin()
    return torch.cat([x[..., :half] * c - x[..., half:] * s, x[..., half:] * c + x[..., :half] * s], -1)

# %% without_base, part 3: no `base`
# taken
import torch

def apply_rope(x, positions):
    half = x.shape[-1] // 2
    ang = positions.float()[..., None] * torch.exp(-torch.arange(half) / half * torch.log(torch.tensor(1e4)))
    ang = ang[:, None] if positions.dim() == 2 else ang
    a, b = x.split(half, -1)
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1)

# %% huggingface, part 3: right
# taken
import torch

def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)

def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)

# %% huggingface_with_more, part 3: asked about parameters of its own
# asked
import torch

def rotate_half(x):
    x1, x2 = x.chunk(2, -1)
    return torch.cat((-x2, x1), dim=-1)

def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return (q * cos) + (rotate_half(q) * sin), (k * cos) + (rotate_half(k) * sin)

# %% keys_forgotten, part 3: the keys are returned as they are
# refused: keys_not_rotated
import torch

def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos[:, None], sin[:, None]
    a, b = q.chunk(2, -1)
    return q * cos + torch.cat([-b, a], -1) * sin, k

# %% one_row_of_positions, part 3: positions of the first example for all
# refused: first_row_for_all
import torch

def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    p = positions if positions.dim() == 1 else positions[0]
    ang = torch.outer(p.float(), base ** (-torch.arange(0, d, 2) / d))
    a, b = x.chunk(2, -1)
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1)

# %% complex_buffer, part 3: angles as complex numbers
# taken
import torch
from torch import nn

class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, theta, d_k, max_seq_len, device=None):
        super().__init__()
        angles = torch.outer(torch.arange(max_seq_len), 1 / theta ** (torch.arange(0, d_k, 2) / d_k))
        self.register_buffer("turns", torch.polar(torch.ones_like(angles), angles), persistent=False)

    def forward(self, x, token_positions):
        z = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(z * self.turns[token_positions]).flatten(-2)

# %% base_ignored, part 3: another base is ignored
# refused: base_ignored
import torch

def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    ang = positions.float()[..., None] * 10000 ** (-torch.arange(half) / half)
    ang = ang[:, None] if positions.dim() == 2 else ang
    a, b = x.split(half, -1)
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1)
