"""Attention in any form: functions of queries, keys and values, functions with weights, layers, and layers
with a cache. A request comes in, the output (B, T, d_model) goes out."""

import inspect
import re
from itertools import product

import numpy as np

from ..adapt import explained, search
from ..calls import is_class, libraries, methods_of, plans
from ..layouts import fits, names_in, rearrange
from ..objects import WEIGHTS, argument, working
from ..parameters import call, parameters
from ..retell import request_of, trial_sheet
from ..values import Unread, dress, parts_of, undress
from .weights import FOUR, FUSED, LAYOUTS, bundle, fill, in_layout

INPUT = ("b t d", "t d", "t b d", "d", "b d")
HEADS = ("b h t e", "b t h e", "h t e", "b t (h e)", "t h e", "t (h e)")
MASKS = {
    "masked": lambda keep: ~keep,
    "keep": lambda keep: keep,
    "add": lambda keep: np.where(keep, 0.0, -np.inf),
    "numbers": lambda keep: keep.astype(float),
}
SPECS = [FOUR, ("wqkv", "wo"), ("weights",), ("wq", "wkv", "wo"), ("wq", "wk", "wv"), ("wqkv",)]
FORMS = [
    *(("x", *spec, *sizes) for sizes in (("heads",), (), ("heads", "kv_heads")) for spec in SPECS),
    *(
        ("q", "k", "v", *more)
        for more in ((), ("heads",), ("heads", "kv_heads"), ("kv_heads",), ("group_size",))
    ),
    ("q", "k", "v", *FOUR, "heads"),
    ("x", "wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo", "heads"),
    ("q", "k", "v", "wo"),
    ("x", *FOUR, "kv_heads"),
    ("x", *FOUR, "heads", "group_size"),
    ("weights", "x", "heads"),
]
IN_CLASS = [("x",), ("q", "k", "v")]
SIZES = ("heads", "kv_heads", "group_size", "head_dim", "d_model", "batch", "max_len")
CACHES = ("cache", "cache_k", "cache_v", "start", "use_cache")
STARTS = {
    "number": lambda past, rows, new: past,
    "positions": lambda past, rows, new: np.arange(past, past + new),
    "rows": lambda past, rows, new: np.tile(np.arange(past, past + new), (rows, 1)),
    "each": lambda past, rows, new: np.full(rows, past),
}
HINTS = {
    "causal": r"(is_)?causal|masked|use_mask",
    "lengths": r"len|lens|lengths?|(?!.*(cache|past)).*(_lengths?|_lens)|valid.*",
}
OWN_CACHE = re.compile(r"(?i)cache|store|state|memory")
TWO = re.compile(r"prefill|prompt"), re.compile(r"decode|step|next|one")


def ways(obj, request, step):
    """Iterator of (name, way), the likely first: way(request) is the output. step: the table of the topic's
    step."""
    every = sorted(
        class_ways(obj, request, step) if is_class(obj) else function_ways(obj, request, step), key=COST
    )
    for _, name, way in every:
        yield name, way


def COST(row):
    return row[0]


def roles_of(step):
    """(roles that an optional parameter may have, hints of names) in this step."""
    optional = ["mask", "kv_heads", "heads", "group_size", "causal", "dropout"]
    optional += [*CACHES, *(["lengths"] if "lengths" in step.signature else [])]
    return optional, HINTS.items()


def function_ways(obj, request, step):
    forms = FORMS
    if step.is_cached:
        forms = [(*form, *more) for form in FORMS[:4] for more in (("cache",), ("cache_k", "cache_v"))]
        forms += [("x", "cache_k", "cache_v", *FOUR, "heads"), ("x", "cache", *FOUR, "heads"), *FORMS[:8]]
    optional, hints = roles_of(step)
    for place, plan in enumerate(plans(obj, forms, optional, request, hints)):
        for cost, choice in choices(obj, plan, step):
            yield place + cost, f"{named(plan)} {worded(choice)}", Layer(plan, choice, function=obj)


