"""What else is asked of a loop whose text is right: how much it reads, its batch."""

import numpy as np

from ..values import same
from .fake import FakeModel
from .inputs import draw
from .mistakes import CACHE, END
from .readings import readings
from .reference import NO, text


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
    names = ("one_end_for_all", "goes_on_after_end") if fills else ("one_end_for_all",)
    for one in readings(outcome, given):
        if len(one.given["tokens"]) < 2 or same(one.array, text(until_end=True)(one.given), 1e-6):
            continue
        for name in names:
            made = END[name].makers[0](one.given) if one.key == reading.key else NO
            if same(one.array, made, 1e-6):
                return name, END[name].sentence
    return None
