# %% crash_1: line `a * cos`: with positions (B, T) the table has no axis for the heads, (B, T, d/2) does not fit (B, H, T, d/2)
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    speed = base ** (-torch.arange(0, d, 2, dtype=torch.float32, device=x.device) / d)
    angles = positions.float().unsqueeze(-1) * speed
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., : d // 2].float(), x[..., d // 2 :].float()
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
# %% single_2: the positions are not used, the tokens are counted from 0 at every call
def apply_rope(x, positions, base=10000.0):
    B, H, T, d = x.shape
    p = torch.arange(T, device=x.device, dtype=torch.float32)
    ang = p[:, None] * base ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., : d // 2].float(), x[..., d // 2 :].float()
    return torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1).to(x.dtype)
# %% two_3: neighbours are paired as in Meta's code, not the halves | the angles are computed in the dtype of x
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