def class_ways(cls, request, step):
    def value(role):
        layout = {"lib": libraries(cls)[0]}
        return bundle(request, layout) if role == "weights" else weight(request, role, layout)

    optional, hints = roles_of(step)
    forms = [*([(*form, "cache") for form in IN_CLASS] if step.is_cached else ()), *IN_CLASS]
    for first, recipe in enumerate(working(cls, request, value)):
        for second, method in enumerate(methods_of(cls)):
            later = decoder_of(cls, method) if step.is_cached else ""
            for third, plan in enumerate(
                plans(getattr(cls, method), forms, optional, request, hints, skip=1)
            ):
                for cost, choice in choices(cls, plan, step, recipe, getattr(cls, method)):
                    name = f"{cls.__name__}.{method}{named(plan)} {worded(choice)}"
                    way = Layer(plan, choice, recipe=recipe, method=method, later=later)
                    yield first + second + third + cost, name, way


def decoder_of(cls, method):
    """The method that takes the tokens after the prompt, where there are two."""
    if not TWO[0].search(method):
        return ""
    return next((name for name in methods_of(cls) if TWO[1].search(name)), "")


def named(plan):
    return "(" + ", ".join(f"{name}={getattr(role, 'cls', role)}" for name, role in plan.items()) + ")"


def worded(choice):
    return " ".join(f"{name}:{value}" for name, value in choice.items())


def choices(obj, plan, step, recipe=None, signed=None):
    """Iterator of (how unlikely, layouts and libraries) in which a plan's arguments are tried."""
    roles = set(map(str, plan.values()))
    weights = bool(roles & {*FOUR, "wqkv", "wkv", "weights"}) or recipe is not None
    held = recipe and set(map(str, recipe.roles.values())) & set(WEIGHTS)
    inputs = INPUT if step.is_cached else INPUT[:3]
    options = {
        "cache": caches(signed or obj, plan),
        "start": STARTS if "start" in roles else ("number",),
        "mask": [*MASKS] if "mask" in roles else ("none",),
        "shape": SHAPES if "mask" in roles else ("t s",),
        "causal": (True,) if "causal" in roles else (None,),
        "x": inputs if weights else HEADS,
        "w": LAYOUTS
        if held or recipe is None and weights
        else LAYOUTS[:2] + LAYOUTS[5:]
        if recipe
        else LAYOUTS[:1],
        "fused": FUSED if recipe and not held else FUSED[:1],
        "bundle": ("flat", "pairs", "biases")
        if "weights" in roles or held and "weights" in held
        else ("flat",),
        "lib": libraries(obj)[:2] if step.is_cached else libraries(obj),
    }
    names = [name for name, values in options.items() if len(values) > 1]
    fixed = {name: next(iter(values)) for name, values in options.items() if len(values) == 1}
    for places in product(*(range(len(options[name])) for name in names)):
        values = [list(options[name])[place] for name, place in zip(names, places, strict=True)]
        yield sum(places), fixed | dict(zip(names, values, strict=True))


def caches(signed, plan):
    """How the first call is given a cache: the likely first."""
    names = [name for name, role in plan.items() if role in ("cache", "cache_k", "cache_v")]
    if not names:
        return ("none",)
    needed = [parameter.name for parameter in parameters(signed) if parameter.needed]
    if any(
        parameter.name in names and isinstance(parameter.default, dict | list)
        for parameter in parameters(signed)
    ):
        return ("omitted",)  # what a default that is kept between texts does has to show
    own = ["own"] if own_caches(signed, names[0]) else []
    return [*own, *(["omitted"] if names[0] not in needed else []), "none", "dict", "list", "empty"]


def weight(request, role, choice):
    """An array of weights, or of zeros for a bias."""
    if role.startswith("b"):
        return dress(np.zeros(request[f"w{role[1]}"].shape[1]), choice["lib"])
    return dress(in_layout(request, role, choice.get("w", LAYOUTS[0])), choice["lib"])


class Session:
    """What goes on between calls over one text: the object, how many tokens it has read, and its cache."""

    def __init__(self):
        self.thing, self.past, self.cache = None, 0, {}


