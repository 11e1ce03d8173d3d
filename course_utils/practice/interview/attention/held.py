"""The weights that a constructor takes in one object: a dict, a list, or pairs of a weight and its bias."""

from .dressings import BIASES, FOUR, Pair, bias_called, role_called

HELD = ("weights", "listed weights", "weights in pairs", "weights with biases", "two weights")


def held(kind, arrays):
    """arrays: {role: (in, out) or (out,)}. They stay the same objects, so that they can be filled later."""
    if kind == "listed weights":
        return [arrays[name] for name in FOUR]
    if kind == "two weights":
        return [arrays["wqkv"], arrays["wo"]]
    if kind == "weights in pairs":
        return Held({name: Pair((arrays[name], arrays["b" + name[1]])) for name in FOUR})
    return Held({name: arrays[name] for name in (FOUR if kind == "weights" else (*FOUR, *BIASES))})


class Held(dict):
    """A dict that knows its weights by any of their usual names, as attributes too."""

    def __missing__(self, name):
        bias = bias_called(str(name)) if "bq" in self else None
        role = bias or f"w{role_called(str(name))}"
        if role not in self.keys():
            raise KeyError(name)
        return dict.__getitem__(self, role)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None
