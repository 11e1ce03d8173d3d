"""Online softmax: entries, scores with values, or queries, keys and values come in, at once or as a stream,
and the weights or the mixed values come back."""

import contextlib
import re
import sys
from math import prod
from types import FunctionType

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from ..calls import libraries
from ..layouts import names_in
from ..objects import working
from ..parameters import parameters
from ..values import Skip, Unread, dress, parts_of, undress
from . import plain
from .plain import LEFT_OUT

FORMS = [("x",), ("q", "k", "v"), ("x", "block"), ("q", "k", "v", "block"), ("x", "v"), ("x", "v", "block")]
FORMS += [("v",), ("q", "pairs"), ("q", "k", "v", "keys", "width", "block"), ("q", "k", "v", "mask")]
OPTIONAL = ("block", "causal")
HINTS = {
    "causal": r"(is_)?causal",
    "block": r".*(block|tile|chunk|step|size).*|b[rckq]|bs|block_?[qkcr]?|n_?b",
    "pairs": r"pairs|kv|kvs|stream_of_.*",
    "q": r"q.*|.*quer.*",
    "k": r"k.*|.*key.*",
    "v": r"v|vs|vals?|values?|.*_values?|vectors",
    "x": r"x.*|scores?.*|logits?.*|s|stream|seq.*|values|numbers|arr.*|entries|row.*|z|a|data|it.*",
    "keys": r"n|n_keys|length",
    "width": r"d|dim|d_head|head_dim",
}
LAYOUTS = (
    "h t e",
    "b h t e",
    "t e",
    "e",
    "b t e",
)  # of the queries; keys and values have t where these have e
OTHER = re.compile("is_|has_|reset")
UPDATES = (
    "update",
    "add",
    "push",
    "step",
    "feed",
    "observe",
    "consume",
    "append",
    "absorb",
    "put",
    "process",
    "step_block",
    "__call__",
    "forward",
)


def sizes(request):
    """The request with all that a size can be called."""
    width = request["q"].shape[-1] if "q" in request else 1
    return request | {
        "head_dim": width,
        "d_model": width,
        "max_len": 64,
        "heads": 3,
        "batch": 2,
        "block": request.get("block", 2),
    }


def options(roles, step):
    attends = bool(roles & {"q", "k"})
    mixes = "v" in roles and "x" in roles
    return {
        "x": LAYOUTS if attends else ("rows", "vector"),
        "read": ("result",) if attends or mixes else ("result", "pair", "log"),
    }


def ways(obj, request, step):
    """Iterator of (name, way): calls, and for a class also streams."""
    if isinstance(obj, type) and (names := [name for name in UPDATES if name in vars(obj)]):
        yield from streams(obj, names[0])
    yield from plain.ways(sys.modules[__name__], obj, request, step)


def value(role, request, choice):
    if role == "causal":
        return False
    if role == "pairs":
        return list(zip(request["k"], request["v"], strict=True))
    sizes = {
        "block": request["block"],
        "keys": len(request["v"]) if "v" in request else 0,
        "width": request["head_dim"],
    }
    return sizes[role] if role in sizes else request.get(role, LEFT_OUT)


def run(way, request):
    alone = way.roles <= {"v", "block"}  # what is called values may be the entries
    attends = bool(way.roles & {"q", "k", "v"}) and not alone
    if attends != ("q" in request):
        raise Skip
    if not attends:
        return weights_of(way, request | {"v": request["x"]})
    if "x" in way.roles:
        return mixed(way, request)
    return attended(way, request)


def weights_of(way, request):
    """The weights of a table: whole, or row by row."""
    x = request["x"]
    if way.choice["x"] == "vector":
        return np.stack(
            [read_weights(way.once(request | {"x": row, "v": row}), row, way.choice["read"]) for row in x]
        )
    return read_weights(way.once(request), x, way.choice["read"])


def read_weights(value, x, reading):
    """Weights as they are, or worked out of maximum and sum, or of the logarithm of the sum."""
    if reading == "result":
        for _, part in parts_of(value):
            array = undress(part)
            if array is not None and array.dtype != bool and array.shape == x.shape:
                return array
        raise Unread(value)
    numbers = [undress(part) for part in (value if isinstance(value, (tuple, list)) else [value])]
    wanted = 2 if reading == "pair" else 1
    shapes = (x.shape[:-1], (*x.shape[:-1], 1))
    if len(numbers) != wanted or any(number is None or number.shape not in shapes for number in numbers):
        raise Unread(value)
    first, *rest = (number.reshape(*x.shape[:-1], 1) for number in numbers)
    return np.exp(x - first) / rest[0] if rest else np.exp(x - first)


def scores_of(request):
    return request["q"] @ request["k"].swapaxes(-1, -2) / np.sqrt(request["q"].shape[-1])


