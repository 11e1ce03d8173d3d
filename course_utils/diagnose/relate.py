"""Are the results a simple rearrangement of the wanted ones? Knows no particular mistake, only what can
happen to an array: True and False swapped, axes moved, a wrong factor, slices in wrong places. A relation is
reported only if it holds in every core case with wrong numbers: in a single one, sizes may agree by
chance."""

import itertools
from typing import NamedTuple

import torch

from course_utils.compare.tolerance import is_close
from course_utils.model.sentences import say

from .again import returns_in_loop
from .finding import Finding, axis, core_or_all, the_axis


class Relation(NamedTuple):
    """mistake: its name. key: what must be the same in all cases. text: what the card says of the result."""

    mistake: str
    key: tuple
    text: str


def relate(attempt):
    """Report the first relation of a wrong result that holds in all core cases; of edge cases only if the
    core is right, because in tiny cases many results look alike. A core case that raises comes first."""
    verdicts, contract = core_or_all(attempt.wrong), attempt.sheet.contract
    if any(verdict.seen.raised or verdict.seen.problem for verdict in verdicts):
        return None
    for key, fits in (("results_exchanged", is_close), ("shapes_exchanged", same_shape)):
        if order := order_of_results(verdicts, contract, fits):
            text = say(key, got=", ".join(order), wanted=", ".join(contract.returns))
            return Finding(text, "results_exchanged", verdicts[0])
    for fact in verdicts[0].wrong:
        relations = [list(relations_of(verdict, fact, contract)) for verdict in verdicts]
        shared = set.intersection(*({(r.mistake, r.key) for r in of_case} for of_case in relations))
        for mistake, key, text in relations[0]:
            if (mistake, key) in shared:
                more = say("return_in_loop") if mistake == "axis_cut" and returns_in_loop(attempt.obj) else ""
                return Finding(f"`{fact}` {text}{more}", mistake, verdicts[0], fact)
    return None


def order_of_results(verdicts, contract, fits):
    """The only order of names that fits the results of a tuple in all these cases; None if it is the right
    one."""
    names = tuple(contract.returns)
    if contract.container != "tuple" or any(fact.name not in names for v in verdicts for fact in v.wrong):
        return None
    orders = itertools.permutations(names)
    fitting = [order for order in orders if all(are_in_order(order, names, v, fits) for v in verdicts)]
    return fitting[0] if len(fitting) == 1 and fitting[0] != names else None


def are_in_order(order, names, verdict, fits):
    """Does each result fit the wanted one of the name that stands in its place?"""
    wanted, stands_for = verdict.wanted.values, dict(zip(names, order, strict=True))
    facts = [fact for fact in wanted if fact.name in stands_for]
    pairs = [(verdict.seen.values.get(f), wanted.get(f._replace(name=stands_for[f.name]))) for f in facts]
    return bool(facts) and all(fits(value, target, verdict.tolerance) for value, target in pairs)


def same_shape(value, target, _):
    return all(isinstance(each, torch.Tensor) for each in (value, target)) and value.shape == target.shape


def relations_of(verdict, fact, contract):
    """The Relations that hold exactly between a result and the wanted one."""
    value, target = verdict.tensors(fact) or (torch.zeros(()), torch.zeros(()))
    if target.numel() < 2 or (value.dtype == torch.bool) != (target.dtype == torch.bool):
        return
    if value.dtype == torch.bool and value.shape == target.shape and torch.equal(value, ~target):
        yield Relation("inverted", (), say("inverted"))
    value, target, tolerance = value.double(), target.double(), max(verdict.tolerance, 1e-6)
    if value.isnan().any() or is_constant(target):
        return
    axes = contract.result_axes(fact, verdict.case)
    names = [axis(axes, i, target) for i in range(target.dim())]
    ways = (
        layouts(value, target, names),
        averages(target, names),
        factors(value, target, names, tolerance),
    )
    for candidate, relation in itertools.chain(*ways):
        if is_close(value, candidate, tolerance) and not is_constant(candidate, tolerance):
            yield relation
    yield from misplaced(value, target, names, tolerance)


def is_constant(tensor, tolerance=0.0):
    """Are all entries the same? Such a result shows nothing."""
    flat = tensor.flatten().nan_to_num()
    return bool(((flat - flat[:1]).abs() <= tolerance).all())


