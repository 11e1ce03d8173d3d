"""Does a known mistake give the results of a case? Compared as sketches."""

import torch

from course_utils.model.case import RAISED

from .faults import is_float
from .tolerance import same_sketch

ROUNDING = 1e-10  # tolerance for sketches of whole numbers


def excess_in(expected, verdict):
    """None if a wrong result of the case is not the mistake's; else the number of right results that it
    predicts to be wrong (0: exact). A mistake shows in all results of a call, or in none."""
    got = verdict.sketches
    if verdict.wrong and (RAISED in got or RAISED in expected):
        return 0 if raised_by(got) == raised_by(expected) else None
    if not all(is_same(expected, verdict, fact) for fact in verdict.wrong):
        return None
    calls, right = {fact.call for fact in verdict.wrong}, set(expected) - set(verdict.wrong)
    return len(right) if not any(fact.call in calls for fact in right) else None


def is_same(sketches, verdict, fact):
    """Is a wrong result the mistake's?"""
    got, expected, wanted = verdict.sketches.get(fact), sketches.get(fact), verdict.wanted.values.get(fact)
    whole = isinstance(wanted, torch.Tensor) and not is_float(wanted)
    both = got is not None and expected is not None
    return both and same_sketch(got, expected, ROUNDING if whole else verdict.tolerance)


def raised_by(sketches):
    """[type, message] of the exception; only the type for a ValueError or AssertionError, whose message is
    the student's own."""
    raised = sketches.get(RAISED)
    return raised[0] if raised and raised[0] in ("ValueError", "AssertionError") else raised
