"""A parameter that is a configuration comes in, the learner's own classes that it may want go out."""

import inspect
import re
from dataclasses import is_dataclass

import torch

from .assign import role_in_call
from .hints import SIZES, role_of

CALLED_SO = re.compile(r"(?i)co?n?fi?g|args|params|settings|options|dims|spec")
SETTABLE = ("d_model", "heads", "max_len", "kv_heads", "head_dim", "group_size", "batch")


def config_classes(parameter, function):
    """[class] that may be the parameter's configuration: the annotation's; without one, if the name says
    that it is a configuration, the configuration classes of the same notebook."""
    space = getattr(inspect.unwrap(function), "__globals__", {})
    meant = parameter.annotation
    meant = space.get(meant) if isinstance(meant, str) else meant
    if is_config_class(meant, space):
        return [meant]
    if role_of(parameter.name, SIZES) != "config":
        return []
    return [one for one in list(space.values()) if is_config_class(one, space)]


def is_config_class(cls, space):
    """A class of the same module that holds sizes and settings, and no weights."""
    if not isinstance(cls, type) or cls.__module__ != space.get("__name__"):
        return False
    record = is_dataclass(cls) or hasattr(cls, "_fields") or CALLED_SO.search(cls.__name__)
    weights = any(str(role_in_call(name)).startswith("w") for name in getattr(cls, "__annotations__", {}))
    return bool(record) and not weights and not issubclass(cls, torch.nn.Module)


def written_sizes(cls, recipe):
    """{attribute: role} of sizes that stand in the body of a class of nothing else, such as `n_head = 4`."""
    if not isinstance(cls, type) or recipe or is_dataclass(cls) or not CALLED_SO.search(cls.__name__):
        return {}
    found = {name: role_of(name, SIZES) for name, one in vars(cls).items() if type(one) is int}
    return {name: role for name, role in found.items() if role in SETTABLE}
