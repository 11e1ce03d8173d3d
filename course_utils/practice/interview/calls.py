"""What somebody wrote comes in, the ways to call it go out: its method, and the role of each parameter."""

import inspect

import torch

from .hints import ARRAYS, SIZES, role_of
from .objects import Recipe, config_classes, recipes
from .parameters import parameters

EARLY = (
    "mask",
    "start",
    "cache",
    "cache_k",
    "cache_v",
    "use_cache",
    "wqkv",
    "wkv",
    "weights",
)  # before a size
SETTINGS = ("dropout", "flag", "device", "dtype", "config", "base")
SURE = ("heads", "kv_heads", "head_dim", "group_size", "dropout", "config", "max_len", "dtype", "device")


def libraries(obj):
    """torch, NumPy and lists, in the order in which the code suggests them."""
    if isinstance(obj, type) and issubclass(obj, torch.nn.Module):
        return ("torch",)
    names = names_used(obj)
    if "torch" in names:
        return ("torch", "numpy", "list")
    return ("numpy", "list", "torch") if names & {"np", "numpy"} else ("list", "numpy", "torch")


def functions_of(obj):
    """The function itself, or the functions in a class."""
    members = vars(obj).values() if isinstance(obj, type) else [obj]
    return [inspect.unwrap(member) for member in members if inspect.isfunction(member)]


def names_used(obj):
    """The modules whose names appear in the code of an object, or in functions that it calls."""
    todo, names, seen = [obj], set(), set()
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
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


def named_role(name, hints, sizes):
    """The role that a name hints at: of a family's own, of an array, of a size."""
    own, array, size = (role_of(name, table) for table in (hints, ARRAYS, SIZES))
    if own or array in EARLY and (len(name) > 1 or array == "weights"):
        return own or array
    is_sure = size in SURE and (size in sizes or size in ("dropout", "config", "dtype", "device"))
    if is_sure and (len(name) > 1 or name in "hgnHG"):
        return size
    return array or size


def plans(function, forms, optional, sizes, hints=(), skip=0):
    """Iterator of {parameter: role}: by names first, and by place in a usual form.

    forms: tuples of roles. optional: roles that a parameter with a default is given too, if its name hints at
    them. hints: {role: pattern} of a family, before the common ones."""
    everything = parameters(function)[skip:]
    hints = dict(hints)
    roles = {parameter.name: named_role(parameter.name, hints, sizes) for parameter in everything}
    for parameter in everything:
        if configs := config_classes(parameter, function):
            roles[parameter.name] = next(recipes(configs[0], sizes, hints, True), None) or "config"
    unset = [p.name for p in everything if p.default is None and not p.needed]
    unknown = [name for name in unset if roles[name] not in optional]
    if "cache" in optional and unknown and not set(roles.values()) & {"cache", "cache_k", "start"}:
        roles[unknown[0]] = "cache"
    needed = {p.name: roles[p.name] for p in everything if p.needed}
    extra = {p.name: roles[p.name] for p in everything if not p.needed}
    extra = {name: role for name, role in extra.items() if isinstance(role, Recipe) or role in optional}
    possible = {role for form in forms for role in form} | set(optional)
    seen = []
    for base in by_name(needed, possible) + by_place(needed, forms, roles, possible):
        more = {}
        for name, role in extra.items():  # the first of two alike
            more |= {name: role} if role not in [*base.values(), *more.values()] else {}
        for plan in (base | more, base):
            if plan not in seen:
                seen.append(plan)
                yield plan
    if not needed:
        names = [p.name for p in everything]
        yield from (dict(zip(names, form, strict=False)) for form in forms if len(form) <= len(names))


def by_name(needed, possible):
    """[the plan of the names], where each says something, and no two the same."""
    values = [role for role in needed.values() if not isinstance(role, Recipe)]
    is_known = all(role in possible or role in SETTINGS for role in values)
    return [needed] if needed and is_known and len(set(values)) == len(values) else []


def by_place(needed, forms, roles, possible):
    """The plans of all forms that have as many arguments, and are not against a name."""
    fixed = {name: role for name, role in needed.items() if isinstance(role, Recipe) or role in SETTINGS}
    free = [name for name in needed if name not in fixed]
    fitting = [
        form for form in forms if len(form) == len(free) and not misplaced(free, form, roles, possible)
    ]
    return [dict(zip(free, form, strict=True)) | fixed for form in fitting]


def misplaced(names, form, roles, possible):
    """Does a name of several letters say that it is something else?"""
    return any(
        (len(name) > 1 or roles[name] in ("q", "k", "v"))
        and roles[name] in possible | {"partial"}
        and roles[name] != role
        for name, role in zip(names, form, strict=True)
    )
