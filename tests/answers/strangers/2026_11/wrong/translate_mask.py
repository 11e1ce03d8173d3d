# %% crash_1: line `~mask` for "additive": bitwise not is not defined for floats
def translate_mask(mask, source, target, dtype=torch.float32):
    dialects = {"masked", "attend", "ones", "additive"}
    if not {source, target} <= dialects:
        raise ValueError("unknown dialect")
    if source in ("attend", "additive"):
        hidden = ~mask
    elif source == "ones":
        hidden = ~mask.bool()
    else:
        hidden = mask
    if target == "masked":
        return hidden
    if target == "attend":
        return ~hidden
    if target == "ones":
        return torch.where(hidden, 0, 1)
    return torch.where(hidden, -math.inf, 0.0).to(dtype)
# %% single_2: writes the smallest finite number instead of -inf, as Hugging Face does
def translate_mask(mask, source, target, dtype=torch.float32):
    names = ["masked", "attend", "ones", "additive"]
    if source not in names or target not in names:
        raise ValueError
    hide = [lambda m: m, torch.logical_not, lambda m: m.eq(0), lambda m: m.le(-1e4)][names.index(source)](mask)
    if target == "masked":
        return hide
    if target == "attend":
        return ~hide
    keep = 1 - hide.long()
    if target == "ones":
        return keep
    return (1.0 - keep.to(dtype)) * torch.finfo(dtype).min
# %% two_3: "ones" is read as 1 = masked | dtype is ignored for "additive"
def translate_mask(mask, source, target, dtype=torch.float32):
    if source not in ("masked", "attend", "ones", "additive"):
        raise ValueError(source)
    if target not in ("masked", "attend", "ones", "additive"):
        raise ValueError(target)
    if source == "additive":
        m = mask <= -10000
    elif source == "attend":
        m = mask.logical_not()
    else:
        m = mask.bool()
    if target == "masked":
        return m
    if target == "attend":
        return m.logical_not()
    if target == "ones":
        return m.logical_not().long()
    return torch.zeros(m.shape, device=m.device).masked_fill(m, -math.inf)
