"""Hold an observation against what is wanted: values first, then what the probes reported."""

from dataclasses import dataclass, field

from .faults import faults
from .tolerance import same, tolerance_of


@dataclass
class Verdict:
    """wrong: facts whose value is not the wanted one (all of them when it raised). faults: (mistake, sentence)."""

    wrong: list = field(default_factory=list)
    faults: list = field(default_factory=list)

    @property
    def values_right(self):
        return not self.wrong


def compare(case, wanted, seen, contract):
    """One case's observation against its wanted values."""
    facts = wanted["values"]
    if seen.raised or seen.problem:
        return Verdict(wrong=list(facts))
    wrong = [
        fact
        for fact, value in facts.items()
        if not same(seen.values.get(fact), value, tolerance_of(case, contract))
    ]
    return Verdict(wrong, [] if wrong or not contract.probes else list(faults(case, wanted, seen, contract)))
