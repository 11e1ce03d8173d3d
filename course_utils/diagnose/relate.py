"""Is the result a plain rearrangement of the wanted one? Knows no particular mistake, only what can happen
to an array."""

import itertools
from dataclasses import dataclass

import torch

from course_utils.compare.tolerance import is_close
from course_utils.compare.verdict import bare

from .finding import Finding, axis


def relate(attempt):
    """Try the wrong results of the core cases; of the edges only when the core is right, for in tiny cases
    much looks alike."""
    core = [verdict for verdict in attempt.wrong if not verdict.case.edge]
    for verdict in core or attempt.wrong:
        for fact in verdict.wrong:
            value, target = verdict.seen.values.get(fact), verdict.wanted.values[fact]
            if not isinstance(value, torch.Tensor) or not isinstance(target, torch.Tensor):
                continue
            if found := relation(attempt, verdict, fact, value, target):
                mistake, text = found
                return Finding(f"{text} (seen in the {verdict.case.title} case)", mistake, verdict, fact)
    return None


def relation(attempt, verdict, fact, value, target):
    """(mistake, sentence) of the first relation that holds exactly, or None."""
    if target.numel() < 2:
        return None
    if value.dtype == torch.bool or target.dtype == torch.bool:
        found = about_booleans(fact, value, target)
        if found:
            return found
    value, target = value.double(), target.double()
    if value.isnan().any() or constant(target):
        return None
    axes = attempt.axes_of(verdict.case, fact)
    names = [axis(axes, i, target) for i in range(target.dim())]
    pair = Pair(fact, verdict.case, value, target, names, max(verdict.tolerance, 1e-6))
    return next((found for way in WAYS if (found := way(pair))), None)


def about_booleans(fact, value, target):
    if value.dtype != torch.bool:
        return (
            "not_boolean",
            f"`{fact}` has dtype {bare(value.dtype)}; expected torch.bool (True means masked)",
        )
    if target.dtype != torch.bool:
        return "boolean_result", f"`{fact}` has dtype bool; expected numbers"
    if value.shape == target.shape and torch.equal(value, ~target):
        text = f"`{fact}` is the exact opposite: True and False are swapped. Here True means masked"
        return "inverted", text
    return None


@dataclass
class Pair:
    """A result, the wanted one, both in float64, and the names of the wanted one's axes."""

    fact: object
    case: object
    value: torch.Tensor
    target: torch.Tensor
    names: list
    tolerance: float

    def equal(self, candidate):
        """Is it what the student returned? A candidate whose entries are all the same tells nothing."""
        if candidate.shape != self.value.shape:
            return False
        if candidate.numel() > 1 and constant(candidate, self.tolerance):
            return False
        return is_close(self.value, candidate, self.tolerance)

    @property
    def long_axes(self):
        """(number, name, size) of the axes with more than one entry."""
        axes = enumerate(zip(self.names, self.target.shape, strict=True))
        return [(i, name, size) for i, (name, size) in axes if size > 1]

    @property
    def wanted(self):
        return f"expected ({', '.join(self.names)})"


def constant(target, tolerance=0):
    flat = target.flatten().nan_to_num()
    return bool(((flat - flat[0]).abs() <= tolerance).all())


def moved_axes(pair):
    order = tuple(range(pair.target.dim()))
    for moved in itertools.permutations(order):
        if moved != order and pair.equal(pair.target.permute(moved)):
            got = ", ".join(pair.names[i] for i in moved)
            text = f"`{pair.fact}` has the right numbers with its axes in the order ({got}); {pair.wanted}"
            return "axes_out_of_order", text
    return None


def reduced_axis(pair):
    """The average or the sum over an axis, whether the axis is gone, of size 1 or filled again."""
    target, equal = pair.target, pair.equal
    for i, name, _ in pair.long_axes:
        for word, reduced in (
            ("averaged", target.mean(i, keepdim=True)),
            ("summed", target.sum(i, keepdim=True)),
        ):
            if equal(reduced) or equal(reduced.squeeze(i)) or equal(reduced.expand_as(target)):
                return f"{word}_over_axis", f"`{pair.fact}` is {word} over {the(name)}: keep that axis"
    return None


def the(name):
    return name if name.startswith("axis ") else f"the axis {name}"


def cut_axis(pair):
    """Only a part of an axis, or the axis reversed or shifted."""
    target, equal, fact = pair.target, pair.equal, pair.fact
    for i, name, size in pair.long_axes:
        along = the(name)
        for place in (0, size - 1):
            only = target.narrow(i, place, 1)
            if equal(only) or equal(only.squeeze(i)):
                text = f"`{fact}` holds only entry {place} of {along}; all {size} are wanted"
                return "only_one_of_axis", text
            if equal(only.expand_as(target)):
                each = f"each of the {size} is what entry {place} alone should be"
                return "one_for_all_of_axis", f"`{fact}` is the same all along {along}: {each}"
        if equal(target.flip(i)):
            return "axis_reversed", f"`{fact}` has {along} in reverse order"
        for part in range(1, size):
            if equal(target.narrow(i, 0, part)) or equal(target.narrow(i, size - part, part)):
                return "axis_cut", f"`{fact}` holds only {part} of the {size} entries of {along}"
            if equal(target.roll(part, i)):
                return "axis_shifted", f"`{fact}` has {along} shifted by {part}"
    return None


