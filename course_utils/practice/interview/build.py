"""A class and the sizes of an input come in, the ways to make its object go out."""

import inspect
from dataclasses import is_dataclass
from itertools import islice, product

import numpy as np
import torch

from .assign import role_in_call
from .attention.held import HELD, held
from .config_classes import config_classes, written_sizes
from .hints import SIZES, role_of
from .parameters import call, parameters
from .values import dress

MOST_WAYS = 40
GUESSES = ("d_model", "heads", "max_len", "kv_heads", "head_dim")
SETTINGS = {"dropout": 0.0, "device": "cpu", "dtype": torch.float32, "flag": False, "base": 10000.0}
LIBRARIES = ("torch", "numpy", "list")
WEIGHTS = ("wq", "wk", "wv", "wo", "wqkv", "wkv", "bq", "bk", "bv", "bo")
SETTINGS |= {"layers": 2, "layer": 0}


class Config:
    """An object and a dict at once that knows the size behind any name."""

    def __init__(self, sizes):
        self.__dict__["sizes"] = sizes

    def __getattr__(self, name):
        value = size_called(name, self.sizes)
        if value is None:
            raise AttributeError(f"this configuration has nothing called {name}")
        return value

    def __getitem__(self, name):
        value = size_called(str(name), self.sizes)
        if value is None:
            raise KeyError(name)
        return value

    def get(self, name, default=None):
        value = size_called(str(name), self.sizes)
        return default if value is None else value


class Made:
    """A configuration of the learner's own class, and the roles of its fields."""

    def __init__(self, cls, recipe):
        self.cls, self.recipe = cls, recipe

    def __repr__(self):
        return f"{self.cls.__name__} {self.recipe}"


def own_class(parameter, cls):
    """The class beside `cls` that the parameter is annotated with, if that is a plain record of sizes."""
    init = getattr(cls, "__init__", None)
    space = getattr(inspect.unwrap(init), "__globals__", {}) if init else {}
    found = parameter.annotation
    found = space.get(found) if isinstance(found, str) else found
    if not isinstance(found, type) or issubclass(found, torch.nn.Module) or found is cls:
        return None
    return found if is_dataclass(found) or hasattr(found, "_fields") else None


def size_called(name, sizes):
    role = role_of(name, SIZES)
    return sizes.get(role, SETTINGS.get(role))


def recipes(cls, given_sizes):
    """Iterator of {parameter: role} with which the class may be made; roles, so that any sizes fit."""
    known = parameters(cls)
    record = is_dataclass(cls) or hasattr(cls, "_fields")
    choices = [options(one, given_sizes, record) for one in known]
    for place, one in enumerate(known):
        config = None if record else own_class(one, cls)
        if config:
            made = [Made(config, recipe) for recipe in islice(recipes(config, given_sizes), 12)]
            choices[place] = [*made, *choices[place]]
        elif not record and choices[place] == ["config"]:
            made = [
                Made(config, recipe)
                for config in config_classes(one, cls.__init__)
                for recipe in islice(recipes(config, given_sizes), 4)
            ]
            choices[place] = ["config", *made]
    libraries = LIBRARIES if any(str(few[:1]).startswith("['torch ") for few in choices) else ("",)
    for library in libraries:  # all weights that are handed over are of one library
        some = [
            [one for one in few if str(one).startswith(library) or not is_weight_role(one)] for few in choices
        ]
        for chosen in islice(product(*some), MOST_WAYS):
            yield {one.name: role for one, role in zip(known, chosen, strict=True) if role is not None}


def options(parameter, sizes, record):
    """The roles that one parameter of a constructor may have, the likely one first; None: left out. record:
    is
    it a field of a configuration? Then a number by default is a size too."""
    role, array = role_of(parameter.name, SIZES), role_in_call(parameter.name)
    if array in (*WEIGHTS, "weights") and parameter.needed and "kv_heads" in sizes:
        kinds = (array,) if array in WEIGHTS else HELD
        other = [role] if role in SETTINGS else []
        return [*(f"{library} {kind}" for library in LIBRARIES for kind in kinds), *other]
    number_by_default = isinstance(parameter.default, int) and not isinstance(parameter.default, bool)
    if role == "group_size" or role == "kv_heads":
        found = [one for one in ("kv_heads", "group_size") if one in sizes]
        return (found if role == "kv_heads" else found[::-1]) or ([None] if not parameter.needed else GUESSES)
    if len(parameter.name) == 1 and role == "d_model" and parameter.needed and parameter.name not in "dD":
        return ["heads", "d_model", "max_len"]  # one letter says little
    if role in sizes:
        fits = [role] if role != "d_model" else ["d_model"]
        return fits if parameter.needed or number_by_default else [*fits, None]
    if record and number_by_default and role is None:
        return [*(one for one in GUESSES if one in sizes), None]
    if not parameter.needed:
        return ["dropout"] if role == "dropout" else [None]
    if role in ("config", *SETTINGS):
        return [role]
    return [one for one in GUESSES if one in sizes]


def make(cls, recipe, sizes):
    """The object, with its weights as they are."""
    values = {
        name: Config(sizes) if role == "config" else value(role, sizes) for name, role in recipe.items()
    }
    thing = call(cls, values)
    for name, role in written_sizes(cls, recipe).items():
        setattr(thing, name, value(role, sizes))
    return thing


