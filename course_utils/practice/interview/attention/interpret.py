"""The weights that an object holds come in, as [(name, array, is it an nn.Linear's?)]; the ways to understand
them go out: which is W_Q, whether it is (in, out) or (out, in), and where heads lie in it."""

import re
from itertools import islice, permutations

import numpy as np

from ..hints import WEIGHTS, role_of

MOST = 220
NEEDED = (("q", "k", "v"), ("qkv",), ("q", "kv"))
FUSED = ("3hd", "h3d", "hd3", "3dh", "kqv")


def interpretations(weights, given):
    """Iterator of (key, given with W_Q, W_K, W_V (in, out) and W_O in it, as these weights have it)."""
    if not weights:
        yield from ((("no weights", order), without_weights(given) | {"order": order}) for order in ("hd",))
        return
    if [name for name, _, _ in weights] == ["wo"]:  # ready queries, keys and values, and an output projection
        wo = weights[0][1]
        for key, one in (("in, out", wo), ("out, in", wo.T)):
            yield (key, "hd"), {**without_weights(given), "wo": one, "order": "hd"}
        return
    for key, roles in islice(assignments(weights), MOST):
        for layout, four in layouts(roles, given):
            for order in ("hd", "dh"):
                yield (key, layout, order), {**without_weights(given), **four, "order": order}


def without_weights(given):
    return {n: v for n, v in given.items() if n not in ("wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo")}


def base_name(path):
    """('key', is it a bias?) of 'heads.0.key.weight'."""
    parts = [part for part in re.split(r"[.]", path) if not part.isdigit()]
    bias = parts[-1] in ("bias", "b") and len(parts) > 1
    parts = parts[:-1] if len(parts) > 1 and parts[-1] in ("weight", "bias", "w", "W", "b") else parts
    return re.sub(r"_?\d+$", "", parts[-1]), bias


def assignments(weights):
    """Iterator of (key, {role: [(array, linear)], "b" + role: [...]}): by names, else in any order."""
    matrices, biases, unknown = {}, {}, []
    listed = whole_layers(weights)
    for path, array, linear in weights:
        name, is_bias = base_name(path)
        role = None if name in listed else role_of(name, WEIGHTS)
        name = f"{name} {re.sub(r'[^0-9]', '', path)}" if name in listed else name
        is_bias = is_bias or array.ndim == 1 or re.match(r"b(ias)?_?[qkvo]$", name.lower()) is not None
        place = biases if is_bias else matrices
        place.setdefault((role, name), []).append((array, linear))
    named = {}
    for (role, name), arrays in matrices.items():
        if role is None or role in named:
            unknown.append((name, arrays))
        else:
            named[role] = arrays
    by_name = {name: role for (role, name) in matrices if named.get(role) is matrices[role, name]}
    for needed in NEEDED:
        for with_out in (("o",), ()):
            wanted = [*needed, *with_out]
            free = [role for role in wanted if role not in named]
            if len(free) != len(unknown) or any(role not in wanted for role in named):
                continue
            for order in permutations(range(len(free))):
                chosen = {role: unknown[n] for role, n in zip(free, order, strict=True)}
                roles = named | {role: arrays for role, (_, arrays) in chosen.items()}
                names = by_name | {name: role for role, (name, _) in chosen.items()}
                yield (needed, with_out, order), roles | biases_of(biases, names)
    if not named or len(unknown) >= 3:  # names that mislead: all in any order
        everything = [(name, arrays) for (_, name), arrays in matrices.items()]
        for wanted in (("q", "k", "v", "o"), ("q", "k", "v"), ("qkv", "o")):
            if len(wanted) == len(everything):
                for order in permutations(range(len(wanted))):
                    chosen = {role: everything[n] for role, n in zip(wanted, order, strict=True)}
                    roles = {role: arrays for role, (_, arrays) in chosen.items()}
                    names = {name: role for role, (name, _) in chosen.items()}
                    yield ("any", wanted, order), roles | biases_of(biases, names)


def whole_layers(weights):
    """Names of lists whose members are whole layers, three or four of them, and not one for each head."""
    shapes = {}
    for path, array, _ in weights:
        name, is_bias = base_name(path)
        if not is_bias and array.ndim == 2:
            shapes.setdefault(name, []).append(array.shape)
    return {
        name for name, some in shapes.items() if len(some) in (3, 4) and {a == b for a, b in some} == {True}
    }


def biases_of(biases, names):
    """{"b" + role: arrays}: a bias belongs to the matrix of its name, else to that of its hint."""
    found = {}
    for (role, name), arrays in biases.items():
        own = names.get(name) or names.get(re.sub(r"^b", "w", name)) or role
        if own is not None:
            found["b" + own] = arrays
    return found


