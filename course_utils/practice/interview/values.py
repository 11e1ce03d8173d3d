"""Numbers change their dress: given as torch, NumPy or lists, and what came back as a float64 array."""

import numpy as np
import torch

MOST = 1_000_000  # entries of a result that are looked at


def dress(value, library):
    """An array as a fresh object of a library; whole numbers and None stay what they are."""
    if isinstance(value, dict):
        return {name: dress(item, library) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [dress(item, library) for item in value]
    if not isinstance(value, np.ndarray):
        return value.in_library(library) if hasattr(value, "in_library") else value
    if library == "numpy":
        return value.copy()
    if library == "list":
        return value.tolist()
    wanted = torch.float32 if value.dtype.kind == "f" else None
    return torch.tensor(value.copy(), dtype=wanted)


def undress(value):
    """A result as a NumPy array of float64 (of bool where it is), None for what is no array of numbers."""
    if isinstance(value, torch.Tensor):
        if value.numel() > MOST or value.is_meta:
            return None
        value = value.detach().to("cpu")
        value = value.float().numpy() if value.dtype == torch.bfloat16 else value.numpy()
    if isinstance(value, (list, tuple)):
        value = [undress(item) if isinstance(item, torch.Tensor) else item for item in value]
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RuntimeError):  # nested, ragged, or with gradients deep inside
        return None
    if array.dtype == bool:
        return array if array.size <= MOST else None
    if array.dtype.kind not in "fiu" or array.size > MOST:
        return None
    return array.astype(np.float64)


def parts_of(value):
    """[(key, part)] of a result: itself, the members of a tuple, a list, a dict or a plain record."""
    yield (), value
    if isinstance(value, (tuple, list)) and len(value) <= 12:
        yield from (((number,), part) for number, part in enumerate(value))
    elif isinstance(value, dict):
        yield from (((str(name),), part) for name, part in list(value.items())[:12])
    elif hasattr(value, "__dict__") and not isinstance(value, (torch.Tensor, np.ndarray)):
        yield from (((name,), part) for name, part in list(vars(value).items())[:12])


def same(array, wanted, tolerance):
    """Equal numbers, within the tolerance; NaN and infinities at the same places."""
    if array is None or array.shape != wanted.shape:
        return False
    array, wanted = array.astype(np.float64), wanted.astype(np.float64)
    close = np.isclose(array, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
    return bool(close.all())


class Unread(Exception):
    """What came back is no result that can be compared. mistake: its name, if there is one."""

    def __init__(self, value, mistake="", text=""):
        shape = getattr(value, "shape", None)
        what = (
            "nothing"
            if value is None
            else f"the shape {tuple(shape)}"
            if shape is not None
            else f"a {type(value).__name__}"
        )
        super().__init__(
            text or f"It returns {what}, and nothing in it looks like the result that the task asks for."
        )
        self.mistake = mistake or ("returns_none" if value is None else "")


class Skip(Exception):
    """This way of calling is the same as another one."""