class Layer:
    """One way to call. Called with a request, it gives the output (B, T, d_model)."""

    def __init__(self, plan, choice, function=None, recipe=None, method="", later=""):
        self.plan, self.choice = plan, choice
        self.function, self.recipe, self.method, self.later = function, recipe, method, later
        self.sessions = {}
        self.signed = function or getattr(recipe.cls, method)
        roles = set(map(str, plan.values()))
        self.weights = bool(roles & {*FOUR, "wqkv", "wkv", "weights"})

    def __call__(self, request):
        if not request["past"]:
            self.sessions = {}
        axes, (rows, new) = names_in(self.choice["x"]), request["x"].shape[:2]
        outputs = []
        for part in [slice(b, b + 1) for b in range(rows)] if "b" not in axes else [slice(None)]:
            single = "t" not in axes or self.later and request["past"]
            steps = [slice(t, t + 1) for t in range(new)] if single else [slice(None)]
            outputs.append(np.concatenate([self.one_call(request, part, step) for step in steps], 1))
        return np.concatenate(outputs)

    def one_call(self, request, rows, tokens):
        """One call: the output (b, t, d_model) of some rows and tokens."""
        request = request | {"x": request["x"][rows, tokens]}
        if request.get("lengths") is not None:
            request["lengths"] = request["lengths"][rows]
        session = self.sessions.setdefault(rows.start, Session())
        target = self.target(session, request)
        value = call(target, self.arguments(request, session, target))
        output, others = self.read(value, request)
        session.past += request["x"].shape[1]
        self.keep(session, others)
        return output

    def target(self, session, request):
        """What is called: the function, or a method of an object with the request's weights."""
        if self.function is not None:
            return self.function
        if session.thing is None:
            session.thing = self.recipe.make(request, lambda role: self.held(request, role))
            if hasattr(session.thing, "eval"):
                session.thing.eval()
            handed = set(map(str, self.recipe.roles.values())) & set(WEIGHTS)
            session.roles = {"o", "q"} if handed else fill(session.thing, request, self.choice)
        return getattr(session.thing, self.later if self.later and session.past else self.method)

    def held(self, request, role):
        return bundle(request, self.choice) if role == "weights" else weight(request, role, self.choice)

    def has_weights(self, session):
        return (
            self.weights
            or self.recipe is not None
            and "q" in session.roles
            or "qkv" in getattr(session, "roles", ())
        )

    def arguments(self, request, session, target):
        projected = not self.has_weights(session)
        arguments = {}
        for name, role in self.plan.items():
            value = self.value(role, name, request, session, projected)
            if value is not LEFT_OUT:
                arguments[name] = value
        return arguments

    def value(self, role, name, request, session, projected):
        """The argument for a role; LEFT_OUT where the default is to be taken."""
        lib, choice = self.choice["lib"], self.choice
        rows, new = request["x"].shape[:2]
        if role in ("x", "q", "k", "v"):
            return dress(self.input(role, request, projected), lib)
        if role == "weights":
            return bundle(request, choice)
        if role in WEIGHTS:
            return weight(request, role, choice)
        if role == "mask":
            return self.mask(request, session)
        if role == "start":
            return dress(STARTS[choice["start"]](session.past, rows, new), lib)
        if role in ("cache", "cache_k", "cache_v"):
            return self.cache(role, name, request, session)
        if role in ("causal", "use_cache"):
            return request["causal"] if role == "causal" else True
        if role == "lengths":
            return LEFT_OUT if request.get("lengths") is None else dress(request["lengths"], lib)
        return argument(role, request)

    def input(self, role, request, projected):
        x = request["x"]
        if not projected or role == "x":
            pattern = self.choice["x"] if "e" not in self.choice["x"] else "b t d"
            return rearrange(x, f"b t d -> {pattern}")
        return rearrange(x @ request[f"w{role}"], f"b t (h e) -> {self.choice['x']}", e=request["head_dim"])

    def mask(self, request, session):
        """The mask, in the chosen sense and shape."""
        if self.choice["mask"] == "none":
            return LEFT_OUT
        rows, new = request["x"].shape[:2]
        total = session.past + new
        keep = np.ones((rows, 1, new, total), bool)
        if request["causal"]:
            keep &= np.tri(new, total, session.past, dtype=bool)
        if request.get("lengths") is not None:
            keep &= (np.arange(total) < request["lengths"][:, None])[:, None, None]
        shape = self.choice["shape"]
        if shape == "t s":
            keep = keep[0, 0]
        elif shape in ("b s", "b 1 1 s"):
            keep = keep[:, :, -1:] if shape == "b 1 1 s" else keep[:, 0, -1]
        elif shape == "b t s":
            keep = keep[:, 0]
        return dress(MASKS[self.choice["mask"]](keep), self.choice["lib"])

    def cache(self, role, name, request, session):
        """The cache that the last call left; for the first one, an empty one of the chosen kind."""
        if role in session.cache:
            return session.cache[role]
        kind = self.choice["cache"]
        if kind == "omitted":
            return LEFT_OUT
        makers = {"none": lambda: None, "dict": dict, "list": list}.get(kind)
        if makers:
            value = makers()
        elif kind == "own":
            maker = own_caches(self.signed, name)[0]
            value = next(working(maker, request, None)).make(request)
        else:
            none = np.zeros((0,) if "b" not in names_in(self.choice["x"]) else (request["x"].shape[0], 0))
            value = dress(np.zeros((*none.shape, request["wk"].shape[1])), self.choice["lib"])
        session.cache[role] = value
        return value

    def keep(self, session, others):
        """Remember what came back beside the output, as the cache of the next call."""
        if len(others) == 1 and isinstance(others[0], (tuple, list)) and len(others[0]) == 2:
            pair = tuple(others[0])
        else:
            pair = tuple(others)
        roles = set(map(str, self.plan.values()))
        if "cache_k" in roles and len(pair) == 2:
            session.cache |= {"cache_k": pair[0], "cache_v": pair[1]}
        elif "cache" in roles and others and others[0] is not None:
            session.cache["cache"] = others[0] if len(others) == 1 else pair

    def read(self, value, request):
        """(output, what came back besides)."""
        rows, new, width = request["x"].shape
        sizes = {"b": rows, "t": new, "d": width, "h": request["heads"], "e": request["head_dim"]}
        for key, item in parts_of(value):
            array = undress(item)
            if array is None:
                continue
            for pattern in dict.fromkeys(
                (self.choice["x"], *(("b t (h e)",) if "e" in self.choice["x"] else ()))
            ):
                if fits(array, pattern, sizes):
                    rest = list(value.values()) if isinstance(value, dict) else value if key else []
                    others = [other for number, other in enumerate(rest) if not key or number != key[0]]
                    return self.projected(
                        rearrange(array, f"{pattern} -> {full(pattern)}", **sizes), request
                    ), others
        raise Unread(value)

    def projected(self, output, request):
        """A function of queries, keys and values gives the heads: the output projection is ours."""
        if "e" not in self.choice["x"]:
            return output
        return output @ request["wo"]


