"""Faults that any exercise can have and none declares: seen by probes, seen in how the object can be used, or
exceptions of Python and torch that have one well-known cause."""

import torch

from course_utils.compare.faults import join_names
from course_utils.compare.tolerance import is_close, tolerance_of
from course_utils.model.sentences import say

from .errors import everyday_error
from .finding import Finding, core_of, core_or_all, titles, with_numbers

VIEW = "view size is not compatible"
FORGIVABLE = ("bias", "missing_key", "dtypes_meet")

# ---- from what was observed


def interface(attempt):
    """Report an object of the wrong kind, one that accepts other arguments, or one that returns something
    else; in an edge case only if no core case gives wrong numbers."""
    problems = core_or_all([verdict for verdict in attempt.verdicts if verdict.seen.problem])
    if not problems or (problems[0].case.edge and core_of(with_numbers(attempt))):
        return None
    mistake, text = problems[0].seen.problem
    if mistake == "returns_none" and any(other.seen.values for other in attempt.verdicts):
        text = say("sometimes_none")
    more = wrong_elsewhere(attempt) or wrong_even_so(mistake, attempt)
    return Finding(text + more, mistake, problems[0])


def wrong_elsewhere(attempt):
    """The end of a sentence on cases that raise: in which core cases are the numbers wrong?"""
    others = core_of(with_numbers(attempt))
    return say("runs_but_wrong", cases=titles(others)) if others else ""


def wrong_even_so(mistake, attempt):
    """The end of a sentence on a slip that another run can forgive: the core cases that are wrong even so."""
    others, contract = [], attempt.sheet.contract
    for verdict in core_of(attempt.wrong) if mistake in FORGIVABLE else ():
        tolerance, wanted = tolerance_of(verdict.case, contract, torch.float32), verdict.wanted.values
        values = attempt.inspector.lenient_values(verdict.case)
        if not all(
            is_close(value, wanted[fact], tolerance) for fact, value in values.items() if fact in wanted
        ):
            others.append(verdict)
    return say("wrong_even_so", cases=titles(others)) if others else ""


def unsteady(attempt):
    """Report two equal calls with different results: nothing else can be diagnosed then."""
    for verdict in attempt.verdicts:
        if verdict.seen.second == "differs":
            return Finding(say("unsteady"), "unsteady", verdict)
    return None


def changed_inputs(attempt):
    """Report an argument that is changed in place in all cases that are wrong (in all core cases, if there
    are any)."""
    wrong = core_or_all(attempt.wrong)
    if not wrong or not all(verdict.seen.changed for verdict in wrong):
        return None
    text = say("changes_wrong_input", what=join_names(wrong[0].seen.changed))
    return Finding(text, "changes_input", wrong[0])


def fixed_length(attempt):
    """Report a module that raises only where there are many more tokens than in the cases that are right."""
    if attempt.sheet.contract.kind != "module" or not attempt.raised or with_numbers(attempt):
        return None
    works = [tokens_of(verdict.case) for verdict in attempt.verdicts if verdict.right]
    raises = min(tokens_of(verdict.case) for verdict in attempt.raised)
    if len(works) < 3 or raises <= 2 * max(works):
        return None
    return Finding(say("fixed_length", most=max(works), tokens=raises), "fixed_length")


def tokens_of(case):
    return max((x.shape[-2] for x in case.tensors if x.dim() > 2), default=0)


# ---- exceptions that have one well-known cause


def only_raised(attempt):
    """Report a well-known exception, if no core case gives wrong numbers."""
    return None if core_of(with_numbers(attempt)) else from_exception(attempt)


def from_exception(attempt):
    """Report the first entry of errors.toml that fits, for the first exception that has one: of a core case,
    or of any case if no core case is wrong."""
    raised = [verdict for verdict in core_or_all(attempt.wrong) if verdict.seen.raised]
    for verdict in raised:
        if VIEW in verdict.seen.raised[1] and (others := with_numbers(attempt)):
            if not verdict.case.edge:
                return Finding(say("view_and_wrong", cases=titles(others[:1])), "view_and_wrong", verdict)
            continue
        if match := everyday_error(verdict.seen.raised, attempt.inspector.crash(verdict)):
            name, sentence = match
            more = wrong_elsewhere(attempt) or wrong_even_so(name, attempt)
            return Finding(sentence + more, name, verdict)
    return None
