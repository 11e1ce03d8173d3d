"""What else is asked of a loop whose text is right: how much it reads, its batch."""

import numpy as np

from ..values import same
from .fake import FakeModel
from .inputs import draw
from .mistakes import CACHE, END
from .readings import AFTER, GOES_ON, readings
from .reference import text


def reads_little(obj, way, reading):
    """The sentence for an answer that reads the whole text again for each token."""
    given = {**draw(9, 1, 4, 6), "tokens": np.array([[1, 2, 3, 4]])}
    models, before = [], FakeModel.__init__

    def noted(self, *args, **named):
        before(self, *args, **named)
        models.append(self)

    FakeModel.__init__ = noted
    try:
        way.run(given)
    finally:
        FakeModel.__init__ = before
    return ("no_cache", CACHE["no_cache"].sentence) if models[0].read > 4 + 6 else None


def ends_of_a_batch(obj, way, reading):
    """The mistake of an answer that is right for one text, and treats several as one; None otherwise."""
    given = draw(5, 3, 4, 9, [6, 1, 3])
    try:
        outcome = way.run(given)
    except Exception:  # it takes one text
        return None
    fills = "pad" in outcome.notes["plan"].values()
    for one in readings(outcome, given):
        wanted = text(until_end=True)(one.given)
        if len(one.given["tokens"]) < 2 or one.key != reading.key or same(one.array, wanted, 1e-6):
            continue
        if same(one.array, END["one_end_for_all"].makers[0](one.given), 1e-6):
            return "one_end_for_all", END["one_end_for_all"].sentence
        if fills and GOES_ON in one.array and until_it_goes_on(one.array) == until_it_goes_on(wanted):
            return "goes_on_after_end", END["goes_on_after_end"].sentence
    return None


def until_it_goes_on(array):
    """The texts up to their ends."""
    return [[token for token in row if token not in (GOES_ON, AFTER)] for row in array.tolist()]
