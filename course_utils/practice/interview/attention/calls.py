"""The ways to call what somebody wrote for attention: a function of arrays and weights, or a class."""

import inspect

import numpy as np
import torch

from ..assign import assignments, unclear
from ..build import is_weight_role, make, randomise, recipes
from ..configs import Made, configured, made_config, said_by_class
from ..parameters import call
from ..values import dress, parts_of, undress
from ..ways import Outcome, Way
from .dressings import BIASES, FOUR, dressings_of, with_weights
from .masks import BOTH, CAUSAL, PADDED, PADDING, make_mask

SPECS = [
    FOUR,
    ("wqkv", "wo"),
    ("wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo"),
    ("weights",),
    ("wq", "wk", "wv"),
    ("wqkv",),
    ("wq", "wkv", "wo"),
]
FUSED_WITH_BIASES = ("wqkv", "bqkv", "wo", "bo")
FORMS = [
    *(("x", *spec, "heads") for spec in SPECS[:3]),
    ("q", "k", "v", *FOUR, "heads"),
    ("q", "k", "v", "heads"),
    ("x", "weights", "heads"),
    *(("x", *spec) for spec in (FOUR, ("weights",), ("wqkv", "wo"))),
    *(("x", *spec, "heads") for spec in (*SPECS[4:], FUSED_WITH_BIASES)),
    ("q", "k", "v", "weights", "heads"),
]
GROUPED = [
    ("q", "k", "v"),
    ("q", "k", "v", "group_size"),
    ("q", "k", "v", "kv_heads"),
    ("q", "k", "v", "heads", "kv_heads"),
    *(("x", *spec, "heads", "kv_heads") for spec in (*SPECS[:2], ("weights",), SPECS[6], SPECS[4])),
    ("x", *FOUR, "kv_heads"),
    ("x", "weights", "kv_heads"),
    *(("x", *spec) for spec in (FOUR, ("weights",))),
    ("x", *FOUR, "heads", "group_size"),
    ("q", "k", "v", "heads"),
    ("q", "k", "v", "wo"),
    ("q", "k", "v", *FOUR, "heads", "kv_heads"),
]
BATCHES = ("(B, T, D)", "one sequence", "(T, B, D)")
IN_CLASS = [("x",), ("q", "k", "v"), ("q", "k")]
EXTRAS = (
    "mask",
    "kv_heads",
    "heads",
    "head_dim",
    "group_size",
    "d_model",
    "batch",
    "max_len",
    "start",
    "lengths",
    "config",
)
SIZES = ("heads", "kv_heads", "head_dim", "group_size", "d_model", "batch", "max_len")
DONE_BY_MODULE = {name for name in dir(torch.nn.Module) if name != "forward"}


def is_class(obj):
    return isinstance(obj, type) or not inspect.isroutine(obj) and not hasattr(obj, "func")


def class_of(obj):
    return obj if isinstance(obj, type) else type(obj)


def methods_of(cls, first=()):
    """Names of the methods that may be the one, the likely first."""
    own = [n for c in cls.__mro__ if c not in (object, torch.nn.Module) for n in vars(c)]
    usual = [*first, "forward", "__call__", "attend", "attention", "step", "decode", "apply", "run"]
    named = [n for n in usual if n in own]
    rest = [n for n in own if not n.startswith("_") and n not in DONE_BY_MODULE and n not in named]
    called = [n for n in dict.fromkeys(named + rest) if inspect.isroutine(getattr(cls, n, None))]
    return ["__call__" if n == "forward" and issubclass(cls, torch.nn.Module) else n for n in called][:4]


def ways(obj, said, first, grouped=False, masks=None):
    """Iterator of Way. masks: the dialects that a mask is tried in."""
    if is_class(obj):
        yield from class_ways(class_of(obj), said, first, masks)
    else:
        yield from function_ways(obj, said, grouped, masks, first)


def names_unclear(obj):
    """Parameters of a function whose names say nothing about what they are."""
    return [] if is_class(obj) else unclear(obj, FORMS + GROUPED, EXTRAS)


def class_ways(cls, said, first, masks):
    for recipe in working_recipes(cls, first["sizes"]):
        for method in methods_of(cls):
            target = getattr(
                cls, "forward" if issubclass(cls, torch.nn.Module) and method == "__call__" else method
            )
            for plan in in_class(target, said):
                ran = []
                for mask in masks_for(plan, masks):
                    for library in libraries(cls):
                        for batch in BATCHES:
                            way = class_way(cls, recipe, method, plan, mask, library, batch)
                            yield noted(way, mask, plan, ran)


