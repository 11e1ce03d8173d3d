"""Attention with a cache: how a layer or a function is fed in several calls, and what it hands back."""

import numpy as np
import torch

from ..assign import assignments
from ..build import make, randomise
from ..parameters import call, parameters
from ..values import dress
from ..ways import Outcome, Problem, Way, Wrong
from .calls import BIASES, FOUR, class_of, is_class, methods_of, with_weights, working_recipes
from .draw import draw
from .problems import ATTENTION, GROUPED, WRONGS, without_heads
from .readings import readings
from .reference import attention

ROLES = ("cache", "cache_k", "cache_v", "start", "use_cache", "mask", "heads", "kv_heads", "head_dim")
FORMS = [("x",), ("q", "k", "v"), ("x", "cache"), ("x", "cache_k", "cache_v")]
FUNCTION_FORMS = [
    ("x", *FOUR, "heads", "cache"),
    ("x", "cache", *FOUR, "heads"),
    ("x", *FOUR, "heads", "cache_k", "cache_v"),
    ("x", *FOUR, "cache_k", "cache_v", "heads"),
    ("x", "cache_k", "cache_v", *FOUR, "heads"),
    ("x", "wqkv", "wo", "heads", "cache"),
    ("x", "weights", "heads", "cache"),
    ("x", "weights", "cache", "heads"),
    ("x", *FOUR, "cache"),
    ("x", *FOUR, "heads", "kv_heads", "cache"),
]
EMPTY = ("nothing", "None", "{}", "[]", "(None, None)", "empty tensors", "zero tensors")
STEP_NAMES = ("step", "decode", "decode_step", "forward_step", "generate_step", "next")
ONE_TOKEN = (
    "one_token",
    "It is right for one new token in each call, and not for several at once, where the new tokens need "
    "a mask "
    "among them. Is it meant for one token per call? Then say so: `interview.check(NAME, one_token=True)`.",
    ("no_mask",),
)


def initial(name, given):
    """What stands for a cache before the first call."""
    B, Hkv, d = (given[one] for one in ("B", "Hkv", "d"))
    if name in ("{}", "[]", "(None, None)"):
        return {"{}": dict, "[]": list, "(None, None)": lambda: (None, None)}[name]()
    size = 0 if name == "empty tensors" else given["sizes"]["max_len"]
    return torch.zeros(B, Hkv, size, d), torch.zeros(B, Hkv, size, d)


class Feeder:
    """Calls the answer again and again, with the cache that the call before returned.

    plan: {parameter: role}. empty: the cache of the first call. where: which result is the output.
    """

    def __init__(self, plan, empty, where, library, shape):
        self.plan, self.empty, self.where, self.library, self.shape = plan, empty, where, library, shape

    def feed(self, target, given, arrays, made=None):
        """The outputs of all calls, one after another (B, T, D)."""
        outs, start, cache = [], 0, made
        if cache is None and self.empty not in ("nothing", "None") and isinstance(self.empty, str):
            cache = initial(self.empty, given)
        for number, length in enumerate(given["chunks"]):
            rows = slice(start, start + length)
            some = {n: v[:, rows] if n in ("x", "q", "k", "v") else v for n, v in arrays.items()}
            values = {n: self.value(role, some, given, cache, number, start) for n, role in self.plan.items()}
            values = {name: value for name, value in values.items() if value is not LEFT_OUT}
            chosen = target[min(number, 1)] if isinstance(target, list) else target
            result = call(chosen, values)
            out, cache = self.taken_apart(result, cache, given, length)
            outs.append(out)
            start += length
        self.flowed = cache is not None or "cache" not in str(self.plan.values())
        return np.concatenate(outs, axis=1)

    def value(self, role, arrays, given, cache, number, start):
        if role in ("cache", "cache_k", "cache_v"):
            return self.cache_value(role, cache)
        if role == "start":
            return start
        if role == "use_cache":
            return True
        if role in given["sizes"]:
            return given["sizes"][role]
        if role == "dropout":
            return 0.0
        if role in ("device", "dtype", "flag", "base"):
            return LEFT_OUT
        array = arrays[role]
        if role in ("x", "q", "k", "v"):
            array = {"(B, T, D)": array, "(B, D)": array[:, 0], "(T, D)": array[0], "(D,)": array[0, 0]}[
                self.shape
            ]
        return dress(array, self.library)

    def cache_value(self, role, cache):
        if cache is None:
            return LEFT_OUT if self.empty == "nothing" else None
        if role == "cache":
            return cache
        pair = cache if isinstance(cache, (tuple, list)) else (cache, cache)
        return pair[0 if role == "cache_k" else 1]

    def taken_apart(self, result, cache, given, length):
        """(output (B, t, D), what is to be handed over next)."""
        if isinstance(result, dict):
            result = tuple(result.values())
        if not isinstance(result, (tuple, list)):
            return self.as_output(result, given, length), cache
        place = self.where if self.where >= 0 else len(result) + self.where
        rest = [one for n, one in enumerate(result) if n != place]
        rest = [one for one in rest if one is not None]
        if len(rest) > 1 and "cache" in self.plan.values() and not all_caches(rest):
            rest = rest[-1:]
        if not rest:
            return self.as_output(result[place], given, length), cache
        new = rest[0] if len(rest) == 1 else tuple(rest)
        return self.as_output(result[place], given, length), new

    def as_output(self, value, given, length):
        array = value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)
        return array.astype(np.float64).reshape(given["B"], length, given["D"])


