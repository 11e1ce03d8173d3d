# %% neighbours_and_no_head_axis: two mistakes
# refused: interleaved
# says: In the each example its own case there is another mistake: positions (B, T) give
import torch

def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angles = positions.double().unsqueeze(-1) * speeds
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, b * cos + a * sin), -1).flatten(-2)
# %% neighbours: pairs of neighbours
# refused: interleaved
# says: This is the interleaved convention
import torch

def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angles = positions.double().unsqueeze(-1) * speeds
    if positions.dim() == 2:
        angles = angles.unsqueeze(1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, b * cos + a * sin), -1).flatten(-2)
# %% no_head_axis: positions (B, T) meet the heads
# refused: no_axis_for_heads
# says: so B lines up with the head axis of x
import torch

def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angles = positions.double().unsqueeze(-1) * speeds
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.tensor_split(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)
# %% angles_for_neighbours: each angle twice in a row, features in halves
# refused: angles_of_neighbours
# says: The angles are laid out for neighbouring pairs
import torch

def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angles = positions.double().unsqueeze(-1) * speeds
    if positions.dim() == 2:
        angles = angles.unsqueeze(1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    cos, sin = (t.repeat_interleave(2, -1) for t in (cos, sin))
    a, b = x.tensor_split(2, -1)
    return x * cos + torch.cat((-b, a), -1) * sin
# %% counted_from_one: the first position is 1
# refused: positions_from_one
# says: Each position is one too large
import torch

def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angles = positions.double().unsqueeze(-1) * speeds
    angles = (positions.double() + 1).unsqueeze(-1) * speeds
    if positions.dim() == 2:
        angles = angles.unsqueeze(1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.tensor_split(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)
