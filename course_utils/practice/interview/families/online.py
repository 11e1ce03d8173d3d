"""Online softmax: entries, scores with values, or queries, keys and values come in, at once or as a stream,
and the weights or the mixed values come back."""

import contextlib
import re
import sys
from itertools import product
from math import prod
from types import FunctionType

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from ..calls import functions_of, libraries
from ..layouts import looped
from ..objects import working
from ..parameters import LEFT_OUT, parameters
from ..values import Skip, Unread, dress, parts_of, undress
from . import plain

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
AXES = {"": "bhte", "q": "bhte", "k": "bhse", "v": "bhse", "x": "bhts"}  # x: the scores
LAYOUTS = ("h t e", "b h t e", "t e", "e")  # of the queries
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
)
UPDATES += ("step_block", "__call__", "forward")
ENDS = re.compile("result|final|weights|out")


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


def options(way):
    attends = bool(way.roles & {"q", "k"})
    mixes = {"v", "x"} <= way.roles
    return {
        "x": LAYOUTS if attends else ("rows", "vector"),
        "read": ("result",) if attends or mixes else ("result", "pair", "log"),
    }


def ways(obj, request, step):
    """Iterator of ways: calls, and for a class also streams."""
    if isinstance(obj, type) and (names := [name for name in UPDATES if name in vars(obj)]):
        yield from streams(obj, names[0])
    yield from plain.ways(sys.modules[__name__], obj, request, step)


def value(role, request, way):
    if role == "causal":
        return False
    if role == "pairs":
        both = (dress(request[name], way.choice["lib"]) for name in "kv")
        return list(zip(*both, strict=True))
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
    layout, reading = way.choice["x"], way.choice["read"]
    if not attends:

        def once(arrays):
            x = arrays["x"][0] if layout == "vector" else arrays["x"]
            return read_weights(way.once(request | {"x": x, "v": x}), x, reading).reshape(arrays["x"].shape)

        return looped(once, {"x": request["x"]}, {"": "rt", "x": "rt"}, "t" if layout == "vector" else "rt")
    return attended(request, layout if "x" not in way.roles else "", lambda a: way.once(request | a))


def attended(request, layout, attend):
    """The mixed values, from calls of `attend` with the queries in this layout; for "" with scores, query by
    query."""
    roles, whole = ("qkv", f"{layout} s") if layout else ("xv", "se")
    arrays = {role: request[role] if role != "x" else scores_of(request) for role in roles}
    arrays = {role: array.reshape(*[1] * (4 - array.ndim), *array.shape) for role, array in arrays.items()}

    def once(arrays):
        first, width = arrays[roles[0]], arrays["v"].shape[-1]
        sizes = dict(zip("bhte", (*first.shape[:-1], width), strict=True))
        inner = {
            role: array.reshape([n for n, axis in zip(array.shape, AXES[role], strict=True) if axis in whole])
            for role, array in arrays.items()
        }
        part = part_of(attend(inner), [sizes[axis] for axis in "bhte" if axis in whole])
        return part.reshape(*sizes.values())

    return looped(once, arrays, AXES, whole).reshape(*request["q"].shape[:-1], -1)


def scores_of(request):
    return request["q"] @ request["k"].swapaxes(-1, -2) / np.sqrt(request["q"].shape[-1])


def part_of(value, shape):
    """The first array of this shape in a result."""
    for _, part in parts_of(value):
        array = undress(part)
        if array is not None and array.dtype != bool and array.shape == tuple(shape):
            return array
    raise Unread(value)


def read_weights(value, x, reading):
    """Weights as they are, or worked out of maximum and sum, or of the logarithm of the sum."""
    if reading == "result":
        return part_of(value, x.shape)
    numbers = [undress(part) for part in (value if isinstance(value, (tuple, list)) else [value])]
    shapes = (x.shape[:-1], (*x.shape[:-1], 1))
    if len(numbers) != (2 if reading == "pair" else 1):
        raise Unread(value)
    if any(number is None or number.shape not in shapes for number in numbers):
        raise Unread(value)
    first, *rest = (number.reshape(*x.shape[:-1], 1) for number in numbers)
    return np.exp(x - first) / rest[0] if rest else np.exp(x - first)


# ---- a class that is fed


def streams(cls, update):
    """Iterator of Stream: fed with entries, entries and values, or keys and values; asked at the end."""
    wants = len([parameter for parameter in parameters(getattr(cls, update)) if parameter.needed]) - 1
    made_of_queries = any(parameter.needed for parameter in parameters(cls)) and wants > 1
    ends = ends_of(cls, update) or [""]
    for choice in product(ends, LAYOUTS if made_of_queries else ("",), (3, 1), libraries(cls)):
        yield Stream(cls, update, wants, *choice)


def ends_of(cls, update):
    """The names of what gives the result: members that take nothing, those with a usual name first."""
    names = [name for name in vars(cls) if not name.startswith("_") and name != update]
    names = [name for name in names if takes_nothing(vars(cls)[name]) and not OTHER.match(name)]
    return sorted(names, key=lambda name: not ENDS.search(name))


def takes_nothing(member):
    is_function = isinstance(member, FunctionType)
    needed = [parameter for parameter in parameters(member)[1:] if parameter.needed] if is_function else []
    return isinstance(member, property) or is_function and len(needed) <= 1


class Stream:
    """A class that reads one row in parts: create an object, call `update` for each part, then ask for the
    result. wants: the number of arguments of `update`. layout: of the query that the constructor takes, ""
    for none. block: entries in each part."""

    def __init__(self, cls, update, wants, end, layout, block, library):
        self.cls, self.update, self.wants, self.end = cls, update, wants, end
        self.layout, self.block, self.library = layout, block, library
        self.name = f"{cls.__name__}.{update} {end} {layout} {block} {library}"

    def __call__(self, request):
        if (self.wants > 1) != ("q" in request):
            raise Skip
        if self.wants <= 1:
            return np.stack([self.weights(row) for row in request["x"]])
        return attended(
            request, self.layout, lambda arrays: self.fed(arrays.pop("q", None), *arrays.values())
        )

    def weights(self, row):
        value = self.fed(None, row)
        is_pair = isinstance(value, (tuple, list)) and len(value) == 2 != len(row)
        if not self.end or is_pair:
            return read_weights(tuple(value)[:2], row, "pair")
        return read_weights(value, row, "log" if np.ndim(undress(value)) == 0 else "result")

    def fed(self, queries, *arrays):
        """What it gives after all entries of the arrays, which lie along the axis -2 if there are queries."""
        has_queries, width = queries is not None, arrays[0].shape[-1]
        sizes = {"head_dim": width, "d_model": width, "block": self.block}
        thing = (
            self.cls(dress(queries, self.library))
            if has_queries
            else next(working(self.cls, sizes)).make(sizes)
        )
        axis = -2 if has_queries else 0
        n = arrays[0].shape[axis]
        for begin in range(0, n, self.block):
            places = range(begin, min(begin + self.block, n)) if self.block > 1 else begin
            parts = [np.take(array, places, axis) for array in arrays]
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

    def plain_max(*args, **named):
        if len(args) == 1 and hasattr(args[0], "__len__") and len(args[0]) >= LONG:
            wholes.append("max")
        return max(*args, **named)

    with contextlib.ExitStack() as stack:
        for space in [function.__globals__ for function in functions_of(obj)]:
            if "max" not in space:
                space["max"] = plain_max
                stack.callback(space.pop, "max", None)
        stack.enter_context(Passes(wholes))
        yield
