"""A finding: which mistake it is, in a sentence, and where it shows."""

from dataclasses import dataclass


@dataclass
class Finding:
    """mistake: a stable name, None when unrecognised or tied. case, label: where to look (indices into the sheet)."""

    message: str
    mistake: str | None = None
    case: int | None = None
    label: str | None = None


def describe(case):
    """'x (2, 5, 12), is_causal=True': the case in one line."""
    parts = [f"{name}={short(value)}" for name, value in (case.build or {}).items()]
    for number, call in enumerate(case.calls):
        shown = ", ".join(
            f"{name} {tuple(value.shape)}" if hasattr(value, "shape") else f"{name}={short(value)}"
            for name, value in call.args.items()
        )
        parts.append(f"call {number + 1}: {shown}" if len(case.calls) > 1 else shown)
    if len(parts) > 4:
        parts = [*parts[:4], "..."]
    return "; ".join(part for part in parts if part)


def short(value):
    if type(value).__name__ == "Back":
        return f"your {value.item} of call {value.call + 1}"
    if type(value).__name__ == "Fake":
        return "a module of ours"
    text = repr(value)
    return text if len(text) < 40 else text[:37] + "..."


def axes_of(sheet, case, label):
    """Axis names of a fact; a method other than the first may have results of its own."""
    name = label.split(" of call ")[0]
    own = next((call.returns[name] for call in case.calls if name in (call.returns or {})), None)
    return sheet.contract.result_axes(label) if own is None else own.split()


def axis(axes, index, value):
    """The name of an axis, or its number where the result has another rank than expected."""
    return axes[index] if len(axes) == value.dim() else f"axis {index}"
