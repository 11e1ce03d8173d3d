"""A rule of which cells are open comes in, the reference that makes them goes out."""

import numpy as np

from .inputs import real_tokens
from .readings import HIDDEN, KEPT
from .weights import weights


def cells(rule, hidden=HIDDEN, top_left=False, pad="keys", kept=KEPT, against=("",), **of_weights):
    """A reference: rule(j - i) says whether a cell is open; i and j count from the first key of all.
    of_weights: slips that show in the weights after a softmax only. against: what may say that the
    result has another sense: "" for nothing, "comment", "docstring"."""

    def made(given):
        if given.get("against", "") not in against:
            return np.full((given["B"], given["T"], given["T_k"]), np.inf)
        i = np.arange(given["T"])[:, None] + (0 if top_left else given["past"])
        open_ = rule(np.arange(given["T_k"])[None, :] - i)
        real = real_tokens(given)
        hides = {"keys": ~real[:, None, :], "inverted": real[:, None, :], "none": np.zeros((1, 1, 1), bool)}
        hides["one_off"] = ~(np.arange(given["T"])[None, None, :] <= given["lengths"][:, None, None])
        hides["queries"] = ~real[:, :, None]
        hides["both"] = ~real[:, :, None] | ~real[:, None, :]
        if (given["lengths"] < given["T"]).any():
            open_ = open_[None] | real[:, None, :] if pad == "or" else open_[None] & ~hides[pad]
        codes = np.where(np.broadcast_to(open_, (given["B"], given["T"], given["T_k"])), kept, hidden)
        if "weights of" in given:
            return weights(codes, given["weights of"], **of_weights)
        return np.full(codes.shape, np.inf) if of_weights else codes

    return made
