"""A loop and its settings come in; the mistake of a setting that does something else goes out."""

import numpy as np

from .chances import always
from .draws import BEST, wrong_draws
from .inputs import draw
from .loop import Loop
from .options import neutral, options
from .penalties import wrong_penalty
from .reference import text

OLDEST = (
    "oldest_kept",
    "Where the text is longer than the context, its beginning is kept: keep the newest tokens.",
)
ONE_LESS = (
    "context_one_less",
    "Where the text is longer than the context, the model gets one token less than fits.",
)
ONE_MORE = (
    "context_one_more",
    "Where the text is longer than the context, the model gets one token more than fits.",
)
CUT = (
    "text_cut",
    "Where the text is longer than the context, its beginning is lost: shorten what the model gets, and not "
    "what is returned.",
)
MOST_TRIED = 4  # ways to call a wrong answer


def settings_work(obj, way, reading):
    """The mistake of a setting of an answer that makes the right text; None otherwise."""
    return wrong_setting(Loop(way.run(SMALL), reading.key))


SMALL = draw(1, 2, 4, 3)


def settings_of_wrong(seen, name):
    """The same for an answer whose text is wrong, under one of the ways to call it. name: of the mistake that
    its text shows; a filter of tokens may be behind it."""
    if name not in ("", "smallest", "place_in_the_top_k"):
        return None
    tried = set()
    for _, outcome, read in seen.kept:
        if len(tried) == MOST_TRIED or outcome.notes["dialect"] in tried:
            continue
        tried.add(outcome.notes["dialect"])
        for reading in read:
            if reading.array.shape[1] == reading.given["T"] + reading.given["n"]:
                found = wrong_setting(Loop(outcome, reading.key))
                if found:
                    return found
    return None


def wrong_setting(loop):
    found = options(loop)
    if "token" in loop.notes["dialect"][0]:
        return None
    quiet = neutral(found)
    wrong = wrong_context(loop, quiet, found["block"].name) if "block" in found else None
    for mode in modes(loop, found, quiet):
        wrong = wrong or wrong_draws(loop, found, mode)
    return wrong or (wrong_penalty(loop, quiet, found["penalty"].name) if "penalty" in found else None)


MODES = ("top_k", "topk", "top_p", "topp", "nucleus", "sample", "sampling", "multinomial")


def modes(loop, found, quiet):
    """Iterator of settings in which tokens are drawn: one, or those for each word that a mode may have."""
    if "mode" not in found:
        yield quiet
        return
    for word in MODES:
        made = loop.drawn(always, {**quiet, found["mode"].name: word})
        if made is not None and (made != BEST).any():
            yield {**quiet, found["mode"].name: word}


def wrong_context(loop, quiet, name):
    """The mistake of a context of 3 tokens, where the text has up to 10."""
    quiet = quiet if loop.text(SMALL, quiet) is not None else {}
    for seed in (6, 7):
        given = draw(seed, loop.notes["rows"], 4, 6)
        made = loop.tokens(given, {**quiet, name: 3})
        if made is None:
            return None
        if agree(made, text(context="newest 3")(given)[:, -4:]):
            return CUT
        found = [one for one, context in CONTEXTS if agree(made, text(context=context)(given))]
        if found:
            return found[0]
    return None


CONTEXTS = ((OLDEST, "oldest 3"), (ONE_LESS, "newest 2"), (ONE_MORE, "newest 4"))


def agree(made, wanted):
    return made.shape == wanted.shape and bool((np.asarray(made) == wanted).all())
