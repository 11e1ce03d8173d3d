"""Attention in any form: functions of queries, keys and values, functions with weights, layers, and layers
with a cache. A request comes in, the output (B, T, d_model) goes out."""

import inspect
import re
import sys

import numpy as np

from ..adapt import explained, search
from ..layouts import fits, names_in, rearrange
from ..objects import WEIGHTS, methods_of, working
from ..parameters import LEFT_OUT, parameters
from ..retell import request_of, trial_sheet
from ..values import Unread, dress, parts_of, undress
from . import plain
from .weights import BUNDLES, FOUR, FUSED, LAYOUTS, bundle, fill, in_layout

INPUT = ("b t d", "t d", "t b d", "d", "b d")
HEADS = ("b h t e", "b t h e", "h t e", "b t (h e)", "t h e", "t (h e)")
MASKS = {
    "masked": lambda keep: ~keep,
    "keep": lambda keep: keep,
    "add": lambda keep: np.where(keep, 0.0, -np.inf),
    "numbers": lambda keep: keep.astype(float),
}
SHAPES = {  # of a mask, from (b, 1, t, s)
    "t s": lambda keep: keep[0, 0],
    "b t s": lambda keep: keep[:, 0],
    "b s": lambda keep: keep[:, 0, -1],
    "b 1 1 s": lambda keep: keep[:, :, -1:],
    "b 1 t s": lambda keep: keep,
}
STARTS = {
    "number": lambda past, rows, new: past,
    "positions": lambda past, rows, new: np.arange(past, past + new),
    "rows": lambda past, rows, new: np.tile(np.arange(past, past + new), (rows, 1)),
    "each": lambda past, rows, new: np.full(rows, past),
}
CACHES = {"none": lambda: None, "omitted": lambda: LEFT_OUT, "dict": dict, "list": list}
SPECS = [FOUR, ("wqkv", "wo"), ("weights",), ("wq", "wkv", "wo"), ("wq", "wk", "wv"), ("wqkv",)]
FORMS = [("x",), ("q", "k", "v")]
FORMS += [("x", *spec, *sizes) for sizes in (("heads",), (), ("heads", "kv_heads")) for spec in SPECS]
FORMS += [
    ("q", "k", "v", *sizes) for sizes in (("heads",), ("heads", "kv_heads"), ("kv_heads",), ("group_size",))
]
FORMS += [("q", "k", "v", *FOUR, "heads"), ("x", "wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo", "heads")]
FORMS += [("q", "k", "v", "wo"), ("x", *FOUR, "kv_heads"), ("x", *FOUR, "heads", "group_size")]
FORMS += [("weights", "x", "heads")]
CACHED = [(*form, *more) for form in FORMS[:6] for more in (("cache",), ("cache_k", "cache_v"))]
CACHED += [("x", "cache_k", "cache_v", *FOUR, "heads"), ("x", "cache", *FOUR, "heads")]
OPTIONAL = ["mask", "kv_heads", "heads", "group_size", "causal", "dropout", "lengths"]
OPTIONAL += ["cache", "cache_k", "cache_v", "start", "use_cache"]
HINTS = {
    "causal": r"(is_)?causal|masked|use_mask",
    "lengths": r"len|lens|lengths?|(?!.*(cache|past)).*(_lengths?|_lens)|valid.*",
}
OWN_CACHE = re.compile(r"(?i)cache|store|state|memory")
MAKES_CACHE = re.compile("(new|init|make|empty).*(cache|state)")
PREFILL, DECODE = re.compile(r"prefill|prompt"), re.compile(r"decode|step|next|one")
MASK = "Right without a mask, and not with one: {}"


