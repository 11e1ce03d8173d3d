"""The names of a case's sizes, where they are sure."""

import torch

from course_utils.model.case import AsTuple

NAMELESS = ""
AXES_OF = {  # arguments that are sizes
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
    """{size: name}: sizes that only one axis of the case has. Axes of tokens that have one size are T
    together."""
    names = {}
    for name, size in [*axes_of_results(case, wanted, contract), *axes_of_arguments(case)]:
        names.setdefault(name, set()).add(size)
    derive(names)
    found = {}
    for name, sizes in names.items():
        for size in sizes:
            found.setdefault(size, set()).add(name)
    sure = {size: one_name(names) for size, names in found.items() if size > 1}
    return {size: name for size, name in sure.items() if name}


def axes_of_results(case, wanted, contract):
    for fact, value in wanted.values.items():
        own = (call.returns or {} for call in case.calls)
        text = next((returns[fact.name] for returns in own if fact.name in returns), None)
        axes = contract.result_axes(fact) if text is None else text.split()
        if isinstance(value, torch.Tensor) and len(axes) == value.dim():
            yield from ((name, size) for name, size in zip(axes, value.shape, strict=True) if name != "1")


def axes_of_arguments(case):
    for given in (case.build or {}, *(call.args for call in case.calls)):
        for argument, size in given.items():
            if argument in AXES_OF and type(size) is int:
                yield AXES_OF[argument], size
            elif isinstance(size, (list, AsTuple)):  # such as the sizes of chunks, which are no axis of all
                entries = size if isinstance(size, list) else size.items
                yield from ((NAMELESS, entry) for entry in entries if type(entry) is int)


def derive(names):
    """d_model is H times d_head."""
    d_model, heads, d_head = (next(iter(names.get(name, ())), 0) for name in ("d_model", "H", "d_head"))
    if not d_head and heads and d_model and d_model % heads == 0:
        names["d_head"] = {d_model // heads}
    if not d_model and heads and d_head:
        names["d_model"] = {heads * d_head}


def one_name(names):
    """The only one; T where all are tokens; None where several have the size."""
    if NAMELESS in names:
        return None
    if len(names) == 1:
        return next(iter(names))
    return "T" if all(name.startswith("T") for name in names) else None
