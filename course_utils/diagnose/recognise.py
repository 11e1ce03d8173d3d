"""Which declared mistake gives these results? All of them (exact), or some while the rest is right
(partial)."""

import torch

from course_utils.compare.tolerance import same_sketch
from course_utils.model.case import RAISED

from .exceptions import VIEW
from .finding import Finding

ROUNDING = 1e-10  # of sketches: whole numbers have no other tolerance


def recognise_exactly(attempt):
    """A known mistake gives just this in every case; the tied ones are listed."""
    return named(fits_of(attempt.sheet.mistakes, attempt.verdicts).get(0), attempt.wrong[0])


def recognise_partly(attempt):
    """A known mistake gives what is wrong here, and would spoil more: the fewer, the better."""
    fits = fits_of(attempt.sheet.mistakes, attempt.verdicts)
    return named(fits[min(fits)], attempt.wrong[0], seen_in(attempt.verdicts)) if fits else None


def recognise_core(attempt):
    """The core cases alone, exactly: where a second fault spoils some edges, the first is still told."""
    core = [verdict for verdict in attempt.verdicts if not verdict.case.edge]
    wrong = [verdict for verdict in core if verdict.wrong]
    return named(fits_of(attempt.sheet.mistakes, core).get(0), wrong[0]) if wrong else None


def recognise_first(attempt):
    """The first wrong core case alone, where it gives numbers: of two mistakes at once, this one is told."""
    first = next((v for v in attempt.wrong if not v.case.edge and holds_numbers(v.seen)), None)
    if first is None or len(attempt.wrong) < 2:
        return None
    where = f" (that explains the {first.case.title} case, but not every other one)"
    finding = named(fits_of(attempt.sheet.mistakes, [first]).get(0), first, where)
    return finding if finding and finding.mistake else None


def named(mistakes, verdict, where=""):
    """The Finding for {name: sentence} of the mistakes that fit equally well; None when there are none."""
    if not mistakes:
        return None
    if len(mistakes) == 1:
        ((name, sentence),) = mistakes.items()
        return Finding(sentence + where, name, verdict)
    all_of_them = "; or: ".join(dict.fromkeys(mistakes.values()))
    return Finding(f"one of these, which the cases cannot tell apart: {all_of_them}{where}", None, verdict)


def fits_of(mistakes, verdicts):
    """{excess: {name: sentence}}: the mistakes that fit, by how many results they would spoil that are
    right."""
    found = {}
    for mistake in mistakes:
        excess = fit(mistake.sketches, verdicts)
        if excess is not None:
            found.setdefault(excess, {}).setdefault(mistake.name, mistake.sentence)
    return found


def fit(sketches, verdicts):
    """None when a wrong result is not the mistake's; else how many results the mistake would have spoilt that
    are right here (0: exact). sketches: what it gives, by the number of the case.

    An edge that raised where the mistake does no harm is a second fault, and a `.view` that raised is one
    too: they say nothing about the others. Where everything raises, the messages must differ from case to
    case (name its sizes), or else they tell too little.
    """
    excess = values = compared = 0
    for verdict in verdicts:
        got, expected = verdict.sketches, sketches[verdict.number]
        if verdict.wrong and RAISED in got and VIEW in got[RAISED][1]:
            continue
        if verdict.wrong and verdict.case.edge and RAISED in got and not expected:
            excess += 1
            continue
        values += RAISED not in got
        compared += bool(verdict.wrong)
        if verdict.wrong and (RAISED in got or RAISED in expected):
            if error(got) != error(expected):
                return None
            continue
        if not same_results(verdict, got, expected):
            return None
        excess += len(set(expected) - set(verdict.wrong))
    told_apart = values or len({tuple(verdict.sketches.get(RAISED, ())) for verdict in verdicts}) > 1
    return excess if compared and told_apart else None


def same_results(verdict, got, expected):
    """Are the wrong results just those of the mistake? It shows in all results of a call, or in none."""
    for fact in verdict.wrong:
        tolerance = ROUNDING if is_whole(verdict.wanted.values.get(fact)) else verdict.tolerance
        if fact not in expected or fact not in got or not same_sketch(got[fact], expected[fact], tolerance):
            return False
    spoilt = {fact.call for fact in verdict.wrong}
    return not any(fact.call in spoilt and fact not in verdict.wrong for fact in expected)


def is_whole(value):
    return isinstance(value, torch.Tensor) and not value.is_floating_point()


def error(sketches):
    """What was raised, by type and text; a ValueError or an AssertionError by its type, for its words are
    the student's."""
    raised = sketches.get(RAISED)
    return raised[0] if raised and raised[0] in ("ValueError", "AssertionError") else raised


def holds_numbers(seen):
    return any(
        isinstance(value, torch.Tensor) and value.is_floating_point() for value in seen.values.values()
    )


def seen_in(verdicts):
    """' (seen in the padded case, not in the plain one)'."""
    bad = [verdict.case.title for verdict in verdicts if verdict.wrong]
    good = [verdict.case.title for verdict in verdicts if not verdict.wrong]
    return f" (seen in {listed(bad)}" + (f", not in {listed(good)})" if good else ")")


def listed(names, most=3):
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
