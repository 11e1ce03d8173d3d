"""Is a size written as a number? An axis that never changes where it should, or code that works for one size only."""

from course_utils.model.case import Fact

from .finding import Finding, axis

TELLS = (
    "invalid for input of size",
    "must match",
    "size mismatch",
    "cannot be multiplied",
    "doesn't match",
    "not match",
    "cannot reshape",
    "could not be broadcast",
)
TELLS_OF_RESHAPE = ("invalid for input of size", "cannot reshape")


def hard_coded(sheet, seen, verdicts):
    return (
        constant_axis(sheet, seen)
        or one_size_works(sheet, seen, verdicts)
        or long_ones_raise(sheet, seen, verdicts)
    )


def constant_axis(sheet, seen):
    """An axis of a result is the same in every case, while the wanted one varies."""
    rows = {}
    for wanted, observation in zip(sheet.wanted, seen, strict=True):
        for fact, target in wanted["values"].items():
            value = observation.values.get(fact)
            if hasattr(target, "dim") and hasattr(value, "dim") and value.dim() == target.dim():
                rows.setdefault(fact.name, []).append((value, target))
    for name, pairs in rows.items():
        rank = min(target.dim() for _, target in pairs)
        for i in range(rank if len({t.dim() for _, t in pairs}) == 1 else 0):
            got, expected = {v.shape[i] for v, _ in pairs}, [t.shape[i] for _, t in pairs]
            if len(got) == 1 and len(set(expected)) > 1 and len(pairs) > 2 and got not in ({0}, {1}):
                along = axis(sheet.contract.result_axes(Fact(name)), i, pairs[0][1])
                sizes = ", ".join(map(str, dict.fromkeys(expected)))
                return Finding(
                    f"the axis {along} of `{name}` always has {got.pop()} entries, whatever the input; expected {sizes} in turn. Is a size written as a number?",
                    "hard_coded_size",
                    None,
                    Fact(name),
                )
    return None


def one_size_works(sheet, seen, verdicts):
    """It raises about shapes for every value but one of some size. (A 1 fits anything, unless something is reshaped.)"""
    broken, works = broken_and_working(sheet, seen, verdicts)
    messages = [o.raised[1] for o in seen if o.raised]
    if len(broken) < 2 or len(works) < 2 or not about_shapes(seen):
        return None
    wrong = [
        sizes(case, wanted, sheet)
        for case, wanted, v in zip(sheet.cases, sheet.wanted, verdicts, strict=True)
        if v.wrong
    ]
    suspects = {}
    for name in works[0]:
        good, bad = [s.get(name) for s in works], [s.get(name) for s in broken]
        reshaped = all(any(tell in m for tell in TELLS_OF_RESHAPE) for m in messages)
        if (
            len(set(good)) == 1
            and good[0] not in [s.get(name) for s in wrong]
            and None not in bad
            and (good[0] != 1 or reshaped)
        ):
            suspects.setdefault((*good, *bad), name)
    if len(suspects) != 1:
        return None  # two sizes could explain it: then neither is sure
    ((values, name),) = suspects.items()
    others = ", ".join(map(str, sorted({*values[len(works) :]})))
    return Finding(
        f"it works where {name} is {values[0]} and raises where it is {others}. Is a size written as a number?",
        "hard_coded_size",
    )


def long_ones_raise(sheet, seen, verdicts):
    """It raises about shapes just where there are more tokens than anywhere else."""
    broken, works = broken_and_working(sheet, seen, verdicts)
    if not broken or len(works) < 3 or not about_shapes(seen):
        return None
    for name in (name for name in works[0] if name.startswith("T")):
        good, bad = {s.get(name) for s in works} - {None}, {s.get(name) for s in broken}
        if None not in bad and min(bad) > 2 * max(good):
            return Finding(
                f"it works for up to {max(good)} tokens and raises for {min(bad)}: is something, such as the mask, made for a fixed length? Take the length from the input",
                "fixed_length",
            )
    return None


def broken_and_working(sheet, seen, verdicts):
    """The sizes of the cases that raise, and of those that are right."""
    rows = list(zip(sheet.cases, sheet.wanted, seen, verdicts, strict=True))
    broken = [sizes(case, wanted, sheet) for case, wanted, o, _ in rows if o.raised]
    return broken, [
        sizes(case, wanted, sheet)
        for case, wanted, o, v in rows
        if not o.raised and not o.problem and not v.wrong
    ]


def about_shapes(seen):
    return all(any(tell in o.raised[1] for tell in TELLS) for o in seen if o.raised)


def sizes(case, wanted, sheet):
    """Every size of a case that has a name: the first result's axes and the whole-number arguments."""
    found = {}
    fact, target = next(iter(wanted["values"].items()))
    axes = sheet.contract.result_axes(fact)
    if hasattr(target, "shape") and len(axes) == target.dim():
        found.update(zip(axes, target.shape, strict=True))
    for source in (case.build or {}, case.calls[0].args if case.calls else {}):
        found.update({k: v for k, v in source.items() if isinstance(v, int) and not isinstance(v, bool)})
    return found
