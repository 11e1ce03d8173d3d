"""Is a size written as a number? An axis that never changes where it should, or code that works for one
size only."""

import torch

from course_utils.model.case import Fact

from .finding import Finding, axis

# What torch and NumPy say of sizes that do not fit.
OF_RESHAPE = ("invalid for input of size", "cannot reshape")
OF_SHAPES = (
    *OF_RESHAPE,
    "must match",
    "size mismatch",
    "cannot be multiplied",
    "doesn't match",
    "not match",
    "could not be broadcast",
)


def constant_axis(attempt):
    """An axis of a result is the same in every case, while the wanted one varies."""
    for name, pairs in results(attempt).items():
        for i in range(pairs[0][1].dim() if len({target.dim() for _, target in pairs}) == 1 else 0):
            got, expected = {v.shape[i] for v, _ in pairs}, [t.shape[i] for _, t in pairs]
            if len(got) == 1 and len(set(expected)) > 1 and len(pairs) > 2 and got not in ({0}, {1}):
                along = axis(attempt.sheet.contract.result_axes(Fact(name)), i, pairs[0][1])
                sizes = ", ".join(map(str, dict.fromkeys(expected)))
                text = (
                    f"the axis {along} of `{name}` always has {got.pop()} entries, whatever the input; "
                    f"expected {sizes} in turn. Is a size written as a number?"
                )
                return Finding(text, "hard_coded_size", None, Fact(name))
    return None


def results(attempt):
    """{name: [(yours, wanted)]} of all cases and calls, where both are tensors of one rank."""
    found = {}
    for verdict in attempt.verdicts:
        for fact, target in verdict.wanted.values.items():
            value = verdict.seen.values.get(fact)
            if (
                isinstance(target, torch.Tensor)
                and isinstance(value, torch.Tensor)
                and value.dim() == target.dim()
            ):
                found.setdefault(fact.name, []).append((value, target))
    return found


def one_size_works(attempt):
    """Works for one value of some size and raises a shape error for all others. (Size 1 broadcasts, so
    it counts only where something is reshaped.)"""
    broken, works = broken_and_working(attempt)
    if len(broken) < 2 or len(works) < 2 or not all_say(attempt, OF_SHAPES):
        return None
    wrong = [sizes(verdict, attempt) for verdict in attempt.wrong]
    suspects = {}
    for name in works[0]:
        good, bad = [s.get(name) for s in works], [s.get(name) for s in broken]
        one_works = len(set(good)) == 1 and good[0] not in [s.get(name) for s in wrong]
        if one_works and None not in bad and (good[0] != 1 or all_say(attempt, OF_RESHAPE)):
            suspects.setdefault((*good, *bad), name)
    if len(suspects) != 1:
        return None  # two sizes could explain it: then neither is sure
    ((values, name),) = suspects.items()
    others = ", ".join(map(str, sorted({*values[len(works) :]})))
    text = (
        f"it works where {name} is {values[0]} and raises where it is {others}. Is a size written as a "
        "number?"
    )
    return Finding(text, "hard_coded_size")


def long_ones_raise(attempt):
    """It raises about shapes just where there are more tokens than anywhere else."""
    broken, works = broken_and_working(attempt)
    if not broken or len(works) < 3 or not all_say(attempt, OF_SHAPES):
        return None
    for name in (name for name in works[0] if name.startswith("T")):
        good, bad = {s.get(name) for s in works} - {None}, {s.get(name) for s in broken}
        if None not in bad and min(bad) > 2 * max(good):
            text = (
                f"it works for up to {max(good)} tokens and raises for {min(bad)}: is something, such as the "
                "mask, made for a fixed length? Take the length from the input"
            )
            return Finding(text, "fixed_length")
    return None


def broken_and_working(attempt):
    """The sizes of the cases that raise, and of those that are right."""
    right = [v for v in attempt.verdicts if not v.seen.raised and not v.seen.problem and not v.wrong]
    return [sizes(verdict, attempt) for verdict in attempt.raised], [
        sizes(verdict, attempt) for verdict in right
    ]


def all_say(attempt, tells):
    return all(any(tell in verdict.seen.raised[1] for tell in tells) for verdict in attempt.raised)


def sizes(verdict, attempt):
    """Every size of a case that has a name: the first result's axes and the whole-number arguments."""
    case, found = verdict.case, {}
    fact, target = next(iter(verdict.wanted.values.items()))
    axes = attempt.sheet.contract.result_axes(fact)
    if hasattr(target, "shape") and len(axes) == target.dim():
        found.update(zip(axes, target.shape, strict=True))
    for source in (case.build or {}, case.calls[0].args if case.calls else {}):
        found.update({k: v for k, v in source.items() if isinstance(v, int) and not isinstance(v, bool)})
    return found


def heads_of(case):
    """The number of heads that a case asks for, or None."""
    args = case.calls[0].args
    return (case.build or {}).get("num_heads") or args.get("num_heads", args.get("n_heads"))