def sizes(request):
    """The request with all that a size can be called."""
    rows, _, width = request["x"].shape
    heads = request["heads"]
    kv_heads = request.get("kv_heads") or heads
    more = {"kv_heads": kv_heads, "head_dim": width // heads, "group_size": heads // kv_heads}
    return request | more | {"d_model": width, "max_len": 96, "batch": rows, "n_vocab": 11}


def constructor_argument(request, role, choice=None):
    """An argument of a constructor that is no size."""
    choice = choice or {"lib": "torch"}
    return bundle(request, choice) if role == "weights" else weight(request, role, choice)


def weight(request, role, choice):
    """An array of weights, or of zeros for a bias."""
    if role.startswith("b"):
        return dress(np.zeros(request[f"w{role[1]}"].shape[1]), choice["lib"])
    return dress(in_layout(request, role, choice.get("w", LAYOUTS[0])), choice["lib"])


def handed_in(way):
    """The weights that a constructor takes."""
    recipe = way.target.recipe
    return set(map(str, recipe.roles.values())) & set(WEIGHTS) if recipe else set()


def takes_weights(roles):
    return bool(roles & {*FOUR, "wqkv", "wkv", "weights"})


def options(way):
    roles, made, held = way.roles, way.target.recipe is not None, handed_in(way)
    has_weights = made or takes_weights(roles)
    layouts = LAYOUTS if held or has_weights and not made else LAYOUTS[:4] if made else LAYOUTS[:1]
    return {
        "cache": caches(way),
        "start": STARTS if "start" in roles else ("number",),
        "mask": MASKS if "mask" in roles else ("none",),
        "shape": SHAPES if "mask" in roles else ("t s",),
        "x": HEADS if not has_weights else INPUT if way.step.is_cached else INPUT[:3],
        "w": layouts,
        "fused": FUSED if made and not held else FUSED[:1],
        "bundle": BUNDLES if "weights" in roles | held else BUNDLES[:1],
    }


def caches(way):
    """How the first call is given a cache: the likely first."""
    names = [name for name, role in way.plan.items() if role in ("cache", "cache_k", "cache_v")]
    if not names:
        return ("none",)
    own = [parameter for parameter in parameters(way.target.signed) if parameter.name in names]
    if any(isinstance(parameter.default, dict | list) for parameter in own):
        return ("omitted",)  # what a default that is kept between texts does has to show
    first = [name for name, likely in (("own", own_caches(way)), ("omitted", not own[0].needed)) if likely]
    return [*first, "none", "dict", "list"]


def own_caches(way):
    """The learner's own functions for a new cache, and their own classes for it."""
    function = inspect.unwrap(way.target.signed)
    space = getattr(function, "__globals__", {})
    own = [item for item in space.values() if getattr(item, "__module__", "") == space.get("__name__")]
    cache = [p for p in parameters(function) if way.plan.get(p.name) in ("cache", "cache_k", "cache_v")]
    named = [cache[0].annotation, space.get(str(cache[0].annotation))] if cache else []
    makers = [item for item in own if inspect.isfunction(item) and MAKES_CACHE.search(item.__name__)]
    classes = [item for item in own if isinstance(item, type)]
    classes = [cls for cls in classes if cls in named or OWN_CACHE.search(cls.__name__)]
    return [*makers, *(cls for cls in classes if function not in vars(cls).values())]


class Session:
    """What goes on between calls over one text: what is called, how many tokens it has read, its cache."""

    def __init__(self, way, request):
        target, self.past, self.cache, self.projected = way.target, 0, {}, takes_weights(way.roles)
        if target.recipe is None:
            self.first = self.later = target.signed
            return
        thing = target.thing(request, lambda role: constructor_argument(request, role, way.choice))
        filled = {"q"} if handed_in(way) else fill(thing, request, way.choice)
        self.projected = self.projected or bool(filled & {"q", "qkv"})
        self.first = self.later = target.make(request, thing=thing)
        if PREFILL.search(target.method):
            later = next((name for name in methods_of(type(thing)) if DECODE.search(name)), target.method)
            self.later = getattr(thing, later)


def run(way, request):
    """The output of as many calls as the layout asks for."""
    if not request["past"]:
        way.sessions = {}
    axes, (rows, new) = names_in(way.choice["x"]), request["x"].shape[:2]
    outputs = []
    for part in [slice(b, b + 1) for b in range(rows)] if "b" not in axes else [slice(None)]:
        if part.start not in way.sessions:
            way.sessions[part.start] = Session(way, request)
        session = way.sessions[part.start]
        single = "t" not in axes or session.past and session.later != session.first
        steps = [slice(t, t + 1) for t in range(new)] if single else [slice(None)]
        outputs.append(np.concatenate([one_call(way, request, session, part, step) for step in steps], 1))
    return np.concatenate(outputs)


def one_call(way, request, session, rows, tokens):
    """The output (b, t, d_model) of some rows and tokens."""
    request = request | {"x": request["x"][rows, tokens], "session": session}
    if request.get("lengths") is not None:
        request["lengths"] = request["lengths"][rows]
    value = way.once(request, session.later if session.past else session.first)
    output, others = read(way, value, request)
    session.past += request["x"].shape[1]
    keep_cache(way, session, others)
    return output


def value(role, request, way):
    session, choice = request["session"], way.choice
    rows, new = request["x"].shape[:2]
    if role in ("x", "q", "k", "v"):
        return vectors(role, request, choice["x"], session.projected)
    if role == "weights":
        return bundle(request, choice)
    if role in WEIGHTS:
        return weight(request, role, choice)
    if role == "mask":
        return mask(request, choice)
    if role == "start":
        return STARTS[choice["start"]](session.past, rows, new)
    if role in ("cache", "cache_k", "cache_v"):
        return cache(role, request, way)
    if role == "lengths":
        return LEFT_OUT if request.get("lengths") is None else request["lengths"]
    return True if role == "use_cache" else request[role]


def vectors(role, request, pattern, projected):
    """x as it is; queries, keys or values of a function that has no weights are projected here."""
    x = request["x"]
    if projected or role == "x":
        return rearrange(x, f"b t d -> {'b t d' if 'e' in pattern else pattern}")
    return rearrange(x @ request[f"w{role}"], f"b t (h e) -> {pattern}", e=request["head_dim"])


def mask(request, choice):
    """The mask, in the chosen sense and shape."""
    if choice["mask"] == "none":
        return LEFT_OUT
    rows, new = request["x"].shape[:2]
    past = request["session"].past
    keep = np.ones((rows, 1, new, past + new), bool)
    if request["causal"]:
        keep &= np.tri(new, past + new, past, dtype=bool)
    if request.get("lengths") is not None:
        keep &= (np.arange(past + new) < request["lengths"][:, None])[:, None, None]
    return MASKS[choice["mask"]](SHAPES[choice["shape"]](keep))


def cache(role, request, way):
    """The cache that the last call left; for the first one, an empty one of the chosen kind."""
    session, kind = request["session"], way.choice["cache"]
    if role not in session.cache:
        if kind == "omitted":
            return LEFT_OUT
        own = kind == "own" and next(working(own_caches(way)[0], request))
        session.cache[role] = own.make(request) if own else CACHES[kind]()
    return session.cache[role]


def keep_cache(way, session, others):
    """Remember what came back beside the output, as the cache of the next call."""
    is_pair = len(others) == 1 and isinstance(others[0], (tuple, list)) and len(others[0]) == 2
    pair = tuple(others[0] if is_pair else others)
    if "cache_k" in way.roles and len(pair) == 2:
        session.cache |= {"cache_k": pair[0], "cache_v": pair[1]}
    elif "cache" in way.roles and others and others[0] is not None:
        session.cache["cache"] = others[0] if len(others) == 1 else pair


def read(way, value, request):
    """(output, what came back besides). The heads that a function without weights gives are projected."""
    rows, new, width = request["x"].shape
    sizes = {"b": rows, "t": new, "d": width, "h": request["heads"], "e": request["head_dim"]}
    in_heads = "e" in way.choice["x"]
    full, more = ("b t (h e)", ["b t (h e)"]) if in_heads else ("b t d", [])
    for key, item in parts_of(value):
        array = undress(item)
        for pattern in [way.choice["x"], *more] if array is not None else []:
            if fits(array, pattern, sizes):
                rest = list(value.values()) if isinstance(value, dict) else value if key else []
                others = [other for number, other in enumerate(rest) if not key or number != key[0]]
                output = rearrange(array, f"{pattern} -> {full}", **sizes)
                return output @ request["wo"] if in_heads else output, others
    raise Unread(value)


def look(topic, step, obj, attempts):
    """(mistake, sentence) of a program that takes a mask and does something else with it."""
    if attempts.adapted.way.roles & {"mask", "causal"} or not step.masked:
        return None
    sheets = [trial_sheet(topic.name, trial) for trial in step.masked]
    request = sizes(request_of(sheets[0].cases[0].calls[0].args))
    masked = (way for way in plain.ways(sys.modules[__name__], obj, request, step) if "mask" in way.roles)
    other = search(sheets, masked, lambda arguments: sizes(request_of(arguments)))
    if other.way or not other.read and not other.half:
        return None
    _, result = explained(other)
    return result.mistake or "mask_misused", MASK.format(result.message)
