# %% program_1
def translate_mask(mask, source, target, dtype=torch.float32):
    names = ("masked", "attend", "ones", "additive")
    if source not in names or target not in names:
        raise ValueError(f"unknown dialect: {source} or {target}")
    if source == "masked":
        hidden = mask
    elif source == "attend":
        hidden = ~mask
    elif source == "ones":
        hidden = mask == 0
    else:
        hidden = mask <= -1e4
    if target == "masked":
        return hidden.clone()
    if target == "attend":
        return ~hidden
    if target == "ones":
        return (~hidden).long()
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(hidden, -math.inf)
