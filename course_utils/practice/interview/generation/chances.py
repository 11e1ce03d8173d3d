"""How likely each token is under a setting, and under the mistakes that are made with it."""

import numpy as np
import torch

from .fake import VOCAB

P = np.array([0.3, 0.22, 0.15, 0.11, 0.08, 0.05, 0.04, 0.025, 0.015, 0.01])  # the best first
TOKENS = np.array([6, 3, 8, 1, 9, 0, 4, 2, 7, 5])  # which they are; the token of the end is none of them
LOGITS = np.full(VOCAB, -40.0)
LOGITS[TOKENS] = np.log(P) + 2.2  # some above 0, some below
RANK = np.argsort(np.argsort(-LOGITS))  # of each token, the best has 0
BEFORE = np.concatenate([[0.0], np.cumsum(P)])[RANK]  # the mass of what is likelier


def always(length):
    """The logits after a text of any length."""
    return torch.tensor(LOGITS, dtype=torch.float32)


def softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum()


WEIGHTS = softmax(LOGITS)


def of(kept, weights=WEIGHTS):
    """Drawn among those that are kept."""
    found = np.where(kept, weights, 0.0)
    return found / max(found.sum(), 1e-300)


def places(kept):
    """The place in the sorted list is taken for the token."""
    found = np.zeros(VOCAB)
    found[RANK] = of(kept)
    return found


def by_place(kept):
    """What is kept in the sorted list is applied to the unsorted one."""
    sorted_ = np.zeros(VOCAB, bool)
    sorted_[RANK] = kept
    return of(sorted_)


def filtered(right, others):
    """{slip: chances} that any filter of tokens may have, and its own."""
    return {
        "right": of(right),
        "ignored": WEIGHTS,
        "inverted": of(~right),
        "only one": of(RANK < 1),
        "zeros": softmax(np.where(right, LOGITS, 0.0)),
        "places": places(right),
        "unsorted": by_place(right),
        "even": of(right, np.ones(VOCAB)),
    } | {slip: of(kept) for slip, kept in others.items()}


def temperature(t):
    return {
        "right": softmax(LOGITS / t),
        "multiplies": softmax(LOGITS * t),
        "ignored": WEIGHTS,
        "of weights": softmax(WEIGHTS / t),
    }


def top_k(k):
    others = {
        "one more": k + 1 > RANK,
        "one fewer": k - 1 > RANK,
        "least": VOCAB - k <= RANK,
        "least, with the end": VOCAB - 1 - k <= RANK,
        "first ones": np.arange(VOCAB) < k,
    }
    return filtered(k > RANK, others)


def top_p(p):
    after = BEFORE + WEIGHTS
    others = {
        "one fewer": (after <= p) | (RANK < 1),
        "one more": BEFORE - np.append(0.0, P)[RANK] < p,
        "least": 1 - after < p,
        "rest": after >= p,
        "first ones": np.cumsum(WEIGHTS) - WEIGHTS < p,
        "first ones, one fewer": np.cumsum(WEIGHTS) <= p,
        "own weight": p <= WEIGHTS,
        "own weight below": p >= WEIGHTS,
    }
    return filtered(p > BEFORE, others)


def min_p(m):
    return filtered(m * WEIGHTS.max() <= WEIGHTS, {"own weight": m <= WEIGHTS})


def plain(_=None):
    """No setting: how a token is drawn."""
    alone = np.maximum(WEIGHTS - np.maximum.accumulate(np.append(0.0, WEIGHTS[:-1])), 0)
    alone[-1] += 1 - alone.sum()
    return {
        "right": WEIGHTS,
        "not added up": alone,
        "even": np.full(VOCAB, 1 / VOCAB),
        "twice": softmax(WEIGHTS),
        "one place on": np.roll(WEIGHTS, 1),
        "one place back": np.roll(WEIGHTS, -1),
        "places": places(np.ones(VOCAB, bool)),
        "turned": softmax(-LOGITS),
    }


def distance(counts, chances):
    """Twice the log of the likelihood ratio; infinite where something came that cannot."""
    if counts[chances < 1e-9].any():
        return np.inf
    some = counts > 0
    return 2 * float((counts[some] * np.log(counts[some] / (counts.sum() * chances[some]))).sum())


FITS, NEVER = 45.0, 75.0  # of ten tokens: one right loop in a million lies above 45, in 10 ** 11 above 75
