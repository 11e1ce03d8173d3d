"""What a diagnosis finds, and what its sentences are made of: cases, arguments, axes, numbers."""

from dataclasses import dataclass

from course_utils.compare.verdict import Verdict
from course_utils.model.case import Back, Fact, Fake
from course_utils.model.result import MOST_SHOWN

FAKES = {  # the objects that a check hands over, as sentences name them
    "PretendedAttention": "an attention with a cache",
    "FourLayers": "your kind of attention",
    "TorchAttention": "an nn.MultiheadAttention",
    "PretendedModel": "a decoder",
    "PretendedChoice": "a function that chooses",
}


@dataclass
class Finding:
    """mistake: a stable name, None when unrecognised or when several mistakes fit equally. verdict, fact:
    where to look, None for the first wrong one."""

    message: str
    mistake: str | None = None
    verdict: Verdict | None = None
    fact: Fact | None = None


def clearest(verdicts):
    """The first of them. Where a card would show only a part of its table: the first whose table is shown
    whole, among those that are like it (core or edge, with or without an exception)."""
    alike = [v for v in verdicts if kind_of(v) == kind_of(verdicts[0])]
    return next((v for v in alike if shown_whole(v)), verdicts[0])


def kind_of(verdict):
    return verdict.case.edge, bool(verdict.seen.raised)


def shown_whole(verdict):
    target = verdict.wanted.values[verdict.wrong[0]]
    return isinstance(target, str) or max((1, *target.shape[-2:])) <= MOST_SHOWN


def as_sentence(text):
    """The text with a full stop, and with a capital unless it begins with code."""
    text = text[0].upper() + text[1:] if text.split()[0].rstrip(",:").isalpha() else text
    return text if text[-1] in ".!?" else f"{text}."


def describe(case):
    """'x (2, 5, 12), is_causal=True': the case in one line."""
    parts = [f"{name}={in_short(value)}" for name, value in (case.build or {}).items()]
    for number, call in enumerate(case.calls):
        shown = ", ".join(
            f"{name} {tuple(value.shape)}" if hasattr(value, "shape") else f"{name}={in_short(value)}"
            for name, value in call.args.items()
        )
        parts.append(f"call {number + 1}: {shown}" if len(case.calls) > 1 else shown)
    if len(parts) > 4:
        parts = [*parts[:4], "..."]
    return "; ".join(part for part in parts if part)


def in_short(value):
    """An argument as a sentence names it: its repr, cut to 40 characters."""
    if isinstance(value, Back):
        return f"your {value.item} of call {value.call + 1}"
    if isinstance(value, Fake):
        return FAKES.get(value.kind, "an object from the check")
    text = repr(value)
    return text if len(text) < 40 else text[:37] + "..."


def axis(axes, index, value):
    """The name of an axis, or its number where the result has another rank than expected."""
    return axes[index] if len(axes) == value.dim() else f"axis {index}"


def the_axis(name):
    """'the axis T_q', or 'axis 0' where it has no name."""
    return name if name.startswith("axis ") else f"the axis {name}"


def apart(*numbers):
    """As texts, with as many digits as it takes to see that they are not all the same."""
    for digits in (4, 7, 10, 17):
        texts = [f"{n:.{digits}g}" if isinstance(n, float) else str(n) for n in numbers]
        if len(set(texts)) > 1:
            break
    return texts
