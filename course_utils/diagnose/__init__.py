"""Which mistake is it? The first mechanism that is sure speaks; where none is, the evidence does."""

from .evidence import evidence
from .generic import changed_inputs, from_exception, interface, unsteady
from .leaks import leaks
from .recognise import recognise, recognise_core, recognise_first
from .recover import judge_table
from .relate import relate
from .sizes import hard_coded


def diagnose(sheet, seen, verdicts, influence=None):
    """A Finding for a wrong result: seen and verdicts go with the sheet's cases, one each."""
    return (
        recognise(sheet, seen, verdicts, exactly=True)
        or interface(sheet, seen)
        or unsteady(sheet, seen)
        or changed_inputs(sheet, seen, verdicts)
        or from_exception(sheet, seen, verdicts)
        or hard_coded(sheet, seen, verdicts)
        or recognise(sheet, seen, verdicts)
        or recognise_core(sheet, seen, verdicts)
        or recognise_first(sheet, seen, verdicts)
        or relate(sheet, seen, verdicts)
        or about_stages(sheet, seen, verdicts, influence)
        or evidence(sheet, seen, verdicts)
    )


def about_stages(sheet, seen, verdicts, influence):
    """Where examples or tokens leak, that comes first: then no table can be trusted."""
    if not sheet.stages or not verdicts[sheet.stages["case"]].wrong:
        return None
    return leaks(sheet, influence) or judge_table(sheet, seen)
