"""Wrong answers for apply_rope, one mistake a cell."""
# %% integer_positions_per_head_dim: divides the position by the pair's number instead of scaling it by a power
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = positions[..., None] / (1 + torch.arange(half, device=x.device))
    angles = angles[:, None] if angles.dim() == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1)
# %% writes_into_x: turns the halves of the tensor that came in
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
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = positions[..., None] * base ** (-torch.arange(half, device=x.device) / half)
    angles = angles[:, None] if angles.dim() == 3 else angles
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)
# %% table_on_the_cpu < integer_positions_per_head_dim: makes the speeds without a device
~ / (1 + torch.arange(half, device=x.device)) => * base ** (-torch.arange(half) / half)
# %% detached < integer_positions_per_head_dim: the values are right, and no gradient comes back
- def apply_rope(x, positions, base=10000.0):
+ @torch.no_grad()
+ def apply_rope(x, positions, base=10000.0):
~ / (1 + torch.arange(half, device=x.device)) => * base ** (-torch.arange(half, device=x.device) / half)
# %% rounded_speeds < integer_positions_per_head_dim: keeps two decimals of each speed
-     angles = positions[..., None] / (1 + torch.arange(half, device=x.device))
+     speeds = (base ** (-torch.arange(half, device=x.device) / half) * 100).round() / 100
+     angles = positions[..., None] * speeds
# %% length_lost < integer_positions_per_head_dim: the second half is divided by its new length
~ / (1 + torch.arange(half, device=x.device)) => * base ** (-torch.arange(half, device=x.device) / half)
-     return torch.cat([a * c - b * s, b * c + a * s], -1)
+     out = torch.cat([a * c - b * s, b * c + a * s], -1)
+     return out / out.norm(dim=-1, keepdim=True)
# %% short_table < integer_positions_per_head_dim: a table of 512 positions, and positions are cut to it
-     angles = positions[..., None] / (1 + torch.arange(half, device=x.device))
+     positions = positions.clamp(max=511)
+     angles = positions[..., None] * base ** (-torch.arange(half, device=x.device) / half)
# %% tables_by_shape: the tables of cos and sin are kept for each shape of x, whatever the positions
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
# %% table_of_speeds_once: the speeds of the first base are kept for each d_head
speeds = {}

def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    if d not in speeds:
        speeds[d] = base ** (-2 * torch.arange(d // 2, device=x.device) / d)
    angles = positions[..., None] * speeds[d]
    angles = angles[:, None] if positions.dim() == 2 else angles
    a, b = x[..., : d // 2], x[..., d // 2 :]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)
