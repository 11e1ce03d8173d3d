"""The parameters of a function, a class or a method, as (name, needed, default); without self."""

import inspect
from types import FunctionType
from weakref import WeakKeyDictionary

LEFT_OUT = object()  # in place of an argument that is left to its default
PARAMETERS = WeakKeyDictionary()  # of a function: its parameters, which a check asks for at each call


class Parameter:
    """name, needed: has it no default? default: what it is otherwise. keyword: may it only be named?
    annotation: as it was written, which may be a text."""

    def __init__(self, parameter):
        self.name = parameter.name
        self.needed = parameter.default is inspect.Parameter.empty
        self.default = None if self.needed else parameter.default
        self.annotation = parameter.annotation
        self.keyword = parameter.kind is inspect.Parameter.KEYWORD_ONLY


def parameters(function):
    """[Parameter] of something that can be called; [] where Python does not know."""
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return read(function)
    if function not in PARAMETERS:
        PARAMETERS[function] = read(function)
    return PARAMETERS[function]


def read(function):
    try:
        listed = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return []
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [Parameter(parameter) for parameter in listed if parameter.kind not in many]


def call(function, values):
    """Call with {name: value}: by position as far as that goes, as some are positional only."""
    values = {name: value for name, value in values.items() if value is not LEFT_OUT}
    positional, named, gap = [], {}, False
    for p in parameters(function):
        if p.name not in values:
            gap = True
        elif gap or p.keyword:
            named[p.name] = values[p.name]
        else:
            positional.append(values[p.name])
    names = {parameter.name for parameter in parameters(function)}
    named |= {name: value for name, value in values.items() if name not in names}  # it takes **anything
    return function(*positional, **named)
