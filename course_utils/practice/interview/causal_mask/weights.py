"""Scores and the fate of their cells come in, the weights after the softmax go out."""

import numpy as np

from .readings import HIDDEN, KEPT, ZERO


def weights(codes, scores, late=False, axis=-1, low=-np.inf):
    """late: the mask multiplies the weights. axis: of the softmax. low: what hidden scores become."""
    if not set(np.unique(codes)) <= {KEPT, HIDDEN, ZERO}:
        return np.full(codes.shape, np.inf)  # with which number they were filled is not known
    if late:
        return softmax(scores, axis) * (codes == KEPT)
    return softmax(np.select([codes == KEPT, codes == HIDDEN], [scores, low], 0.0), axis)


def softmax(scores, axis):
    with np.errstate(all="ignore"):
        e = np.exp(scores - scores.max(axis, keepdims=True))
        return e / e.sum(axis, keepdims=True)
