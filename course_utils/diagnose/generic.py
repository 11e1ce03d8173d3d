"""Faults that any exercise can have and no exercise declares: told from the exception, or from what the probes saw."""
from .finding import Finding

IN_PLACE = ("inplace operation", "in-place operation", "is being used in an in-place")
TWO_DTYPES = ("same dtype", "expected scalar type", "expected m1 and m2", "dtype mismatch")


def interface(sheet, seen):
    """The object cannot be used as the exercise says."""
    for i, observation in enumerate(seen):
        if observation.problem:
            return Finding(observation.problem[1], observation.problem[0], i)
        if observation.raised and signature_error(observation.raised):
            wanted = " and ".join(sheet.contract.signatures.values())
            return Finding(f"it cannot be called as `{wanted}`: {observation.raised[1]}", "wrong_signature", i)
    return None


def signature_error(raised):
    tells = ("positional argument", "unexpected keyword argument", "required positional", "takes no arguments", "multiple values for argument", "object is not callable")
    return raised[0] == "TypeError" and any(tell in raised[1] for tell in tells)


def from_exception(sheet, seen):
    """Exceptions that have one well-known cause."""
    for i, observation in enumerate(seen):
        kind, text = observation.raised or ("", "")
        if "view size is not compatible" in text:
            return Finding("`.view` cannot read this memory order (after a transpose, or for an input that is not contiguous): use `.reshape`, or `.contiguous()` before it", "view_noncontiguous", i)
        if any(tell in text for tell in IN_PLACE):
            return Finding(f"it changes a tensor in place: make a new one ({text})", "changes_input", i)
        if any(tell in text for tell in TWO_DTYPES):
            return Finding(f"two dtypes meet: a tensor is cast, or made in float32 whatever the inputs' dtype ({text})", "casts_dtype", i)
        if kind == "NameError":
            return Finding(f"{text}: a name is used before it is defined (or misspelt)", "undefined_name", i)
    return None


def unsteady(sheet, seen):
    """Two equal calls differ, so nothing else can be told."""
    for i, observation in enumerate(seen):
        if observation.second == "differs":
            return Finding("two equal calls give two different answers: something is random (dropout, layers made anew in each call) or remembered between calls", "unsteady", i)
    return None


def changed_inputs(sheet, seen, verdicts):
    for i, (observation, verdict) in enumerate(zip(seen, verdicts, strict=True)):
        if verdict.wrong and observation.changed:
            return Finding(f"it changes {' and '.join(observation.changed)} in place, so that later steps see other numbers: make a new tensor", "changes_input", i)
    return None
