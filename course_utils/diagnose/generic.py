"""Faults that any exercise can have and no exercise declares: told from the exception, or from what the probes saw."""

import re

from course_utils.compare.faults import TWO_DTYPES

from .calls import init_arguments, not_taken
from .finding import Finding
from .recognise import VIEW

IN_PLACE = ("inplace operation", "in-place operation", "is being used in an in-place")
TRUE_AND_FALSE, WHOLE = re.compile(r"\bbool\b", re.I), re.compile(r"\b(long|int|short|char|byte)\b", re.I)


def interface(sheet, seen):
    """The object cannot be used as the exercise says."""
    for i, observation in enumerate(seen):
        if observation.problem:
            return Finding(said(observation, seen), observation.problem[0], i)
        if observation.raised and init_arguments(observation.raised, sheet.contract):
            wanted = sheet.contract.signatures[""]
            return Finding(
                f"{observation.raised[1]}: its `__init__` must take what `{wanted}` hands to it, and that of nn.Module takes nothing: `super().__init__()`",
                "init_arguments",
                i,
            )
        if observation.raised and (wanted := not_taken(observation.raised, sheet.contract)):
            return Finding(
                f"it cannot be called as `{wanted}`: {observation.raised[1]}", "wrong_signature", i
            )
    return None


def said(observation, seen):
    """The problem's own words; but where other cases do give a result, a missing `return` is not the whole story."""
    if observation.problem[0] == "returns_none" and any(other.values for other in seen):
        return "it returns None in this case, and a result in others: every way through the code needs a `return` with a result"
    return observation.problem[1]


def from_exception(sheet, seen, verdicts):
    """Exceptions that have one well-known cause."""
    only_raised = all(
        observation.raised for observation, verdict in zip(seen, verdicts, strict=True) if verdict.wrong
    )
    for i, observation in enumerate(seen):
        kind, text = observation.raised or ("", "")
        if VIEW in text and only_raised:
            return Finding(
                "`.view` cannot read this memory order (after a transpose, or for an input that is not contiguous): use `.reshape`, or `.contiguous()` before it",
                "view_noncontiguous",
                i,
            )
        if "leaf Variable that requires grad" in text:
            return Finding(
                "a parameter is written to while autograd watches: put the writing under `with torch.no_grad():`",
                "writes_under_autograd",
                i,
            )
        if any(tell in text for tell in IN_PLACE):
            return Finding(f"it changes a tensor in place: make a new one ({text})", "changes_input", i)
        if any(tell in text for tell in TWO_DTYPES) and (what := no_fractions(text)):
            return Finding(
                f"a tensor of {what} meets one of another dtype, where both must have the same ({text}): cast it first, as in `t.to(weights.dtype)`",
                "dtypes_meet",
                i,
            )
        if any(tell in text for tell in TWO_DTYPES):
            return Finding(
                f"two dtypes meet: a tensor is cast, or made in float32 whatever the inputs' dtype ({text})",
                "casts_dtype",
                i,
            )
        if "Boolean value of Tensor" in text:
            return Finding(
                "an `if` (or `and`, `or`, `not`) asks a whole tensor for one True or False. To ask whether something was given, write `is not None`; to join masks, `|`",
                "truth_of_tensor",
                i,
            )
        if kind == "IndexError" and "shape of the mask" in text:
            return Finding(
                f"a mask in square brackets must have the tensor's own shape, it does not broadcast: use `masked_fill` or `torch.where` ({text})",
                "indexed_with_mask",
                i,
            )
        if "NoneType" in text and not none_everywhere(sheet, seen) and (missing := not_given(sheet, i)):
            return Finding(
                f"in this case {missing}, and something None is used as a value ({text}): treat None first, and let every way through a helper return a result",
                "none_not_treated",
                i,
            )
        if "NoneType" in text:
            return Finding(
                f"something is None where a value is needed ({text}): does a function lack its `return`, is a result taken from one that gives none, such as `list.append`, or is an attribute still None?",
                "uses_none",
                i,
            )
        if "object is not callable" in text:
            return Finding(
                f"round brackets call something that is no function ({text}): are square brackets meant, is a `*` missing, or is a function's name used for something else?",
                "not_callable",
                i,
            )
        if "return_types." in text:
            return Finding(
                "torch.max, min and others with a dim return two things, the values and their places: take `.values`, or use amax and amin",
                "values_and_places",
                i,
            )
        if "before Module.__init__() call" in text:
            return Finding(
                "the layers are made before nn.Module is ready for them: begin __init__ with `super().__init__()`",
                "no_super_init",
                i,
            )
        if "as parameter" in text and "cannot assign" in text:
            return Finding(
                "a plain tensor is put in the place of a parameter: copy into the parameter under `with torch.no_grad():`, or wrap the tensor in nn.Parameter",
                "tensor_for_parameter",
                i,
            )
        if kind == "ValueError" and all(
            "values to unpack" in other.raised[1] for other in seen if other.raised
        ):
            return Finding(
                f"something is taken apart into a fixed number of names, and here it has another number of parts ({text}): is it a shape, with more or fewer axes than in other cases? Sizes can be read from the end, as in `.shape[-1]`",
                "number_of_parts",
                i,
            )
        if kind == "NameError":
            return Finding(f"{text}: a name is used before it is defined (or misspelt)", "undefined_name", i)
    return None


def no_fractions(text):
    """'True and False' or 'whole numbers', where one of two dtypes is of that kind."""
    return (
        "True and False" if TRUE_AND_FALSE.search(text) else "whole numbers" if WHOLE.search(text) else None
    )


def none_everywhere(sheet, seen):
    """Is None a trouble also where every argument is given? Then it is none of those that comes from."""
    return any(
        "NoneType" in observation.raised[1] and not not_given(sheet, i)
        for i, observation in enumerate(seen)
        if observation.raised
    )


def not_given(sheet, i):
    """'`mask` is None': the arguments that some call of a case leaves at their default None."""
    signatures = sheet.contract.signatures
    asked = [
        (signatures.get(call.method or "forward") or signatures[""], call.args)
        for call in sheet.cases[i].calls
    ]
    names = dict.fromkeys(
        name
        for signature, args in asked
        for name in defaults_to_none(signature)
        if args.get(name) is None and name != "device"
    )
    return (
        f"{' and '.join(f'`{name}`' for name in names)} {'is' if len(names) == 1 else 'are'} None"
        if names
        else ""
    )


def defaults_to_none(signature):
    return [
        part.split("=")[0].strip()
        for part in signature.partition("(")[2].rstrip(")").split(",")
        if part.endswith("=None")
    ]


def unsteady(sheet, seen):
    """Two equal calls differ, so nothing else can be told."""
    for i, observation in enumerate(seen):
        if observation.second == "differs":
            return Finding(
                "two equal calls give two different answers: something is random (dropout, layers made anew in each call) or remembered between calls",
                "unsteady",
                i,
            )
    return None


def changed_inputs(sheet, seen, verdicts):
    for i, (observation, verdict) in enumerate(zip(seen, verdicts, strict=True)):
        if verdict.wrong and observation.changed:
            return Finding(
                f"it changes {' and '.join(map(str, observation.changed))} in place, so that later steps see other numbers: make a new tensor",
                "changes_input",
                i,
            )
    return None
