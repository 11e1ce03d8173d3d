"""The weights of attention, as arguments under any names, or written into an object of any layout."""

import re

import numpy as np
import torch

from ..hints import ARRAYS, WEIGHTS, role_of
from ..layouts import rearrange
from ..values import AnyNames, Skip, to_library

LAYOUTS = (  # (of W_Q, W_K and W_V; of W_O); what is written into an object has one of the first four
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
    """Convert a weight of a request from (in, out) to a layout; zeros for a bias."""
    e = request["head_dim"]
    if name.startswith("b"):
        return np.zeros(request[f"w{name[1]}"].shape[1])
    if name == "wo":
        return rearrange(request["wo"], f"(h e) d -> {layout[1]}", e=e)
    if name in FOUR:
        return rearrange(request[name], f"d (h e) -> {layout[0]}", e=e)
    whole = fused(request, name[1:], FUSED[0])
    return whole.T if layout == LAYOUTS[1] else whole


def fused(request, parts, order):
    """Several projections in one matrix, (in, out)."""
    weights = [request[f"w{part}"] for part in parts]
    if order == FUSED[0] or len({w.shape for w in weights}) > 1:
        return np.concatenate(weights, 1)
    split = np.stack([rearrange(w, "d (h e) -> d h e", e=request["head_dim"]) for w in weights])
    return rearrange(split, f"n d h e -> d {order}")


def weight_or_bias(name):
    """The weight or bias that a name means: "w_query" is "wq", "bias_o" is "bo"."""
    bias = re.fullmatch(r"b(ias)?_?([qkvo]).*", name)
    stem = re.sub(r"^(w(eights?)?|proj)_?(?=[a-z])", "", name)
    return f"b{bias[2]}" if bias else f"w{role_of(stem, WEIGHTS) or role_of(name, WEIGHTS)}"


def bundle(request, choice):
    """The value of a parameter such as `params`: all weights, or pairs of a weight and a bias."""
    weights = {name: to_library(in_layout(request, name, choice["w"]), choice["lib"]) for name in FOUR}
    biases = {
        name: to_library(in_layout(request, name, None), choice["lib"]) for name in ("bq", "bk", "bv", "bo")
    }
    if choice["bundle"] == "pairs":
        for (name, matrix), bias in zip(weights.items(), biases.values(), strict=True):
            pair = {"weight": matrix, "bias": bias}
            weights[name] = AnyNames(pair, lambda part: "bias" if part[0] == "b" else "weight")
    return AnyNames(weights, weight_or_bias, biases)


# ---- written into an object


def visit(item, path, slots, visited):
    """Add {path: [(array, is it of an nn.Linear?)]} for possible weights to `slots`. Biases become 0."""
    if id(item) in visited:
        return
    visited[id(item)] = item
    if isinstance(item, torch.nn.Linear):
        if item.bias is not None:
            item.bias.data.zero_()
        slots.setdefault(path, []).append((item.weight, True))
    elif isinstance(item, (torch.Tensor, np.ndarray)):
        add_array(item, path, slots)
    else:
        for name, value in members(item):
            inner = path if str(name).isdigit() or name in ("_parameters", "_modules") else f"{path}.{name}"
            visit(value, inner.strip("."), slots, visited)


def add_array(array, path, slots):
    """Add a matrix of floats to the slots; a bias becomes 0."""
    numbers = array.detach().numpy() if isinstance(array, torch.Tensor) else array
    is_parameter, own = isinstance(array, torch.nn.Parameter), path.rpartition(".")[2].lower()
    if numbers.dtype.kind != "f":
        return
    if is_parameter and (numbers.ndim == 1 or "bias" in own or role_of(own, ARRAYS) in ("bq", "bk", "bv")):
        numbers.fill(0)
    elif numbers.ndim in (2, 3) and (is_parameter or not STORES.search(path.lower()) and numbers.any()):
        slots.setdefault(path, []).append((array, False))


def members(item):
    """[(name, value)] of the contents of a list, a dict or an object."""
    if isinstance(item, (list, tuple)):
        return list(enumerate(item))
    if isinstance(item, dict):
        return list(item.items())
    library = type(item).__module__.partition(".")[0] in ("builtins", "torch", "numpy", "functools")
    holds = isinstance(item, torch.nn.Module) or not (library and callable(item))
    return list(vars(item).items()) if hasattr(item, "__dict__") and holds else []


def split_lists(slots, width):
    """Give each matrix of a list its own slot if it is a whole projection, not one head's."""
    apart = {}
    for path, slot in slots.items():
        square = all(tuple(array.shape) == (width, width) for array, _ in slot)
        many = len(slot) > 1 and square
        apart |= {f"{path}.{n}": [item] for n, item in enumerate(slot)} if many else {path: slot}
    return apart


def roles_of_slots(slots):
    """Guess which slot holds which weight, {role: path}: by name, the rest by the order of creation."""
    roles, rest = {}, []
    for path in slots:
        names = [name for name in path.split(".") if name not in ("weight", "w", "W", "weights", "heads")]
        own = names[-1].lower() if names else path
        stem = re.sub(r"^(w(eights?)?|proj|lin|fc|to)_?(?=[a-z])", "", own)
        stem = re.sub(r"_?(weight|w|proj|mat)$", "", stem)
        role = role_of(stem, WEIGHTS) or role_of(own, WEIGHTS)
        if role and role not in roles:
            roles[role] = path
        else:
            rest.append(path)
    if not roles.keys() & {"q", "k", "v", "qkv", "kv"}:  # no name identifies an input projection
        roles, rest = {}, list(slots)
    wanted = ("q", "kv", "o") if "kv" in roles else ("q", "k", "v", "o")
    if "qkv" in roles or len(slots) <= 2 and not roles.keys() & {"q", "k", "v"}:
        wanted = ("qkv", "o")
    return roles | dict(zip([role for role in wanted if role not in roles], rest, strict=False))


def fill(thing, request, choice):
    """Write the request's weights into an object. Returns the roles that it has a place for."""
    slots = {}
    visit(thing, "", slots, {})
    slots = split_lists(slots, request["d_model"])
    roles, layout, e, order = roles_of_slots(slots), choice["w"], request["head_dim"], choice["fused"]
    turned = layout in (LAYOUTS[1], LAYOUTS[3])
    if order != FUSED[0] and not roles.keys() & {"qkv", "kv"}:
        raise Skip
    if turned and all(linear for slot in slots.values() for _, linear in slot):
        raise Skip
    if layout in LAYOUTS[2:4]:
        request = request | {n: rearrange(request[n], "d (h e) -> d (e h)", e=e) for n in FOUR[:3]}
        request |= {"wo": rearrange(request["wo"], "(h e) d -> (e h) d", e=e)}
    for role, path in roles.items():
        matrix = fused(request, role, order) if role in ("qkv", "kv") else request[f"w{role}"]
        put(slots[path], matrix, role, turned, e)
    return set(roles)


def put(slot, matrix, role, turned, e):
    """Write a matrix (in, out) into a slot: one array, or one array per head."""
    is_output = role == "o"
    plain, other = ("(h e) d", "d (h e)") if is_output else ("d (h e)", "(h e) d")
    with_heads = ("h e d", "h d e") if is_output else ("h d e", "d h e", "h e d")
    for (array, linear), part in zip(slot, np.split(matrix, len(slot), 0 if is_output else 1), strict=True):
        patterns = (other, plain, *with_heads) if linear or turned else (plain, other, *with_heads)
        candidates = (rearrange(part, f"{plain} -> {pattern}", e=e) for pattern in patterns)
        fitting = next((numbers for numbers in candidates if numbers.shape == tuple(array.shape)), None)
        if fitting is None:
            raise Skip
        array = array.detach().numpy() if isinstance(array, torch.Tensor) else array
        array[...] = fitting
