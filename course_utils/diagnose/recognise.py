"""Which declared mistake gives these results? All of them (exact), or some while the rest is right (partial)."""

from dataclasses import replace

import torch

from course_utils.compare.tolerance import tolerance_of
from course_utils.model.case import RAISED
from course_utils.model.sketch import same_sketch, sketch_of

from .finding import Finding

VIEW = "view size is not compatible"
ROUNDING = 1e-10  # of sketches: whole numbers have no other tolerance


def recognise(sheet, seen, verdicts, exactly=False):
    """A Finding that names one mistake, or lists the tied ones; None when nothing fits (`exactly`: in every case)."""
    sketches = [result_sketches(observation) for observation in seen]
    fits = {}
    for mistake in sheet.mistakes:
        excess = fit(sheet, mistake, sketches, verdicts)
        if excess is not None:
            fits.setdefault(excess, {}).setdefault(mistake.name, mistake.sentence)
    if not fits or (exactly and min(fits)):
        return None
    best = fits[min(fits)]
    wrong = [i for i, verdict in enumerate(verdicts) if verdict.wrong]
    where = seen_in(sheet, verdicts) if min(fits) else ""
    if len(best) == 1:
        name, sentence = next(iter(best.items()))
        return Finding(sentence + where, name, wrong[0])
    return Finding(
        "one of these, which the cases cannot tell apart: "
        + "; or: ".join(dict.fromkeys(best.values()))
        + where,
        None,
        wrong[0],
    )


def recognise_core(sheet, seen, verdicts):
    """The same for the core cases alone: where a second fault spoils some edges, the first is still told."""
    core = [i for i, case in enumerate(sheet.cases) if not case.edge]

    def of_core(entries):
        return [entries[i] for i in core]

    if not any(verdict.wrong for verdict in of_core(verdicts)):
        return None
    mistakes = [replace(mistake, sketches=of_core(mistake.sketches)) for mistake in sheet.mistakes]
    smaller = replace(sheet, cases=of_core(sheet.cases), wanted=of_core(sheet.wanted), mistakes=mistakes)
    finding = recognise(smaller, of_core(seen), of_core(verdicts), exactly=True)
    return finding and replace(finding, case=core[finding.case])


def recognise_first(sheet, seen, verdicts):
    """The same for the first wrong core case alone, where it gives numbers: of two mistakes at once, this one is told."""
    wrong = [i for i, verdict in enumerate(verdicts) if verdict.wrong]
    first = next((i for i in wrong if not sheet.cases[i].edge and holds_numbers(seen[i])), None)
    if first is None or len(wrong) < 2:
        return None
    mistakes = [replace(mistake, sketches=[mistake.sketches[first]]) for mistake in sheet.mistakes]
    smaller = replace(sheet, cases=[sheet.cases[first]], wanted=[sheet.wanted[first]], mistakes=mistakes)
    finding = recognise(smaller, [seen[first]], [verdicts[first]], exactly=True)
    if finding is None or finding.mistake is None:
        return None
    name = sheet.cases[first].name.replace("_", " ")
    return replace(
        finding,
        message=f"{finding.message} (that explains the {name} case, but not every other one)",
        case=first,
    )


def holds_numbers(observation):
    return any(
        isinstance(value, torch.Tensor) and value.is_floating_point() for value in observation.values.values()
    )


def result_sketches(observation):
    if observation.problem or observation.raised:
        return {RAISED: " ".join(observation.problem or observation.raised)}
    return {fact: sketch_of(value) for fact, value in observation.values.items()}


def fit(sheet, mistake, sketches, verdicts):
    """None when a wrong result is not the mistake's; else how many results the mistake would have spoilt that are
    right here (0: exact). An edge that raised where the mistake does no harm is a second fault, and a
    `.view` that raised is one too: they say nothing about the others. Where everything raises, the messages must
    differ from case to case (name its sizes), or else they tell too little."""
    excess = values = compared = 0
    for case, wanted, got, expected, verdict in zip(
        sheet.cases, sheet.wanted, sketches, mistake.sketches, verdicts, strict=True
    ):
        if verdict.wrong and VIEW in got.get(RAISED, ""):
            continue
        if verdict.wrong and case.edge and RAISED in got and not expected:
            excess += 1
            continue
        values += RAISED not in got
        compared += bool(verdict.wrong)
        if verdict.wrong and (RAISED in got or RAISED in expected):
            if error(got) != error(expected):
                return None
            continue
        tolerance = {
            fact: ROUNDING if whole(wanted["values"].get(fact)) else tolerance_of(case, sheet.contract)
            for fact in verdict.wrong
        }
        if not all(
            fact in expected and fact in got and same_sketch(got[fact], expected[fact], tolerance[fact])
            for fact in verdict.wrong
        ):
            return None
        spoilt = {fact.call for fact in verdict.wrong}  # a mistake shows in all results of a call, or in none
        if any(fact.call in spoilt and fact not in verdict.wrong for fact in expected):
            return None
        excess += len(set(expected) - set(verdict.wrong))
    return excess if compared and (values or len({got.get(RAISED) for got in sketches}) > 1) else None


def whole(value):
    return isinstance(value, torch.Tensor) and not value.is_floating_point()


def error(result):
    """What was raised, by type and text; a ValueError or an AssertionError by its type, for its words are the student's."""
    kind = result.get(RAISED, "").partition(" ")[0]
    return {RAISED: kind} if kind in ("ValueError", "AssertionError") else result


def seen_in(sheet, verdicts):
    """'(seen in the padded case, not in the plain one)'."""
    bad = [case.name for case, verdict in zip(sheet.cases, verdicts, strict=True) if verdict.wrong]
    good = [case.name for case, verdict in zip(sheet.cases, verdicts, strict=True) if not verdict.wrong]
    return f" (seen in {listed(bad)}" + (f", not in {listed(good)})" if good else ")")


def listed(names, most=3):
    shown = [name.replace("_", " ") for name in names[:most]]
    return ", ".join(shown) + (f" and {len(names) - most} more" if len(names) > most else "")