def mixed(way, request):
    """One query after the other: its scores and the values come in."""
    scores, values = scores_of(request), request["v"]
    result = np.empty((*scores.shape[:-1], values.shape[-1]))
    for place in np.ndindex(*scores.shape[:-1]):
        single = request | {"x": scores[place], "v": values[place[:-1]]}
        result[place] = part_of(way.once(single), values.shape[-1:])
    return result


def part_of(value, shape):
    for _, part in parts_of(value):
        array = undress(part)
        if array is not None and array.dtype != bool and array.shape == tuple(shape):
            return array
    raise Unread(value)


def attended(way, request):
    return over_lead(
        request, way.choice["x"], lambda arrays, shape: part_of(way.once(request | arrays), shape)
    )


def over_lead(request, layout, attend):
    """The whole result, from calls over as many axes as the layout has."""
    q, k, v = (request[role] for role in "qkv")
    axes = names_in(layout)
    own = len(axes) - 2 if "t" in axes else 0
    if axes == ["b", "t", "e"] and q.ndim != 4:
        raise Skip
    if q.ndim - 2 < own:
        longer = {
            role: request[role].reshape(*[1] * (own + 2 - q.ndim), *request[role].shape) for role in "qkv"
        }
        return over_lead(longer, layout, attend).reshape(*q.shape[:-1], v.shape[-1])
    lead = q.shape[: q.ndim - 2 - own]
    result = np.empty((*q.shape[:-1], v.shape[-1]))
    for place in np.ndindex(*lead):
        queries = [(t,) for t in range(q.shape[-2])] if "t" not in axes else [()]
        for query in queries:
            arrays = {"q": q[place + query], "k": k[place], "v": v[place]}
            result[place + query] = attend(arrays, (*arrays["q"].shape[:-1], v.shape[-1]))
    return result


# ---- a class that is fed


def streams(cls, update):
    """Iterator of (name, way): fed with entries, entries and values, or keys and values; asked at the end."""
    wants = len([parameter for parameter in parameters(getattr(cls, update)) if parameter.needed]) - 1
    made_of_queries = any(parameter.needed for parameter in parameters(cls)) and wants > 1
    for end in ends_of(cls, update) or [""]:
        for layout in LAYOUTS if made_of_queries else ("entries",):
            for block in (3, 1):
                for library in libraries(cls):
                    name = f"{cls.__name__}.{update} {end} {layout} {block} {library}"
                    yield name, Stream(cls, update, end, layout, block, library, wants)


def ends_of(cls, update):
    """The names of what gives the result: members that take nothing, those with a usual name first."""
    names = [name for name in vars(cls) if not name.startswith("_") and name != update]
    names = [name for name in names if takes_nothing(vars(cls)[name]) and not OTHER.match(name)]
    return sorted(
        names, key=lambda name: not any(word in name for word in ("result", "final", "weights", "out"))
    )


def takes_nothing(member):
    if isinstance(member, property):
        return True
    return (
        isinstance(member, FunctionType)
        and sum(parameter.needed for parameter in parameters(member)[1:]) <= 1
    )


class Stream:
    """A class, made anew for each row, fed part by part, and asked in the end."""

    def __init__(self, cls, update, end, layout, block, library, wants):
        self.cls, self.update, self.end, self.layout = cls, update, end, layout
        self.block, self.library, self.wants = block, library, wants

    def __call__(self, request):
        if (self.wants > 1) != ("q" in request):
            raise Skip
        if self.wants <= 1:
            return np.stack([self.weights(row) for row in request["x"]])
        if self.layout == "entries":
            scores = scores_of(request)
            result = np.empty((*scores.shape[:-1], request["v"].shape[-1]))
            for place in np.ndindex(*scores.shape[:-1]):
                values = request["v"][place[:-1]]
                result[place] = part_of(self.fed({}, scores[place], values), values.shape[-1:])
            return result
        return over_lead(request, self.layout, self.attend)

    def attend(self, arrays, shape):
        return part_of(self.fed(arrays, arrays["k"], arrays["v"]), shape)

    def weights(self, row):
        value = self.fed({}, row)
        if self.end and not isinstance(value, (tuple, list)):
            array = undress(value)
            if array is not None and array.ndim == 0:
                return read_weights(value, row, "log")
        if self.end and not (isinstance(value, (tuple, list)) and len(value) == 2 != len(row)):
            return read_weights(value, row, "result")
        return read_weights(tuple(value)[:2], row, "pair")

    def fed(self, context, *arrays):
        request = {"head_dim": arrays[0].shape[-1], "d_model": arrays[0].shape[-1], "block": self.block}
        dressed = dress(context.get("q"), self.library)
        thing = self.cls(dressed) if context else next(working(self.cls, request, None)).make(request)
        axis = -2 if context else 0
        n = arrays[0].shape[axis]
        for begin in range(0, n, self.block):
            parts = [np.take(a, range(begin, min(begin + self.block, n)), axis) for a in arrays]
            if self.block == 1:
                parts = [np.take(part, 0, axis) for part in parts]
            getattr(thing, self.update)(*(plain_number(part, self.library) for part in parts))
        if not self.end:
            return tuple(vars(thing).values())[:2]
        result = getattr(thing, self.end)
        if not callable(result):
            return result
        needed = [parameter for parameter in parameters(result) if parameter.needed]
        return result(dress(arrays[0], self.library)) if needed else result()