def in_class(target, said):
    """Assignments of a method, without its self."""
    forms = [("self", *form) for form in IN_CLASS]
    for plan in assignments(
        target, forms, {**dict(said), "self": "self"}, EXTRAS, ("mask", "lengths", "dropout", *SIZES)
    ):
        yield {name: role for name, role in plan.items() if role != "self"}


def libraries(obj):
    """torch, NumPy and lists, those that the code mentions first."""
    if isinstance(obj, type) and issubclass(obj, torch.nn.Module):
        return ("torch",)
    written = vars(obj).values() if isinstance(obj, type) else [obj]
    used = {name for one in written for name in modules_of(getattr(one, "__func__", one))}
    if "torch" in used:
        return ("torch", "numpy", "list")
    return ("numpy", "torch", "list") if "numpy" in used else ("list", "numpy", "torch")


def modules_of(function):
    """The modules whose names a function's code uses."""
    code, space = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    todo, found = [code] if code else [], set()
    while todo:
        one = todo.pop()
        found |= {getattr(space.get(name), "__name__", "").partition(".")[0] for name in one.co_names}
        found |= {getattr(space.get(name), "__module__", "") for name in one.co_names}
        todo += [inner for inner in one.co_consts if isinstance(inner, type(one))]
    return found


def working_recipes(cls, sizes):
    """Those that make an object of the first input's sizes; where none does, the first, for its error."""
    some = []
    found = list(recipes(cls, sizes))
    for recipe in found:
        try:
            make(cls, recipe, sizes)
        except Exception:  # this way to make it is not meant
            continue
        some.append(recipe)
        if len(some) == 6:
            break
    return some or found[:1]


def masks_for(plan, masks):
    """The names of dialects for a call that has a mask; None for one that has not, or is called without."""
    if "mask" not in plan.values():
        return (None,)
    return (*(masks or (*CAUSAL, *BOTH, *PADDING)), None)


def noted(way, mask, plan, ran):
    """The same way; ran: collects the masks with which a call came to an end. Of a call without its mask
    nothing
    is said about masks; where no mask at all can be handed over, it counts as attention without one."""
    run = way.run

    def inner(given):
        outcome = run(given)
        if mask is not None:
            ran.append(mask)
        elif "mask" in plan.values():
            more = outcome.notes.get("left out", ())
            outcome.notes["left out"] = ("mask_ignored", "no_mask", *more)
            outcome.notes["variants"] = ("causal",) if ran else ("causal", "plain")
        return outcome

    way.run = inner
    return way


def class_way(cls, recipe, method, plan, mask, library, batch):
    def run(given):
        thing = make(cls, recipe, given["sizes"])
        weights = randomise(thing, given["sizes"] if takes_weights(recipe) else None)
        target = getattr(thing, method)
        notes = notes_for(plan, mask)
        arrays = {"x": given["x"], "q": given["x"], "k": given["xk"], "v": given["xv"]}
        value = called(target, plan, arrays, given, mask, library, batch)
        return Outcome(value, weights, notes)

    return Way(f"{recipe} {method} {plan} {mask} {library} {batch}", run)


def takes_weights(recipe):
    return any(is_weight_role(role) for role in recipe.values())


def notes_for(plan, mask):
    variants = ("plain", "causal")
    if mask is not None:
        variants = {**CAUSAL, **PADDING, **BOTH}[mask][0]
    elif "mask" in plan.values():
        variants = ("causal",)
    elif "lengths" in plan.values():
        variants = ("padded", *PADDED)
    return {
        "variants": variants,
        "separate": {"q", "k", "v"} <= set(plan.values()),
        "q and k": {"q", "k"} <= set(plan.values()) and "v" not in plan.values(),
    }


