"""The settings of a loop by the names of its parameters, and the value with which each does nothing."""

import random
import re

import numpy as np
import torch

from .fake import VOCAB

NAMES = {
    "temperature": r"temp(erature)?|tau",
    "top_k": r"top_?k|k",
    "top_p": r"top_?p|p|nucleus.*",
    "min_p": r"min_?p",
    "penalty": r"((repetition|repeat|rep)_?)?pen(alty)?|theta|.*(presence|frequency)_?pen(alty)?",
    "seed": r"seed|random_(state|seed)|rng_seed",
    "sampled": r"(do_|use_)?sampl(e|ing)|stochastic|random",
    "greedy": r"(use_|is_)?greedy|deterministic|argmax",
    "mode": r"(decoding_?|sampling_?)?(strategy|mode|method|type|kind)|decoding|sampling|sampler",
    "block": r".*block.*|.*ctx.*|.*context_?(size|length|len)|.*window.*",
    "end": r".*eos.*|.*stop.*|end(_.*)?",
}
FIXED = ("model", "tokens", "n", "total", "choose", "pad")


def options(loop):
    """{role: parameter} of the settings that the loop takes."""
    fixed = {name for name, role in loop.plan.items() if role in FIXED}
    found = {}
    for one in loop.parameters:
        role = next((role for role, names in NAMES.items() if re.fullmatch(names, plain(one.name))), None)
        flag = role in ("sampled", "greedy")
        fits = isinstance(one.default, bool) >= flag and isinstance(one.default, str) >= (role == "mode")
        if role and one.name not in fixed and role not in found and fits:
            found[role] = one
    return found


def plain(name):
    return name.strip("_").lower()


def neutral(found):
    """{parameter: value} with which all settings do nothing, and tokens are drawn."""
    values = {one.name: nothing(role, one) for role, one in found.items()}
    return {name: value for name, value in values.items() if value is not LEAVE}


LEAVE = object()
OFF = (None, 0, -1, False)  # as a default, of a filter


def nothing(role, one):
    """The value with which a setting does nothing."""
    if role in ("top_k", "top_p", "min_p") and not one.needed and one.default in OFF:
        return LEAVE
    if role == "penalty":
        return 0.0 if re.match(r".*(presence|frequency)", plain(one.name)) or one.default == 0 else 1.0
    if role == "end":
        return LEAVE if one.default is None and not one.needed else VOCAB - 1
    return {
        "temperature": 1.0,
        "top_k": VOCAB,
        "top_p": 1.0,
        "min_p": 0.0,
        "sampled": True,
        "greedy": False,
    }.get(role, LEAVE)


def state_of_chance():
    """What changes when something is drawn without a generator of one's own."""
    key, place = np.random.get_state()[1:3]
    return torch.get_rng_state().numpy().tobytes(), key.tobytes(), place, random.getstate()
