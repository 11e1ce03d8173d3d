"""Inspect callables (their parameters, the names in their code), and call them with named values."""

import inspect

LEFT_OUT = object()  # the value of an argument that is left to its default


def parameters(function):
    """[inspect.Parameter] without *args and **kwargs; [] if Python does not know them."""
    try:
        listed = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return []
    return [p for p in listed if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def is_needed(parameter):
    return parameter.default is parameter.empty


def call(function, listed, values):
    """Call with {name: value}, by position where possible, for positional-only parameters. listed: all of
    them."""
    values, first = {name: value for name, value in values.items() if value is not LEFT_OUT}, []
    for parameter in listed:
        if parameter.name not in values or parameter.kind is parameter.KEYWORD_ONLY:
            break
        first.append(values.pop(parameter.name))
    return function(*first, **values)


def functions_of(obj):
    """The function itself, or the functions in a class."""
    members = vars(obj).values() if isinstance(obj, type) else [obj]
    return [inspect.unwrap(member) for member in members if inspect.isfunction(member)]


def names_used(obj):
    """The global and attribute names in the code of an object and of its module's functions that it calls; a
    module counts as its package."""
    todo, names, visited = [obj], set(), set()
    while todo:
        item = todo.pop()
        if id(item) in visited:
            continue
        visited.add(id(item))
        item = inspect.unwrap(item) if inspect.isfunction(item) else item
        if isinstance(item, type):
            todo += [getattr(value, "__func__", value) for value in vars(item).values()]
        code, space = getattr(item, "__code__", item), getattr(item, "__globals__", {})
        if not inspect.iscode(code):
            continue
        todo += [const for const in code.co_consts if inspect.iscode(const)]
        for name in code.co_names:
            value = space.get(name)
            names.add(value.__name__.partition(".")[0] if inspect.ismodule(value) else name)
            if inspect.isfunction(value) and value.__module__ == getattr(item, "__module__", None):
                todo.append(value)
    return names
