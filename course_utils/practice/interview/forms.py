"""What forms.toml names: `rows`, which give an exercise's calls in a form's own words, and `wrap`. Content,
not machinery.

A function for `rows` gets a Case and returns {number of a call: {name: value}}, with the values of all names
that its forms use; a call that a form cannot express lacks one of its names.
"""

import math
from functools import partial, wraps
from types import SimpleNamespace

import numpy as np
import torch
from torch.utils._pytree import tree_leaves

from course_utils.compare.tolerance import is_close
from course_utils.model.case import Back
from course_utils.observe.interface import Problem, error_or_problem, returned_or_raised

from .blocked import Calls
from .texts import text

# ---- an exercise's calls in a form's words


def told(words):
    """A function for `rows`: words(**arguments of a call) gives the call's values, or {} if it cannot."""
    return lambda case: {number: words(**call.args) for number, call in enumerate(case.calls)}


as_in_the_lesson = told(dict)
square_mask = told(lambda seq_len_q, **more: {} if more else {"T": seq_len_q})
mask_after_cache = told(lambda seq_len_q, cache_len, **more: {"T_new": seq_len_q, "T_past": cache_len})
last_axis = told(lambda x, dim=None: {"x": x} if dim is None else {})
any_axis = told(lambda x, dim=-1: {"x": x, "dim": dim})
all_settings = told(lambda logits, **more: {"logits": logits, "temperature": 1.0, "top_k": None} | more)


@told
def mask_with_lengths(seq_len_q, key_padding_lengths=None, **more):
    return {} if more or key_padding_lengths is None else {"T": seq_len_q, "lengths": key_padding_lengths}


ARRAYS = torch.Tensor, np.ndarray
TOLERANCE = 1e-3  # of float32, where scores are in the thousands
LAST = type("LastCache", (), {"__repr__": lambda self: "the cache that the last call returned"})()
OF_EXERCISES = {"W_Q": "W_q", "W_K": "W_k", "W_V": "W_v", "W_O": "W_o", "X": "x", "num_heads": "n_heads"}
OF_EXERCISES |= {"q_proj": "W_q", "k_proj": "W_k", "v_proj": "W_v", "out_proj": "W_o"}
OF_EXERCISES |= {"num_kv_heads": "n_kv_heads", "key_padding_lengths": "lengths", "cache_len": "T_past"}


def attention(case, is_causal=True, padded=False, in_steps=False):
    """The calls that are causal or not, padded or not, and with `in_steps` those with a cache too."""
    rows, past = {}, 0
    layers = {name: matrix.mT for name, matrix in case.weights.items()}  # (in, out)
    for number, call in enumerate(case.calls):
        given = {**layers, **(case.build or {}), **call.args}
        row = {OF_EXERCISES.get(name, name): value for name, value in given.items()}
        past = past if isinstance(row.get("cache_k"), Back) else 0
        row |= {"start_pos": past, "cache": LAST if past else None, "d_model": row["x"].shape[-1]}
        row |= settings(row)
        past += row["x"].shape[1]
        causal = row.get("is_causal", "W_q" not in case.weights)  # the default of MultiHeadSelfAttention
        fits = causal == is_causal and ("lengths" in row) == padded and (in_steps or not row["start_pos"])
        if fits and not isinstance(row.get("cache_k"), torch.Tensor):
            rows[number] = row
    return rows


class Config(SimpleNamespace):
    """What nanoGPT's and Llama's classes take."""

    def __repr__(self):
        return ", ".join(f"{name}={value}" for name, value in [*vars(self).items()][:2]) + ", ..."


def settings(row):
    """The configurations of both."""
    width, heads = row["d_model"], row["n_heads"]
    gpt = {"n_embd": width, "n_head": heads, "block_size": 64, "bias": False, "dropout": 0.0}
    kv = row.get("n_kv_heads", heads)
    llama = {"dim": width, "n_heads": heads, "n_kv_heads": kv, "max_batch_size": 8, "max_seq_len": 64}
    return {"config": Config(**gpt), "args": Config(**llama)}


