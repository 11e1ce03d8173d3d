"""Ways to call a function, or an object of a class, with a few arguments by place or by name."""

import inspect
import re
from collections.abc import Iterator
from itertools import islice

import numpy as np
import torch

from .attention.calls import class_of, is_class, methods_of, working_recipes
from .build import Made, make
from .config_classes import config_classes
from .configs import configured, made_config
from .hints import SIZES, role_of
from .parameters import call, parameters, takes_any_number
from .ways import Outcome, Way

MOST_YIELDED = 1000


def plans(target, forms, hints, said=None, inside=False):
    """Iterator of {parameter: role}. forms: tuples of roles in their usual order. hints: {role: pattern}."""
    said = {parameter: role for role, parameter in (said or {}).items() if isinstance(parameter, str)}
    known = parameters(target)[1 if inside else 0 :]
    fixed = {one.name: setting_of(one, target) for one in known if setting_of(one, target)}
    known = [one for one in known if one.name not in fixed]
    if not known and takes_any_number(target):
        return
    found = [
        plan
        for form in forms
        for plan in (by_hint(known, form, hints, said), by_place(known, form, said))
        if plan is not None
    ]
    fitting = [plan for plan in found if not any(misplaced(*one, hints) for one in plan.items())]
    for plan in {str(plan): plan for plan in fitting or found}.values():
        yield {**plan, **fixed}


def setting_of(parameter, target):
    """ "config", "device" or "dtype", where it has to be given; None of other parameters."""
    if config_classes(parameter, target):
        return "config" if parameter.needed else None
    role = role_of(parameter.name, SIZES) if parameter.needed else None
    return role if role in ("config", "device", "dtype") else None


def misplaced(name, role, hints):
    """Does the name hint at another role than this one?"""
    if re.fullmatch(hints.get(role, role), plain(name)):
        return False
    return any(pattern != ".*" and re.fullmatch(pattern, plain(name)) for pattern in hints.values())


def by_hint(known, form, hints, said):
    """Each role of the form has a parameter whose name hints at it; the rest have defaults."""
    plan = {name: role for name, role in said.items() if role in form}
    for role in form:
        if role in plan.values():
            continue
        fits = [
            one
            for one in known
            if one.name not in plan and re.fullmatch(hints.get(role, role), plain(one.name))
        ]
        if not fits:
            return None
        plan[min(fits, key=lambda one: (not one.needed, meanings(one.name, hints))).name] = role
    return plan if all(one.name in plan or not one.needed for one in known) else None


def meanings(name, hints):
    """How many roles does the name hint at? The fewer, the surer."""
    return sum(bool(re.fullmatch(pattern, plain(name))) for pattern in hints.values())


def by_place(known, form, said):
    """The roles in their order: what has no default first."""
    order = [one for one in known if one.needed] + [one for one in known if not one.needed]
    needed = sum(one.needed for one in known)
    if not needed <= len(form) <= len(order) or len(form) > max(needed, 1) and needed:
        return None
    fixed = {name: role for name, role in said.items() if role in form}
    rest = [role for role in form if role not in fixed.values()]
    free = [one.name for one in order[: len(form)] if one.name not in fixed]
    return {**dict(zip(free, rest, strict=True)), **fixed} if len(free) == len(rest) else None


def plain(name):
    return name.strip("_").lower()


def targets(obj, first, methods=()):
    """Iterator of (name, what has the signature, inside a class?, make(given) -> what is called)."""
    if not is_class(obj):
        yield "", obj, False, lambda given: obj
        return
    cls = class_of(obj)
    if issubclass(cls, torch.autograd.Function):
        yield "apply", cls.forward, True, lambda given: without_context(cls)
        return
    for recipe in working_recipes(cls, first["sizes"]):
        for method in doors_of(cls, methods):
            signed = getattr(cls, "forward" if method == "__call__" and hasattr(cls, "forward") else method)
            static = isinstance(inspect.getattr_static(cls, method, None), staticmethod)
            yield f"{recipe} {method}", signed, not static, maker(cls, recipe, method)


def doors_of(cls, likely):
    """What is called: `forward` or `__call__` alone where there is one, as other methods only help it."""
    found = methods_of(cls, likely)
    return ["__call__"] if "__call__" in found else found


def without_context(cls):
    """`apply` of a torch.autograd.Function, with the signature of its `forward` after ctx."""

    def applied(*args):
        return cls.apply(*args)

    signature = inspect.signature(cls.forward)
    applied.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])
    return applied


def maker(cls, recipe, method):
    def made(given):
        thing = make(cls, recipe, given["sizes"])
        if hasattr(thing, "eval") and hasattr(thing, "parameters"):
            thing.eval()
        return getattr(thing, method)

    return made


def ways(obj, said, first, forms, hints, value, dialects, methods=()):
    """Iterator of Way. value(role, given, dialect): an argument, fresh; None from a dialect that has none.
    dialects: what `value` may be asked for, the usual first; each is also in the Outcome's notes."""
    for name, signed, inside, made in targets(obj, first, methods):
        for plan in configured(signed, plans(signed, forms, hints, said, inside), first["sizes"]):
            for dialect in dialects:
                yield one_way(name, plan, made, value, dialect)


def with_settings(value):
    """What `value` says, and what stands for a configuration, a device or a dtype."""

    def argument(role, given, dialect):
        if isinstance(role, Made) or role == "config":
            return made_config(role, given["sizes"])
        if role in ("device", "dtype"):
            numpy = "numpy" in dialect
            return {"device": "cpu", "dtype": np.float64 if numpy else torch.float32}[role]
        return value(role, given, dialect)

    return argument


def one_way(name, plan, made, value, dialect):
    argument = with_settings(value)

    def run(given):
        values = {parameter: argument(role, given, dialect) for parameter, role in plan.items()}
        result, yields = drained(call(made(given), values))
        return Outcome(result, notes={"dialect": dialect, "plan": plan, "yields": yields})

    return Way(f"{name} {plan} {dialect}", run, plan, dialect)


def drained(result):
    """(what a generator yields as a list, True), or (the result, False)."""
    if isinstance(result, Iterator):
        return list(islice(result, MOST_YIELDED)), True
    return result, False