def value(role, sizes):
    if isinstance(role, Made):
        return make(role.cls, role.recipe, sizes)
    library, _, name = role.partition(" ")
    if name in WEIGHTS:
        return weight(name, sizes, library)
    if name in HELD:
        return held(name, {one: weight(one, sizes, library) for one in WEIGHTS})
    return sizes.get(role, SETTINGS.get(role))


def is_weight_role(role):
    return isinstance(role, str) and role.partition(" ")[2] in (*WEIGHTS, *HELD)


def weight(name, sizes, library):
    shape = weight_shape(name, sizes)
    numbers = np.random.default_rng(sum(map(ord, name))).standard_normal(shape) / np.sqrt(shape[0])
    return dress(numbers, library)


def weight_shape(name, sizes):
    """The shape of an array that a constructor gets: (in, out) of a weight, (out,) of a bias."""
    D, q, kv = sizes["d_model"], sizes["head_dim"] * sizes["heads"], sizes["head_dim"] * sizes["kv_heads"]
    widths = {"q": q, "k": kv, "v": kv, "o": D, "qkv": q + 2 * kv, "kv": 2 * kv}
    width = widths[name[1:]]
    return (width,) if name[0] == "b" else (q if name == "wo" else D, width)


# ---- its weights

NO_WEIGHT = ("mask", "tril", "triu", "cache", "bias_mask", "cos", "sin", "freq", "causal", "buffer", "pos")


def weights_of(thing):
    """[(path, tensor or array, is it an nn.Linear's?)] of an object, those that are learned."""
    found = {}
    if isinstance(thing, torch.nn.Module):
        linears = {id(p) for m in thing.modules() if isinstance(m, torch.nn.Linear) for p in m.parameters()}
        for name, parameter in thing.named_parameters():
            found[id(parameter)] = (name, parameter, id(parameter) in linears)
        buffers = {id(one) for one in thing.buffers()}
    else:
        buffers = set()
    for path, array, linear in walk(thing, "", 0):
        if id(array) not in found and id(array) not in buffers:
            found[id(array)] = (path, array, linear)
    return list(found.values())


def walk(thing, path, depth):
    """Arrays in the attributes of an object, in lists and dicts too."""
    if isinstance(thing, torch.nn.Parameter) or is_weight(thing, path) or is_table(thing):
        yield path, thing, False
    elif depth < 4 and isinstance(thing, torch.nn.Linear):
        for name, parameter in thing.named_parameters():
            yield f"{path}.{name}", parameter, True
    elif depth < 4:
        if isinstance(thing, (list, tuple)):
            inner = enumerate(thing)
        elif isinstance(thing, dict):
            inner = thing.items()
        elif isinstance(thing, (type, torch.Tensor, np.ndarray)):
            inner = ()
        else:
            inner = getattr(thing, "__dict__", {}).items()
        for name, one in inner:
            if not str(name).startswith(("_parameters", "_buffers", "_modules", "_non", "_load", "_state")):
                yield from walk(one, f"{path}.{name}".strip("."), depth + 1)


def is_table(thing):
    """A list of rows of numbers."""
    rows = isinstance(thing, list) and len(thing) > 1 and all(isinstance(row, list) and row for row in thing)
    return rows and all(isinstance(number, float) for row in thing for number in row)


def is_weight(thing, path):
    if isinstance(thing, torch.Tensor):
        floating = thing.is_floating_point()
    elif isinstance(thing, np.ndarray):
        floating = thing.dtype.kind == "f"
    else:
        return False
    size = thing.numel() if isinstance(thing, torch.Tensor) else thing.size
    last = path.lower()
    if thing.ndim > 1 and not thing.any():  # room for a cache
        return False
    return floating and 1 <= thing.ndim <= 3 and 1 < size < 10_000 and not any(n in last for n in NO_WEIGHT)


def called_as_given(found, sizes):
    """The weights; one that holds what its constructor got is called as it was there, `wq` say."""
    given = {name: weight(name, sizes, "numpy").astype(np.float32) for name in WEIGHTS}
    for path, array, linear in found:
        numbers = array.detach().numpy() if isinstance(array, torch.Tensor) else np.asarray(array)
        same = [name for name, one in given.items() if np.array_equal(one, numbers.astype(np.float32))]
        if same:
            given.pop(same[0])
        yield (same[0] if same else path), array, linear


def randomise(thing, sizes=None, seed=5):
    """Give all its weights numbers of our own, the same for the same shapes; [(path, copy, linear)]. sizes:
    those
    of the weights that its constructor got."""
    rng, seen, found = np.random.default_rng(seed), [], weights_of(thing)
    for path, array, linear in called_as_given(found, sizes) if sizes else found:
        shape = np.shape(array)
        spread = 0.5 if len(shape) == 1 else 2.0 / np.sqrt(max(shape))
        numbers = (rng.standard_normal(shape) * spread).astype(np.float32)
        if isinstance(array, torch.Tensor):
            with torch.no_grad():
                array.data.copy_(torch.from_numpy(numbers))
        else:
            array[:] = numbers.tolist() if isinstance(array, list) else numbers
        seen.append((path, numbers.astype(np.float64), linear))
    if isinstance(thing, torch.nn.Module):
        thing.eval()
    return seen
