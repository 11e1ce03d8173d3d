"""Convert a program's arguments to torch, NumPy or lists, and its results to float64 arrays."""

import numpy as np
import torch

from .questions import text

MOST = 1_000_000  # largest number of entries in a result


class AnyNames(dict):
    """Values under any names, as items or attributes, or by index; key(name) gives the real name. hidden:
    values that are only found by name."""

    def __init__(self, values, key, hidden=()):
        super().__init__(values)
        self.__dict__ |= {"_key": key, "_all": {**values, **dict(hidden)}}

    def __missing__(self, name):
        if isinstance(name, int):
            return list(self.values())[name]
        return self._all[self._key(str(name).strip("_").lower())]

    def __getattr__(self, name):
        try:
            return self[name if not name.startswith("__") else None]
        except KeyError:
            raise AttributeError(f"there is nothing called {name}") from None

    def get(self, name, default=None):
        return getattr(self, str(name), default)

    def __contains__(self, name):
        return self.get(name) is not None

    def __iter__(self):
        return iter(self.values())


def to_library(array, library):
    """Convert an array to a new object of a library."""
    if library == "numpy":
        return array.copy()
    if library == "list":
        return array.tolist()
    return torch.tensor(array.copy(), dtype=torch.float32 if array.dtype.kind == "f" else None)


def to_array(value):
    """Convert a result to a NumPy array of float64 or bool; None if it is no array of numbers."""
    if isinstance(value, torch.Tensor):
        if value.numel() > MOST or value.is_meta:
            return None
        value = value.detach().to("cpu")
        value = value.float().numpy() if value.dtype == torch.bfloat16 else value.numpy()
    if isinstance(value, (list, tuple)):
        value = [to_array(item) if isinstance(item, torch.Tensor) else item for item in value]
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RuntimeError):  # nested, ragged, or with gradients deep inside
        return None
    if array.dtype.kind not in "bfiu" or array.size > MOST:
        return None
    return array if array.dtype == bool else array.astype(np.float64)


def parts_of(value):
    """Iterate over (path, part) of a result: the whole, then the members of a tuple, list, dict or object."""
    yield (), value
    if isinstance(value, (tuple, list)) and len(value) <= 12:
        yield from (((number,), part) for number, part in enumerate(value))
    elif isinstance(value, dict):
        yield from (((str(name),), part) for name, part in list(value.items())[:12])
    elif hasattr(value, "__dict__") and not isinstance(value, (torch.Tensor, np.ndarray)):
        yield from (((name,), part) for name, part in list(vars(value).items())[:12])


class Unread(Exception):
    """Raised if a result cannot be compared. mistake: its name, if it is a known one."""

    def __init__(self, value, mistake=""):
        shape = getattr(value, "shape", None)
        description = f"a {type(value).__name__}" if shape is None else f"the shape {tuple(shape)}"
        description = "nothing" if value is None else description
        super().__init__(text(mistake) if mistake else text("nothing_in_it", description))
        self.mistake = mistake or ("returns_none" if value is None else "")


class Skip(Exception):
    """Raised if a way of calling does not fit, or is the same as another one."""
