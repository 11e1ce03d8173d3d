# %% program_1
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    j = torch.arange(d // 2, device=x.device, dtype=torch.float64)
    angle = positions.to(x.device, torch.float64)[..., None] * base ** (-2 * j / d)
    if positions.dim() == 2:
        angle = angle[:, None]
    cos, sin = angle.cos(), angle.sin()
    a, b = x.double().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
