"""Faults that any exercise can have and no exercise declares: recognised by the text of Python's or torch's
exception, or by what the probes observed."""

import ast
import re
from collections.abc import Callable
from typing import NamedTuple

from course_utils.compare.faults import CHANGES_INPUT, TWO_DTYPES, UNSTEADY, listed
from course_utils.model.case import parameters

from .finding import Finding

VIEW = "view size is not compatible"
NONE = "NoneType"
TRUE_AND_FALSE, WHOLE = re.compile(r"\bbool\b", re.I), re.compile(r"\b(long|int|short|char|byte)\b", re.I)
COUNT_PASSED = re.compile(r"but (\d+) .*given")
KEYWORD = re.compile(r"(?:unexpected keyword|multiple values for) argument '(\w+)'")
MISSING = re.compile(r"missing \d+ required positional arguments?: (.*)")


# ---- from what the probes saw

FROM_ARGUMENTS = "everything needed is among the arguments"


def unsteady(attempt):
    """Two equal calls differ, so nothing else can be told."""
    for verdict in attempt.verdicts:
        if verdict.seen.second == "differs":
            return Finding(UNSTEADY["other results"], "unsteady", verdict)
    return None


def fresh_layers(attempt):
    """Layers are made where the call runs: their weights are new and random every time."""
    for verdict in attempt.wrong:
        raised = verdict.seen.raised  # for another reason, unless it is the dtype of new weights
        if verdict.seen.fresh and (not raised or any(words in raised[1] for words in TWO_DTYPES)):
            where = "make it in __init__" if attempt.sheet.contract.kind == "module" else FROM_ARGUMENTS
            sentence = f"it creates `{verdict.seen.fresh[0]}` in every call"
            text = f"{sentence}, with random, untrained weights: {where}"
            return Finding(text, "fresh_layers", verdict)
    return None


def changed_inputs(attempt):
    """An argument is changed in a case that is wrong."""
    for verdict in attempt.wrong:
        if verdict.seen.changed:
            text = CHANGES_INPUT["values wrong"].format(what=listed(verdict.seen.changed))
            return Finding(text, "changes_input", verdict)
    return None


# ---- it cannot be used as the exercise says


def interface(attempt):
    """The object is of another kind, or takes other arguments, or returns other things."""
    contract = attempt.sheet.contract
    for verdict in attempt.verdicts:
        seen = verdict.seen
        if seen.problem:
            return Finding(problem(seen, attempt), seen.problem[0], verdict)
        if seen.raised and init_arguments(seen.raised, contract):
            text = (
                f"{seen.raised[1]}: its `__init__` must take what `{contract.signatures['']}` hands to it, "
                "and that of nn.Module takes nothing: `super().__init__()`"
            )
            return Finding(text, "init_arguments", verdict)
        if seen.raised and (wanted := not_taken(seen.raised, contract)):
            return Finding(f"it cannot be called as `{wanted}`: {seen.raised[1]}", "wrong_signature", verdict)
    return None


def problem(seen, attempt):
    """Its own words; but where other cases do give a result, a missing `return` is not the whole story."""
    mistake, text = seen.problem
    if mistake == "returns_none" and any(verdict.seen.values for verdict in attempt.verdicts):
        return "it returns None in this case, and a result in others: every branch must return something"
    return text


def init_arguments(raised, contract):
    """Did an __init__ get more arguments than it takes? The class's own __init__, or that of nn.Module which
    it calls: Python words both errors alike."""
    tells = ("takes 1 positional argument but", "got an unexpected keyword")
    begins = [f"{contract.name}.__init__() {tell}" for tell in tells]
    return contract.kind == "module" and any(begin in raised[1] for begin in begins)


def not_taken(raised, contract):
    """The signature with which it was called and which it does not take; None where the error comes from
    inside it."""
    called, reason, _ = raised[1].partition("() ")
    method = method_of(called, contract)
    if raised[0] != "TypeError" or not reason or method not in contract.signatures:
        return None
    signature = contract.signatures[method]
    names, defaults = parameters(signature)
    if match := COUNT_PASSED.search(raised[1]):
        count = int(match[1]) - (contract.kind != "function")  # self
        ours = len(names) - len(defaults) <= count <= len(names)
    elif keyword := KEYWORD.search(raised[1]):
        ours = keyword[1] in defaults  # all others go by position
    elif missing := MISSING.search(raised[1]):
        ours = method in ("", "forward") or not set(re.findall(r"'(\w+)'", missing[1])) & set(names)
    else:
        ours = "takes no arguments" in raised[1]
    return signature if ours else None