def all_caches(rest):
    """Are they keys and values, of one shape?"""
    shapes = {getattr(one, "shape", None) for one in rest}
    return len(rest) == 2 and len(shapes) == 1


LEFT_OUT = object()


def ways(obj, said, first):
    """Iterator of Way: several tokens at once first, then one by one."""
    plain = {role: name for role, name in said.items() if isinstance(name, str)}
    maker = said.get("cache") if callable(said.get("cache")) else None
    feeds = list(
        class_feeds(obj, plain, first, maker) if is_class(obj) else function_feeds(obj, plain, first)
    )
    ran, alone = set(), bool(said.get("one_token"))
    for singles in (True,) if alone else (False, True):
        for shape in ("(B, T, D)", "(T, D)", "(B, D)", "(D,)")[: 4 if singles else 2]:
            for group, name, run in feeds:
                key = (*group, shape, singles)
                if key not in ran:  # of the caches to begin with, the first that works is enough
                    how = "one by one" if singles else "in chunks"
                    yield Way(f"{name} {shape} {how}", fed(run, shape, singles, (obj, alone), ran, key))


def fed(run, shape, singles, asked, ran, key):
    def inner(given):
        given = {**given, "chunks": [1] * given["T"] if singles else given["chunks"]}
        if shape in ("(T, D)", "(D,)") and given["B"] > 1:
            return one_by_one(inner, given)
        value, weights, notes = run(given, shape)
        if notes["flowed"]:
            ran.add(key)
        return Outcome(value, weights, {**notes, "variants": (variant(),), "chunks": given["chunks"]})

    def variant():
        obj, alone = asked
        if not singles:
            return "causal"
        never_several = all(one[-1] for one in ran)
        sure = alone or never_several or shape in ("(B, D)", "(D,)") or looks_single(obj)
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
                for empty in (*empties(signed, plan), *caches_beside(signed, plan)):
                    for where in (0, -1):
                        for library in ("torch",) if module else ("torch", "numpy"):
                            group = (str(recipe), str(methods), str(plan), where, library)
                            yield (
                                group,
                                f"{group} {empty}",
                                in_class(cls, recipe, methods, plan, empty, where, library, maker),
                            )


def methods_to_feed(cls):
    """Lists of a method for the first call and one for the others."""
    own = {name for one in cls.__mro__ if one not in (object, torch.nn.Module) for name in vars(one)}
    later = [name for name in STEP_NAMES if name in own]
    if "prefill" in own and later:
        yield ["prefill", later[0]]
    for name in methods_of(cls):
        yield [name, name]


def plans(signed, said):
    for plan in assignments(
        signed, [("self", *form) for form in FORMS], {**said, "self": "self"}, ROLES, ROLES
    ):
        yield {name: role for name, role in plan.items() if role not in ("self", "mask")}


def empties(signed, plan):
    """What may stand for a cache that is not there yet."""
    held = [one for one in parameters(signed) if plan.get(one.name) in ("cache", "cache_k", "cache_v")]
    if not held:
        return ("nothing",)
    return EMPTY if all(not one.needed for one in held) else EMPTY[1:]


def caches_beside(signed, plan):
    """Classes beside it whose name speaks of a cache: one of them may be what it wants."""
    if "cache" not in plan.values():
        return []
    space = getattr(signed, "__globals__", {})
    found = [one for name, one in space.items() if isinstance(one, type) and "cache" in name.lower()]
    return [
        one
        for one in found
        if one.__module__ == space.get("__name__") and one.__name__ not in signed.__qualname__
    ]


def new_cache(kind, given):
    """A cache of a class, or of a function that makes one."""
    known = working_recipes(kind, given["sizes"]) if isinstance(kind, type) else []
    return make(kind, known[0], given["sizes"]) if known else kind()


