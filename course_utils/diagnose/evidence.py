"""If no mistake is recognised: the most telling thing about the numbers, without guessing a cause."""

import torch

from course_utils.compare.tolerance import close_entries
from course_utils.model.case import dtype_name
from course_utils.model.sentences import say

from .finding import Finding, axis, describe, distinct_texts

LARGE = 1e300  # a number that stands for infinity


def evidence(attempt):
    """Describe the first wrong case: core cases before edges, and exceptions before wrong values (where one
    shape raises, broadcasting may hide the cause in another)."""
    verdict = min(attempt.wrong, key=lambda v: (v.case.edge, bool(v.seen.values)))
    case, observation = verdict.case, verdict.seen
    inputs = f" ({describe(case)})" if describe(case) else ""
    place = f"In the {case.title} case{inputs} "
    if observation.raised:
        text = say("raises", error=": ".join(filter(None, observation.raised)))
        return Finding(f"{place}{text}", None, verdict)
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
        return say("no_result", fact=fact)
    if value.shape != target.shape:
        sizes = zip(axes, target.shape, strict=False)
        named = ", ".join(f"{name}={n}" if name != str(n) else name for name, n in sizes)
        expected = f"({named})" if len(axes) == target.dim() > 0 else str(tuple(target.shape))
        text = say("other_shape", fact=fact, shape=tuple(value.shape), wanted=expected)
        is_squeezed = 1 in target.shape and value.shape == tuple(n for n in target.shape if n != 1)
        return text + (say("axis_missing") if is_squeezed else "")
    if (value.dtype == torch.bool) != (target.dtype == torch.bool):
        return say("other_dtype", fact=fact, dtype=dtype_name(value.dtype), wanted=dtype_name(target.dtype))
    nan = value.isnan() & ~target.isnan() if value.is_floating_point() else torch.zeros(())
    if nan.any():
        return say("has_nan", fact=fact, place=place_of(nan, axes))
    weights = about_weights(fact, value, target, verdict.tolerance) if "weights" in fact.name else ()
    return "; ".join([*weights, *differences(fact, value, target, axes, verdict.tolerance)])


def about_text(fact, value, target, calls):
    """Say what is wrong with a text: the outcome of a call that must raise, or an answer's fingerprint."""
    if fact.name == "error":
        call = f"call {fact.call + 1}" if calls > 1 else "it"
        return say("other_outcome", call=call, outcome=value, wanted=target)
    return say("other_answer", fact=fact)


def about_weights(fact, value, target, tolerance):
    """Say what weights alone can get wrong: rows must sum to 1 (to 0 if all of it is masked), unless the
    weights of a query stand along another axis; masked positions must be 0."""
    rows, wanted_rows, nearly = value.double().sum(-1), target.double().sum(-1), max(tolerance, 1e-4)
    off = (rows - wanted_rows).abs() > nearly
    if off.any() and (((wanted_rows - 1).abs() < nearly) | (wanted_rows == 0)).all():
        wanted = wanted_rows[off][0].item()
        least, most, wanted = distinct_texts(rows[off].min().item(), rows[off].max().item(), wanted)
        key = "one_row_sum" if least == most else "row_sums"
        yield say(key, fact=fact, least=least, most=most, wanted=wanted)
    leaks = (target == 0) & (value.abs() > tolerance)
    if leaks.any():
        most = value[leaks].abs().max()
        yield say("masked_weight", most=most, place=place_of(leaks & (value.abs() == most), []))


def differences(fact, value, target, axes, tolerance):
    """Say which slices differ, which agree, and by how much."""
    bad = ~close_entries(value, target, tolerance)
    for i, size in enumerate(target.shape):
        differs = bad.movedim(i, 0).reshape(size, -1).any(1) if size > 1 else torch.ones(1, dtype=torch.bool)
        if not differs.all():
            yield say("slices", axis=axis(axes, i, target), wrong=places(differs), right=places(~differs))
    got, wanted = distinct_texts(*(readable(t[bad][0].item()) for t in (value, target)))
    place = f" at {place_of(bad, axes)}" if target.dim() else ""
    yield say("entry", fact=fact, place=place, got=got, wanted=wanted)


def readable(number):
    """The number, or infinity for one as large as a dtype holds."""
    is_huge = isinstance(number, float) and abs(number) > LARGE
    return float("inf") * (1 if number > 0 else -1) if is_huge else number


def places(flags):
    """'index 1 is', 'indices 0, 2 are'."""
    places = flags.nonzero().flatten().tolist()
    listed = ", ".join(map(str, places[:4])) + (", ..." if len(places) > 4 else "")
    return f"index {listed} is" if len(places) == 1 else f"indices {listed} are"


def place_of(flags, axes):
    """'(B=0, T=1)': the first flagged place."""
    index = flags.nonzero()[0].tolist()
    return f"({', '.join(f'{axis(axes, i, flags)}={n}' if axes else str(n) for i, n in enumerate(index))})"