def called(target, plan, arrays, given, mask, library, batch):
    """The call; for what takes one sequence, one call for each, and the results in one array."""
    if batch == "(T, B, D)":
        arrays = {
            name: value.swapaxes(0, 1) if name in ("x", "q", "k", "v") else value
            for name, value in arrays.items()
        }
    if batch != "one sequence":
        values = {name: value_for(role, arrays, given, mask, library) for name, role in plan.items()}
        result = call(target, without(values))
        return turned_back(result, given) if batch == "(T, B, D)" else result
    results = []
    for b in range(given["B"]):
        some = {name: value[b] if name in ("x", "q", "k", "v") else value for name, value in arrays.items()}
        part = {**given, "B": 1, "lengths": given["lengths"][b : b + 1]}
        values = {name: value_for(role, some, part, mask, library) for name, role in plan.items()}
        results.append(call(target, without(values)))
    return stacked(results)


class Missing:
    """A mask that is left out."""


def without(values):
    return {name: value for name, value in values.items() if value is not Missing}


def value_for(role, arrays, given, mask, library):
    if role == "mask":
        return dress(make_mask(mask, given), library) if mask else Missing
    if role == "lengths":
        return dress(given["lengths"], library)
    if isinstance(role, Made) or role == "config":
        return made_config(role, given["sizes"])
    if role in given["sizes"]:
        return given["sizes"][role]
    if role == "dropout":
        return 0.0
    if role == "start":
        return 0
    if role in ("device", "dtype", "flag", "base"):
        return Missing
    return dress(arrays[role], library)


def turned_back(result, given):
    """Tokens came first: the batch is the first axis again."""
    found = {}
    for key, part in parts_of(result):
        if hasattr(part, "shape") and tuple(part.shape[:2]) == (given["T"], given["B"]):
            found[str(key)] = (part.detach() if hasattr(part, "detach") else part).swapaxes(0, 1)
    return found


def stacked(results):
    """Results of several calls as one: like parts stacked along a new first axis."""
    parts = [dict(parts_of(one)) for one in results]
    kept = {}
    for key in parts[0]:
        mine = [one.get(key) for one in parts]
        mine = [undress(part) for part in mine]
        if all(part is not None for part in mine) and len({part.shape for part in mine}) == 1:
            kept[str(key)] = np.stack(mine)
    return kept


# ---- functions


def function_ways(obj, said, grouped, masks, first):
    forms = GROUPED + FORMS[:4] if grouped else FORMS
    fill = ("mask", "lengths", "config", "dropout", *BIASES, *SIZES)
    plans = assignments(obj, forms, {**dict(said), **said_by_class(obj)}, EXTRAS, fill)
    for plan in configured(obj, plans, first["sizes"]):
        for dressing in dressings(plan, grouped):
            ran = []
            for mask in masks_for(plan, masks):
                for library in libraries(obj):
                    for batch in BATCHES:
                        way = function_way(obj, plan, dressing, mask, library, batch)
                        yield noted(way, mask, plan, ran)


def dressings(plan, grouped):
    """In which shape weights, or q, k and v, are handed over."""
    roles = set(plan.values())
    if has_weights(roles):
        return dressings_of(roles)
    if grouped:
        return ["(B, H, T, d)", "(B, T, H, d)", "(B, T, H d)"]
    return ["(B, T, H d)"]


def has_weights(roles):
    return bool(roles & {"wq", "wqkv", "weights"})


def function_way(obj, plan, dressing, mask, library, batch):
    def run(given):
        roles = set(plan.values())
        weights = []
        if has_weights(roles):
            arrays, weights = with_weights(given, roles, dressing)
            notes = notes_for(plan, mask)
        else:
            arrays = heads_of(given, dressing)
            if "wo" in roles:
                arrays, weights = {**arrays, "wo": given["wo"]}, [("wo", given["wo"], False)]
            notes = {**notes_for(plan, mask), "layout": dressing}
            if dressing != "(B, T, H d)":  # it is what (T, H, d) gives where (H, T, d) is meant
                notes["left out"] = ("heads_attend_to_heads",)
        return Outcome(called(obj, plan, arrays, given, mask, library, batch), weights, notes)

    return Way(f"{plan} {dressing} {mask} {library} {batch}", run)


def heads_of(given, dressing):
    """q, k and v, split or not."""
    if dressing == "(B, T, H d)":
        return {name: given[name] for name in "qkv"}
    d, B, T = given["d"], given["B"], given["T"]
    split = {name: given[name].reshape(B, T, -1, d) for name in "qkv"}
    if dressing == "(B, T, H, d)":
        return split
    return {name: np.ascontiguousarray(value.transpose(0, 2, 1, 3)) for name, value in split.items()}