def in_class(cls, recipe, methods, plan, empty, where, library, maker):
    def run(given, shape):
        thing = make(cls, recipe, given["sizes"])
        weights = randomise(thing)
        target = [getattr(thing, name) for name in methods]
        arrays = {"x": given["x"], "q": given["x"], "k": given["xk"], "v": given["xv"]}
        feeder = Feeder(plan, empty, where, library, shape)
        kind = empty if isinstance(empty, type) else maker
        first_cache = new_cache(kind, given) if kind else None
        separate = {"q", "k", "v"} <= set(plan.values())
        out = feeder.feed(target, given, arrays, first_cache)
        return out, weights, {"separate": separate, "flowed": feeder.flowed}

    return run


# ---- functions


def function_feeds(obj, said, first):
    for plan in assignments(obj, FUNCTION_FORMS, said, ROLES, (*ROLES, *BIASES)):
        plan = {name: role for name, role in plan.items() if role != "mask"}
        for empty in empties(obj, plan):
            for where in (0, -1):
                for library in ("torch", "numpy"):
                    group = (str(plan), where, library)
                    yield group, f"{group} {empty}", in_function(obj, plan, empty, where, library)


def in_function(obj, plan, empty, where, library):
    def run(given, shape):
        arrays, weights = with_weights(given, set(plan.values()), "(in, out)")
        feeder = Feeder(plan, empty, where, library, shape)
        return feeder.feed(obj, given, arrays), weights, {"flowed": feeder.flowed}

    return run


# ---- problems

CACHE = {
    "no_mask": Wrong(
        "Within a call of several tokens there is no mask: each of them sees those that come after it.",
        [attention(causal=False)],
    ),
    "new_before_old": Wrong(
        "New keys are put before the cached ones: order is time, so old comes before new.",
        [attention(cache="new_first"), attention(keys="v new first"), attention(keys="k new first")],
    ),
    "top_left": Wrong(
        "The mask begins at the top left: the first new query comes after all cached keys and sees all "
        "of them.",
        [attention(cache="top_left"), attention(cache="top_left", fill=-1e9)],
    ),
    "cache_unused": Wrong(
        "A call sees only its own tokens: the cached keys and values are not used.",
        [attention(cache="own"), attention(cache="own", causal=False)],
    ),
    "only_last_call": Wrong(
        "The cache holds only the tokens of the call before: add to it, and do not replace it.",
        [attention(cache="last"), attention(cache="last", causal=False)],
    ),
    "new_left_out": Wrong(
        "A new token does not see itself: its own key and value belong to the cache before it attends.",
        [attention(cache="old_only"), attention(cache="old_only", causal=False)],
    ),
    "appended_twice": Wrong(
        "New keys and values are in the cache twice: they are appended once too often.",
        [attention(cache="twice"), attention(cache="twice", causal=False)],
    ),
    "first_call_only": Wrong(
        "The cache stays what the first call made: each call adds to what the one before handed back.",
        [attention(cache="first"), attention(cache="first", causal=False)],
    ),
}
SIZES = [
    {"B": 2, "T": 6, "H": 3, "d": 4, "chunks": [3, 1, 2]},
    {"B": 1, "T": 3, "H": 2, "d": 3, "chunks": [1, 1, 1]},
    {"B": 3, "T": 5, "H": 1, "d": 6, "chunks": [2, 2, 1]},
    {"B": 2, "T": 5, "H": 4, "d": 2, "chunks": [4, 1], "large": 3.0},
]


def read(outcome, given):
    """As without a cache; how the calls were cut is in the input that the references get."""
    for reading in readings(outcome, {**given, "chunks": outcome.notes["chunks"]}):
        reading.memo = (reading.memo, tuple(outcome.notes["chunks"]))
        yield reading


def cached_mha(name="cached_mha", sizes=SIZES, extra=None):
    draws = [draw(seed, **one) for seed, one in enumerate(sizes, 31)]
    right = attention()
    return Problem(
        name=name,
        draws=draws,
        ways=lambda obj, said: ways(obj, said, draws[0]),
        readings=read,
        rights={"causal": right, "one token": right, "one token?": right},
        wrongs={**CACHE, **(extra or {}), **without_heads(WRONGS)},
        vague={"one token?": ONE_TOKEN},
        roles=("x", "cache", "cache_k", "cache_v", "heads", "one_token", "start"),
        ready_made=ATTENTION,
    )


def cached_gqa():
    sizes = [
        {"B": 2, "T": 6, "H": 6, "Hkv": 2, "d": 2, "chunks": [3, 1, 2]},
        {"B": 1, "T": 3, "H": 4, "Hkv": 2, "d": 3, "chunks": [1, 1, 1]},
        {"B": 3, "T": 5, "H": 4, "Hkv": 1, "d": 3, "chunks": [2, 2, 1]},
        {"B": 2, "T": 5, "H": 6, "Hkv": 3, "d": 4, "chunks": [4, 1], "large": 3.0},
    ]
    return cached_mha("gqa with a cache", sizes, GROUPED)
