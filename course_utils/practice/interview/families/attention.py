"""Attention in any form: functions of queries, keys and values, functions with weights, layers, and layers
with a cache. A request comes in, the output (B, T, d_model) goes out."""

import re
import sys

import numpy as np

from ..hints import Words
from ..layouts import fits, names_in, rearrange
from ..parameters import LEFT_OUT, is_needed
from ..questions import text
from ..retell import first_request, trial_sheet
from ..roles import CACHES, WEIGHTS, Recipe, recipes
from ..search import explain, search
from ..values import Unread, parts_of, to_array
from ..ways import methods_of, ways
from .weights import BUNDLES, FOUR, FUSED, LAYOUTS, bundle, fill, in_layout

WORDS = Words("attention")

INPUT = ("b t d", "t d", "t b d", "d")
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
EMPTY = {"none": lambda: None, "omitted": lambda: LEFT_OUT, "dict": dict, "list": list}
OWN_CACHE = re.compile(r"(?i)cache|store|state|memory")
PREFILL, DECODE = re.compile(r"prefill|prompt"), re.compile(r"decode|step|next|one")


def sizes(request):
    """Add a value for every size that a parameter may mean."""
    rows, _, width = request["x"].shape
    heads = request["heads"]
    kv_heads = request.get("kv_heads") or heads
    more = {"kv_heads": kv_heads, "head_dim": width // heads, "group_size": heads // kv_heads}
    return request | more | {"d_model": width, "max_len": 96, "batch": rows, "n_vocab": 11}


def weights_of_constructor(way):
    """The weights that the constructor takes."""
    recipe = way.target.recipe
    return set(map(str, recipe.roles.values())) & set(WEIGHTS) if recipe else set()


def takes_weights(roles):
    return bool(roles & {*FOUR, "wqkv", "wkv", "weights"})


def options(way):
    roles, made, handed_in = way.roles, way.target.recipe is not None, weights_of_constructor(way)
    has_weights = made or takes_weights(roles)
    layouts = LAYOUTS if handed_in or has_weights and not made else LAYOUTS[:4] if made else LAYOUTS[:1]
    return {
        "cache": caches(way),
        "start": STARTS if "start" in roles else ("number",),
        "mask": MASKS if "mask" in roles else ("none",),
        "shape": SHAPES if "mask" in roles else ("t s",),
        "x": HEADS if not has_weights else INPUT if way.step.is_cached else INPUT[:3],
        "w": layouts,
        "fused": FUSED if made and not handed_in else FUSED[:1],
        "bundle": BUNDLES if "weights" in roles | handed_in else BUNDLES[:1],
    }


def caches(way):
    """What to pass as the cache in the first call, the likely ones first."""
    own = [p for p in way.target.parameters if way.plan.get(p.name) in CACHES]
    if not own:
        return ("none",)
    if any(isinstance(parameter.default, dict | list) for parameter in own):
        return ("omitted",)  # a mutable default is used, so that sharing it shows as a mistake
    return ["own"] * bool(own_caches(way)) + ["omitted"] * (not is_needed(own[0])) + ["none", "dict", "list"]


def own_caches(way):
    """The learner's own functions that make a cache, then their classes for it."""
    space = way.target.space
    own = [item for item in space.values() if getattr(item, "__module__", "") == space.get("__name__")]
    methods = [item for item in own if callable(item) and OWN_CACHE.search(item.__name__)]
    makers = [item for item in methods if re.match("(new|init|make|empty)", item.__name__)]
    return makers + [
        c for c in methods if isinstance(c, type) and way.target.function not in vars(c).values()
    ]


class Session:
    """The state between calls over one text: what to call, the number of tokens read, the cache. projected:
    does the program apply W_Q, W_K and W_V itself?"""

    def __init__(self, way, request):
        self.past, self.cache, self.projected = 0, {}, takes_weights(way.roles)
        if not way.target.recipe:
            self.first = self.later = way.target.function
            return
        thing, method = way.construct(request), way.target.method
        filled = {"q"} if weights_of_constructor(way) else fill(thing, request, way.choice)
        self.projected = self.projected or bool(filled & {"q", "qkv"})
        later = [name for name in methods_of(type(thing)) if PREFILL.search(method) and DECODE.search(name)]
        self.first, self.later = getattr(thing, method), getattr(thing, [*later, method][0])


def run(way, request):
    """The output of one call, or of one per row or token if the layout lacks that axis."""
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
    output, rest = read(way, value, request)
    session.past += request["x"].shape[1]
    keep_cache(way, session, rest)
    return output


def value(role, request, way):
    choice, (rows, new) = way.choice, request["x"].shape[:2]
    if role == "weights":
        return bundle(request, choice)
    if role in WEIGHTS:
        return in_layout(request, role, choice["w"])
    if role in ("x", "q", "k", "v"):
        return vectors(role, request, choice["x"])
    if role == "mask":
        return LEFT_OUT if choice["mask"] == "none" else mask(request, choice)
    if role == "start":
        return STARTS[choice["start"]](request["session"].past, rows, new)
    if role in CACHES:
        return cache(role, request, way)
    return True if role == "use_cache" else LEFT_OUT if request.get(role) is None else request[role]


def vectors(role, request, pattern):
    """x itself; for a program without weights, the queries, keys or values, projected here."""
    x = request["x"]
    if request["session"].projected or role == "x":
        return rearrange(x, f"b t d -> {'b t d' if 'e' in pattern else pattern}")
    return rearrange(x @ request[f"w{role}"], f"b t (h e) -> {pattern}", e=request["head_dim"])


def mask(request, choice):
    """The mask, in the chosen sense and shape."""
    (rows, new), past = request["x"].shape[:2], request["session"].past
    keep = np.ones((rows, 1, new, past + new), bool)
    if request["causal"]:
        keep &= np.tri(new, past + new, past, dtype=bool)
    if request.get("lengths") is not None:
        keep &= (np.arange(past + new) < request["lengths"][:, None])[:, None, None]
    return MASKS[choice["mask"]](SHAPES[choice["shape"]](keep))


def cache(role, request, way):
    """The cache that the last call returned; for the first call, an empty one of the chosen kind."""
    session, kind = request["session"], way.choice["cache"]
    if role not in session.cache:
        if kind == "omitted":
            return LEFT_OUT
        if kind == "own":
            own = own_caches(way)[0]
            recipe = next(recipes(own, way.target.space, request, {}), Recipe(own, {}))
        session.cache[role] = way.value(recipe, request) if kind == "own" else EMPTY[kind]()
    return session.cache[role]


def keep_cache(way, session, rest):
    """Keep what was returned besides the output, as the cache of the next call."""
    is_pair = len(rest) == 1 and isinstance(rest[0], (tuple, list)) and len(rest[0]) == 2
    pair = tuple(rest[0] if is_pair else rest)
    if "cache_k" in way.roles and len(pair) == 2:
        session.cache |= {"cache_k": pair[0], "cache_v": pair[1]}
    elif "cache" in way.roles and rest and rest[0] is not None:
        session.cache["cache"] = rest[0] if len(rest) == 1 else pair


def read(way, value, request):
    """(output, [other results]). Heads from a function without weights are projected here."""
    rows, new, width = request["x"].shape
    sizes = {"b": rows, "t": new, "d": width, "h": request["heads"], "e": request["head_dim"]}
    in_heads = "e" in way.choice["x"]
    full, more = ("b t (h e)", ["b t (h e)"]) if in_heads else ("b t d", [])
    for key, item in parts_of(value):
        array = to_array(item)
        for pattern in [way.choice["x"], *more] if array is not None else []:
            if fits(array, pattern, sizes):
                rest = list(value.values()) if isinstance(value, dict) else value if key else []
                others = [other for number, other in enumerate(rest) if not key or number != key[0]]
                output = rearrange(array, f"{pattern} -> {full}", **sizes)
                return output @ request["wo"] if in_heads else output, others
    raise Unread(value)


def look(topic, step, obj, attempts):
    """(mistake, sentence) if a program takes a mask but applies it wrongly; else None."""
    if attempts.way.roles & {"mask", "causal"} or not step.masked:
        return None
    family, sheets = sys.modules[__name__], [trial_sheet(topic.name, trial) for trial in step.masked]
    plans = ways(family, obj, first_request(family, sheets), step)
    other = search(sheets, (way for way in plans if "mask" in way.roles))
    if other.way or not other.comparable and not other.half_right:
        return None
    _, result = explain(other)
    return result.mistake or "mask_misused", text("right_without_mask", result.message)
