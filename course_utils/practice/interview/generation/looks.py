"""What else is asked of a loop whose text is right: how much it reads, its settings, its batch."""

import numpy as np

from ..simple import ways
from ..values import same
from .fake import FakeModel
from .functions import functions_of
from .inputs import DIALECTS, HINTS, draw, value
from .mistakes import CACHE, END, SETTINGS
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


def settings_work(obj, way, reading):
    """The mistake of a temperature or a length of context that works the wrong way round; None otherwise."""
    given = draw(6, 1, 4, 6)
    for setting, number in (("temperature", 0.02), ("block", 3)):
        form = ("model", "tokens", "n", setting)
        for function in functions_of(obj):
            for one in ways(function, {}, given, [form], HINTS, value, [reading_dialect(way)]):
                found = result_of(one, {**given, setting: number})
                if found is None:
                    continue
                if setting == "temperature" and not same(found.array, text()(found.given), 1e-6):
                    return "temperature_multiplies", SETTINGS["temperature_multiplies"].sentence
                if setting == "block" and same(found.array, text(context="oldest 3")(found.given), 1e-6):
                    return "oldest_kept", SETTINGS["oldest_kept"].sentence
    return None


def reading_dialect(way):
    return next((one for one in DIALECTS if str(one) in way.name), DIALECTS[0])


def result_of(way, given):
    """The first reading with as many tokens as were asked for; None where there is none."""
    try:
        outcome = way.run(given)
    except Exception:  # this setting is not meant
        return None
    wanted = given["T"] + given["n"]
    return next((one for one in readings(outcome, given) if one.array.shape[-1] == wanted), None)


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
