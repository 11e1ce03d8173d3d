"""Many tokens are drawn from a loop under one setting after another; one that works otherwise is named."""

import numpy as np

from . import chances
from .chances import FITS, NEVER, always, distance
from .fake import VOCAB
from .options import state_of_chance
from .says import FILTERS, MIN_P, PLAIN, SEEDED, TEMPERATURE, TURNED_FLAG, UNSEEDED

VALUES = {"temperature": (0.5, 2.0), "top_k": (3, 5), "top_p": (0.5, 0.75), "min_p": (0.2, 0.1)}
CHANCES = {name: getattr(chances, name) for name in VALUES}
BEST = int(chances.TOKENS[0])


def wrong_draws(loop, found, quiet):
    """(name, sentence) of the mistake of a setting that changes how likely tokens are; None otherwise."""
    before = state_of_chance()
    made = loop.drawn(always, quiet)
    by_chance = state_of_chance() != before
    wrong, known = None, ""
    if made is not None:
        known = fitting([made], chances.plain, [None])
        wrong = wrong_flag(loop, found, quiet, made) or wrong_seed(loop, found, quiet, made)
        if (made == BEST).all() and not by_chance:  # nothing is drawn
            return wrong
    for role in VALUES:
        wrong = wrong or wrong_role(loop, found, quiet, role, known) if role in found else wrong
    return wrong or PLAIN.get(known)


def wrong_role(loop, found, quiet, role, known):
    """The mistake of one setting, with all others at rest. known: how tokens are drawn without it."""
    name, values = found[role].name, VALUES[role]
    made = [loop.drawn(always, {**quiet, name: number}) for number in values]
    if any(one is None for one in made):
        return None
    rights = [CHANCES[role](number)["right"] for number in values]
    if sum(distance(counts(one), right) for one, right in zip(made, rights, strict=True)) < NEVER:
        return None
    slip = fitting(made, CHANCES[role], values)
    said = {"temperature": TEMPERATURE, "min_p": FILTERS | MIN_P}.get(role, FILTERS)
    if slip == "ignored":  # it may be taken, and left for later; then nothing can be said
        slip = slip if role == "temperature" and known == "right" else ""
    elif known == "right" and slip not in said:
        slip = "otherwise"
    return (said[slip][0].format(role), said[slip][1].format(name)) if slip in said else None


def fitting(made, makers, values):
    """The one slip, or "right", under which what was drawn is likely; "" where there is none."""
    found = {}
    for slip in makers(values[0]):
        expected = [makers(one)[slip] for one in values]
        if all(distance(counts(one), some) < FITS for one, some in zip(made, expected, strict=True)):
            found[slip] = expected
    some = list(found.values())
    return next(iter(found), "") if all(alike(some[0], one) for one in some) else ""


def alike(one, two):
    return all(np.allclose(a, b) for a, b in zip(one, two, strict=True))


def counts(made):
    return np.bincount(made.reshape(-1).clip(0, VOCAB - 1), minlength=VOCAB)


def wrong_flag(loop, found, quiet, made):
    """A flag that works the other way round."""
    for role, greedy in (("sampled", False), ("greedy", True)):
        if role in found and (made == BEST).all():
            other = loop.drawn(always, {**quiet, found[role].name: greedy})
            if other is not None and len(np.unique(other)) > 3:
                return TURNED_FLAG[0], TURNED_FLAG[1].format(found[role].name)
    return None


def wrong_seed(loop, found, quiet, made):
    """A generator that is seeded at each step, or a seed that changes nothing."""
    seeds = [{found["seed"].name: number} for number in (1, 2, 3)] if "seed" in found else []
    some = [loop.drawn(always, {**quiet, **seed}) for seed in seeds] if seeds else [made]
    some = [one for one in some if one is not None]
    steady = some and all((one == one[:, :1]).all() for one in some)
    if steady and len(np.unique(np.concatenate(some))) > 1:  # one token for each row or seed
        return SEEDED
    if "seed" in found and some and not (some[0] == BEST).all():
        again = loop.drawn(always, {**quiet, **seeds[0]})
        if again is not None and (again != some[0]).any():
            return UNSEEDED
    return None
