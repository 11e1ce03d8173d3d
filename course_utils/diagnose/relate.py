"""Is the result a plain rearrangement of the wanted one? Knows no particular mistake, only what can happen to
an array.

Each way yields (what would come out, mistake, sentence); the first that is what the student returned is
named.
"""

import itertools
from dataclasses import dataclass

import torch

from course_utils.compare.tolerance import is_close
from course_utils.model.case import dtype_name

from .finding import Finding, axis, the_axis
from .places import misplaced


def relate(attempt):
    """Try the wrong results of the core cases; of the edges only when the core is right, for in tiny cases
    much looks alike."""
    core = [verdict for verdict in attempt.wrong if not verdict.case.edge]
    for verdict in core or attempt.wrong:
        for fact in verdict.wrong:
            pair = verdict.tensors(fact)
            if pair and (match := relation(attempt, verdict, fact, *pair)):
                text = f"`{fact}` {match[1]} (seen in the {verdict.case.title} case)"
                return Finding(text, match[0], verdict, fact)
    return None


def relation(attempt, verdict, fact, value, target):
    """(mistake, sentence) of the first relation that holds exactly, or None."""
    if target.numel() < 2:
        return None
    if matches := about_booleans(value, target):
        return matches
    value, target = value.double(), target.double()
    if value.isnan().any() or constant(target):
        return None
    axes = attempt.sheet.contract.result_axes(fact, verdict.case)
    names = [axis(axes, i, target) for i in range(target.dim())]
    pair = Pair(verdict.case, value, target, names, max(verdict.tolerance, 1e-6))
    candidates = itertools.chain.from_iterable(way(pair) for way in WAYS)
    matches = ((mistake, text) for candidate, mistake, text in candidates if pair.equal(candidate))
    return next(matches, None) or misplaced(pair) or another_normalisation(pair)


def about_booleans(value, target):
    if value.dtype != torch.bool and target.dtype != torch.bool:
        return None
    if value.dtype != torch.bool:
        return "not_boolean", f"has dtype {dtype_name(value.dtype)}; expected torch.bool (True means masked)"
    if target.dtype != torch.bool:
        return "boolean_result", "has dtype bool; expected numbers"
    if value.shape == target.shape and torch.equal(value, ~target):
        return "inverted", "is the exact opposite: True and False are swapped. Here True means masked"
    return None


@dataclass
class Pair:
    """A result and the wanted one, in float64, with the names of the wanted one's axes."""

    case: object
    value: torch.Tensor
    target: torch.Tensor
    names: list
    tolerance: float

    def equal(self, candidate):
        """Is it what the student returned? A candidate whose entries are all the same tells nothing."""
        same = is_close(self.value, candidate, self.tolerance)
        return same and (candidate.numel() < 2 or not constant(candidate, self.tolerance))

    @property
    def expected(self):
        return f"expected ({', '.join(self.names)})"


def constant(target, tolerance=0):
    flat = target.flatten().nan_to_num()
    return bool(((flat - flat[:1]).abs() <= tolerance).all())


def orders(names):
    """(order, its names) of all ways to order axes; the first is their own."""
    for order in itertools.permutations(range(len(names))):
        yield order, ", ".join(names[i] for i in order)


def moved_axes(pair):
    for order, got in [*orders(pair.names)][1:]:
        text = f"has the right numbers with its axes in the order ({got}); {pair.expected}"
        yield pair.target.permute(order), "axes_out_of_order", text


def reduced_axis(pair):
    """The average or the sum over an axis, whether the axis is gone, of size 1 or filled again."""
    target = pair.target
    for i, name in enumerate(pair.names):
        for word, reduced in (("averaged", target.mean(i, True)), ("summed", target.sum(i, True))):
            text = f"is {word} over {the_axis(name)}: keep that axis"
            for candidate in (reduced, reduced.squeeze(i), reduced.expand_as(target)):
                if target.shape[i] > 1:
                    yield candidate, f"{word}_over_axis", text


def too_many_axes(pair):
    """The right numbers with axes of size 1 more."""
    value, target = pair.value, pair.target
    sizes, wanted = ([size for size in tensor.shape if size != 1] for tensor in (value, target))
    if value.dim() > target.dim() and sizes == wanted:
        text = f"another layout: an axis of size 1 too many, {tuple(value.shape)}; {pair.expected}"
        yield target.reshape(value.shape), "axis_too_many", f"has the right numbers in {text}"


def folded(pair):
    """The right numbers laid out for another shape."""
    if pair.value.numel() == pair.target.numel():
        shape = pair.value.shape
        for order, got in orders(pair.names):
            text = f"as if ({got}) had been reshaped to {tuple(shape)}; {pair.expected}"
            folds = pair.target.permute(order).reshape(shape)
            yield folds, "axes_folded", f"has the right numbers in another layout: {text}"


def factor(pair):
    """Right up to one constant."""
    value, target = pair.value, pair.target
    if value.shape == target.shape:
        sound = torch.isfinite(value) & torch.isfinite(target) & (target.abs() > 1e-6)
        times = (value[sound] / target[sound]).median() if sound.sum() > 1 else torch.ones(())
        if abs(times - 1) > 1e-3 and times.abs() > 1e-6:
            yield target * times, "constant_factor", f"is {times:.4g} times the wanted result everywhere"


def another_normalisation(pair):
    """Right up to one factor for each slice of an axis, along which the wanted sums are all the same."""
    value, target = pair.value, pair.target
    if value.shape != target.shape or target.dim() < 2 or not torch.isfinite(target).all():
        return None
    if (target.abs() <= 1e-9).any() or (value.abs() <= 1e-9).any():
        return None
    ratio = value / target
    for i, name in enumerate(pair.names):
        first, sums = ratio.narrow(i, 0, 1), target.sum(i)
        normalised = target.shape[i] > 1 and (sums - sums.mean()).abs().max() <= 1e-6
        if normalised and (ratio - first).abs().max() < 1e-6 * (1 + first.abs().max()):
            begin = ", ".join(f"{s:.3g}" for s in value.sum(i).flatten()[:3].tolist())
            text = f"its sums over {name} begin {begin}; expected {sums.flatten()[0]:.3g}"
            text = f"is right up to one factor for each slice along {name}: {text}"
            return "another_normalisation", text
    return None


WAYS = (moved_axes, reduced_axis, too_many_axes, folded, factor)