def method_of(called, contract):
    """'A.<locals>.Name.forward' -> 'forward': a key of the contract's signatures; None for what is
    another's."""
    *_, owner, name = ["", *called.split(".")]
    if f"{contract.name}.<locals>" in called:
        return None
    if contract.kind == "function":
        return "" if name in (contract.name, "<lambda>") else None
    if name == contract.name or (owner, name) == (contract.name, "__init__"):
        return ""
    return name if owner == contract.name else None


# ---- exceptions that have one well-known cause


def from_exception(attempt):
    """The first line of the table that fits the first exception that any fits."""
    for verdict in attempt.raised:
        error = verdict.seen.raised[1]
        for tell in TELLS:
            if any(words in error for words in tell.words) and (more := tell.applies(attempt, verdict)):
                return Finding(tell.sentence.format(error=error, more=more), tell.mistake, verdict)
    return None


class Tell(NamedTuple):
    """One of the words stands in the text of an exception, and applies(attempt, verdict) gives something to
    say: in the sentence {error} is what was raised, {more} what `applies` gave."""

    mistake: str
    words: tuple
    sentence: str
    applies: Callable = lambda attempt, verdict: True


def only_exceptions(attempt, verdict):
    return all(other.seen.raised for other in attempt.wrong)


def numbers_elsewhere(attempt, verdict):
    """The title of a case that gives wrong numbers, where a core case raises."""
    wrong = next((other for other in attempt.wrong if other.seen.values), None)
    return None if verdict.case.edge or wrong is None else wrong.case.title


def without_fractions(attempt, verdict):
    """'True and False' or 'whole numbers', where one of two dtypes is of that kind."""
    text = verdict.seen.raised[1]
    if TRUE_AND_FALSE.search(text):
        return "True and False"
    return "whole numbers" if WHOLE.search(text) else None


def none_by_default(attempt, verdict):
    """'`mask` is None', where None is no trouble in cases that give every argument."""
    contract = attempt.sheet.contract
    for other in attempt.raised:
        if NONE in other.seen.raised[1] and not left_out(contract, other.case):
            return None
    names = left_out(contract, verdict.case)
    return names and f"{listed(f'`{name}`' for name in names)} {'is' if len(names) == 1 else 'are'} None"


def left_out(contract, case):
    """The arguments that some call leaves at their default None."""
    names = []
    for call in case.calls:
        defaults = parameters(contract.signature_of(call.method))[1]
        optional = [name for name, node in defaults.items() if ast.unparse(node) == "None"]
        names += [name for name in optional if call.args.get(name) is None and name != "device"]
    return list(dict.fromkeys(names))


VIEW_FAILS = (
    "`.view` cannot read this memory order (after a transpose, or for an input that is not contiguous)"
)
TELLS = (  # in this order
    Tell(
        "view_noncontiguous",
        (VIEW,),
        f"{VIEW_FAILS}: use `.reshape`, or `.contiguous()` before it",
        only_exceptions,
    ),
    Tell(
        "view_and_wrong",
        (VIEW,),
        f"{VIEW_FAILS}. In the {{more}} case, where it can, the numbers are wrong: so replacing it by "
        "`.reshape` would not be enough. Is the transpose in the right place?",
        numbers_elsewhere,
    ),
    Tell(
        "writes_under_autograd",
        ("leaf Variable that requires grad",),
        "a parameter is written to while autograd watches: put the writing under `with torch.no_grad():`",
    ),
    Tell(
        "changes_input",
        ("inplace operation", "in-place operation"),
        CHANGES_INPUT["exception"],
    ),
    Tell(
        "dtypes_meet",
        TWO_DTYPES,
        "a tensor of {more} meets one of another dtype, where both must have the same ({error}): cast it "
        "first, as in `t.to(weights.dtype)`",
        without_fractions,
    ),
    Tell(
        "casts_dtype",
        TWO_DTYPES,
        "two dtypes meet: a tensor is cast, or made in float32 whatever the inputs' dtype ({error})",
    ),
    Tell(
        "none_not_treated",
        (NONE,),
        "in this case {more}, and None is used as a value ({error}): handle None first, and make "
        "every branch of a helper return something",
        none_by_default,
    ),
    Tell(
        "values_and_places",
        ("return_types.",),
        "torch.max, torch.min and others return two things if you give a dim, the values and their places: "
        "take `.values`, or use amax and amin",
    ),
    Tell(
        "no_super_init",
        ("before Module.__init__() call",),
        "the layers are made before nn.Module is ready for them: begin __init__ with `super().__init__()`",
    ),
    Tell(
        "tensor_for_parameter",
        ("as parameter '",),
        "a plain tensor replaces a parameter: copy into the parameter under `with torch.no_grad():`, or wrap "
        "the tensor in nn.Parameter",
    ),
)