def layouts(roles, given):
    """Iterator of (key, {wq, wk, wv, wo, biases}) with all matrices as (in, out)."""
    for turned in (False, True):
        for out_turned in (False, True):
            for fused in FUSED if "qkv" in roles or "kv" in roles else ("",):
                four = arranged(roles, given, turned, out_turned, fused)
                if four is not None:
                    yield (turned, out_turned, fused), four
            if "o" not in roles or not any(raw_square(one) for one in roles["o"]):
                break
        if not any(
            raw_square(one) for role in roles if role[0] != "b" and role != "o" for one in roles[role]
        ):
            break


def raw_square(entry):
    array, linear = entry
    return not linear and array.ndim >= 2 and array.shape[-1] == array.shape[-2]


def arranged(roles, given, turned, out_turned, fused):
    D, d, H, Hkv = (given[name] for name in ("D", "d", "H", "Hkv"))
    widths = {"q": H * d, "k": Hkv * d, "v": Hkv * d, "qkv": (H + 2 * Hkv) * d, "kv": 2 * Hkv * d, "o": D}
    found = {}
    for role, entries in roles.items():
        if role.startswith("b"):
            bias = np.concatenate([np.asarray(array).reshape(-1) for array, _ in entries])
            width = widths.get(role[1:])
            if bias.shape != (width,):
                return None
            found |= pieces(bias, role[1:], "b", fused, given) if role[1:] in ("qkv", "kv") else {role: bias}
            continue
        rows = H * d if role == "o" else D
        one = matrix(entries, rows, widths[role], out_turned if role == "o" else turned, role)
        if one is None:
            return None
        found |= pieces(one, role, "w", fused, given) if role in ("qkv", "kv") else {"w" + role: one}
    return found


def matrix(entries, rows, columns, turned, role):
    """(rows, columns) of one array or of one for each head; None where it does not fit."""
    parts = []
    for array, linear in entries:
        if array.ndim == 3:
            array = flat(array, rows, columns, role)
        if array is None or array.ndim != 2:
            return None
        parts.append(array.T if linear or turned else array)
    if len(parts) > 1:
        side = [part if part.shape[0] == rows else part.T for part in parts]
        if role == "o" or len({part.shape for part in side}) > 1 or side[0].shape[0] != rows:
            return None
        parts = [np.concatenate(side, axis=1)]
    (whole,) = parts
    if whole.shape == (rows, columns):
        return whole
    return whole.T if whole.T.shape == (rows, columns) else None


def flat(array, rows, columns, role):
    """A weight with an axis of heads, as (rows, columns)."""
    a, b, c = array.shape
    if role == "o":
        return array.reshape(a * b, c) if (a * b, c) == (rows, columns) else None
    if b == rows:
        return array.transpose(1, 0, 2).reshape(b, a * c)
    if c == rows:
        return array.transpose(2, 0, 1).reshape(c, a * b)
    return array.reshape(a, b * c) if a == rows else None


def pieces(array, role, kind, fused, given):
    """A fused weight (in, out) or bias cut into that of q, k and v."""
    d, H, Hkv = given["d"], given["H"], given["Hkv"]
    names = "qkv" if role == "qkv" else "kv"
    heads = [H, Hkv, Hkv][-len(names) :]
    if fused in ("3hd", "kqv"):
        cuts = np.cumsum([h * d for h in heads])[:-1]
        parts = np.split(array, cuts, axis=-1)
        order = {"kqv": "kqv"}.get(fused, names) if role == "qkv" else names
        if len(set(heads)) > 1 and fused == "kqv":
            parts = np.split(array, np.cumsum([Hkv * d, H * d]), axis=-1)
        return {kind + name: part for name, part in zip(order, parts, strict=True)}
    if len(set(heads)) > 1:
        return by_group(array, kind, given)
    n, lead = len(names), array.shape[:-1]
    shapes = {"h3d": ((H, n, d), "hnd"), "hd3": ((H, d, n), "hdn"), "3dh": ((n, d, H), "ndh")}
    shape, axes = shapes[fused]
    cube = array.reshape(
        *lead, *[Hkv if size == H and axes[i] == "h" else size for i, size in enumerate(shape)]
    )
    turned = np.einsum(f"...{axes}->...nhd", cube)
    return {kind + name: turned[..., i, :, :].reshape(*lead, -1) for i, name in enumerate(names)}


def by_group(array, kind, given):
    """For each kv head: the queries of its group, its key, its value."""
    d, Hkv, lead = given["d"], given["Hkv"], array.shape[:-1]
    group = given["H"] // Hkv
    cube = array.reshape(*lead, Hkv, group + 2, d)
    q, k, v = cube[..., :group, :], cube[..., group, :], cube[..., group + 1, :]
    return {kind + name: part.reshape(*lead, -1) for name, part in zip("qkv", (q, k, v), strict=True)}
