"""Is the result a simple rearrangement of the wanted one? Knows no particular mistake, only what can happen
to an array: True and False swapped, axes moved, a wrong factor, slices in wrong places."""

import itertools

import torch

from course_utils.compare.tolerance import is_close

from .finding import Finding, axis, the_axis

FIRST_ROUND = ". Is `return` inside the loop, so that only its first iteration runs?"


def relate(attempt):
    """Report a relation for a wrong result of a core case; of an edge case only if the core is right, because
    in tiny cases many results look alike."""
    core = [verdict for verdict in attempt.wrong if not verdict.case.edge]
    for verdict in core or attempt.wrong:
        for fact in verdict.wrong:
            pair = verdict.tensors(fact)
            axes = attempt.sheet.contract.result_axes(fact, verdict.case)
            if pair and (match := relation(*pair, axes, max(verdict.tolerance, 1e-6))):
                text = f"`{fact}` {match[1]} (seen in the {verdict.case.title} case)"
                return Finding(text, match[0], verdict, fact)
    return None


def relation(value, target, axes, tolerance):
    """(mistake, sentence) of the first relation that holds exactly, or None."""
    if target.numel() < 2 or (value.dtype == torch.bool) != (target.dtype == torch.bool):
        return None
    if value.dtype == torch.bool and value.shape == target.shape and torch.equal(value, ~target):
        return "inverted", "is the exact opposite: True and False are swapped. Here True means masked"
    value, target = value.double(), target.double()
    if value.isnan().any() or is_constant(target):
        return None
    names = [axis(axes, i, target) for i in range(target.dim())]
    ways = layouts(value, target, names), averages(target, names), factors(value, target, names)
    for candidate, mistake, text in itertools.chain(*ways):
        if is_close(value, candidate, tolerance) and not is_constant(candidate, tolerance):
            return mistake, text
    return misplaced(value, target, names)


def is_constant(tensor, tolerance=0):
    """Are all entries the same? Such a result shows nothing."""
    flat = tensor.flatten().nan_to_num()
    return bool(((flat - flat[:1]).abs() <= tolerance).all())


def layouts(value, target, names):
    """(candidate, mistake, sentence): the right numbers with their axes in any order, as they are or reshaped
    to the shape of the result."""
    if value.numel() != target.numel():
        return
    expected = f"expected ({', '.join(names)})"
    orders = list(itertools.permutations(range(target.dim())))
    for order in sorted(orders, key=lambda order: target.permute(order).shape != value.shape):
        moved, got = target.permute(order), ", ".join(names[i] for i in order)
        if moved.shape == value.shape:
            text = f"has the right numbers with its axes in the order ({got}); {expected}"
            yield moved, "axes_out_of_order", text
        else:
            text = f"as if ({got}) had been reshaped to {tuple(value.shape)}; {expected}"
            folded = moved.reshape(value.shape)
            yield folded, "axes_folded", f"has the right numbers in another layout: {text}"


def averages(target, names):
    """The average over each axis, with that axis at size 1, removed, or expanded again."""
    for i, name in enumerate(names):
        average = target.mean(i, keepdim=True)
        for candidate in (average, average.squeeze(i), average.expand_as(target)):
            yield candidate, "averaged_over_axis", f"is averaged over {the_axis(name)}: keep that axis"


def factors(value, target, names):
    """The wanted result times one constant; or times one factor for each slice of an axis along which all
    wanted sums are the same."""
    if value.shape != target.shape:
        return
    sound = torch.isfinite(value) & torch.isfinite(target) & (target.abs() > 1e-6)
    times = (value[sound] / target[sound]).median() if sound.sum() > 1 else torch.ones(())
    if abs(times - 1) > 1e-3 and times.abs() > 1e-6:
        yield target * times, "constant_factor", f"is {times:.4g} times the expected result everywhere"
    for i, name in enumerate(names):
        sums, wanted = value.sum(i, keepdim=True), target.sum(i, keepdim=True)
        if target.shape[i] > 1 and (wanted - wanted.mean()).abs().max() <= 1e-6 < wanted.abs().max():
            begin = ", ".join(f"{s:.3g}" for s in sums.flatten()[:3].tolist())
            text = f"its sums over {name} start with {begin}; expected {wanted.mean():.3g}"
            text = f"is right up to one factor for each slice along {name}: {text}"
            yield target * sums / wanted, "another_normalisation", text


# ---- slices in wrong places


def misplaced(value, target, names):
    """(mistake, sentence) of the first axis along which right slices are in wrong places, or None."""
    for i, name in enumerate(names):
        size = target.shape[i]
        places = places_of(value, target, i) or list(range(size))
        by_chance = len(places) == size and len(target.unique()) < 3  # a mask: its slices are often alike
        if places != list(range(size)) and not by_chance:
            return describe_places(places, the_axis(name), size)
    return None


def places_of(value, target, i):
    """For each slice of the result along axis i, the place where it belongs; None if a slice belongs nowhere,
    or could belong to several places."""
    if value.dim() != target.dim() or value.dim() < 2 or target.shape[i] < 2:
        return None
    rows, wanted = (tensor.movedim(i, 0).flatten(1).nan_to_num(9e9, 9e9, -9e9) for tensor in (value, target))
    if rows.shape[1] != wanted.shape[1] or rows.shape[1] < 2:
        return None
    near = (rows[:, None] - wanted[None]).abs().amax(-1) <= 1e-5 * (1 + wanted.abs().amax())  # (here, there)
    rows_before = torch.arange(len(rows))
    for start in range(len(wanted)):  # in order: in place, shifted, or cut
        rows_after = (start + rows_before) % len(wanted)
        if near[rows_before, rows_after].all():
            return rows_after.tolist()
    return near.int().argmax(1).tolist() if (near.sum(1) == 1).all() else None


def describe_places(places, name, size):
    """(mistake, sentence) for slices that belong to these places."""
    first, count = places[0], len(places)
    if places == list(range(first, first + count)):
        text = f"holds only {count} of the {size} entries along {name}, from index {first} on"
        return "axis_cut", text + (FIRST_ROUND if not first and size % count == 0 else "")
    if count == size and len({(place - i) % size for i, place in enumerate(places)}) == 1:
        return "axis_shifted", f"is shifted along {name} by {-first % size}"
    wrong = [(i, place) for i, place in enumerate(places) if i != place][:3]
    text = ", ".join(f"{i} holds what belongs at {place}" for i, place in wrong)
    return "entries_elsewhere", f"has the right entries along {name} in the wrong places: index {text}"
