"""The names of a case's sizes, if they are certain: a name on a card is never a coincidence."""

from itertools import combinations

import torch

from course_utils.model.case import AsTuple

NAMELESS = ""
AXES_OF = {  # arguments that give the size of an axis
    "num_heads": "H",
    "n_heads": "H",
    "num_kv_heads": "H_kv",
    "embedding_dim": "d_model",
    "d_model": "d_model",
    "d_head": "d_head",
    "head_dim": "d_head",
    "batch_size": "B",
    "seq_len_q": "T_q",
    "seq_len_k": "T_k",
    "max_len": "max_len",
}


def sure_axes(case, wanted, contract):
    """{size: name} of the sizes that a single axis of the case has, and no other number among its arguments.
    Token axes of the same size are all called T."""
    sizes = independent_sizes(case, wanted, contract)
    names = {}
    for name, size in sizes:
        names.setdefault(size, set()).add(name)
    for (_, a), (_, b) in combinations(sizes, 2):  # this size may be two axes folded into one
        if 1 not in (a, b) and names.get(a * b, {"d_model"}) != {"d_model"}:
            names[a * b].add(NAMELESS)
    sure = {size: single_name(axes) for size, axes in names.items() if size > 1}
    return {size: name for size, name in sure.items() if name}


def independent_sizes(case, wanted, contract):
    """[(name, size)] of axes and whole numbers, each once; a number that is no known axis is NAMELESS."""
    axes = list(axes_of_results(case, wanted, contract))
    pairs = dict.fromkeys(axes + list(axes_of_arguments(case, {name for name, _ in axes})))
    sizes_by_name = {}
    for name, size in pairs:
        sizes_by_name.setdefault(name, size)
    d_model, heads, d_head = (sizes_by_name.get(name, 0) for name in ("d_model", "H", "d_head"))
    if not d_head and heads and d_model and d_model % heads == 0:
        pairs["d_head", d_model // heads] = None
    if not d_model and heads > 1 and d_head:
        pairs["d_model", heads * d_head] = None
    return list(pairs)


def axes_of_results(case, wanted, contract):
    for fact, value in wanted.values.items():
        axes = contract.result_axes(fact, case)
        if isinstance(value, torch.Tensor) and len(axes) == value.dim():
            yield from ((name, size) for name, size in zip(axes, value.shape, strict=True) if name != "1")


def axes_of_arguments(case, axes):
    for arguments in (case.build or {}, *(call.args for call in case.calls)):
        for argument, value in arguments.items():
            value = value.items if isinstance(value, AsTuple) else value
            items = value if isinstance(value, list) else [value]
            name = AXES_OF.get(argument, argument if argument in axes else NAMELESS)
            yield from ((name, size) for size in items if type(size) is int)


def single_name(names):
    """The only name; T if all are token axes; None if several axes have the size."""
    if len(names) == 1:
        return next(iter(names))
    return "T" if all(name.startswith("T") for name in names) else None
