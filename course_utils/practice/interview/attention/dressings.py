"""The weights of an input come in, the shapes and containers in which a function may want them go out."""

import re

import numpy as np

from ..hints import WEIGHTS, role_of
from ..values import dress

FOUR = ("wq", "wk", "wv", "wo")
BIASES = ("bq", "bk", "bv", "bo")
SEPARATE = ("(in, out)", "(out, in)", "(D, H, d)", "(H, D, d)", "list of heads", "lists throughout")
BUNDLED = (*SEPARATE, "pairs")  # a weight and its bias as one pair
DRESSINGS = {"fused": ("(in, out)", "(out, in)"), "separate": SEPARATE, "weights": BUNDLED}


def dressings_of(roles):
    """The dressings for a call with these roles, the usual one first."""
    if "weights" in roles:
        return DRESSINGS["weights"]
    return DRESSINGS["fused" if roles & {"wqkv", "wkv"} else "separate"]


def shaped(name, weight, given, dressing):
    """A weight (in, out) as this dressing has it; a list of heads is a list."""
    d, D = given["d"], given["D"]
    if name[0] == "b":
        return weight
    if dressing == "(out, in)":
        return np.ascontiguousarray(weight.T)
    if dressing in ("(in, out)", "pairs") or name not in FOUR:
        return weight
    if name == "wo":
        heads = weight.reshape(-1, d, D)
        return {"list of heads": weight, "lists throughout": list(heads)}.get(dressing, heads)
    heads = weight.reshape(D, -1, d)  # (D, H, d)
    if dressing == "(D, H, d)":
        return heads
    by_head = np.ascontiguousarray(heads.transpose(1, 0, 2))
    return by_head if dressing == "(H, D, d)" else list(by_head)


def with_weights(given, roles, dressing):
    """The arrays of a call, and its weights under the names of their roles, as (name, (in, out), False)."""
    names = FOUR if "weights" in roles else [name for name in FOUR if name in roles]
    plain = {name: given[name] for name in (*names, *(one for one in BIASES if one in roles))}
    if "weights" in roles and dressing == "pairs":
        plain |= {name: given[name] for name in BIASES}
    if "wqkv" in roles:
        plain["wqkv"] = np.concatenate([given[name] for name in FOUR[:3]], axis=1)
    if "bqkv" in roles:
        plain["bqkv"] = np.concatenate([given[name] for name in BIASES[:3]])
    if "wkv" in roles:
        plain["wkv"] = np.concatenate([given["wk"], given["wv"]], axis=1)
    arrays = {"x": given["x"], "q": given["x"], "k": given["xk"], "v": given["xv"]}
    arrays |= {name: shaped(name, weight, given, dressing) for name, weight in plain.items()}
    if "weights" in roles:
        arrays["weights"] = Bundle(given, dressing)
    turned = dressing == "(out, in)"
    seen = [(name, weight.T if turned else weight, False) for name, weight in plain.items()]
    return arrays, seen


class Bundle:
    """All weights in one object: a dict, a tuple, or an object with attributes, with any usual names."""

    def __init__(self, given, dressing, library=None):
        self.__dict__.update(given_=given, dressing_=dressing, library_=library)

    def in_library(self, library):
        return Bundle(self.given_, self.dressing_, library)

    def array_(self, role):
        fused = {"qkv": FOUR[:3], "kv": FOUR[1:3]}.get(role)
        if fused:
            whole = np.concatenate([self.given_[name] for name in fused], axis=1)
            return dress(np.ascontiguousarray(whole.T) if "(out" in self.dressing_ else whole, self.library_)
        name = role if role in BIASES else "w" + role
        weight = dress(shaped(name, self.given_[name], self.given_, self.dressing_), self.library_)
        if self.dressing_ == "pairs":
            return weight, dress(self.given_["b" + role], self.library_)
        return weight

    def __getitem__(self, name):
        if isinstance(name, int):
            return list(self)[name]
        role = role_called(str(name))
        if role is None:
            raise KeyError(name)
        return self.array_(role)

    def __getattr__(self, name):
        if name.startswith("__") or role_called(name) is None:
            raise AttributeError(name)
        return self[name]

    def __iter__(self):
        return iter([self.array_(role) for role in "qkvo"])

    def __len__(self):
        return 4

    def __contains__(self, name):
        return isinstance(name, str) and role_called(name) in ("q", "k", "v", "o")

    def get(self, name, default=None):
        known = name in self
        return self[name] if known else default

    def keys(self):
        return list(FOUR)

    def values(self):
        return list(self)

    def items(self):
        return list(zip(FOUR, self, strict=True))


def role_called(name):
    """ "q" for wq, W_Q, query.weight; None for a bias, which no bundle has on its own."""
    plain = re.sub(r"^w(eights?)?_?(?=.)", "", name.strip("_").lower())
    if re.fullmatch(r"b(ias)?_?[qkvo].*|.*_b(ias)?|.*bias.*", name.strip("_").lower()):
        return None
    return role_of(plain, WEIGHTS) or role_of(name, WEIGHTS)