def full(pattern):
    return "b t (h e)" if "e" in pattern else "b t d"


class LeftOut:
    """Stands for an argument that is not given."""


LEFT_OUT = LeftOut()


def own_caches(signed, name):
    """The learner's own functions for a new cache, and their own classes for it."""
    space = getattr(inspect.unwrap(signed), "__globals__", {})
    own = [item for item in space.values() if getattr(item, "__module__", "") == space.get("__name__")]
    annotated = next(
        (parameter.annotation for parameter in parameters(signed) if parameter.name == name), None
    )
    annotated = space.get(annotated) if isinstance(annotated, str) else annotated
    makers = [
        item
        for item in own
        if inspect.isfunction(item) and re.search("(new|init|make|empty).*(cache|state)", item.__name__)
    ]
    classes = [
        item
        for item in own
        if isinstance(item, type) and (item is annotated or OWN_CACHE.search(item.__name__))
    ]
    return [*makers, *(cls for cls in classes if inspect.unwrap(signed) not in vars(cls).values())]


SHAPES = ("t s", "b t s", "b s", "b 1 1 s", "b 1 t s")


def sizes(request):
    """The request with all that a size can be called."""
    rows, _, width = request["x"].shape
    heads = request["heads"]
    kv_heads = request.get("kv_heads") or heads
    more = {"kv_heads": kv_heads, "head_dim": width // heads, "group_size": heads // kv_heads}
    return request | more | {"d_model": width, "max_len": 96, "batch": rows, "n_vocab": 11}


def look(topic, step, obj, attempts):
    """(mistake, sentence) of a program that takes a mask and does something else with it."""
    way = attempts.adapted.way
    if "mask" in way.plan.values() or "causal" in way.plan.values() or not step.masked:
        return None
    sheets = [trial_sheet(topic.name, trial) for trial in step.masked]
    request = sizes(request_of(sheets[0].cases[0].calls[0].args))
    masked = (
        (name, candidate) for name, candidate in ways(obj, request, step) if "mask" in candidate.plan.values()
    )
    other = search(sheets, masked, lambda arguments: sizes(request_of(arguments)))
    if other.way or not other.read and not other.half:
        return None
    _, result = explained(other)
    return result.mistake or "mask_misused", MASK.format(result.message)


MASK = "Right without a mask, and not with one: {}"
