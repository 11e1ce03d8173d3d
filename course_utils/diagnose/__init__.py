"""The verdicts on a wrong answer come in, one Finding goes out: from the first mechanism that is sure;
where none is, the evidence. assess.py makes a Result of it; it is used by `check` and by the judge."""

from .defaults import wrong_default
from .evidence import evidence
from .exceptions import changed_inputs, fresh_layers, from_exception, interface, unsteady
from .finding import Attempt
from .recognise import recognise_core, recognise_exactly, recognise_first, recognise_partly
from .recover import behind_the_output
from .relate import relate
from .sizes import constant_axis, long_ones_raise, one_size_works

MECHANISMS = (
    wrong_default,
    recognise_exactly,
    interface,
    fresh_layers,
    unsteady,
    changed_inputs,
    from_exception,
    constant_axis,
    one_size_works,
    long_ones_raise,
    recognise_partly,
    recognise_core,
    recognise_first,
    relate,
    behind_the_output,
    evidence,
)


def find_mistake(attempt: Attempt):
    """The Finding that the student reads."""
    return next(finding for mechanism in MECHANISMS if (finding := mechanism(attempt)))
