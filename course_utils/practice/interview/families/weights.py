"""The weights of attention, written into an object of any layout, or handed over under any names."""

import re

import numpy as np
import torch

from ..hints import ARRAYS, WEIGHTS, role_of
from ..layouts import axes_of, rearrange
from ..values import Skip, dress

LAYOUTS = (  # of W_Q, W_K and W_V, and of W_O
    ("d (h e)", "(h e) d"),
    ("(h e) d", "d (h e)"),
    ("h d e", "h e d"),
    ("h d e", "(h e) d"),
    ("d h e", "h e d"),
    ("d (e h)", "(e h) d"),
    ("(e h) d", "d (e h)"),
)
FUSED = ("(n h e)", "(h n e)", "(h e n)", "(n e h)")
STORES = re.compile(r"mask|tril|triu|bias$|cos|sin|pos|cache|past|buffer|keys$|values$")
FOUR = ("wq", "wk", "wv", "wo")


def in_layout(request, name, layout):
    """W_Q, W_K, W_V or W_O (or a fused one) of a request, which has (in, out), in another layout."""
    e = request["head_dim"]
    if name == "wo":
        return rearrange(request["wo"], f"(h e) d -> {layout[1]}", e=e)
    if name in FOUR:
        return rearrange(request[name], f"d (h e) -> {layout[0]}", e=e)
    return fused(request, "qkv" if name == "wqkv" else "kv", FUSED[0], layout == LAYOUTS[1])


def fused(request, parts, order, turned):
    """Several projections in one matrix, (in, out), or (out, in) if turned."""
    weights = [request[f"w{part}"] for part in parts]
    if order == FUSED[0] or len({w.shape for w in weights}) > 1:
        whole = np.concatenate(weights, 1)
    else:
        split = np.stack([rearrange(w, "d (h e) -> d h e", e=request["head_dim"]) for w in weights])
        whole = rearrange(split, f"n d h e -> d {order}")
    return whole.T if turned else whole


class Bundle(dict):
    """The four weights under any names: as entries, by number or as attributes. pairs: each is a record of a
    weight and a bias."""

    def __missing__(self, name):
        if isinstance(name, int):
            return list(self.values())[name]
        plain = str(name).strip("_").lower()
        if re.fullmatch(r"b(ias)?_?[qkvo].*", plain):
            return self[f"w{re.sub('^b(ias)?_?', '', plain)[0]}"] * 0  # its own size is wrong, its sum is 0
        stem = re.sub(r"^(w(eights?)?|proj)_?(?=[a-z])", "", plain)
        role = role_of(stem, WEIGHTS) or role_of(plain, WEIGHTS)
        if f"w{role}" not in self:
            raise KeyError(name)
        return self[f"w{role}"]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self):
        return iter(self.values())


class Pair(dict):
    """A weight and a bias under any names."""

    def __missing__(self, name):
        plain = str(name).lower()
        return self["bias"] if plain.startswith("b") or name == 1 else self["weight"]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self):
        return iter((self["weight"], self["bias"]))


def bundle(request, choice):
    """What a parameter called `params` or `weights` is given."""
    layout, kind = choice.get("w", LAYOUTS[0]), choice.get("bundle", "flat")
    parts = {name: dress(in_layout(request, name, layout), choice["lib"]) for name in FOUR}
    if kind == "pairs":
        zeros = {name: np.zeros(request[name].shape[1]) for name in FOUR}
        return Bundle(
            {name: Pair(weight=part, bias=dress(zeros[name], choice["lib"])) for name, part in parts.items()}
        )
    if kind == "biases":
        flat = Bundle(parts)
        flat.update({f"b{n[1]}": dress(np.zeros(request[n].shape[1]), choice["lib"]) for n in FOUR})
        return ByName(flat)
    return Bundle(parts)


class ByName(Bundle):
    """Weights and biases in one dict."""

    def __missing__(self, name):
        plain = str(name).strip("_").lower()
        letters = re.fullmatch(r"b(ias)?_?([qkvo]).*", plain)
        return self[f"b{letters[2]}"] if letters else super().__missing__(name)


# ---- into an object


def slots_of(thing):
    """{path: [(array, is it of an nn.Linear?)]} of what may hold weights; biases become 0."""
    slots = {}
    visit(thing, "", slots, 0, set())
    return slots


def visit(item, path, slots, depth, seen):
    if id(item) in seen or depth > 5:
        return
    seen.add(id(item))
    if isinstance(item, torch.nn.Linear):
        if item.bias is not None:
            item.bias.data.zero_()
        slots.setdefault(path, []).append((item.weight, True))
    elif isinstance(item, (torch.Tensor, np.ndarray)):
        add_array(item, path, slots)
    else:
        for name, value in members(item):
            inner = path if str(name).isdigit() else f"{path}.{name}".strip(".")
            visit(value, inner, slots, depth + 1, seen)


def add_array(array, path, slots):
    is_parameter = isinstance(array, torch.nn.Parameter)
    numbers = array.detach().numpy() if isinstance(array, torch.Tensor) else array
    floats = numbers.dtype.kind == "f"
    if (
        "bias" in path.rpartition(".")[2].lower()
        and is_parameter
        or numbers.ndim == 1
        and floats
        and is_parameter
        or is_parameter
        and numbers.ndim == 2
        and role_of(path.rpartition(".")[2], ARRAYS) in ("bq", "bk", "bv")
    ):
        numbers.fill(0)
    elif (
        numbers.ndim in (2, 3)
        and floats
        and (is_parameter or not STORES.search(path.lower()) and numbers.any())
    ):
        slots.setdefault(path, []).append((array, False))


