"""check(name, obj): run the visible cases, show a card, and return a Result."""

from .diagnose.visible import assess_visible
from .model.result import Result
from .model.sentences import say
from .observe.limit import can_limit
from .observe.nested import depth, once_per_check
from .own.saved import save_answer, syntax_error_in
from .practice.from_memory import remember_check
from .show.arrangement import show_arrangement
from .show.card import show, show_text

NO_LIMIT = "This check cannot stop an endless loop by itself. If it hangs, interrupt the kernel."
_notice_shown = []


class Interrupted(KeyboardInterrupt):
    """Somebody stopped the kernel during a check: notebooks show one sentence instead of the course's
    lines."""

    def _render_traceback_(self):
        return [say("interrupted")]


def check(name, obj):
    """Try `obj` on the visible cases of the exercise `name`; draw a card and return a Result.

    Never raises for what the student's code does, only if it is interrupted. An object that passes, or has
    one thing left, is saved for later lessons (see `yours`). A check inside an answer only returns its
    Result.
    """
    if depth():
        return once_per_check(("check", name, id(obj)), lambda: (obj, assess_visible(name, obj)))[1]
    if not can_limit() and not _notice_shown:
        _notice_shown.append(True)
        show_text(NO_LIMIT)
    if error := syntax_error_in(getattr(obj, "__name__", name)):
        text = say("syntax_error", name=name, line=error.lineno, error=error.msg)
        result = Result(str(name), False, text, "syntax_error", status="error", ended=text)
        show(result)
        return result
    try:
        result = assess_visible(name, obj)
    except KeyboardInterrupt:
        raise Interrupted from None
    if result.accepted:
        save_answer(name, obj)
    show(result)
    show_arrangement(result)
    remember_check(name, obj, result)
    return result
