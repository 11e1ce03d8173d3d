"""A finding: which mistake it is, in a sentence, and where it shows."""

from dataclasses import dataclass

from course_utils.model.case import Back, Fact, Fake


@dataclass
class Finding:
    """mistake: a stable name, None when unrecognised or tied. case, fact: where to look (the place of a case in the sheet, a result of it)."""

    message: str
    mistake: str | None = None
    case: int | None = None
    fact: Fact | None = None


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
    if isinstance(value, Back):
        return f"your {value.item} of call {value.call + 1}"
    if isinstance(value, Fake):
        return "a module of ours"
    text = repr(value)
    return text if len(text) < 40 else text[:37] + "..."


def axes_of(sheet, case, fact):
    """Axis names of a fact; a method other than the first may have results of its own."""
    own = next((call.returns[fact.name] for call in case.calls if fact.name in (call.returns or {})), None)
    return sheet.contract.result_axes(fact) if own is None else own.split()


def axis(axes, index, value):
    """The name of an axis, or its number where the result has another rank than expected."""
    return axes[index] if len(axes) == value.dim() else f"axis {index}"