def plain_number(part, library):
    return float(part) if part.ndim == 0 and library != "torch" else dress(np.asarray(part), library)


# ---- is it read once, in order?

LONG = 300  # more than any usual block
NOT_ONLINE = (
    "not_online",
    "The numbers are right, but a maximum over all entries at once is taken: online means to read them once, "
    "in order, with a running maximum and a sum that is scaled anew whenever the maximum grows.",
)
MANY = "Right for a few entries, and not for 300: what happens from one block to the next?"
OVER_MANY = ("max", "amax", "aminmax", "sort", "topk", "argmax", "cummax", "logcumsumexp", "logsumexp")


def look(topic, step, obj, attempts):
    """(mistake, sentence) of a program that looks at all entries at once."""
    rng = np.random.default_rng(3)
    if attempts.sheet == 0:
        request = {"x": rng.standard_normal((2, LONG))}
        scores, values = request["x"], np.eye(LONG)
    else:
        q, k, values = (rng.standard_normal((1, 1, n, 2)) for n in (2, LONG, LONG))
        request = {"q": q, "k": k, "v": values, "block": 16}
        scores = scores_of(request)
    weights = np.exp(scores)
    wanted = weights / weights.sum(-1, keepdims=True) @ values
    wholes = Watched.wholes = []
    request |= {name: value.view(Watched) for name, value in request.items() if name != "block"}
    try:
        with watched(obj, wholes):
            result = attempts.adapted.way(sizes(request))
    except Exception as error:  # whatever the learner's code raises
        return "wrong_for_many", f"{MANY} It ends with {type(error).__name__}: {error}"
    if wholes:
        return NOT_ONLINE
    return None if np.allclose(result, wanted, atol=1e-4) else ("wrong_for_many", MANY)


class Passes(TorchFunctionMode):
    """Notes each maximum over LONG entries or more that is taken at once."""

    def __init__(self, wholes):
        super().__init__()
        self.wholes = wholes

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, kwargs = getattr(function, "__name__", ""), kwargs or {}
        if name in OVER_MANY and isinstance(args[0], torch.Tensor) and entries(name, args, kwargs) >= LONG:
            self.wholes.append(name)
        return function(*args, **kwargs)


def entries(name, args, named):
    """How many entries a torch function takes the maximum over: those of its axis, or all of them."""
    shape, axis = args[0].shape, named.get("dim", args[1] if len(args) > 1 else None)
    if name in ("sort", "topk"):
        axis = named.get("dim", args[2] if len(args) > 2 else -1)
    if isinstance(axis, torch.Tensor) or "other" in named:
        return 0  # of two tensors, place by place
    axes = axis if isinstance(axis, tuple | list) else [axis]
    whole = [n for n in axes if isinstance(n, int) and -len(shape) <= n < len(shape)]
    return prod(shape[n] for n in whole) if whole else prod(shape)


class Watched(np.ndarray):
    """The same for NumPy."""

    wholes = []

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
        plain = [array.view(np.ndarray) if isinstance(array, Watched) else array for array in inputs]
        if ufunc is np.maximum and method in ("reduce", "accumulate"):
            shape, axis = np.shape(plain[0]), named.get("axis", 0)
            axes = range(len(shape)) if axis is None else np.atleast_1d(axis)
            if prod(shape[axis] for axis in axes) >= LONG:
                Watched.wholes.append("maximum")
        if out is not None:
            named["out"] = tuple(
                array.view(np.ndarray) if isinstance(array, Watched) else array for array in out
            )
        result = getattr(ufunc, method)(*plain, **named)
        return result.view(Watched) if isinstance(result, np.ndarray) else result


@contextlib.contextmanager
def watched(obj, wholes):
    """Notes each maximum over many entries, in torch or plain Python."""
    written = [obj, *vars(obj).values()] if isinstance(obj, type) else [obj]
    spaces = [
        function.__globals__
        for function in written
        if isinstance(function, FunctionType) and "max" not in function.__globals__
    ]

    def plain_max(*args, **named):
        if len(args) == 1 and hasattr(args[0], "__len__") and len(args[0]) >= LONG:
            wholes.append("max")
        return max(*args, **named)

    for space in spaces:
        space["max"] = plain_max
    try:
        with Passes(wholes):
            yield
    finally:
        for space in spaces:
            space.pop("max", None)
