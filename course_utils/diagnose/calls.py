"""Did a call of ours not get through, or one inside the student's code? Told from what Python says of it."""

import re

from course_utils.model.case import parameters

GIVEN = re.compile(r"but (\d+) .*given")
KEYWORD = re.compile(r"(?:unexpected keyword|multiple values for) argument '(\w+)'")
MISSING = re.compile(r"missing \d+ required positional arguments?: (.*)")


def not_taken(raised, contract):
    """The signature with which it was called and which it does not take; None where the error comes from further inside."""
    called, told, _ = raised[1].partition("() ")
    method = method_of(called, contract)
    if raised[0] != "TypeError" or not told or method not in contract.signatures:
        return None
    signature = contract.signatures[method]
    names, defaults = parameters(signature)
    if given := GIVEN.search(raised[1]):
        count = int(given[1]) - (contract.kind != "function")  # self
        ours = len(names) - len(defaults) <= count <= len(names)
    elif keyword := KEYWORD.search(raised[1]):
        ours = keyword[1] in defaults  # all others go by position
    elif missing := MISSING.search(raised[1]):
        ours = method in ("", "forward") or not set(re.findall(r"'(\w+)'", missing[1])) & set(names)
    else:
        ours = "takes no arguments" in raised[1]
    return signature if ours else None


def method_of(called, contract):
    """'A.<locals>.Name.forward' -> 'forward': a key of the contract's signatures; None for what is another's."""
    *_, owner, name = ["", *called.split(".")]
    if f"{contract.name}.<locals>" in called:
        return None
    if contract.kind == "function":
        return "" if name in (contract.name, "<lambda>") else None
    if name == contract.name or (owner, name) == (contract.name, "__init__"):
        return ""
    return name if owner == contract.name else None


def init_arguments(raised, contract):
    """Is it __init__ that was handed too much: the class's own, or by it nn.Module's? Both say the same."""
    tells = (
        f"{contract.name}.__init__() takes 1 positional argument but",
        f"{contract.name}.__init__() got an unexpected keyword",
    )
    return contract.kind == "module" and any(tell in raised[1] for tell in tells)
