"""Guess what parameters stand for: they come in, {parameter: role} goes out, by name or by position."""

from itertools import islice

import torch

from .hints import ARRAYS, SIZES, TABLES, role_of
from .parameters import is_needed, parameters
from .values import AnyNames

SETTINGS = {
    "dropout": 0.0,
    "flag": False,
    "device": "cpu",
    "dtype": torch.float32,
    "base": 10000.0,
    "layers": 2,
    "layer": 0,
    "config": None,
}
CACHES = ("cache", "cache_k", "cache_v")
EARLY = ("mask", "start", *CACHES, "use_cache", "wqkv", "wkv", "weights")  # roles that come before sizes
SURE = ("heads", "kv_heads", "head_dim", "group_size", "dropout", "config", "max_len", "dtype", "device")
WEIGHTS = ("wq", "wk", "wv", "wo", "wqkv", "wkv", "weights", "bq", "bk", "bv", "bo")
SHARED = {"d_model", "head_dim", *SETTINGS}  # roles that several parameters may have
MOST_MADE = 8  # ways to make an object, at most


class Recipe:
    """How to make an object: a class, and the roles of its constructor's parameters. broken: did it fail?"""

    def __init__(self, cls, roles):
        self.cls, self.roles, self.broken = cls, roles, False
        self.parameters = parameters(cls)

    def __repr__(self):
        return f"{self.cls.__name__}(...)"


def setting(role, request):
    """The value of a size or a setting. A configuration object has all of them, under any name."""
    if role == "config":
        return AnyNames(SETTINGS | request, lambda name: role_of(name, SIZES))
    return request[role] if role in request else SETTINGS[role]


def named_role(name, hints, sizes):
    """The role that a name suggests: one of the family's own, an array or a size."""
    own, array, size = (role_of(name, table) for table in (hints, ARRAYS, SIZES))
    if own or array in EARLY and (len(name) > 1 or array == "weights"):
        return own or array
    is_sure = size in SURE and (size in sizes or size in ("dropout", "config", "dtype", "device"))
    if is_sure and (len(name) > 1 or name in "hgnHG"):
        return size
    return array or size


def constructor_role(parameter, hints, sizes):
    """The role of a constructor's parameter, where sizes come before arrays; None to use its default."""
    name, needed = parameter.name, is_needed(parameter)
    own, array, size = (role_of(name, table) for table in (hints, ARRAYS, SIZES))
    if own or array in WEIGHTS and needed and (len(name) > 1 or size != "heads"):
        return own or array
    if size in sizes and (type(parameter.default) is int or size in ("group_size", "kv_heads")):
        return size
    return size if needed else None


def recipes(cls, space, sizes, hints):
    """Iterate over Recipes, the likely ones first."""
    listed = parameters(cls)
    roles = {
        p.name: settings_class(p, space, sizes, hints) or constructor_role(p, hints, sizes) for p in listed
    }
    forms = [tuple(form.split()) for form in TABLES["constructor"]["forms"]]
    candidates = assignments(listed, roles, forms, {*filter(None, map(role_name, roles.values()))})
    yield from (Recipe(cls, plan) for plan in islice(candidates, MOST_MADE))


def settings_class(parameter, space, sizes, hints):
    """The Recipe of a learner's configuration class that a parameter takes: its annotation, the class of its
    default, or one of the same notebook. None if there is none."""
    if role_of(parameter.name, ARRAYS) in CACHES:
        return None
    annotation = parameter.annotation
    annotation = space.get(annotation) if isinstance(annotation, str) else annotation
    beside = list(space.values()) if role_of(parameter.name, SIZES) == "config" else []
    options = [annotation, *getattr(annotation, "__args__", ()), type(parameter.default), *beside]
    for cls in options:
        own = isinstance(cls, type) and cls.__module__ == space.get("__name__")
        if not own or hasattr(cls, "forward") or "__call__" in vars(cls):
            continue
        recipe = next(recipes(cls, space, sizes, hints), Recipe(cls, {}))
        if recipe.roles and not set(recipe.roles.values()) & {*WEIGHTS}:
            return recipe
    return None


def plans(listed, space, forms, optional, sizes, hints):
    """Iterate over {parameter: role} for a function, the likely ones first.

    forms: usual orders of roles. optional: roles for parameters with a default, if their names suggest them.
    sizes: the request. hints: {role: pattern} of the family, tried before the common ones.
    """
    roles = {}
    for parameter in listed:
        recipe = settings_class(parameter, space, sizes, hints)
        roles[parameter.name] = recipe or named_role(parameter.name, hints, sizes)
    unset = [p.name for p in listed if p.default is None and roles[p.name] not in optional]
    if "cache" in optional and unset and not set(map(role_name, roles.values())) & {*CACHES, "start"}:
        roles[unset[0]] = "cache"
    roles_so_far, needed = [], [parameter.name for parameter in listed if is_needed(parameter)]
    for full in assignments(listed, roles, forms, set(optional)):
        for plan in (full, {name: full[name] for name in needed}):
            if plan not in roles_so_far:
                roles_so_far.append(plan)
                yield plan
    if not needed:
        names = [parameter.name for parameter in listed]
        yield from (dict(zip(names, form, strict=False)) for form in forms if len(form) <= len(names))


def role_name(role):
    return None if isinstance(role, Recipe) else role


def assignments(listed, roles, forms, optional):
    """Iterate over {parameter: role}: by name, if each suggests a role, then by position in fitting forms."""
    possible = {role for form in forms for role in form} | optional
    needed = {p.name: roles[p.name] for p in listed if is_needed(p)}
    extra = {p.name: roles[p.name] for p in listed if not is_needed(p) and roles[p.name]}
    extra = {name: role for name, role in extra.items() if isinstance(role, Recipe) or role in optional}
    known = [role for role in needed.values() if not isinstance(role, Recipe) and role not in SHARED]
    by_name = len(set(known)) == len(known) and possible.union(SETTINGS).issuperset(known)
    fixed = {name: role for name, role in needed.items() if isinstance(role, Recipe) or role in SETTINGS}
    free = [name for name in needed if name not in fixed]
    fitting = [
        form for form in forms if len(form) == len(free) and not misplaced(free, form, roles, possible)
    ]
    bases = [needed] * by_name + [dict(zip(free, form, strict=True)) | fixed for form in fitting]
    for base in (base for place, base in enumerate(bases) if base not in bases[:place]):
        more = {}
        for name, role in extra.items():  # of two with the same role, the first gets it
            more |= {name: role} if role not in [*base.values(), *more.values()] else {}
        yield base | more


def misplaced(names, form, roles, possible):
    """Does a name (of several letters, or q, k or v) suggest another role than its position in the form?"""
    return any(
        (len(name) > 1 or roles[name] in ("q", "k", "v"))
        and roles[name] in possible | {"partial"}
        and roles[name] != role
        for name, role in zip(names, form, strict=True)
    )
