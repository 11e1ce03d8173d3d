"""Is the result a plain rearrangement of the wanted one? Knows no particular mistake, only what can happen to an array."""

import itertools

import torch

from course_utils.compare.tolerance import same, tolerance_of

from .finding import Finding, axes_of, axis


def relate(sheet, seen, verdicts):
    """Try the wrong results of the core cases; of the edges only when the core is right, for in tiny cases much
    looks alike."""
    core_wrong = any(
        verdict.wrong and not case.edge for case, verdict in zip(sheet.cases, verdicts, strict=True)
    )
    for i, (case, wanted, observation, verdict) in enumerate(
        zip(sheet.cases, sheet.wanted, seen, verdicts, strict=True)
    ):
        if core_wrong and case.edge:
            continue
        for fact in verdict.wrong:
            value, target = observation.values.get(fact), wanted["values"][fact]
            if not isinstance(value, torch.Tensor) or not isinstance(target, torch.Tensor):
                continue
            found = relation(sheet, case, fact, value, target)
            if found:
                return Finding(
                    f"{found[1]} (seen in the {case.name.replace('_', ' ')} case)", found[0], i, fact
                )
    return None


def relation(sheet, case, fact, value, target):
    """(mistake, sentence) of the first relation that holds exactly, or None."""
    if target.numel() < 2:
        return None
    if value.dtype == torch.bool and target.dtype == torch.bool:
        if value.shape == target.shape and torch.equal(value, ~target):
            return (
                "inverted",
                f"`{fact}` is the exact opposite: True and False are swapped. Here True means masked",
            )
    elif (value.dtype == torch.bool) != (target.dtype == torch.bool):
        return another_kind(fact, value, target)
    value, target = value.double(), target.double()
    if value.isnan().any() or constant(target):
        return None
    equal = Equal(value, max(tolerance_of(case, sheet.contract), 1e-6))
    axes = axes_of(sheet, case, fact)
    names = [axis(axes, i, target) for i in range(target.dim())]
    heads = (case.build or {}).get("num_heads") or next(
        (v for k, v in case.calls[0].args.items() if k in ("num_heads", "n_heads")), None
    )
    return (
        moved_axes(fact, target, names, equal)
        or reduced_axis(fact, target, names, equal)
        or cut_axis(fact, target, names, equal)
        or folded(fact, target, names, heads, value, equal)
        or arithmetic(fact, case, value, target, equal)
        or factor(fact, value, target, names, equal)
    )


class Equal:
    """equal(candidate): is it what the student returned? A candidate whose entries are all the same tells nothing."""

    def __init__(self, value, tolerance):
        self.value, self.tolerance = value, tolerance

    def __call__(self, candidate):
        if candidate.shape != self.value.shape or (
            candidate.numel() > 1 and constant(candidate, self.tolerance)
        ):
            return False
        return same(self.value, candidate, self.tolerance)


def constant(target, tolerance=0):
    flat = target.flatten().nan_to_num()
    return bool(((flat - flat[0]).abs() <= tolerance).all())


def another_kind(fact, value, target):
    if target.dtype == torch.bool:
        return (
            "not_boolean",
            f"`{fact}` has dtype {str(value.dtype)[6:]}; expected torch.bool (True means masked)",
        )
    return "boolean_result", f"`{fact}` has dtype bool; expected numbers"


def moved_axes(fact, target, names, equal):
    order = range(target.dim())
    for moved in itertools.permutations(order):
        if moved != tuple(order) and equal(target.permute(moved)):
            got = ", ".join(names[i] for i in moved)
            return (
                "axes_out_of_order",
                f"`{fact}` has the right numbers with its axes in the order ({got}); expected ({', '.join(names)})",
            )
    return None


def the(name):
    return name if name.startswith("axis ") else f"the axis {name}"


def reduced_axis(fact, target, names, equal):
    for i, name in enumerate(names):
        if target.shape[i] < 2:
            continue
        for word, reduced in (
            ("averaged", target.mean(i, keepdim=True)),
            ("summed", target.sum(i, keepdim=True)),
        ):
            if equal(reduced) or equal(reduced.squeeze(i)) or equal(reduced.expand_as(target)):
                return f"{word}_over_axis", f"`{fact}` is {word} over {the(name)}: keep that axis"
    return None


