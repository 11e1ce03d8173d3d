"""The ways to feed a layer or a function that keeps a cache: as (B, T, D) or one sequence, in chunks or one
by one, with each thing that may stand for the first cache, and with each form of the position."""

import re
from itertools import product

import numpy as np
import torch

from ..assign import assignments, role_in_call
from ..build import make, randomise
from ..parameters import parameters
from ..ways import Outcome, Way
from .caches import EMPTY, Factory, cache_recipes, factories
from .calls import SPECS, class_of, is_class, libraries, methods_of, takes_weights, working_recipes
from .dressings import BIASES, dressings_of, with_weights
from .feeder import CACHES, PLACES, Feeder

ROLES = ("cache", "cache_k", "cache_v", "start", "use_cache", "mask", "heads", "kv_heads", "head_dim")
FORMS = [("x",), ("q", "k", "v"), ("x", "cache"), ("x", "cache_k", "cache_v")]
FUNCTION_FORMS = [
    form
    for spec in SPECS
    for heads in (("heads",), (), ("heads", "kv_heads"))
    for cache in (("cache",), ("cache_k", "cache_v"))
    for form in (("x", *spec, *heads, *cache), ("x", *spec, *cache, *heads), ("x", *cache, *spec, *heads))
]
USUAL = 2  # of the dressings
STEP_NAMES = ("step", "decode", "decode_step", "forward_step", "generate_step", "next")


def leaves_cache(signed, plan):
    """Is there a parameter for a cache that the plan leaves out? What goes wrong then is no mistake."""
    wanted = CACHES | {"use_cache"}
    speaks = any(role_in_call(one.name) in wanted for one in parameters(signed))
    return speaks and not wanted & set(plan.values())


class NoCache(Exception):
    """The call had no cache, and gave none back."""


def ways(obj, said, first):
    """Iterator of Way: several tokens at once first, then one by one."""
    plain = {role: name for role, name in said.items() if isinstance(name, str)}
    maker = said.get("cache") if callable(said.get("cache")) else None
    feeds = list((class_feeds if is_class(obj) else function_feeds)(obj, plain, first, maker))
    ran, failed, alone = set(), set(), bool(said.get("one_token"))
    for singles in (True,) if alone else (False, True):
        for shape in ("(B, T, D)", "(T, D)", "(B, D)", "(D,)")[: 4 if singles else 2]:
            for group, name, run in feeds:
                key = (*group, shape, singles)
                first_call = (name.replace(", -1, ", ", 0, "), shape, singles)  # wherever its output may be
                if (
                    key not in ran and first_call not in failed
                ):  # of the caches to begin with, the first that works is enough
                    how = "one by one" if singles else "in chunks"
                    yield Way(
                        f"{name} {shape} {how}",
                        fed(run, shape, singles, (obj, alone), ran, key, failed, first_call),
                    )


def fed(run, shape, singles, asked, ran, key, failed, first_call):
    def inner(given):
        given = {**given, "chunks": [1] * given["T"] if singles else given["chunks"]}
        if shape in ("(T, D)", "(D,)") and given["B"] > 1:
            return one_by_one(inner, given)
        try:
            value, weights, notes = run(given, shape)
        except Exception as error:
            if getattr(error, "first_call", False):
                failed.add(first_call)
            raise
        if not notes["flowed"]:
            raise NoCache("what it takes for a cache is not known")
        ran.add(key)
        return Outcome(value, weights, {**notes, "variants": (variant(),), "chunks": given["chunks"]})

    def variant():
        obj, alone = asked
        if not singles:
            return "causal"
        sure = alone or shape in ("(B, D)", "(D,)") or looks_single(obj)
        return "one token" if sure else "one token?"

    return inner


def looks_single(obj):
    """Does a name say that one token comes in a call?"""
    targets = [obj]
    if is_class(obj):
        cls = class_of(obj)
        targets = [getattr(cls, n) for n in ("forward", "__call__", "step", "decode") if n in vars(cls)]
    names = [one.name.lower() for target in targets for one in parameters(target)]
    names += [getattr(target, "__name__", "").lower() for target in targets]
    return any(
        n in ("x_t", "xt", "token", "x_new", "new_x", "step", "decode", "decode_step", "x_last")
        for n in names
    )


def one_by_one(run, given):
    """One sequence at a time, for what knows no batch."""
    outs = []
    for b in range(given["B"]):
        part = {
            name: value[b : b + 1] if name in ("x", "xk", "xv", "q", "k", "v") else value
            for name, value in given.items()
        }
        part |= {"B": 1, "sizes": {**given["sizes"], "batch": 1}}
        outs.append(run(part))
    whole = np.concatenate([one.value for one in outs])
    return Outcome(whole, outs[0].weights, outs[0].notes)


