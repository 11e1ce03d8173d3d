"""What a student's call returned -> named results, or a Problem that says what came instead."""

import hashlib

import numpy as np
import torch

from .problem import Problem, describe_type


def unpack(returned, wanted, contract):
    """What was returned -> {result name: tensor}, or a Problem that says what came instead."""
    names = list(wanted)
    if contract.container == "none":
        return {}
    if returned is None:
        raise Problem("it returns None: is the `return` missing?", "returns_none")
    if contract.container == "dict" and wanted is contract.returns:
        return {name: as_result(name, value, contract) for name, value in entries(returned, names).items()}
    if len(names) == 1:
        if isinstance(returned, (tuple, list)):
            raise Problem(
                f"it returns {len(returned)} things (a {type(returned).__name__}); expected one: {names[0]}",
                "number_of_results",
            )
        return {names[0]: as_result(names[0], returned, contract)}
    if not isinstance(returned, (tuple, list)) or len(returned) != len(names):
        got = (
            f"{len(returned)} things"
            if isinstance(returned, (tuple, list))
            else f"{describe_type(returned)} alone"
        )
        raise Problem(f"it returns {got}; expected {len(names)}: {', '.join(names)}", "number_of_results")
    return {name: as_result(name, value, contract) for name, value in zip(names, returned, strict=True)}


def entries(returned, names):
    """The named entries of a dict; anything else is a Problem."""
    if not isinstance(returned, dict):
        raise Problem(
            f"it returns {describe_type(returned)}; expected a dict with the keys {', '.join(names)}",
            "wrong_container",
        )
    missing = [name for name in names if name not in returned]
    if missing:
        raise Problem(
            f"the dict has no key {' and no key '.join(missing)}; expected the keys {', '.join(names)}",
            "missing_key",
        )
    return {name: returned[name] for name in names}


def as_result(name, value, contract):
    """A result as it should be; anything else is a Problem."""
    if contract.library == "int":
        if hasattr(value, "__index__") and not isinstance(value, bool):
            return torch.tensor(int(value))
        raise Problem(f"`{name}` is {describe_type(value)}; expected an int", "wrong_type")
    if contract.library == "numpy":
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return value
        raise Problem(f"`{name}` is {describe_type(value)}; expected a NumPy array", "wrong_type")
    if isinstance(value, torch.Tensor):
        return value
    raise Problem(f"`{name}` is {describe_type(value)}; expected a torch tensor", "wrong_type")


def answers(returned, contract, salt):
    """A dict of answers -> the fingerprint of each, in which `salt` is mixed."""
    if returned is None:
        raise Problem("there is no answer yet: return one", "not_started")
    given = entries(returned, list(contract.returns))
    return {name: digest(f"{contract.name} {name} {salt}", as_answer(value)) for name, value in given.items()}


def as_answer(value):
    """An answer in one canonical form: the order of keys and of lists of pairs, tuples or lists, and capitals do not
    matter; the order inside a pair does."""
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{as_answer(k)}: {as_answer(v)}" for k, v in value.items())) + "}"
    if isinstance(value, (torch.Tensor, np.ndarray, np.generic)):
        return as_answer(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [as_answer(item) for item in value]
        plain = all(
            isinstance(item, (int, str, np.generic)) or (isinstance(item, torch.Tensor) and item.dim() == 0)
            for item in value
        ) and not isinstance(value, (set, frozenset))
        return "[" + ", ".join(items if plain else sorted(items)) + "]"
    return str(value).strip().casefold()


def digest(question, answer):
    """An answer is kept and compared as a fingerprint: the published one gives nothing away at a glance."""
    return hashlib.sha256(f"{question}: {answer}".encode()).hexdigest()[:16]
