# %% two_dicts: a dict of readers and one of writers
# taken
import torch
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
# taken
import math
import torch
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
# taken
import torch
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
# taken
import torch
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
# taken
import torch
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
# taken
import torch
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
# %% ones_to_attend_by_view: reads the bytes of whole numbers as booleans
# refused: shown
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(source, target)
    if source == "ones":
        allowed = mask.view(torch.bool)
    else:
        allowed = {"masked": mask == 0, "attend": mask != 0, "additive": mask == 0}[source]
    if target == "ones":
        return allowed.long()
    if target == "additive":
        return torch.zeros_like(allowed, dtype=dtype).masked_fill(~allowed, float("-inf"))
    return allowed if target == "attend" else ~allowed
# %% half_precision_always: writes additive masks in float16
# taken, one left 1.945: casts_dtype
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(source, target)
    allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
    if target == "ones":
        return allowed.long()
    if target == "additive":
        return torch.zeros_like(allowed, dtype=torch.float16).masked_fill(~allowed, float("-inf"))
    return allowed if target == "attend" else ~allowed
# %% minus_ones: writes whole numbers as 0 and -1
# refused: shown
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(source, target)
    allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
    if target == "ones":
        return ~(~allowed).long() + 1
    if target == "additive":
        return torch.zeros_like(allowed, dtype=dtype).masked_fill(~allowed, float("-inf"))
    return allowed if target == "attend" else ~allowed
# %% in_place: fills the additive mask that came in
# taken, one left 1.945: changes_input
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(source, target)
    if source == "additive":
        mask[mask < 0] = -float("inf")
    allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
    if target == "ones":
        return allowed.long()
    if target == "additive":
        return torch.zeros_like(allowed, dtype=dtype).masked_fill(~allowed, float("-inf"))
    return allowed if target == "attend" else ~allowed
# %% text_for_errors: returns a sentence for an unknown name
# refused, 1.945: unknown_names_accepted
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        return "unknown dialect"
    allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
    if target == "ones":
        return allowed.long()
    if target == "additive":
        return torch.zeros_like(allowed, dtype=dtype).masked_fill(~allowed, float("-inf"))
    return allowed if target == "attend" else ~allowed
# %% rows_for_keys: brings a boolean mask to another place of its axes, too
# refused: axes_out_of_order
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(source, target)
    allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
    if target == "ones":
        return allowed.long().transpose(-2, -1)
    if target == "additive":
        return torch.zeros_like(allowed, dtype=dtype).masked_fill(~allowed, float("-inf"))
    return allowed if target == "attend" else ~allowed
# %% device_of_its_own: makes the additive mask on the CPU
# taken, one left 1.945: fixed_device
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(source, target)
    allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
    if target == "ones":
        return allowed.long()
    if target == "additive":
        return torch.where(allowed, torch.zeros(mask.shape, dtype=dtype), torch.full(mask.shape, -float("inf"), dtype=dtype))
    return allowed if target == "attend" else ~allowed
# %% nan_for_masked: 0 / 0 where attention is not allowed
# refused: shown
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(source, target)
    allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
    if target == "ones":
        return allowed.long()
    if target == "additive":
        return 0 / allowed.to(dtype)
    return allowed if target == "attend" else ~allowed
# %% same_dialect_early: the mask itself comes back for equal names, in "additive" as well
# refused, 1.945: additive_handed_back
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    names = ["masked", "attend", "ones", "additive"]
    assert source in names and target in names, "unknown dialect"
    if source == target:
        return mask.to(dtype) if target == "additive" else mask
    masked = {"masked": mask == True, "attend": mask == False, "ones": mask != 1, "additive": mask != 0}[source]
    if target == "additive":
        return torch.log((~masked).to(dtype))
    return {"masked": masked, "attend": ~masked, "ones": torch.where(masked, 0, 1)}[target]
# %% same_name_same_mask: names are checked, and for equal ones the mask is returned
# refused, 1.945: additive_handed_back
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    known = ("masked", "attend", "ones", "additive")
    if source not in known or target not in known:
        raise ValueError(f"{source}, {target}: expected two of {known}")
    if source == target:
        return mask
    allowed = {"masked": lambda: ~mask, "attend": lambda: mask, "ones": lambda: mask == 1, "additive": lambda: mask > -1e4}[source]()
    if target == "additive":
        return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~allowed, -torch.inf)
    return {"masked": ~allowed, "attend": allowed, "ones": allowed.long()}[target]
# %% strangers_2026_11/program_1
# taken
import math
import torch
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
# %% strangers_2026_11/crash_1: line `~mask` for "additive": bitwise not is not defined for floats
# refused: mask_not_boolean
import math
import torch
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
# %% strangers_2026_11/single_2: writes the smallest finite number instead of -inf, as Hugging Face does
# refused: finite_fill
import torch
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
# %% strangers_2026_11/two_3: "ones" is read as 1 = masked | dtype is ignored for "additive"
# refused: ones_read_the_wrong_way_round
import math
import torch
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
# %% blind_2026_11_29/c_invert_long: crash: ~ on float additive mask (bitwise not on float)
# refused: mask_not_boolean
import torch
def translate_mask(mask, source, target, dtype=torch.float32):
    if source == "masked": m = mask
    elif source in ("attend", "ones", "additive"): m = ~mask
    else: raise ValueError(source)
    if target == "masked": return m
    if target == "attend": return ~m
    if target == "ones": return (~m).long()
    if target == "additive": return torch.zeros(m.shape, dtype=dtype, device=m.device).masked_fill(m, -torch.inf)
    raise ValueError(target)
