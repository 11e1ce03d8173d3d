"""check(name, obj): the visible cases, a card, and a Result."""

from .diagnose.assess import assess_visible
from .saved import keep
from .show.card import show


def check(name, obj):
    """Try `obj` on the visible cases of the exercise `name`; draw a card and return a Result.

    Never raises for what the student's code does. A passing object is kept for later lessons (see `yours`).
    """
    result = assess_visible(name, obj)
    if result.passed:
        keep(name, obj)
    show(result)
    return result
