"""Right answers to `translate_mask`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% through_allowed: read into "may be attended to", then written
def translate_mask(mask, source, target, dtype=torch.float32):
    if source == "masked":
        allowed = ~mask
    elif source == "attend":
        allowed = mask
    elif source == "ones":
        allowed = mask == 1
    elif source == "additive":
        allowed = mask > -1e4
    else:
        raise ValueError(f"unknown source {source!r}")
    if target == "masked":
        return ~allowed
    if target == "attend":
        return allowed
    if target == "ones":
        return allowed.long()
    if target == "additive":
        return torch.zeros(allowed.shape, dtype=dtype, device=mask.device).masked_fill(~allowed, float("-inf"))
    raise ValueError(f"unknown target {target!r}")
# %% two_dicts: a dict of readers and one of writers
def translate_mask(mask, source, target, dtype=torch.float32):
    read = {
        "masked": lambda m: m,
        "attend": lambda m: ~m,
        "ones": lambda m: m == 0,
        "additive": lambda m: m < 0,
    }
    write = {
        "masked": lambda m: m,
        "attend": lambda m: ~m,
        "ones": lambda m: (~m).int(),
        "additive": lambda m: torch.where(m, float("-inf"), 0.0).to(dtype),
    }
    for name in (source, target):
        if name not in read:
            raise ValueError(f"{name} is none of {', '.join(read)}")
    return write[target](read[source](mask))
# %% match: match statements
def translate_mask(mask, source, target, dtype=torch.float32):
    match source:
        case "masked":
            hidden = mask.bool()
        case "attend":
            hidden = mask.logical_not()
        case "ones":
            hidden = mask.logical_not()
        case "additive":
            hidden = mask <= -1e4
        case _:
            raise ValueError(source)
    match target:
        case "masked":
            return hidden.clone()
        case "attend":
            return hidden.logical_not()
        case "ones":
            return 1 - hidden.long()
        case "additive":
            return torch.zeros_like(hidden, dtype=dtype).masked_fill_(hidden, -math.inf)
        case _:
            raise ValueError(target)
# %% assert_names: names asserted, early return of the same dialect where nothing is left to do
def translate_mask(mask, source, target, dtype=torch.float32):
    names = ["masked", "attend", "ones", "additive"]
    assert source in names and target in names, "unknown dialect"
    if source == target != "additive":
        return mask
    masked = {"masked": mask == True, "attend": mask == False, "ones": mask != 1, "additive": mask != 0}[source]
    if target == "additive":
        return torch.log((~masked).to(dtype))
    return {"masked": masked, "attend": ~masked, "ones": torch.where(masked, 0, 1)}[target]
# %% recursive: everything goes over "masked"
def translate_mask(mask, source, target, dtype=torch.float32):
    if source != "masked":
        over = {"attend": lambda: ~mask, "ones": lambda: ~mask.bool(), "additive": lambda: mask.bool()}
        if source not in over:
            raise ValueError("source")
        return translate_mask(over[source](), "masked", target, dtype=dtype)
    if target == "masked":
        return mask
    if target == "attend":
        return ~mask
    if target == "ones":
        return (~mask).type(torch.int64)
    if target != "additive":
        raise ValueError("target")
    out = torch.zeros(mask.size(), dtype=dtype, device=mask.device)
    out[mask] = -torch.inf
    return out
# %% try_key: KeyError turned into ValueError
OPEN = {"masked": lambda m: ~m, "attend": lambda m: m.clone(), "ones": lambda m: m.gt(0), "additive": lambda m: m.eq(0)}

def translate_mask(mask, source, target, dtype=torch.float32):
    try:
        allowed, _ = OPEN[source](mask), OPEN[target]
    except KeyError as error:
        raise ValueError(f"no dialect is called {error}") from None
    if target in ("masked", "attend"):
        return allowed if target == "attend" else torch.logical_not(allowed)
    ones = allowed.to(torch.int64)
    if target == "ones":
        return ones
    table = torch.tensor([float("-inf"), 0.0], dtype=dtype, device=mask.device)
    return table[ones]
# %% class_of_dialects: a small class; a print left in
class Dialect:
    names = ("masked", "attend", "ones", "additive")

    def __init__(self, name):
        if name not in self.names:
            raise ValueError(f"{name!r}: expected one of {self.names}")
        self.name = name

    def read(self, mask):
        if self.name == "additive":
            return (mask.float() > -5e3)
        return {"masked": lambda: mask ^ True, "attend": lambda: mask, "ones": lambda: mask > 0}[self.name]()

    def write(self, allowed, dtype):
        if self.name == "additive":
            inf = torch.full_like(allowed, float("-inf"), dtype=dtype)
            return torch.where(allowed, torch.zeros_like(inf), inf)
        if self.name == "ones":
            return allowed.to(torch.uint8)
        return allowed ^ (self.name == "masked")

def translate_mask(mask, source, target, dtype=torch.float32):
    source, target = Dialect(source), Dialect(target)
    print(source.name, "->", target.name)
    return target.write(source.read(mask), dtype)
# %% reciprocal: 1 - 1/allowed for the additive one, thresholds at half of the lowest
def translate_mask(m, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError((source, target))
    if source == "additive":
        ok = m >= -100
    else:
        ok = m != 0
        if source == "masked":
            ok = ~ok
    if target == "masked":
        return ~ok
    if target == "attend":
        return ok
    return ok.long() if target == "ones" else 1 - 1 / ok.to(dtype)
