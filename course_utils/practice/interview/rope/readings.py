"""What came back is read as x turned, or as queries and keys turned."""

import numpy as np

from ..values import undress
from ..ways import Reading
from .inputs import LAYOUTS


def readings(outcome, given):
    """x turned, or q and k turned, as (1 or 2, ...)."""
    layout = outcome.notes["dialect"][1]
    roles = outcome.notes["plan"].values()
    result = outcome.value
    pair = "k" in roles
    if pair and isinstance(result, dict):
        result = list(result.values())
    if pair and not (isinstance(result, (tuple, list)) and len(result) >= 2):
        return
    if pair:
        parts = [undress(one) for one in result[:2]]
    else:
        parts = [one_of(result, LAYOUTS[layout](given["x"]).shape)]
    shapes = [LAYOUTS[layout](given["x"]).shape] * len(parts)
    if any(part is None or part.shape != shape for part, shape in zip(parts, shapes, strict=True)):
        return
    meant = {**given, "pair": pair, "layout": layout}
    yield Reading((layout, pair), np.stack(parts), meant, (layout, pair))


def one_of(result, shape):
    """The result itself, which may be nested lists, or the first of several."""
    whole = undress(result)
    several = isinstance(result, (tuple, list)) and len(result)
    return undress(result[0]) if several and (whole is None or whole.shape != shape) else whole
