"""Online softmax: the program gets entries, scores with values, or queries, keys and values, at once or as a
stream, and returns weights or the attention output."""

import builtins
import contextlib
import re
from unittest.mock import patch

import numpy as np

from ..blocked import Calls
from ..hints import Words
from ..layouts import looped
from ..parameters import LEFT_OUT, is_needed, parameters
from ..questions import named_mistake
from ..values import Skip, Unread, parts_of, to_array

WORDS = Words("online")

CONSTRUCTOR = {"block": r".*(block|tile|chunk).*|b[rckq]"}
AXES = {"": "bhte", "q": "bhte", "k": "bhse", "v": "bhse", "x": "bhts"}  # x: the scores
LAYOUTS = ("h t e", "b h t e", "t e", "e")  # of the queries


def sizes(request):
    """Add a value for every size that a parameter may mean."""
    width = request["q"].shape[-1] if "q" in request else 1
    more = {"head_dim": width, "d_model": width, "max_len": 64, "heads": 3, "batch": 2}
    return {"block": 2} | request | more


def options(way):
    attends, mixes = bool(way.roles & {"q", "k"}), {"v", "x"} <= way.roles
    return {
        "x": LAYOUTS if attends else ("rows", "vector"),
        "read": ("result",) if attends or mixes else ("result", "pair", "log"),
    }


def value(role, request, way):
    if role == "pairs":
        return list(zip(way.value("k", request), way.value("v", request), strict=True))
    keys = {"keys": len(request.get("v", ())), "width": request["head_dim"], "causal": False}
    return keys[role] if role in keys else request.get(role, LEFT_OUT)


def run(way, request):
    layout, reading = way.choice["x"], way.choice["read"]
    alone = way.roles <= {"v", "block"}  # a parameter called values may take the entries
    attends = bool(way.roles & {"q", "k", "v"}) and not alone
    if attends != ("q" in request):
        raise Skip
    if attends:
        return run_attention(request, layout if "x" not in way.roles else "", lambda a: way.once(request | a))

    def once(arrays):
        x = arrays["x"][0] if layout == "vector" else arrays["x"]
        return read_weights(way.once(request | {"x": x, "v": x}), x, reading).reshape(arrays["x"].shape)

    return looped(once, {"x": request["x"]}, {"": "rt", "x": "rt"}, "t" if layout == "vector" else "rt")


def run_attention(request, layout, attend):
    """The attention output, from calls of `attend` with queries in this layout. If it is "", each call gets
    the scores of one query instead."""
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
    arrays = (to_array(part) for _, part in parts_of(value))
    for array in arrays:
        if array is not None and array.dtype != bool and array.shape == tuple(shape):
            return array
    raise Unread(value)


def read_weights(value, x, reading):
    """The weights: the result, or computed from a maximum and a sum or from the sum's logarithm."""
    if reading == "result":
        return part_of(value, x.shape)
    numbers = [to_array(part) for part in (value if isinstance(value, (tuple, list)) else [value])]
    shapes = (x.shape[:-1], (*x.shape[:-1], 1))
    if len(numbers) != (2 if reading == "pair" else 1):
        raise Unread(value)
    if any(number is None or number.shape not in shapes for number in numbers):
        raise Unread(value)
    first, *rest = (number.reshape(*x.shape[:-1], 1) for number in numbers)
    return np.exp(x - first) / rest[0] if rest else np.exp(x - first)


# ---- a streaming class, wrapped in functions

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
OTHER, ENDS = re.compile("_|is_|has_|reset"), re.compile("result|final|weights|out")


def variants(obj):
    """What to call: for a streaming class, functions that feed it and read its result; then the object."""
    update = next((name for name in UPDATES if isinstance(obj, type) and name in vars(obj)), None)
    names = [name for name in vars(obj) if update and name != update and not OTHER.match(name)]
    members = sorted(names, key=lambda name: not ENDS.search(name)) or [""]
    return [feeding_function(obj, update, end, size) for end in members if update for size in (3, 1)] + [obj]


def feeding_function(cls, update, end, size):
    """A function that feeds a class pieces of this size: of keys and values, if the class takes queries."""

    def feed(thing, x, parts, rows=False):
        for begin in range(0, np.shape(x)[-2 if rows else 0], size):
            place = begin if size == 1 else slice(begin, begin + size)
            pieces = [part[..., place, :] if rows else part[place] for part in parts]
            getattr(thing, update)(*pieces)
        result = getattr(thing, end) if end else tuple(vars(thing).values())[:2]
        takes_entries = callable(result) and any(map(is_needed, parameters(result)))
        return result(x) if takes_entries else result() if callable(result) else result

    if sum(map(is_needed, parameters(getattr(cls, update)))) < 3:  # including self
        return lambda x: feed(cls(), x, [x])
    if any(map(is_needed, parameters(cls))):
        return lambda q, k, v: feed(cls(q), k, [k, v], True)
    return lambda x, v: feed(cls(), x, [x, v])


# ---- does the program read its entries once, in order?

LONG = 300  # more than any usual block
OVER_MANY = ("max", "amax", "aminmax", "sort", "topk", "argmax", "cummax", "logcumsumexp", "logsumexp")


def look(topic, step, obj, attempts):
    """(mistake, sentence) if a program looks at all entries at once, or is wrong for many; else None."""
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
    try:
        with watch_request(request) as (request, wholes):
            result = run(attempts.way, sizes(request))
    except Exception as error:  # whatever the learner's code raises
        mistake, sentence = named_mistake("wrong_for_many")
        return mistake, f"{sentence} It ends with {type(error).__name__}: {error}"
    if wholes:
        return named_mistake("not_online")
    return None if np.allclose(result, wanted, atol=1e-4) else named_mistake("wrong_for_many")


@contextlib.contextmanager
def watch_request(request):
    """A context with the request and a list of functions that look at LONG or more entries at once, in torch,
    NumPy or plain Python."""
    wholes, plain_max = [], max

    def note(name, array=None):
        if name in OVER_MANY and any(n >= LONG for n in getattr(array, "shape", [])):
            wholes.append(name)

    def noted_max(*args, **keywords):
        wholes.extend(["max"] * (isinstance(args[0], list) and len(args[0]) >= LONG))
        return plain_max(*args, **keywords)

    class Watched(np.ndarray):
        def max(self, *args, **named):
            note("max", self)
            return super().max(*args, **named)

    arrays = {name: array.view(Watched) for name, array in request.items() if name != "block"}
    with patch.object(builtins, "max", noted_max), Calls(lambda name, args: note(name, *args[:1])):
        yield request | arrays, wholes
