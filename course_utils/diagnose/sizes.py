"""The sizes of a case by their names, and code that works for few tokens only."""

from .finding import Finding

OF_SHAPES = (  # what torch and NumPy say of sizes that do not fit
    "invalid for input of size",
    "cannot reshape",
    "must match",
    "size mismatch",
    "cannot be multiplied",
    "doesn't match",
    "not match",
    "could not be broadcast",
)


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
