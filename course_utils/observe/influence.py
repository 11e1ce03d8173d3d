"""Which tokens of the result depend on which tokens of the input? Asked of the student's own gradients."""

import torch

from course_utils.model.case import DTYPES, Fact
from course_utils.model.fixed_weights import fixed_weights

from .trial import Trial, exception_of, quiet, seeded

SMALLEST = 1e-11


def influence(obj, case, contract):
    """Bool map (*axes of the result but the last, *axes of x but the last), True where a gradient flows;
    None when the object raises or cuts its graph."""
    trial, rows = Trial(contract, case, DTYPES[case.dtype], with_gradients=True), []

    def backward():
        trial.run(obj)
        result = result_of(trial)
        rows.extend(row(result, index, input_of(trial)) for index in token_indices(result))

    with quiet(), seeded(0):
        if exception_of(backward) is not None:
            return None
    return torch.stack(rows).reshape(*result_of(trial).shape[:-1], *input_of(trial).shape[:-1])


def result_of(trial):
    return next(iter(trial.facts.values()))


def input_of(trial):
    return trial.leaves.get(Fact("x"), trial.leaves.get(Fact("X")))


def token_indices(result):
    """The index of every token of a result."""
    axes = [torch.arange(n) for n in result.shape[:-1]]
    return torch.cartesian_prod(*axes).reshape(-1, len(axes)).tolist()


def row(result, index, x):
    """Which tokens of x one token of the result depends on."""
    token = result[tuple(index)]
    mixture = (token * fixed_weights(token, 0).to(token.dtype)).sum()
    gradient = torch.autograd.grad(mixture, x, retain_graph=True)[0]
    return gradient.nan_to_num(1.0).abs().amax(-1) > SMALLEST