def layouts(value, target, names):
    """(candidate, Relation): the right numbers with their axes in any order, as they are or reshaped to the
    shape of the result."""
    if value.numel() != target.numel():
        return
    orders = list(itertools.permutations(range(target.dim())))
    for order in sorted(orders, key=lambda order: target.permute(order).shape != value.shape):
        moved, got = target.permute(order), ", ".join(names[i] for i in order)
        wanted, key = ", ".join(names), () if order == tuple(sorted(order)) else order
        if moved.shape != value.shape:
            text = say("axes_folded", got=got, shape=tuple(value.shape), wanted=wanted)
            yield moved.reshape(value.shape), Relation("axes_folded", key, text)
        elif key:  # with the same names for two axes of one name, such as (d_model, d_model)
            text = say("axes_swapped" if got == wanted else "axes_out_of_order", got=got, wanted=wanted)
            yield moved, Relation("axes_out_of_order", key, text)


def averages(target, names):
    """(candidate, Relation): the average over each axis, with that axis at size 1, removed, or expanded
    again."""
    for i, name in enumerate(names):
        average = target.mean(i, keepdim=True)
        text = say("averaged_over_axis", axis=the_axis(name))
        for candidate in (average, average.squeeze(i), average.expand_as(target)):
            yield candidate, Relation("averaged_over_axis", (i,), text)


def factors(value, target, names, tolerance):
    """(candidate, Relation): the wanted result times one constant, or times one factor for each slice of an
    axis along which all wanted sums are the same (up to the tolerance: a notebook's sheets are rounded)."""
    if value.shape != target.shape:
        return
    sound = torch.isfinite(value) & torch.isfinite(target) & (target.abs() > 1e-6)
    times = (value[sound] / target[sound]).median() if sound.sum() > 1 else torch.ones(())
    if abs(times - 1) > 1e-3 and times.abs() > 1e-6:
        factor = f"{times:.4g}"
        yield target * times, Relation("constant_factor", (factor,), say("constant_factor", factor=factor))
    for i, name in enumerate(names):
        sums, wanted = value.sum(i, keepdim=True), target.sum(i, keepdim=True)
        if target.shape[i] > 1 and (wanted - wanted.mean()).abs().max() <= tolerance < wanted.abs().max():
            begin = ", ".join(f"{s:.3g}" for s in sums.flatten()[:3].tolist())
            text = say("another_normalisation", axis=name, sums=begin, expected=f"{wanted.mean():.3g}")
            yield target * sums / wanted, Relation("another_normalisation", (i,), text)


# ---- slices in wrong places


def misplaced(value, target, names, tolerance):
    """Relations for the axes along which right slices are in wrong places."""
    for i, name in enumerate(names):
        size, axis = target.shape[i], the_axis(name)
        places = places_of(value, target, i, tolerance) or list(range(size))
        first, count = places[0], len(places)
        by_chance = count == size and len(target.unique()) < 3  # a mask: its slices are often alike
        if places == list(range(size)) or count > size or by_chance:
            continue
        if places == list(range(first, first + count)):
            yield Relation("axis_cut", (i,), say("axis_cut", count=count, size=size, axis=axis, first=first))
        elif count == size and len({(place - at) % size for at, place in enumerate(places)}) == 1:
            yield Relation("axis_shifted", (i,), say("axis_shifted", axis=axis, steps=-first % size))
        else:
            wrong = [(at, place) for at, place in enumerate(places) if at != place][:3]
            listed = ", ".join(f"index {at} holds what belongs at {place}" for at, place in wrong)
            key = "entries_moved" if sorted(places) == list(range(size)) else "entries_repeated"
            yield Relation("entries_elsewhere", (i,), say(key, axis=axis, places=listed))


def places_of(value, target, i, tolerance):
    """For each slice of the result along axis i, the place where it belongs; None if a slice belongs nowhere,
    or could belong to several places."""
    if value.dim() != target.dim() or value.dim() < 2 or target.shape[i] < 2:
        return None
    rows, wanted = (tensor.movedim(i, 0).flatten(1).nan_to_num(9e9, 9e9, -9e9) for tensor in (value, target))
    if rows.shape[1] != wanted.shape[1] or rows.shape[1] < 2:
        return None
    most = max(tolerance, 1e-5) * (1 + wanted.abs().amax())
    near = (rows[:, None] - wanted[None]).abs().amax(-1) <= most  # (here, there)
    rows_before = torch.arange(len(rows))
    for start in range(len(wanted)):  # in order: in place, shifted, or cut
        rows_after = (start + rows_before) % len(wanted)
        if near[rows_before, rows_after].all():
            return rows_after.tolist()
    return near.int().argmax(1).tolist() if (near.sum(1) == 1).all() else None
