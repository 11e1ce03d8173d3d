"""Right answers to `apply_rope`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% rotate_half: full tables of cos and sin, as most libraries have it
def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)

def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device).float() / d))
    freqs = positions[..., None].float() * inv_freq
    emb = torch.cat((freqs, freqs), dim=-1)
    cos, sin = emb.cos().to(x.dtype), emb.sin().to(x.dtype)
    if positions.ndim == 2:
        cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
    return x * cos + rotate_half(x) * sin
# %% complex_numbers: each pair is a complex number
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
def apply_rope(x, positions, base=10000.0):
    half = x.size(-1) // 2
    speeds = torch.exp(-math.log(base) * torch.arange(half, device=x.device, dtype=torch.float32) / half)
    p = positions if positions.dim() == 2 else positions[None]
    angles = torch.einsum("bt,f->btf", p.to(speeds.dtype), speeds)[:, None]
    c, s = torch.cos(angles), torch.sin(angles)
    a, b = x.float().split(half, dim=-1) if x.dtype == torch.bfloat16 else x.split(half, dim=-1)
    return torch.cat([a * c - b * s, b * c + a * s], dim=-1).to(x.dtype)
# %% rotation_matrices: a (2, 2) matrix for each position and pair
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
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    with torch.no_grad():
        exponent = torch.arange(d, device=x.device).remainder(d // 2) * 2.0 / d
        angle = positions.unsqueeze(-1).double() / base ** exponent.double()
        angle = angle if angle.dim() == 2 else angle.unsqueeze(-3)
        sign = torch.where(torch.arange(d, device=x.device) < d // 2, -1.0, 1.0)
        cos, sin = angle.cos().to(x), (angle.sin() * sign).to(x)
    return x * cos + x.roll(d // 2, dims=-1) * sin
