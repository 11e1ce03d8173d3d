"""Convert records with tensors in them to JSON data and back; the caller decides how tensors are stored."""

import re
from dataclasses import fields, is_dataclass
from typing import Any

import torch

from .case import AsTuple, Back, Call, Case, Contract, Fact, Fake

SPECIAL = {
    "$back": Back,
    "$fake": Fake,
    "$tuple": AsTuple,
    "$call": Call,
    "$case": Case,
    "$contract": Contract,
    "$fact": Fact,
}
TAGS = {cls: tag for tag, cls in SPECIAL.items()}
FACT = re.compile(r"(.+)@(\d{1,6})", re.S)  # a Fact as a key: "output@1"


def encode(value, store):
    """Convert a value to JSON data; store(tensor) returns the encoded tensor."""
    if isinstance(value, torch.Tensor):
        return {"$tensor": store(value)}
    if is_dataclass(value):
        inner = {f.name: getattr(value, f.name) for f in fields(value) if getattr(value, f.name) != f.default}
        return {TAGS[type(value)]: encode(inner, store)}
    if isinstance(value, dict):
        return {as_key(key): encode(item, store) for key, item in value.items()}
    if isinstance(value, Fact):
        return {"$fact": value._asdict()}
    if isinstance(value, (list, tuple)):
        return [encode(item, store) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{type(value).__name__} is not plain data")


def decode(value, get) -> Any:
    """The inverse of encode; get(encoded tensor) returns the tensor."""
    if isinstance(value, list):
        return [decode(item, get) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        tag, inner = next(iter(value.items()))
        if tag == "$tensor":
            return get(inner)
        if tag in SPECIAL:
            return SPECIAL[tag](**decode(inner, get))
    return {from_key(key): decode(item, get) for key, item in value.items()}


def as_key(key):
    return f"{key.name}@{key.call}" if isinstance(key, Fact) else key


def from_key(text):
    match = FACT.fullmatch(text)
    return Fact(match[1], int(match[2])) if match else text
