# %% complex_numbers: each pair is a complex number
# taken
import torch
def apply_rope(x, positions, base=10000.0):
    B, H, T, D = x.shape
    theta = torch.pow(base, -torch.arange(0, D, 2, device=x.device, dtype=torch.float64) / D)
    if positions.dim() == 1:
        positions = positions.unsqueeze(0).expand(B, T)
    angles = positions.to(torch.float64).unsqueeze(-1) * theta          # (B, T, D/2)
    rot = torch.polar(torch.ones_like(angles), angles).unsqueeze(1)     # (B, 1, T, D/2)
    wide = x.to(torch.float64)
    z = torch.complex(wide[..., : D // 2].contiguous(), wide[..., D // 2 :].contiguous()) * rot
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)
# %% log_speeds: exp and log instead of a power, einsum for the outer product
# taken
import math
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.size(-1) // 2
    speeds = torch.exp(-math.log(base) * torch.arange(half, device=x.device, dtype=torch.float32) / half)
    p = positions if positions.dim() == 2 else positions[None]
    angles = torch.einsum("bt,f->btf", p.to(speeds.dtype), speeds)[:, None]
    c, s = torch.cos(angles), torch.sin(angles)
    a, b = x.float().split(half, dim=-1) if x.dtype == torch.bfloat16 else x.split(half, dim=-1)
    return torch.cat([a * c - b * s, b * c + a * s], dim=-1).to(x.dtype)
# %% rotation_matrices: a (2, 2) matrix for each position and pair
# taken
import torch
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    j = torch.arange(d // 2, device=x.device, dtype=torch.float64)
    angle = positions[..., None] * base ** (-2 * j / d)                   # (..., T, d/2)
    R = torch.stack([torch.stack([angle.cos(), -angle.sin()], -1),
                     torch.stack([angle.sin(), angle.cos()], -1)], -2)    # (..., T, d/2, 2, 2)
    if R.dim() == 5:
        R = R.unsqueeze(1)
    pairs = x.unflatten(-1, (2, d // 2)).transpose(-1, -2)                # (B, H, T, d/2, 2)
    turned = (R.to(x.dtype) @ pairs.unsqueeze(-1)).squeeze(-1)
    return turned.transpose(-1, -2).flatten(-2)
# %% loop: one position and one pair at a time
# taken
import math
import torch
def apply_rope(x, positions, base=10000.0):
    B, H, T, d = x.shape
    rows = []
    for b in range(B):
        tokens = []
        for t in range(T):
            p = int(positions[b, t]) if positions.dim() == 2 else int(positions[t])
            first, second = [], []
            for j in range(d // 2):
                angle = p * base ** (-2 * j / d)
                u, w = x[b, :, t, j], x[b, :, t, j + d // 2]
                first.append(u * math.cos(angle) - w * math.sin(angle))
                second.append(w * math.cos(angle) + u * math.sin(angle))
            tokens.append(torch.stack(first + second, dim=-1))            # (H, d)
        rows.append(torch.stack(tokens, dim=1))                           # (H, T, d)
    return torch.stack(rows)
# %% table_of_angles: cos and sin of all positions up to the last, then looked up
# taken
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    inv = base ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    table = torch.outer(torch.arange(int(positions.max()) + 1, device=x.device, dtype=torch.float32), inv)
    cos = table.cos()[positions].to(x.dtype)
    sin = table.sin()[positions].to(x.dtype)
    if cos.ndim == 3:
        cos, sin = cos[:, None], sin[:, None]
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((x1 * cos - x2 * sin, x1 * sin + x2 * cos), dim=-1)
# %% filled_in: an empty result of which both halves are written
# taken
import torch
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    h = d // 2
    i = torch.arange(h, dtype=torch.float32, device=x.device)
    angles = positions.reshape(-1, 1, positions.shape[-1], 1) / torch.pow(torch.tensor(base, device=x.device), 2 * i / d)
    out = torch.empty_like(x)
    cos, sin = angles.cos(), angles.sin()
    out[..., :h] = x[..., :h] * cos - x[..., h:] * sin
    out[..., h:] = x[..., h:] * cos + x[..., :h] * sin
    return out
# %% rolled: the other feature of each pair by roll, with signs
# taken
import torch
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    with torch.no_grad():
        exponent = torch.arange(d, device=x.device).remainder(d // 2) * 2.0 / d
        angle = positions.unsqueeze(-1).double() / base ** exponent.double()
        angle = angle if angle.dim() == 2 else angle.unsqueeze(-3)
        sign = torch.where(torch.arange(d, device=x.device) < d // 2, -1.0, 1.0)
        cos, sin = angle.cos().to(x), (angle.sin() * sign).to(x)
    return x * cos + x.roll(d // 2, dims=-1) * sin
# %% integer_positions_per_head_dim: divides the position by the pair's number instead of scaling it by a power
# refused: shown
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = positions[..., None] / (1 + torch.arange(half, device=x.device))
    angles = angles[:, None] if angles.dim() == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1)
# %% writes_into_x: turns the halves of the tensor that came in
# taken, one left 2.9: changes_input
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = positions[..., None] * base ** (-torch.arange(half, device=x.device) / half)
    angles = angles[:, None] if angles.dim() == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., :half].clone(), x[..., half:].clone()
    x[..., :half] = a * c - b * s
    x[..., half:] = b * c + a * s
    return x
# %% always_float32: the result is float32 whatever x was
# taken, one left 2.9: casts_dtype
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = positions[..., None] * base ** (-torch.arange(half, device=x.device) / half)
    angles = angles[:, None] if angles.dim() == 3 else angles
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)
# %% table_on_the_cpu: makes the speeds without a device
# taken, one left 2.9: fixed_device
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = positions[..., None] * base ** (-torch.arange(half) / half)
    angles = angles[:, None] if angles.dim() == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1)
# %% detached: the values are right, and no gradient comes back
# taken, one left 2.9: detached
import torch
@torch.no_grad()
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = positions[..., None] * base ** (-torch.arange(half, device=x.device) / half)
    angles = angles[:, None] if angles.dim() == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1)
# %% rounded_speeds: keeps two decimals of each speed
# refused: shown
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    speeds = (base ** (-torch.arange(half, device=x.device) / half) * 100).round() / 100
    angles = positions[..., None] * speeds
    angles = angles[:, None] if angles.dim() == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1)
# %% length_lost: the second half is divided by its new length
# refused: shown
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = positions[..., None] * base ** (-torch.arange(half, device=x.device) / half)
    angles = angles[:, None] if angles.dim() == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    out = torch.cat([a * c - b * s, b * c + a * s], -1)
    return out / out.norm(dim=-1, keepdim=True)
# %% short_table: a table of 512 positions, and positions are cut to it
# refused, 2.8: ignores_argument; seeds 20260720, 11, 3 refused, 2.8: shown
import torch
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    positions = positions.clamp(max=511)
    angles = positions[..., None] * base ** (-torch.arange(half, device=x.device) / half)
    angles = angles[:, None] if angles.dim() == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1)
# %% tables_by_shape: the tables of cos and sin are kept for each shape of x, whatever the positions
# refused, 2.8: ignores_argument; seeds 20260720, 11 refused: shown; seed 3 refused: positions_from_one
import torch
tables = {}

def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    if x.shape not in tables:
        speeds = base ** (-torch.arange(half, device=x.device) / half)
        angles = positions[..., None] * speeds
        tables[x.shape] = angles if positions.dim() == 1 else angles[:, None]
    cos, sin = tables[x.shape].cos().to(x.dtype), tables[x.shape].sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
# %% strangers_2026_11/program_1
# taken
import torch
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    j = torch.arange(d // 2, device=x.device, dtype=torch.float64)
    angle = positions.to(x.device, torch.float64)[..., None] * base ** (-2 * j / d)
    if positions.dim() == 2:
        angle = angle[:, None]
    cos, sin = angle.cos(), angle.sin()
    a, b = x.double().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
# %% strangers_2026_11/crash_1: line `a * cos`: with positions (B, T) the table has no axis for the heads, (B, T, d/2) does not fit (B, H, T, d/2)
# refused: no_axis_for_heads
import torch
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, dtype=torch.float32, device=x.device) / d)
    angles = positions.float().unsqueeze(-1) * speed
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., : d // 2].float(), x[..., d // 2 :].float()
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
# %% strangers_2026_11/single_2: the positions are not used, the tokens are counted from 0 at every call
# refused: positions_ignored
import torch
def apply_rope(x, positions, base=10000.0):
    B, H, T, d = x.shape
    p = torch.arange(T, device=x.device, dtype=torch.float32)
    ang = p[:, None] * base ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., : d // 2].float(), x[..., d // 2 :].float()
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1).to(x.dtype)
# %% strangers_2026_11/two_3: neighbours are paired as in Meta's code, not the halves | the angles are computed in the dtype of x
# refused: interleaved
import torch
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    freqs = (base ** (-torch.arange(0, d, 2, device=x.device) / d)).to(x.dtype)
    ang = positions.to(x.dtype)[..., None] * freqs
    if positions.dim() == 2:
        ang = ang[:, None]
    out = torch.empty_like(x)
    a, b = x[..., 0::2], x[..., 1::2]
    out[..., 0::2] = a * ang.cos() - b * ang.sin()
    out[..., 1::2] = a * ang.sin() + b * ang.cos()
    return out
