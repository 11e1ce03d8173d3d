"""The weights of attention, written into an object of any layout, or handed over under any names."""

import re

import numpy as np
import torch

from ..hints import ARRAYS, WEIGHTS, role_of
from ..layouts import axes_of, rearrange
from ..values import Skip, dress

LAYOUTS = (  # of W_Q, W_K and W_V, and of W_O; into an object a matrix of two axes is written
    ("d (h e)", "(h e) d"),
    ("(h e) d", "d (h e)"),
    ("d (e h)", "(e h) d"),
    ("(e h) d", "d (e h)"),
    ("h d e", "h e d"),
    ("h d e", "(h e) d"),
    ("d h e", "h e d"),
)
FUSED = ("(n h e)", "(h n e)")
BUNDLES = ("flat", "pairs")
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


class AnyNames(dict):
    """Arrays under any names: as entries, by number or as attributes; key(name) says which is meant. hidden:
    arrays that have to be asked for by name."""

    def __init__(self, arrays, key, hidden=()):
        super().__init__(arrays)
        self.__dict__ |= {"_key": key, "_hidden": dict(hidden)}

    def __missing__(self, name):
        if isinstance(name, int):
            return list(self.values())[name]
        key = self._key(str(name).strip("_").lower())
        if key not in self and key not in self._hidden:
            raise KeyError(name)
        return self._hidden[key] if key in self._hidden else self[key]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self):
        return iter(self.values())


def weight_or_bias(name):
    """ "w_query" -> "wq", "bias_o" -> "bo"."""
    bias = re.fullmatch(r"b(ias)?_?([qkvo]).*", name)
    stem = re.sub(r"^(w(eights?)?|proj)_?(?=[a-z])", "", name)
    return f"b{bias[2]}" if bias else f"w{role_of(stem, WEIGHTS) or role_of(name, WEIGHTS)}"


def bundle(request, choice):
    """What a parameter called `params` or `weights` is given: weights, or pairs of a weight and a bias."""
    layout, lib = choice.get("w", LAYOUTS[0]), choice["lib"]
    weights = {name: dress(in_layout(request, name, layout), lib) for name in FOUR}
    biases = {f"b{name[1]}": dress(np.zeros(request[name].shape[1]), lib) for name in FOUR}
    if choice.get("bundle") == "pairs":
        both = zip(weights.items(), biases.values(), strict=True)
        pairs = {name: {"weight": weight, "bias": bias} for (name, weight), bias in both}
        weights = {
            name: AnyNames(pair, lambda part: ("weight", "bias")[part[0] == "b"])
            for name, pair in pairs.items()
        }
    return AnyNames(weights, weight_or_bias, biases)


# ---- into an object


def visit(item, path, slots, depth, seen):
    """Add {path: [(array, is it of an nn.Linear?)]} of what may hold weights; biases become 0."""
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
    """A matrix of floats is a slot; a bias becomes 0."""
    numbers = array.detach().numpy() if isinstance(array, torch.Tensor) else array
    is_parameter, own = isinstance(array, torch.nn.Parameter), path.rpartition(".")[2].lower()
    if numbers.dtype.kind != "f":
        return
    if is_parameter and (numbers.ndim == 1 or "bias" in own or role_of(own, ARRAYS) in ("bq", "bk", "bv")):
        numbers.fill(0)
    elif numbers.ndim in (2, 3) and (is_parameter or not STORES.search(path.lower()) and numbers.any()):
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
    other = ("builtins", "torch", "numpy", "functools", "types", "math")
    own = type(item).__module__.partition(".")[0] not in other
    return list(vars(item).items()) if hasattr(item, "__dict__") and (own or not callable(item)) else []


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
    slots = {}
    visit(thing, "", slots, 0, set())
    slots = split_lists(slots, request["d_model"])
    roles = roles_of_slots(slots)
    layout, e = choice["w"], request["head_dim"]
    turned = layout in (LAYOUTS[1], LAYOUTS[3])
    order = choice.get("fused", FUSED[0])
    if order != FUSED[0] and not roles.keys() & {"qkv", "kv"}:
        raise Skip
    if turned and all(linear for slot in slots.values() for _, linear in slot):
        raise Skip
    if layout in LAYOUTS[2:4]:
        request = request | {n: rearrange(request[n], "d (h e) -> d (e h)", e=e) for n in FOUR[:3]}
        request |= {"wo": rearrange(request["wo"], "(h e) d -> (e h) d", e=e)}
    for role, path in roles.items():
        if role in ("qkv", "kv"):
            put(slots[path], fused(request, role, order, False), turned, request, role)
        else:
            put(slots[path], request[f"w{role}"], turned, request, role)
    return set(roles)


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
