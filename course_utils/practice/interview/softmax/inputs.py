"""Rows of numbers with a mask, what each role of a call is given, and what came back."""

import numpy as np

from ..values import dress, parts_of, undress
from ..ways import Reading

HINTS = {
    "x": r"x.*|.*scores?|.*logits?|z|a|arr.*|v|vec.*|values?|inp.*|t|tensor|s|row|xs|nums|numbers|data",
    "axis": r"axis|dim|d|ax",
    "mask": r".*mask.*|m|keep|allowed|visible|hide.*|valid|pad.*|open.*|real",
    "lengths": r".*len.*|lens|n_valid|sizes",
    "temperature": r"temp.*|tau|t",
}
BIG = [[1e4, 1e4 - 1, 9990.0, 3.0], [0.0, 1.0, 2.0, 3.0], [-1e4, -1e4 + 2, -1e4, -1e4 - 1.5]]


def draw(x, mask=None):
    x = np.array(x, dtype=np.float64)
    mask = np.zeros(x.shape, bool) if mask is None else np.array(mask)
    sizes = {"d_model": -1}  # what a class calls dim is the axis
    return {"x": x, "mask": mask, "sizes": sizes}


def value(role, given, dialect):
    library, what = dialect
    if role == "axis":
        return -1 if what != "vector" else 0
    if role == "mask":
        return dress(given["mask"] if what == "masked" else ~given["mask"], library)
    if role == "lengths":
        return dress(lengths_of(given), library)
    if role == "temperature":
        return given.get("temperature", 1.0)
    if what == "lengths" and given["x"].ndim == 2:
        return dress(given["x"][:, None], library)
    return dress(given["x"][0] if what == "vector" else given["x"], library)


def lengths_of(given):
    """How many entries of each row count, where lengths come in and no mask."""
    n = given["x"].shape[-1]
    return np.arange(len(given["x"])) % n + 1


def meant(given, memo):
    """The input as it was meant: one vector of it, or with lengths in the place of the mask."""
    vector, lengths = memo
    if vector:
        given = {**given, "x": given["x"][0], "mask": given["mask"][0]}
    if lengths:
        places = np.arange(given["x"].shape[-1])[None, :]
        given = {**given, "mask": places >= lengths_of(given)[:, None]}
    return given


def readings(outcome, given):
    memo = outcome.notes["dialect"][1] == "vector", "lengths" in outcome.notes["plan"].values()
    known = meant(given, memo)
    for place, part in parts_of(outcome.value):
        array = undress(part)
        if array is not None and memo[1] and array.ndim == 3 and array.shape[1] == 1:
            array = array[:, 0]
        if array is not None and array.shape == known["x"].shape:
            yield Reading((place,), array, known, memo)


LIBRARIES = ("torch", "numpy", "list")