# ---- classes


def class_feeds(obj, said, first, maker):
    """Iterator of (name, run(given, shape) -> (value, weights, notes))."""
    cls = class_of(obj)
    module = issubclass(cls, torch.nn.Module)
    for recipe in working_recipes(cls, first["sizes"]):
        for methods in methods_to_feed(cls):
            signed = getattr(cls, "forward" if module and methods[-1] == "__call__" else methods[-1])
            for plan in plans(signed, said):
                left_out = leaves_cache(signed, plan)
                caches = empties(signed, plan, cls, first, maker)
                for empty, where, place, library in product(caches, (0, -1), places(plan), libraries(cls)):
                    group = (str(recipe), str(methods), str(plan), where, place, library)
                    how = (plan, empty, where, place, library, left_out)
                    yield group, f"{group} {empty}", in_class(cls, recipe, methods, *how)


def methods_to_feed(cls):
    """Lists of a method for the first call and one for the others."""
    own = {name for one in cls.__mro__ if one not in (object, torch.nn.Module) for name in vars(one)}
    later = [name for name in STEP_NAMES if name in own]
    if "prefill" in own and later:
        yield ["prefill", later[0]]
    for name in methods_of(cls):
        yield [name, name]


def plans(signed, said):
    forms = [("self", *form) for form in FORMS]
    for plan in assignments(signed, forms, {**said, "self": "self"}, ROLES, ROLES, ("cache",)):
        yield {name: role for name, role in plan.items() if role not in ("self", "mask")}


def places(plan):
    """The PLACES in the order in which they are tried: a number first, unless the parameter's name speaks of
    positions; a number alone where no parameter takes the position."""
    name = next((name.lower() for name, role in plan.items() if role == "start"), None)
    if name is None:
        return PLACES[:1]
    return PLACES[1:] + PLACES[:1] if re.search(r"input_pos|position|pos_ids|seq_?len", name) else PLACES


def empties(signed, plan, cls, first, maker):
    """What may stand for a cache that is not there yet."""
    held = [one for one in parameters(signed) if plan.get(one.name) in ("cache", "cache_k", "cache_v")]
    if not held:
        return ("nothing",)
    if maker:
        return [Factory("as said", maker, recipe) for recipe in cache_recipes(maker, first["sizes"], False)]
    known = EMPTY if all(not one.needed for one in held) else EMPTY[1:]
    return (*factories(cls, signed, first["sizes"]), *known)


def in_class(cls, recipe, methods, plan, empty, where, place, library, left_out):
    def run(given, shape):
        thing = make(cls, recipe, given["sizes"])
        weights = randomise(thing, given["sizes"] if takes_weights(recipe) else None)
        target = [getattr(thing, name) for name in methods]
        arrays = {"x": given["x"], "q": given["x"], "k": given["xk"], "v": given["xv"]}
        feeder = Feeder(plan, empty, where, place, library, shape)
        first_cache = empty(thing, given) if isinstance(empty, Factory) else None
        separate = {"q", "k", "v"} <= set(plan.values())
        notes = {"separate": separate, "only right": left_out}
        out = feeder.feed(target, given, arrays, first_cache)
        return out, weights, notes | {"flowed": feeder.flowed}

    return run


# ---- functions


def function_feeds(obj, said, first, maker):
    """The usual dressings of the weights first, for all plans and caches, and then the rare ones."""
    plans = list(assignments(obj, FUNCTION_FORMS, said, ROLES, (*ROLES, *BIASES), ("cache",)))
    for part in (slice(USUAL), slice(USUAL, None)):
        for plan in plans:
            plan = {name: role for name, role in plan.items() if role != "mask"}
            dressings = dressings_of(set(plan.values()))[part]
            yield from plan_feeds(obj, plan, dressings, empties(obj, plan, None, first, maker))


def plan_feeds(obj, plan, dressings, caches):
    left_out = leaves_cache(obj, plan)
    forms = product(caches, (0, -1), places(plan), dressings, libraries(obj))
    for empty, where, place, dressing, library in forms:
        group = (str(plan), where, place, dressing, library)
        how = (plan, empty, where, place, dressing, library, left_out)
        yield group, f"{group} {empty}", in_function(obj, *how)


def in_function(obj, plan, empty, where, place, dressing, library, left_out):
    def run(given, shape):
        arrays, weights = with_weights(given, set(plan.values()), dressing)
        feeder = Feeder(plan, empty, where, place, library, shape)
        first_cache = empty(None, given) if isinstance(empty, Factory) else None
        out = feeder.feed(obj, given, arrays, first_cache)
        return out, weights, {"flowed": feeder.flowed, "only right": left_out}

    return run