def too_many_axes(pair):
    """The right numbers with axes of size 1 more."""
    value, target = pair.value, pair.target
    if value.dim() <= target.dim() or without_ones(value) != without_ones(target):
        return None
    if not pair.equal(target.reshape(value.shape)):
        return None
    text = f"an axis of size 1 too many, {tuple(value.shape)}; {pair.wanted}"
    return "axis_too_many", f"`{pair.fact}` has the right numbers in another layout: {text}"


def without_ones(value):
    return [size for size in value.shape if size != 1]


def unmerged(pair):
    """Heads that were not merged, or merged in another order."""
    value, target, heads = pair.value, pair.target, heads_of(pair.case)
    if (
        value.numel() != target.numel()
        or not heads
        or heads < 2
        or target.dim() < 2
        or target.shape[-1] % heads
    ):
        return None
    split, parts = target.unflatten(-1, (heads, -1)), [*pair.names[:-1], "H", "d_head"]
    order = tuple(range(split.dim()))
    for moved in itertools.permutations(order):
        got, laid = ", ".join(parts[i] for i in moved), split.permute(moved)
        if pair.equal(laid):
            text = f"has the right numbers with the axes ({got}): the heads are not merged; {pair.wanted}"
            return "heads_not_merged", f"`{pair.fact}` {text}"
        if moved != order and value.dim() == len(order) - 1 and pair.equal(laid.reshape(value.shape)):
            text = (
                f"`{pair.fact}` has the right numbers in the wrong places: they lay as ({got}) when they "
                f"were merged; expected ({', '.join(parts)})"
            )
            return "merged_in_wrong_order", text
    return None


def heads_of(case):
    args = case.calls[0].args
    return (case.build or {}).get("num_heads") or args.get("num_heads", args.get("n_heads"))


def folded(pair):
    """The right numbers laid out for another shape."""
    value, target = pair.value, pair.target
    if value.numel() != target.numel():
        return None
    for moved in itertools.permutations(range(target.dim())):
        if pair.equal(target.permute(moved).reshape(value.shape)):
            got = ", ".join(pair.names[i] for i in moved)
            text = (
                f"`{pair.fact}` has the right numbers in another layout: as if ({got}) had been reshaped to "
                f"{tuple(value.shape)}; {pair.wanted}"
            )
            return "axes_folded", text
    return None


def arithmetic(pair):
    """The wanted result plus an input, an input itself, or a function of the wanted result."""
    target, fact = pair.target, pair.fact
    if pair.value.shape != target.shape:
        return None
    for name, given in pair.case.calls[0].args.items():
        if isinstance(given, torch.Tensor) and given.shape == target.shape and given.is_floating_point():
            if pair.equal(given.double()):
                return "input_returned", f"`{fact}` is {name} itself, unchanged"
            if pair.equal(target + given):
                text = f"`{fact}` is the wanted result plus {name}: nothing is to be added here"
                return "input_added", text
    functions = {
        "logarithm": torch.log,
        "exponential": torch.exp,
        "negative": torch.neg,
        "square": torch.square,
    }
    for word, function in functions.items():
        if pair.equal(function(target)):
            return f"{word}_of_result", f"`{fact}` is the {word} of the wanted result"
    return None


def factor(pair):
    """Right up to one constant."""
    value, target = pair.value, pair.target
    if value.shape != target.shape:
        return None
    sound = torch.isfinite(value) & torch.isfinite(target) & (target.abs() > 1e-6)
    if sound.sum() < 2:
        return None
    times = (value[sound] / target[sound]).median()
    if abs(times - 1) > 1e-3 and times.abs() > 1e-6 and pair.equal(target * times):
        return "constant_factor", f"`{pair.fact}` is {times:.4g} times the wanted result everywhere"
    return None


def another_normalisation(pair):
    """Right up to one factor for each slice of an axis."""
    value, target = pair.value, pair.target
    if value.shape != target.shape or target.dim() < 2 or not torch.isfinite(target).all():
        return None
    if (target.abs() <= 1e-9).any() or (value.abs() <= 1e-9).any():
        return None
    ratio = value / target
    for i, name, _ in pair.long_axes:
        first, sums = ratio.narrow(i, 0, 1), target.sum(i)
        normalised = (sums - sums.mean()).abs().max() <= 1e-6
        if normalised and (ratio - first).abs().max() < 1e-6 * (1 + first.abs().max()):
            begin = ", ".join(f"{s:.3g}" for s in value.sum(i).flatten()[:3].tolist())
            text = (
                f"`{pair.fact}` is right up to one factor for each slice along {name}: its sums over {name} "
                f"begin {begin}; expected {sums.flatten()[0]:.3g}"
            )
            return "another_normalisation", text
    return None


WAYS = (
    moved_axes,
    reduced_axis,
    cut_axis,
    too_many_axes,
    unmerged,
    folded,
    arithmetic,
    factor,
    another_normalisation,
)