causal = attention
unmasked = partial(attention, is_causal=False)
padded = partial(attention, padded=True)
in_steps = partial(attention, in_steps=True)


# ---- wrappers: of a program, the names of its arguments, and the sizes that its constructor got


def keeps_cache(program, names, sizes):
    """A program that returns its output and a cache, as one that returns the output: where an argument is
    LAST, it gets the cache of its last call."""
    last, shapes = None, []

    @wraps(program)
    def step(*args, **named):
        nonlocal last, shapes
        values = {**sizes, **dict(zip(names, args, strict=False)), **named}
        goes_on = any(value is LAST for value in values.values())
        args = [last if value is LAST else value for value in args]
        named = {name: last if value is LAST else value for name, value in named.items()}
        returned = called(program, args, named)
        if not isinstance(returned, (tuple, list)) or len(returned) != 2:
            raise Problem(text("no_pair"), "number_of_results")
        output, last = returned
        if isinstance(last, ARRAYS) and not isinstance(output, ARRAYS):
            raise Problem(text("cache_first"), "order_of_results")
        before, shapes = shapes, [item.shape for item in tree_leaves(last) if np.ndim(item) > 2]
        if goes_on:
            check_growth(before, shapes, values)
        return output

    return step


def check_growth(before, shapes, values):
    """A Problem if a cache whose tensors all get longer by the new tokens does not grow by just their keys
    and values."""
    B, T = values["x"].shape[:2]
    heads = values.get("n_kv_heads", values["n_heads"])
    width = values["W_k"].shape[1] if "W_k" in values else values["d_model"] // values["n_heads"] * heads
    longer = [
        [sum(new) - sum(old), math.prod(new) - math.prod(old)]
        for old, new in zip(before, shapes, strict=False)
    ]
    grown = sum(entries for _, entries in longer)
    if len(before) == len(shapes) and {more for more, _ in longer} == {T} and grown != 2 * B * T * width:
        raise Problem(text("cache_grows", grown // (B * T), 2 * width), "cache_of_other_size")


def begins_anew(program, names, _):
    """A layer with a cache of its own, which forgets the last text where start_pos is 0: two equal calls
    give the same."""

    @wraps(program)
    def step(*args, **named):
        first = called(program, args, named)
        if {**dict(zip(names, args, strict=False)), **named}["start_pos"] == 0:
            again, error = returned_or_raised(program, args, named)
            differs = isinstance(first, torch.Tensor) and not is_close(again, first, TOLERANCE)
            if error is not None or differs:
                raise Problem(text("not_anew"), "old_text_remains")
        return first

    return step


def called(program, args, named):
    """What the program returns; a Problem if it cannot be called so."""
    returned, error = returned_or_raised(program, args, named)
    if error is not None:
        raise error_or_problem(error, getattr(program, "__name__", "the program"))
    return returned


LONG = 1000  # entries of the case many_entries, more than any usual block has
OVER_ALL = ("max", "amax", "aminmax", "sort", "topk", "argmax", "cummax", "logcumsumexp", "logsumexp", "sum")


def read_in_order(program, *_):
    """A program that must not take a maximum or a sum over all entries at once."""

    @wraps(program)
    def run(x):
        wholes = []

        def note(name, args):
            if name in OVER_ALL and np.shape(args[0])[-1:] == (LONG,):
                wholes.append(name)

        class Watched(np.ndarray):
            def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
                plain = [np.asarray(item) if isinstance(item, Watched) else item for item in inputs]
                note("max" if method == "reduce" else "", plain)
                result = getattr(ufunc, method)(*plain, **named)
                return result.view(Watched) if isinstance(result, np.ndarray) else result

        with Calls(note):
            result = called(program, [x.view(Watched) if isinstance(x, np.ndarray) else x], {})
        if wholes:
            raise Problem(text("not_online"), "not_online")
        return np.asarray(result) if isinstance(result, Watched) else result

    return run
