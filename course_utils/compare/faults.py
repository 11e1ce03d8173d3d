"""What the probes of an observation say: faults that leave the values right."""

import torch

from course_utils.model.sketch import same_sketch, sketch_of
from course_utils.observe.probe import any_float

from .tolerance import same, tolerance_of

GRADIENT_TOLERANCE = 1e-4
TWO_DTYPES = ("same dtype", "expected scalar type", "expected m1 and m2", "dtype mismatch")


def faults(case, wanted, seen, contract):
    """What the probes found, the most basic first."""
    if seen.changed:
        yield (
            "changes_input",
            f"it changes {' and '.join(map(str, seen.changed))} in place: the caller still needs it. Make a new tensor (no `masked_fill_`, no `+=`, no `x[...] = ...`)",
        )
    if seen.moved:
        yield (
            "not_views",
            f"{' and '.join(seen.moved)} lie in new memory after every call: write into memory that is reserved once, in __init__, and return views of it",
        )
    if seen.second == "shared":
        yield (
            "shared_memory",
            "two objects of one class write into the same memory: reserve it in __init__, as self.name, and neither on the class nor for all objects of a size",
        )
    elif seen.second != "same":
        what = (
            "two equal calls give two different answers"
            if seen.second == "differs"
            else f"a second, equal call raises {seen.second}"
        )
        yield (
            "unsteady",
            f"{what}: something is random (dropout, layers made anew in each call) or remembered between calls",
        )
    yield from dtype_faults(case, wanted, seen, contract)
    yield from device_faults(wanted, seen)
    yield from gradient_faults(wanted, seen)
    for name, values in seen.narrow.items():
        yield from narrow_faults(name, values, wanted, case, contract)


def dtype_faults(case, wanted, seen, contract):
    if contract.library == "numpy":
        return  # any float is fine there
    for fact, value in wanted["values"].items():
        got = seen.values[fact]
        expected = getattr(torch, case.dtype)
        if isinstance(value, torch.Tensor) and value.is_floating_point() and got.dtype != expected:
            yield "casts_dtype", f"`{fact}` has dtype {bare(got.dtype)} {wish(case)}"


def wish(case):
    """'for float64 inputs: keep the inputs' dtype', or what the constructor or the call was asked for."""
    if "dtype" in (case.build or {}):
        return (
            f"where dtype={case.dtype} was asked for: hand dtype on to every tensor that you make in __init__"
        )
    if any("dtype" in call.args for call in case.calls):
        return f"where dtype={case.dtype} was asked for: hand dtype on to every tensor that you make"
    if not any_float(case):
        return f"where {case.dtype} is wanted"
    return f"for {case.dtype} inputs: keep the inputs' dtype"


def device_faults(wanted, seen):
    for fact, device in wanted["where"].items():
        if device != "cpu" and seen.where.get(fact) != device:
            yield (
                "fixed_device",
                f"asked for device={device!r}, `{fact}` came back on {seen.where.get(fact)!r}: pass device= on to every tensor that you make",
            )
    if seen.met == "return":
        yield (
            "fixed_device",
            "the result is made without device=: on a GPU it would not be where the inputs are. Hand on the device of an input, as in `device=x.device`",
        )
    elif seen.met:
        yield (
            "fixed_device",
            f"a tensor is made without device=: on a GPU it would meet the inputs in `{seen.met}` and raise. Hand on the device of an input, as in `device=x.device`",
        )


def gradient_faults(wanted, seen):
    expected = {fact: sketch for fact, sketch in (wanted["gradients"] or {}).items() if sketch is not None}
    if isinstance(seen.gradients, str):
        if "in-place" in seen.gradients or "inplace" in seen.gradients:
            yield (
                "changes_input",
                f"it changes a tensor in place that the gradient needs: make a new tensor ({seen.gradients.split(': [')[0]})",
            )
        else:
            yield "detached", f"with inputs that require a gradient it raises {seen.gradients}"
        return
    got = seen.gradients or {}
    kept = dict.fromkeys(fact.name for fact, gradient in got.items() if gradient is not None)
    if kept and wanted["gradients"] and not expected:
        yield (
            "keeps_graph",
            f"what it gives still belongs to the graph of {' and '.join(kept)}, which so grows with every call: write under `torch.no_grad()`",
        )
        return
    cut = [
        str(fact)
        for fact, sketch in expected.items()
        if got.get(fact) is None and any(abs(x) > 1e-9 for x in sketch[1:])
    ]
    if cut:
        yield (
            "detached",
            f"no gradient reaches {' and '.join(cut)}: the graph is cut (`.detach()`, `.data`, `.item()`, `torch.no_grad`, or a new tensor made from numbers)",
        )
        return
    for fact, sketch in expected.items():
        if got.get(fact) is not None and not same_sketch(sketch_of(got[fact]), sketch, GRADIENT_TOLERANCE):
            if torch.isnan(got[fact]).any():
                yield (
                    "nan_gradient",
                    f"the gradient at {fact} is NaN: backward through `-inf` rows, 0/0 or an `exp` that overflows, even where the forward value was mended afterwards",
                )
            else:
                yield (
                    "wrong_gradient",
                    f"the gradient at {fact} is not: a part of the graph is cut or changed",
                )
            return


def narrow_faults(name, values, wanted, case, contract):
    """The same case in a narrower dtype: it must not raise, must keep the dtype, and must stay close."""
    dtype = getattr(torch, name)
    if isinstance(values, str):
        meet = (
            ". Something is made in another dtype than the inputs have, or cast to one"
            if any(tell in values for tell in TWO_DTYPES)
            else ""
        )
        yield "casts_dtype", f"with {name} inputs it raises {values}{meet}"
        return
    for fact, value in wanted["values"].items():
        got = values.get(fact)
        if (
            not isinstance(value, torch.Tensor)
            or not value.is_floating_point()
            or not isinstance(got, torch.Tensor)
        ):
            continue
        if got.dtype != dtype:
            yield (
                "casts_dtype",
                f"`{fact}` of {name} inputs comes back as {bare(got.dtype)}: keep the inputs' dtype",
            )
            return
        if not same(got, value, tolerance_of(case, contract, dtype)):
            yield "inexact", f"`{fact}` of {name} inputs is further off than {name} itself explains"
            return


def bare(dtype):
    return str(dtype).removeprefix("torch.")
