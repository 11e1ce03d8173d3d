"""A penalty on repeated tokens is tried on three sets of logits; one that favours repeating is named."""

import numpy as np
import torch

from .fake import VOCAB

SEEN, NEW, STRENGTH = 7, 4, 1e4
PAIRS = ((-10.0, -25.0), (30.0, 15.0), (-40.0, -25.0))  # logits of a token that was there, and of a new one
SAID = {  # which is chosen in each case: the new one everywhere is right
    (True, False, True): (
        "penalty_divides_negative",
        "The penalty divides negative logits too, which makes them larger: multiply those by it.",
    ),
    (True, True, True): (
        "penalty_turned",
        "With the penalty a token that was there before gets likelier, not less likely.",
    ),
    (False, True, False): (
        "penalty_multiplies_positive",
        "The penalty multiplies positive logits too, which makes them larger: divide those by it.",
    ),
}


def wrong_penalty(loop, quiet, name):
    """(name, sentence); None where the penalty works, or where that cannot be seen."""
    if isinstance(quiet.get(name), float) and not works(loop, quiet):
        return None
    chosen = [repeats(loop, {**quiet, name: STRENGTH}, pair) for pair in PAIRS]
    return SAID.get(tuple(chosen))


def works(loop, quiet):
    """Without the penalty the largest logit is taken."""
    return [repeats(loop, quiet, pair) for pair in PAIRS] == [True, True, False]


def repeats(loop, settings, pair):
    """Is a token chosen that was there before? None where another one is, or nothing can be seen."""
    given = {
        "tokens": np.array([[1, 2, 3, 5]] * loop.notes["rows"]),
        "n": 2,
        "T": 4,
        "sizes": {},
        "ends": None,
    }
    made = loop.text(given | {"B": loop.notes["rows"], "says": saying(*pair)}, settings)
    if made is None:
        return None
    if made[0, 4] != SEEN:  # a token of the prompt, at the first step
        return True if made[0, 4] in (1, 2, 3, 5) else None
    return {NEW: False}.get(made[0, 5], True if made[0, 5] in (1, 2, 3, 5, SEEN) else None)


def saying(seen, new):
    """First the token that will have been there; then one of the two."""

    def says(length):
        logits = torch.full((VOCAB,), -30.0 if length <= 4 else -80.0)
        if length <= 4:
            logits[SEEN] = 30.0
        else:
            logits[SEEN], logits[NEW] = seen, new
        return logits

    return says
