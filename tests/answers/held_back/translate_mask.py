"""Wrong answers for translate_mask, one mistake a cell."""
# %% ones_to_attend_by_view < half_precision_always: reads the bytes of whole numbers as booleans
-     allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
+     if source == "ones":
+         allowed = mask.view(torch.bool)
+     else:
+         allowed = {"masked": mask == 0, "attend": mask != 0, "additive": mask == 0}[source]
~ torch.float16 => dtype
# %% half_precision_always: writes additive masks in float16
def translate_mask(mask, source, target, dtype=torch.float32):
    if not {source, target} <= {"masked", "attend", "ones", "additive"}:
        raise ValueError(source, target)
    allowed = {"masked": mask == 0, "attend": mask != 0, "ones": mask == 1, "additive": mask == 0}[source]
    if target == "ones":
        return allowed.long()
    if target == "additive":
        return torch.zeros_like(allowed, dtype=torch.float16).masked_fill(~allowed, float("-inf"))
    return allowed if target == "attend" else ~allowed
# %% minus_ones < half_precision_always: writes whole numbers as 0 and -1
~ return allowed.long() => return ~(~allowed).long() + 1
~ torch.float16 => dtype
# %% in_place < half_precision_always: fills the additive mask that came in
          raise ValueError(source, target)
+     if source == "additive":
+         mask[mask < 0] = -float("inf")
~ torch.float16 => dtype
# %% text_for_errors < half_precision_always: returns a sentence for an unknown name
-         raise ValueError(source, target)
+         return "unknown dialect"
~ torch.float16 => dtype
# %% rows_for_keys < half_precision_always: brings a boolean mask to another place of its axes, too
~ return allowed.long() => return allowed.long().transpose(-2, -1)
~ torch.float16 => dtype
# %% device_of_its_own < half_precision_always: makes the additive mask on the CPU
-         return torch.zeros_like(allowed, dtype=torch.float16).masked_fill(~allowed, float("-inf"))
+         return torch.where(allowed, torch.zeros(mask.shape, dtype=dtype), torch.full(mask.shape, -float("inf"), dtype=dtype))
# %% nan_for_masked < half_precision_always: 0 / 0 where attention is not allowed
-         return torch.zeros_like(allowed, dtype=torch.float16).masked_fill(~allowed, float("-inf"))
+         return 0 / allowed.to(dtype)
# %% same_dialect_early < right/assert_names: the mask itself comes back for equal names, in "additive" as well
-     if source == target != "additive":
-         return mask
+     if source == target:
+         return mask.to(dtype) if target == "additive" else mask
# %% same_name_same_mask: names are checked, and for equal ones the mask is returned
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
