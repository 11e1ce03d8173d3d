"""check(name, obj): run the visible cases, show a card, and return a Result."""

from .diagnose.visible import assess_visible
from .observe.limit import can_limit
from .observe.nested import depth, once_per_check
from .own.saved import save_answer
from .practice.from_memory import remember_check
from .show.arrangement import show_arrangement
from .show.card import show, show_text

NO_LIMIT = "This check cannot stop an endless loop by itself. If it hangs, interrupt the kernel."
_notice_shown = []


def check(name, obj):
    """Try `obj` on the visible cases of the exercise `name`; draw a card and return a Result.

    Never raises for what the student's code does. An object that passes, or has one thing left, is saved for
    later lessons (see `yours`). A check inside an answer only returns its Result.
    """
    if depth():
        return once_per_check(("check", name, id(obj)), lambda: (obj, assess_visible(name, obj)))[1]
    if not can_limit() and not _notice_shown:
        _notice_shown.append(True)
        show_text(NO_LIMIT)
    result = assess_visible(name, obj)
    if result.accepted:
        save_answer(name, obj)
    show(result)
    show_arrangement(result)
    if problem := remember_check(name, obj, result):
        show_text(problem)
    return result
