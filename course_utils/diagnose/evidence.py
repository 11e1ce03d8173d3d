"""When no mistake is recognised: the most telling thing that the numbers say, without guessing a cause."""

import torch

from course_utils.compare.tolerance import off, tolerance_of
from course_utils.model.case import Fake

from .finding import Finding, axes_of, axis, describe


def evidence(sheet, seen, verdicts):
    """The first wrong case: the core before the edges, and values before exceptions."""
    wrong = [i for i, verdict in enumerate(verdicts) if verdict.wrong]
    i = min(wrong, key=lambda i: (sheet.cases[i].edge, not seen[i].values, i))
    case, observation = sheet.cases[i], seen[i]
    inputs = f" ({describe(case)})" if describe(case) else ""
    place = f"In the {case.name.replace('_', ' ')} case{inputs} "
    if observation.raised:
        return Finding(
            f"{place}it raises {with_our_names(case, ': '.join(filter(None, observation.raised)))}", None, i
        )
    fact = next(
        (name for name in verdicts[i].wrong if other_shape(observation, sheet.wanted[i], name)),
        verdicts[i].wrong[0],
    )
    value, target = observation.values.get(fact), sheet.wanted[i]["values"][fact]
    agree = [str(fact) for fact in sheet.wanted[i]["values"] if fact not in verdicts[i].wrong]
    also = f" ({', '.join(agree)} {'is' if len(agree) == 1 else 'are'} right)" if agree else ""
    return Finding(place + tell(sheet, case, fact, value, target) + also, None, i, fact)


def with_our_names(case, text):
    """A text of Python's, where the modules that we hand over go by the argument that they are."""
    for name, value in (pair for call in case.calls for pair in call.args.items()):
        if isinstance(value, Fake):
            text = text.replace(value.kind, name)
    return text


def other_shape(observation, wanted, fact):
    value, target = observation.values.get(fact), wanted["values"][fact]
    return (
        isinstance(value, torch.Tensor) and isinstance(target, torch.Tensor) and value.shape != target.shape
    )


def tell(sheet, case, fact, value, target):
    """One clause about one result."""
    axes = axes_of(sheet, case, fact)
    if isinstance(target, str):
        return answer(fact, value, target, len(case.calls))
    if value.shape != target.shape:
        expected = ", ".join(f"{axis(axes, i, target)}={n}" for i, n in enumerate(target.shape))
        return f"`{fact}` has shape {tuple(value.shape)}; expected ({expected})"
    if (value.dtype == torch.bool) != (target.dtype == torch.bool):
        return f"`{fact}` has dtype {str(value.dtype)[6:]}; expected {str(target.dtype)[6:]}"
    nan = value.isnan() & ~target.isnan() if value.is_floating_point() else torch.zeros(())
    if nan.any():
        return f"`{fact}` holds NaN, first at {place_of(nan, axes)}, as 0/0, 0 * inf, 0 * log(0), inf - inf and a softmax over a row that is all -inf give it"
    if target.dim() == 0:
        got, expected = apart(value.item(), target.item())
        return f"`{fact}` is {got}; expected {expected}"
    return "; ".join(
        [
            *about_digits(fact, value, target),
            *about_weights(fact, value, target),
            *where(value, target, axes, tolerance_of(case, sheet.contract), fact),
        ]
    )


def answer(fact, value, target, calls):
    if fact.name == "error":
        return f"{f'call {fact.call + 1}' if calls > 1 else 'it'} gives {value}; expected {target}"
    return f"`{fact}` is not the right answer"


def about_digits(fact, value, target):
    """Half of the digits are gone before anything is compared."""
    if target.is_floating_point() and value.dtype in (torch.float16, torch.bfloat16):
        yield f"`{fact}` has dtype {str(value.dtype)[6:]}, which rounds it to two or three digits: keep the inputs' dtype"


def about_weights(fact, value, target):
    """Facts that only weights have: rows that sum to 1, masked positions at 0."""
    if "weights" not in fact.name:
        return
    rows, wanted_rows = value.double().sum(-1), target.double().sum(-1)
    if (rows - wanted_rows).abs().max() > 1e-4:
        least, most, wanted = apart(rows.min().item(), rows.max().item(), wanted_rows.max().item())
        yield f"the rows of `{fact}` sum to {least}..{most}; expected {wanted}"
    leaks = (target == 0) & (value.abs() > 1e-9)
    if leaks.any():
        yield f"masked positions get weight, up to {value[leaks].abs().max():.3g} at {place_of(leaks, [])}"
    starved = (target > 1e-9) & (value == 0)
    if starved.any():
        yield f"allowed positions get 0, e.g. at {place_of(starved, [])}"


def where(value, target, axes, tolerance, fact):
    """Which slices differ, which agree, and by how much."""
    bad = off(value, target, tolerance)
    clauses = []
    for i, size in enumerate(target.shape):
        differs = bad.movedim(i, 0).reshape(size, -1).any(1) if size > 1 else torch.ones(1, dtype=torch.bool)
        if not differs.all():
            clauses.append(
                f"along {axis(axes, i, target)}, {places(differs)} wrong and {places(~differs)} right"
            )
    first = place_of(bad, axes)
    got, expected = apart(value[bad][0].item(), target[bad][0].item())
    clauses.append(f"`{fact}` at {first} is {got}, expected {expected}")
    return clauses


def places(flags):
    """'place 1 is', 'places 0, 2 are'."""
    found = flags.nonzero().flatten().tolist()
    some = ", ".join(map(str, found[:4])) + (", ..." if len(found) > 4 else "")
    return f"place {some} is" if len(found) == 1 else f"places {some} are"


def place_of(flags, axes):
    index = flags.nonzero()[0].tolist()
    return (
        "(" + ", ".join(f"{axis(axes, i, flags)}={n}" if axes else str(n) for i, n in enumerate(index)) + ")"
    )


def apart(*numbers):
    """As texts, with as many digits as it takes to see that they are not all the same."""
    for digits in (4, 7, 10, 17):
        texts = [show(number, digits) for number in numbers]
        if len(set(texts)) > 1:
            break
    return texts


def show(number, digits):
    return f"{number:.{digits}g}" if isinstance(number, float) else str(number)
