"""Wrong answers for translate_mask, one mistake a cell."""

# %% ones_to_attend_by_view: reads the bytes of whole numbers as booleans
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
