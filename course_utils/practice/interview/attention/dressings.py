"""The weights of an input come in, the shapes and containers in which a function may want them go out."""

import re

import numpy as np

from ..hints import WEIGHTS, role_of
from ..values import dress

FOUR = ("wq", "wk", "wv", "wo")
BIASES = ("bq", "bk", "bv", "bo")
BY_HEAD = ("(D, H, d)", "(H, D, d)", "(H, D, d), flat W_O", "(H, d, D), flat W_O")
SEPARATE = ("(in, out)", "(out, in)", *BY_HEAD, "list of heads", "lists throughout")
PAIRS = ("pairs", "pairs (out, in)")  # a weight and its bias as one pair
WITH_BIASES = ("with biases", "with biases (out, in)")  # under names of their own
BUNDLED = (*SEPARATE, *PAIRS, *WITH_BIASES, "two")  # two: q, k and v fused, and the output projection
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
    if "(out, in)" in dressing:
        return np.ascontiguousarray(weight.T)
    if dressing in ("(in, out)", "pairs", "with biases", "two") or name not in FOUR:
        return weight
    if name == "wo":
        heads = weight.reshape(-1, d, D)
        flat = dressing == "list of heads" or "flat" in dressing
        return weight if flat else list(heads) if dressing == "lists throughout" else heads
    heads = weight.reshape(D, -1, d)  # (D, H, d)
    if dressing == "(D, H, d)":
        return heads
    by_head = np.ascontiguousarray(heads.transpose(1, 0, 2))
    if dressing.startswith("(H, d, D)"):
        return np.ascontiguousarray(by_head.transpose(0, 2, 1))
    return by_head if dressing.startswith("(H, D, d)") else list(by_head)


def with_weights(given, roles, dressing):
    """The arrays of a call, and its weights under the names of their roles, as (name, (in, out), False)."""
    names = FOUR if "weights" in roles else [name for name in FOUR if name in roles]
    plain = {name: given[name] for name in (*names, *(one for one in BIASES if one in roles))}
    if "weights" in roles and dressing in (*PAIRS, *WITH_BIASES):
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
    turned = "(out, in)" in dressing
    seen = [
        (name, weight.T if turned and weight.ndim == 2 else weight, False) for name, weight in plain.items()
    ]
    return arrays, seen


class Pair(tuple):
    """A weight and its bias, as a tuple, as a dict or as attributes."""

    def __getitem__(self, name):
        if not isinstance(name, str):
            return super().__getitem__(name)
        return super().__getitem__(int(is_bias_name(name)))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]


def is_bias_name(name):
    return bool(re.fullmatch(r"b.*|.*bias.*", name.lower()))


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
        if self.dressing_ in PAIRS and role in ("q", "k", "v", "o"):
            return Pair((weight, dress(self.given_["b" + role], self.library_)))
        return weight

    def __getitem__(self, name):
        if isinstance(name, int):
            return list(self)[name]
        role = self.role_(str(name))
        if role is None:
            raise KeyError(name)
        return self.array_(role)

    def role_(self, name):
        bias = bias_called(name) if self.dressing_ in WITH_BIASES else None
        return bias or role_called(name)

    def __getattr__(self, name):
        if name.startswith("__") or self.role_(name) is None:
            raise AttributeError(name)
        return self[name]

    def __iter__(self):
        return iter([self.array_(role) for role in self.roles_()])

    def __len__(self):
        return len(self.roles_())

    def roles_(self):
        return ("qkv", "o") if self.dressing_ == "two" else ("q", "k", "v", "o")

    def __contains__(self, name):
        return isinstance(name, str) and self.role_(name) in ("q", "k", "v", "o", *BIASES)

    def get(self, name, default=None):
        known = name in self
        return self[name] if known else default

    def keys(self):
        return list(FOUR)

    def values(self):
        return list(self)

    def items(self):
        return list(zip(FOUR, self, strict=True))


def bias_called(name):
    """ "bq" for b_q, bias_q, q_bias and query.bias; None for what is no bias."""
    plain = name.strip("_").lower()
    letter = re.fullmatch(r"b(?:ias)?_?([qkvo]).*", plain) or re.fullmatch(r"([qkvo]).*[_.]?b(?:ias)?", plain)
    return f"b{letter[1]}" if letter else None


def role_called(name):
    """ "q" for wq, W_Q, query.weight; None for a bias, which no bundle has on its own."""
    plain = re.sub(r"^w(eights?)?_?(?=.)", "", name.strip("_").lower())
    if re.fullmatch(r"b(ias)?_?[qkvo].*|.*_b(ias)?|.*bias.*", name.strip("_").lower()):
        return None
    return role_of(plain, WEIGHTS) or role_of(name, WEIGHTS)
