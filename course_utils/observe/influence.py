"""Which tokens of the result depend on which tokens of the input? Asked of the student's own gradients."""

import torch

from course_utils.model.case import DTYPES, Fact
from course_utils.model.sketch import waves

from .probe import attempt, seeded
from .quiet import quiet
from .trial import Use

SEEN = 1e-11


def influence(obj, case, contract):
    """Bool map (*axes of the result but the last, *axes of x but the last), True where a gradient flows; None when the
    object raises or cuts its graph."""
    use = Use(contract, case, DTYPES[case.dtype], with_gradients=True)
    with quiet(), seeded(0):
        if attempt(lambda: use.run(obj)) is not None:
            return None
        result, x = next(iter(use.facts.values())), use.leaves.get(Fact("x"), use.leaves.get(Fact("X")))
        rows = []
        error = attempt(lambda: rows.extend(row(result, index, x) for index in places(result)))
    return torch.stack(rows).reshape(*result.shape[:-1], *x.shape[:-1]) if error is None else None


def places(result):
    return (
        torch.cartesian_prod(*[torch.arange(n) for n in result.shape[:-1]])
        .reshape(-1, result.dim() - 1)
        .tolist()
    )


def row(result, index, x):
    """Which tokens of x one token of the result depends on."""
    token = result[tuple(index)]
    gradient = torch.autograd.grad((token * waves(token, 0).to(token.dtype)).sum(), x, retain_graph=True)[0]
    return gradient.nan_to_num(1.0).abs().amax(-1) > SEEN
