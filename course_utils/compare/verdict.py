"""Observations and wanted results -> an Attempt: a Verdict for each case, and the points."""

from dataclasses import dataclass, field
from functools import cached_property

import torch

from course_utils.model.case import RAISED, Case, Fact
from course_utils.model.crash import Crash
from course_utils.model.observation import Observation
from course_utils.model.sheet import PROBES, Sheet, Wanted

from .faults import WHY, faults, is_float
from .mistakes import excess_in
from .tolerance import is_close, same_sketch, sketch_of, tolerance_of

GRADIENT_TOLERANCE = 1e-4


@dataclass
class Verdict:
    """The judgement of one case. number: its place in the sheet. seen: the Observation.

    wrong: Facts whose value is not the wanted one (all of them if the case raised).
    inexact: {narrow dtype: Facts whose value is further off in it than the dtype explains}.
    faults: (mistake, sentence) of every fault that the probes found; empty if values are wrong.
    """

    number: int
    case: Case
    wanted: Wanted
    seen: Observation
    tolerance: float
    wrong: list[Fact]
    inexact: dict[str, list[Fact]] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)

    @property
    def right(self):
        """Are the values right, in memory as it must be? Where memory is the point of an exercise, right
        values alone earn nothing."""
        return not self.wrong and not self.seen.misses_the_point

    def tensors(self, fact) -> tuple[torch.Tensor, torch.Tensor] | None:
        """(the result, the wanted one) if both are tensors, else None."""
        value, target = self.seen.values.get(fact), self.wanted.values.get(fact)
        if isinstance(value, torch.Tensor) and isinstance(target, torch.Tensor):
            return value, target
        return None

    @cached_property
    def sketches(self):
        """The results as sketches, to compare with a known mistake's."""
        if self.seen.problem or self.seen.raised:
            return {RAISED: self.seen.problem or self.seen.raised}
        return {fact: sketch_of(value) for fact, value in self.seen.values.items()}

    @cached_property
    def wanted_gradients(self):
        """{Fact: sketch} of the gradients that must arrive."""
        return {fact: sketch for fact, sketch in (self.wanted.gradients or {}).items() if sketch is not None}

    @cached_property
    def gradients(self):
        """{Fact: gradient} of the gradients that arrived."""
        seen = self.seen.gradients if isinstance(self.seen.gradients, dict) else {}
        return {fact: gradient for fact, gradient in seen.items() if gradient is not None}

    @cached_property
    def wrong_gradients(self):
        """The Facts whose gradient arrived but is not the wanted one."""
        pairs = [(f, sketch) for f, sketch in self.wanted_gradients.items() if f in self.gradients]
        got = {fact: sketch_of(self.gradients[fact]) for fact, _ in pairs}
        return [fact for fact, sketch in pairs if not same_sketch(got[fact], sketch, GRADIENT_TOLERANCE)]


@dataclass
class Attempt:
    """An answer compared with the cases of a sheet: one verdict for each. In a notebook, obj is the answer,
    and crashes hold {number of a case that raised: its Crash}; a grader has neither."""

    sheet: Sheet
    verdicts: list[Verdict]
    obj: object = None
    crashes: dict[int, Crash] = field(default_factory=dict)

    @cached_property
    def wrong(self):
        """The verdicts on cases with a wrong result."""
        return [verdict for verdict in self.verdicts if verdict.wrong]

    @cached_property
    def raised(self):
        """The verdicts on cases that ended with an exception."""
        return [verdict for verdict in self.verdicts if verdict.seen.raised]

    @cached_property
    def excesses(self):
        """[(known mistake, {number of a case: what it predicts beyond the wrong results, see excess_in})]"""
        return [
            (mistake, {v.number: excess_in(mistake.sketches[v.number], v) for v in self.verdicts})
            for mistake in self.sheet.mistakes
        ]

    @property
    def passed(self):
        return not any(verdict.wrong or verdict.faults for verdict in self.verdicts)

    @property
    def probes_pass(self):
        """Did no probe find a fault? A case that asks for a device counts as a probe."""
        return not any(v.faults or (v.case.device and v.wrong) for v in self.verdicts)

    @property
    def points(self):
        """The core cases pay their share, all or nothing. The edge cases and all probes together (as one more
        edge) share the rest by weight."""
        value_verdicts = [verdict for verdict in self.verdicts if not verdict.case.device]
        core_verdicts = [verdict for verdict in value_verdicts if not verdict.case.edge]
        if not core_verdicts or not all(verdict.right for verdict in core_verdicts):
            return 0.0
        edges = {verdict.case.name: verdict.right for verdict in value_verdicts if verdict.case.edge}
        if self.sheet.contract.probes:
            edges[PROBES] = self.probes_pass
        weights = {name: self.sheet.weights.get(name, 1) for name in edges}
        earned = sum(weights[name] for name, right in edges.items() if right)
        core = self.sheet.core
        share = core + (1 - core) * earned / sum(weights.values()) if edges else 1.0
        return round(share * float(self.sheet.points), 6)

    @property
    def remaining_faults(self):
        """The names of the faults that remain when all values are right; [] if values are wrong, or if the
        results cannot be relied on (because they change from call to call, say)."""
        if any(verdict.wrong and not verdict.case.device for verdict in self.verdicts):
            return []
        left = ["fixed_device" for verdict in self.verdicts if verdict.wrong]
        left += [mistake for verdict in self.verdicts for mistake, _ in verdict.faults]
        return list(dict.fromkeys(left)) if set(left) <= set(WHY) else []


def compare(sheet, observations):
    """Compare one observation with each case of the sheet: the Attempt."""
    rows = zip(sheet.cases, sheet.wanted, observations, strict=True)
    verdicts = [verdict_of(number, *row, sheet.contract) for number, row in enumerate(rows)]
    return Attempt(sheet, verdicts)


def verdict_of(number, case, wanted, observation, contract):
    tolerance = tolerance_of(case, contract)
    failed = observation.raised or observation.problem
    wrong = list(wanted.values) if failed else wrong_facts(observation.values, wanted, tolerance)
    verdict = Verdict(number, case, wanted, observation, tolerance, wrong)
    if not wrong and contract.probes:
        values = {name: value for name, value in observation.narrow.items() if not isinstance(value, str)}
        verdict.inexact = {name: inexact_facts(name, v, verdict, contract) for name, v in values.items()}
        verdict.faults = list(faults(verdict, contract))
    return verdict


def wrong_facts(values, wanted, tolerance):
    """The Facts whose value is not the wanted one."""
    return [f for f, value in wanted.values.items() if not is_close(values.get(f), value, tolerance)]


def inexact_facts(name, values, verdict, contract):
    """The Facts whose value in this dtype is further off than the dtype itself explains."""
    tolerance = tolerance_of(verdict.case, contract, getattr(torch, name))
    floats = {fact: value for fact, value in verdict.wanted.values.items() if is_float(value)}
    return [fact for fact, value in floats.items() if not is_close(values.get(fact), value, tolerance)]
