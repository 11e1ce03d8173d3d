"""A Finding, the outcome of a diagnosis; and the parts of its sentence: cases, arguments, axes, numbers."""

from dataclasses import dataclass

from course_utils.compare.verdict import Verdict
from course_utils.model.case import Back, Fact, Fake
from course_utils.model.result import MOST_SHOWN

FAKES = {  # names in sentences for the objects that a check passes
    "PretendedAttention": "an attention with a cache",
    "FourLayers": "your kind of attention",
    "TorchAttention": "an nn.MultiheadAttention",
    "PretendedModel": "a decoder",
    "PretendedChoice": "a function that picks the next token",
}


@dataclass
class Finding:
    """mistake: a stable name; None if unrecognised or if several mistakes fit equally. verdict, fact: where
    to look; None means the first wrong one."""

    message: str
    mistake: str | None = None
    verdict: Verdict | None = None
    fact: Fact | None = None


def core_of(verdicts):
    return [verdict for verdict in verdicts if not verdict.case.edge]


def core_or_all(verdicts):
    """The core cases; all of them if there is no core case."""
    return core_of(verdicts) or verdicts


def with_numbers(attempt):
    """The verdicts on cases that ran, but gave a wrong result."""
    return [verdict for verdict in attempt.wrong if not (verdict.seen.raised or verdict.seen.problem)]


def clearest(verdicts):
    """The first verdict, core cases before edges; if a card would cut its table, the first one of the same
    kind (core or edge, with or without an exception) whose table fits."""
    first = core_or_all(verdicts)[0]
    for verdict in verdicts:
        alike = (verdict.case.edge, bool(verdict.seen.raised)) == (first.case.edge, bool(first.seen.raised))
        target = verdict.wanted.values[verdict.wrong[0]]
        if alike and (isinstance(target, str) or max((1, *target.shape[-2:])) <= MOST_SHOWN):
            return verdict
    return first


def titles(verdicts, most=3):
    """'the padded case', 'the cases plain, padded, long and 2 more'."""
    names = [verdict.case.title for verdict in verdicts]
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"the cases {', '.join(names[:most])}{rest}" if len(names) > 1 else f"the {names[0]} case"


def as_sentence(text):
    """Add a full stop, and a capital unless the text begins with code."""
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
        return f"your {value.item} from call {value.call + 1}"
    if isinstance(value, Fake):
        return FAKES.get(value.kind, "an object from the check")
    text = repr(value)
    return text if len(text) < 40 else text[:37] + "..."


def axis(axes, index, value):
    """The name of an axis, or its number if the result has another rank than expected."""
    return axes[index] if len(axes) == value.dim() else f"axis {index}"


def the_axis(name):
    """'the axis T_q', or 'axis 0' if it has no name."""
    return name if name.startswith("axis ") else f"the axis {name}"


def distinct_texts(*numbers):
    """The numbers as texts, with enough digits to show that they are not all the same."""
    for digits in (4, 7, 10, 17):
        texts = [f"{n:.{digits}g}" if isinstance(n, float) else str(n) for n in numbers]
        if len(set(texts)) > 1:
            break
    return texts