def members(item):
    """[(name, value)] of what an object, a dict or a list holds."""
    if isinstance(item, torch.nn.Module):
        own = {k: v for k, v in vars(item).items() if not k.startswith("_") and k != "training"}
        return [*item._parameters.items(), *item._modules.items(), *own.items()]
    if isinstance(item, (list, tuple)):
        return list(enumerate(item))
    if isinstance(item, dict):
        return list(item.items())
    plain = hasattr(item, "__dict__") and not callable(item) or type(item).__module__ == "answer"
    return list(vars(item).items()) if plain or own_class(item) else []


def own_class(item):
    return hasattr(item, "__dict__") and type(item).__module__.partition(".")[0] not in (
        "builtins",
        "torch",
        "numpy",
        "functools",
        "types",
        "math",
    )


def split_lists(slots, width):
    """A list of whole projections is no list of heads: each becomes a slot of its own."""
    apart = {}
    for path, slot in slots.items():
        square = all(tuple(array.shape) == (width, width) for array, _ in slot)
        many = len(slot) > 1 and square
        apart |= {f"{path}.{n}": [item] for n, item in enumerate(slot)} if many else {path: slot}
    return apart


def roles_of_slots(slots):
    """{role: path}: by the names, and the rest in the order in which they were made."""
    roles, rest = {}, []
    for path in slots:
        names = [name for name in path.split(".") if name not in ("weight", "w", "W", "weights", "heads")]
        own = names[-1].lower() if names else path
        stem = re.sub(
            r"_?(weight|w|proj|mat)$", "", re.sub(r"^(w(eights?)?|proj|lin|fc|to)_?(?=[a-z])", "", own)
        )
        role = role_of(stem, WEIGHTS) or role_of(own, WEIGHTS)
        if role and role not in roles:
            roles[role] = path
        else:
            rest.append(path)
    wanted = ("qkv", "o") if "qkv" in roles else ("q", "kv", "o") if "kv" in roles else ("q", "k", "v", "o")
    if not roles.keys() & {"q", "k", "v", "qkv", "kv"}:  # the names say nothing of what comes first
        roles, rest = {}, list(slots)
    unnamed = [role for role in wanted if role not in roles]
    if len(slots) <= 2 and not roles.keys() & {"q", "k", "v"}:
        unnamed = [role for role in ("qkv", "o") if role not in roles]
    return roles | dict(zip(unnamed, rest, strict=False))


def fill(thing, request, choice):
    """Write the request's weights into the object. Returns the roles that it has a place for."""
    slots = split_lists(slots_of(thing), request["d_model"])
    roles = roles_of_slots(slots)
    turned = choice.get("w", LAYOUTS[0]) in (LAYOUTS[1], LAYOUTS[6])
    across = choice.get("w", LAYOUTS[0]) in (LAYOUTS[5], LAYOUTS[6])
    order = choice.get("fused", FUSED[0])
    if order != FUSED[0] and not roles.keys() & {"qkv", "kv"}:
        raise Skip
    if turned and all(linear for slot in slots.values() for _, linear in slot):
        raise Skip
    if across:
        request = request | {n: across_features(request, n) for n in FOUR}
    for role, path in roles.items():
        if role in ("qkv", "kv"):
            put(slots[path], fused(request, role, order, False), turned, request, role)
        else:
            put(slots[path], request[f"w{role}"], turned, request, role)
    return set(roles)


def across_features(request, name):
    e = request["head_dim"]
    pattern = "(h e) d -> (e h) d" if name == "wo" else "d (h e) -> d (e h)"
    return rearrange(request[name], pattern, e=e)


def put(slot, numbers, turned, request, role):
    """Write a matrix (in, out) into one array, or into one array for each head."""
    many = len(slot) > 1
    axis = 0 if role == "o" else 1
    parts = np.split(numbers, len(slot), axis) if many else [numbers]
    for (array, linear), part in zip(slot, parts, strict=True):
        shape = tuple(array.shape)
        if array.ndim == 3:
            part = with_heads(part, shape, request, role)
        elif linear or turned or part.shape != shape:
            part = part.T
        if part.shape != shape:
            raise ValueError(f"a weight of {part.shape} does not fit {shape}")
        if isinstance(array, torch.Tensor):
            array.data.copy_(torch.tensor(np.ascontiguousarray(part)))
        else:
            array[...] = part


def with_heads(part, shape, request, role):
    """The matrix with an axis of heads, where that fits."""
    patterns = ("h e d", "h d e") if role == "o" else ("h d e", "d h e", "h e d")
    source = "(h e) d" if role == "o" else "d (h e)"
    for pattern in patterns:
        split = rearrange(part, f"{source} -> {pattern}", e=request["head_dim"])
        if split.shape == shape:
            return split
    if role == "qkv" and len(axes_of("n d f")) == 3 and shape[0] == 3:
        return np.stack(np.split(part, 3, 1))
    raise ValueError(f"no layout of {part.shape} fits {shape}")