def cut_axis(fact, target, names, equal):
    """Only a part of an axis, or the axis reversed or shifted."""
    for i, name in enumerate(names):
        size = target.shape[i]
        if size < 2:
            continue
        for place in (0, size - 1):
            only = target.narrow(i, place, 1)
            if equal(only) or equal(only.squeeze(i)):
                return (
                    "only_one_of_axis",
                    f"`{fact}` holds only entry {place} of {the(name)}; all {size} are wanted",
                )
            if equal(only.expand_as(target)):
                return (
                    "one_for_all_of_axis",
                    f"`{fact}` is the same all along {the(name)}: each of the {size} is what entry {place} alone should be",
                )
        if equal(target.flip(i)):
            return "axis_reversed", f"`{fact}` has {the(name)} in reverse order"
        for part in range(1, size):
            if equal(target.narrow(i, 0, part)) or equal(target.narrow(i, size - part, part)):
                return "axis_cut", f"`{fact}` holds only {part} of the {size} entries of {the(name)}"
            if equal(target.roll(part, i)):
                return "axis_shifted", f"`{fact}` has {the(name)} shifted by {part}"
    return None


def folded(fact, target, names, heads, value, equal):
    """The right numbers laid out for another shape."""
    if value.numel() != target.numel():
        return None
    wanted = ", ".join(names)
    if (
        value.dim() > target.dim()
        and equal(target.reshape(value.shape))
        and without_ones(value) == without_ones(target)
    ):
        return (
            "axis_too_many",
            f"`{fact}` has the right numbers in another layout: an axis of size 1 too many, {tuple(value.shape)}; expected ({wanted})",
        )
    if heads and heads > 1 and target.dim() > 1 and target.shape[-1] % heads == 0:
        found = unmerged(
            fact, target.unflatten(-1, (heads, -1)), [*names[:-1], "H", "d_head"], wanted, value, equal
        )
        if found:
            return found
    for moved in itertools.permutations(range(target.dim())):
        if equal(target.permute(moved).reshape(value.shape)):
            got = ", ".join(names[i] for i in moved)
            return (
                "axes_folded",
                f"`{fact}` has the right numbers in another layout: as if ({got}) had been reshaped to {tuple(value.shape)}; expected ({wanted})",
            )
    return None


def unmerged(fact, split, parts, wanted, value, equal):
    """Heads that were not merged, or merged in another order; `split` is the target with its heads apart."""
    for moved in itertools.permutations(range(split.dim())):
        got = ", ".join(parts[i] for i in moved)
        if equal(split.permute(moved)):
            return (
                "heads_not_merged",
                f"`{fact}` has the right numbers with the axes ({got}): the heads are not merged; expected ({wanted})",
            )
        if (
            moved != tuple(range(split.dim()))
            and value.dim() == split.dim() - 1
            and equal(split.permute(moved).reshape(value.shape))
        ):
            return (
                "merged_in_wrong_order",
                f"`{fact}` has the right numbers in the wrong places: they lay as ({got}) when they were merged; expected ({', '.join(parts)})",
            )
    return None


def without_ones(value):
    return [size for size in value.shape if size != 1]


def arithmetic(fact, case, value, target, equal):
    """The wanted result plus an input, an input itself, or a function of the wanted result."""
    if value.shape != target.shape:
        return None
    for name, given in case.calls[0].args.items():
        if isinstance(given, torch.Tensor) and given.shape == target.shape and given.is_floating_point():
            if equal(given.double()):
                return "input_returned", f"`{fact}` is {name} itself, unchanged"
            if equal(target + given):
                return (
                    "input_added",
                    f"`{fact}` is the wanted result plus {name}: nothing is to be added here",
                )
    for word, function in (
        ("logarithm", torch.log),
        ("exponential", torch.exp),
        ("negative", torch.neg),
        ("square", torch.square),
    ):
        if equal(function(target)):
            return f"{word}_of_result", f"`{fact}` is the {word} of the wanted result"
    return None


def factor(fact, value, target, names, equal):
    """Right up to one constant, or up to one factor for each slice of an axis (another normalisation)."""
    if value.shape != target.shape:
        return None
    sound = torch.isfinite(value) & torch.isfinite(target) & (target.abs() > 1e-6)
    if sound.sum() < 2:
        return None
    times = (value[sound] / target[sound]).median()
    if abs(times - 1) > 1e-3 and times.abs() > 1e-6 and equal(target * times):
        return "constant_factor", f"`{fact}` is {times:.4g} times the wanted result everywhere"
    if bool((target.abs() > 1e-9).all() and (value.abs() > 1e-9).all() and torch.isfinite(target).all()):
        ratio = value / target
        for i, name in enumerate(names):
            first, sums = ratio.narrow(i, 0, 1), target.sum(i)
            if (sums - sums.mean()).abs().max() > 1e-6:  # not a normalised axis
                continue
            if (
                target.shape[i] > 1
                and ratio.dim() > 1
                and (ratio - first).abs().max() < 1e-6 * (1 + first.abs().max())
            ):
                sums = value.sum(i).flatten()[:3].tolist()
                return (
                    "another_normalisation",
                    f"`{fact}` is right up to one factor for each slice along {name}: its sums over {name} begin {', '.join(f'{s:.3g}' for s in sums)}; expected {target.sum(i).flatten()[0]:.3g}",
                )
    return None
