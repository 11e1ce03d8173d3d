"""due(minutes): a session of about so many minutes of what is due, of all kinds of practice."""

import math

from .practice.cards import sentence
from .practice.memory import now, recall
from .practice.schedule.page import longer_than, progress_lines, session_page
from .practice.schedule.session import due_now, make_session, new_items
from .practice.typed import quoted
from .show.card import display_both

MINUTES = 10
AT_ONCE = 3
BAD = "`due` takes the minutes that you have, a number above 0 as in `due(10)`, and {} came."
THROUGH = "This session is through."
MORE = "{} more: `due()` goes on with this session."
_session = []  # what is left of it in this kernel


def due(minutes=None):
    """List a session of about `minutes` (10), and ask its first items. Without minutes: go on with the last
    session, or begin one."""
    if minutes is not None and not is_minutes(minutes):
        display_both(*sentence(BAD.format(quoted(minutes))))
        return
    facts, said = recall()
    if minutes is None and _session:
        go_on(facts, said)
    else:
        session = make_session(facts, now(), minutes or MINUTES)
        show(session.items, said, longer_than(minutes or MINUTES, session.longer))


def go_on(facts, said):
    """Show what of the session is still due or new, in its order."""
    waiting = {item.fact: item for item in [*due_now(facts, now()), *new_items(facts)]}
    rest = [waiting[name] for name in _session if name in waiting]
    if rest:
        show(rest, said)
    else:
        _session.clear()
        display_both(*sentence(THROUGH, *progress_lines(facts, now()), *said))


def show(items, *notes):
    """The list of the items, and the first of them as they are asked."""
    _session[:] = [item.fact for item in items]
    display_both(*session_page(items, now(), [note for some in notes for note in some]))
    for item in items[:AT_ONCE]:
        item.kind.ask(item.name)
    if len(items) > AT_ONCE:
        display_both(*sentence(MORE.format(len(items) - AT_ONCE)))


def is_minutes(minutes):
    number = isinstance(minutes, (int, float)) and not isinstance(minutes, bool)
    return number and math.isfinite(minutes) and minutes > 0
