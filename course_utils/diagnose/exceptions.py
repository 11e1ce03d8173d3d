"""Faults that any exercise can have and none declares: seen by probes, seen in how the object can be used, or
exceptions that everybody meets (errors.toml)."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch

from course_utils.compare.faults import join_names
from course_utils.compare.tolerance import is_close, tolerance_of
from course_utils.model.sentences import say
from course_utils.observe.probe import observe_leniently

from .finding import Finding, core_of, core_or_all, titles, with_numbers

FORGIVABLE = ("bias", "missing_key", "dtypes_meet")  # slips that another run can forgive
LONGEST = 1000  # characters of a message that are searched: a forged one may be endless

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
    return Finding(text + more_is_wrong(mistake, attempt), mistake, problems[0])


def more_is_wrong(mistake, attempt):
    """The end of a sentence on cases that raise: in which cases are the numbers wrong, there or without the
    slip?"""
    if others := with_numbers(attempt):
        return say("runs_but_wrong", cases=titles(others))
    if mistake not in FORGIVABLE or attempt.obj is None:
        return ""
    others = [verdict for verdict in core_of(attempt.wrong) if is_wrong_without_slip(attempt, verdict)]
    return say("wrong_even_so", cases=titles(others)) if others else ""


def is_wrong_without_slip(attempt, verdict):
    contract, wanted = attempt.sheet.contract, verdict.wanted.values
    tolerance = tolerance_of(verdict.case, contract, torch.float32)
    values = observe_leniently(attempt.obj, verdict.case, contract)
    return any(
        not is_close(value, wanted[fact], tolerance) for fact, value in values.items() if fact in wanted
    )


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
    for verdict in core_or_all(attempt.wrong):
        raised, crash = verdict.seen.raised, attempt.crashes.get(verdict.number)
        if raised and (match := everyday_error(raised, crash)):
            name, sentence = match
            return Finding(sentence + more_is_wrong(name, attempt), name, verdict)
    return None


@dataclass(frozen=True)
class Error:
    """An entry of errors.toml, which explains the fields."""

    name: str
    pattern: str
    sentence: str
    line: str = ""
    of_self: bool = False
    without_self: bool = False

    def match(self, raised, crash):
        """The match of the pattern with [type, message], if the learner's line is as it must be; else
        None."""
        match = re.search(self.pattern, ": ".join(raised)[:LONGEST])
        if match is None or not (self.line or self.of_self or self.without_self):
            return match
        line = re.sub(r"\{(\d)\}", lambda number: re.escape(match[int(number[1])] or ""), self.line)
        fits = (
            crash is not None
            and re.search(line, crash.line)
            and (not self.of_self or match[1] in crash.of_self)
            and (not self.without_self or match[1] in crash.without_self)
        )
        return match if fits else None


@cache
def errors():
    table = tomllib.loads(Path(__file__).with_name("errors.toml").read_text(encoding="utf-8"))
    return [Error(name, **entry) for name, entry in table.items()]


def everyday_error(raised, crash):
    """(name, sentence) of the first entry that fits [type, message] and the Crash (None: unknown), or
    None."""
    for error in errors():
        if match := error.match(raised, crash):
            return error.name, error.sentence.format("", *match.groups(), error=raised[1])
    return None
