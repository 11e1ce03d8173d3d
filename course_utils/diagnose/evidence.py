"""If no mistake is recognised: the most telling thing about the numbers, without guessing a cause."""

import torch

from course_utils.compare.tolerance import close_entries
from course_utils.model.case import dtype_name

from .finding import Finding, axis, describe, distinct_texts


def evidence(attempt):
    """Describe the first wrong case: core cases before edges, and wrong values before exceptions."""
    verdict = min(attempt.wrong, key=lambda v: (v.case.edge, not v.seen.values))
    case, observation = verdict.case, verdict.seen
    inputs = f" ({describe(case)})" if describe(case) else ""
    place = f"In the {case.title} case{inputs} "
    if observation.raised:
        return Finding(f"{place}it raises {': '.join(filter(None, observation.raised))}", None, verdict)
    fact = next((fact for fact in verdict.wrong if other_shape(verdict, fact)), verdict.wrong[0])
    agree = [str(other) for other in verdict.wanted.values if other not in verdict.wrong]
    also = f" ({', '.join(agree)} {'is' if len(agree) == 1 else 'are'} right)" if agree else ""
    text = place + clause(verdict, fact, attempt.sheet.contract.result_axes(fact, case)) + also
    return Finding(text, None, verdict, fact)


def other_shape(verdict, fact):
    pair = verdict.tensors(fact)
    return pair is not None and pair[0].shape != pair[1].shape


def clause(verdict, fact, axes):
    """Say what is wrong with one result."""
    value, target = verdict.seen.values.get(fact), verdict.wanted.values[fact]
    if isinstance(target, str):
        return about_text(fact, value, target, len(verdict.case.calls))
    if not isinstance(value, torch.Tensor):
        return f"there is no `{fact}`"
    if value.shape != target.shape:
        expected = ", ".join(f"{axis(axes, i, target)}={n}" for i, n in enumerate(target.shape))
        return f"`{fact}` has shape {tuple(value.shape)}; expected ({expected})"
    if (value.dtype == torch.bool) != (target.dtype == torch.bool):
        return f"`{fact}` has dtype {dtype_name(value.dtype)}; expected {dtype_name(target.dtype)}"
    nan = value.isnan() & ~target.isnan() if value.is_floating_point() else torch.zeros(())
    if nan.any():
        return (
            f"`{fact}` contains NaN, first at {place_of(nan, axes)}: look for 0/0, 0 * inf, 0 * log(0), "
            "inf - inf and a softmax over a row of all -inf"
        )
    weights = about_weights(fact, value, target) if "weights" in fact.name else ()
    return "; ".join([*weights, *differences(fact, value, target, axes, verdict.tolerance)])


def about_text(fact, value, target, calls):
    """Say what is wrong with a text: the outcome of a call that must raise, or an answer's fingerprint."""
    if fact.name == "error":
        return f"{f'call {fact.call + 1}' if calls > 1 else 'it'} gives {value}; expected {target}"
    return f"`{fact}` is not the right answer"


def about_weights(fact, value, target):
    """Say what weights alone can get wrong: rows must sum to 1, masked positions must be 0."""
    rows, wanted_rows = value.double().sum(-1), target.double().sum(-1)
    if (rows - wanted_rows).abs().max() > 1e-4:
        least, most, wanted = distinct_texts(rows.min().item(), rows.max().item(), wanted_rows.max().item())
        yield f"the rows of `{fact}` sum to {least}..{most}; expected {wanted}"
    leaks = (target == 0) & (value.abs() > 1e-9)
    if leaks.any():
        most = value[leaks].abs().max()
        largest = leaks & (value.abs() == most)
        yield f"masked positions get weight, up to {most:.3g} at {place_of(largest, [])}"


def differences(fact, value, target, axes, tolerance):
    """Say which slices differ, which agree, and by how much."""
    bad = ~close_entries(value, target, tolerance)
    for i, size in enumerate(target.shape):
        differs = bad.movedim(i, 0).reshape(size, -1).any(1) if size > 1 else torch.ones(1, dtype=torch.bool)
        if not differs.all():
            yield f"along {axis(axes, i, target)}, {places(differs)} wrong and {places(~differs)} right"
    got, expected = distinct_texts(value[bad][0].item(), target[bad][0].item())
    place = f" at {place_of(bad, axes)}" if target.dim() else ""
    yield f"`{fact}`{place} is {got}, expected {expected}"


def places(flags):
    """'index 1 is', 'indices 0, 2 are'."""
    places = flags.nonzero().flatten().tolist()
    listed = ", ".join(map(str, places[:4])) + (", ..." if len(places) > 4 else "")
    return f"index {listed} is" if len(places) == 1 else f"indices {listed} are"


def place_of(flags, axes):
    """'(B=0, T=1)': the first flagged place."""
    index = flags.nonzero()[0].tolist()
    return f"({', '.join(f'{axis(axes, i, flags)}={n}' if axes else str(n) for i, n in enumerate(index))})"
