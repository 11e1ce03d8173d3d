"""Which mistake is it? The first mechanism that is sure speaks; where none is, the evidence does."""
from .evidence import evidence
from .generic import changed_inputs, from_exception, interface, unsteady
from .recognise import recognise
from .relate import relate
from .sizes import hard_coded


def diagnose(sheet, seen, verdicts):
    """A Finding for a wrong result: seen and verdicts go with the sheet's cases, one each."""
    return (
        recognise(sheet, seen, verdicts, exactly=True)
        or interface(sheet, seen)
        or unsteady(sheet, seen)
        or changed_inputs(sheet, seen, verdicts)
        or from_exception(sheet, seen)
        or hard_coded(sheet, seen, verdicts)
        or recognise(sheet, seen, verdicts)
        or relate(sheet, seen, verdicts)
        or evidence(sheet, seen, verdicts)
    )
