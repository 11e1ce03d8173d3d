"""What came back is read as the fate of each cell: kept, hidden, set to 0, or something else."""

import numpy as np

from ..values import parts_of, undress
from ..ways import Reading
from .sense import MEANT

KEPT, HIDDEN, ZERO, OTHER = 1.0, 0.0, 2.0, 3.0  # what became of a cell
LOW = -1e4


def readings(outcome, given):
    """The cells' fate as (B or 1, T_q, T_k), for each polarity that the result may have."""
    _, what = outcome.notes["dialect"]
    took = outcome.notes["plan"].values()
    got_scores = "scores" in took or ("T" in took and what in ("(B, H, T, T)", "(T, T)"))
    for place, part in parts_of(outcome.value):
        array = undress(part)
        if array is None or array.ndim < 2 or array.shape[-2:] != (given["T"], given["T_k"]):
            continue
        scores = given["scores"] if array.ndim > 2 else given["scores"][0, 0]
        meant, loud = outcome.notes.get("sense", ("", False))
        for polarity, cells in sorted(
            fates(array, scores if got_scores else None), key=lambda one: one[0] != meant
        ):
            cells = cells.reshape(-1, *cells.shape[-2:])
            if cells.shape[0] not in (1, given["B"], 3, 3 * given["B"]):
                continue
            if cells.shape[0] not in (1, given["B"]):  # an axis of heads
                if array.ndim != 4:
                    continue
                cells = cells.reshape(array.shape)[:, 0]
            cells = np.broadcast_to(cells, (given["B"], *cells.shape[1:]))
            other = meant and polarity in MEANT and polarity != meant
            against = ("docstring" if loud else "comment") if other else ""
            meant_so = {**given, "against": against}
            yield Reading((place, polarity), cells, meant_so, f"against: {against}")
        if got_scores and array.shape == scores.shape:
            lead = (given["B"], -1, *array.shape[-2:])
            first, of = (
                np.broadcast_to(one, (given["B"], 3, *array.shape[-2:])).reshape(lead)[:, 0]
                for one in (array, scores)
            )
            yield Reading(
                (place, "weights"), first, {**given, "weights of": of}, f"weights, {array.ndim} axes"
            )


def fates(array, scores):
    """(polarity, codes) of a mask, or of masked scores."""
    if array.dtype == bool or set(np.unique(array)) <= {0.0, 1.0}:
        cells = array.astype(float)
        yield "true is open", cells
        yield "true is masked", 1.0 - cells
        if array.dtype == bool:
            return
    if scores is not None and array.shape == scores.shape:
        kept = np.isclose(array, scores, atol=1e-5)
        yield "masked scores", np.select([kept, array <= LOW, array == 0], [KEPT, HIDDEN, ZERO], OTHER)
    yield "additive", np.select([array == 0, array <= LOW], [KEPT, HIDDEN], OTHER)
