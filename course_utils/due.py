"""due(minutes): a session of about so many minutes of what is due, of all kinds of practice."""

from .practice import log
from .practice.card import for_learners, say
from .practice.schedule import due_lines, due_now, longer_than, make_session, new_items, session_card
from .practice.session import check_minutes

MINUTES = 10
AT_ONCE = 3
THROUGH = "This session is done."
MORE = "{} more: `due()` goes on with this session."
_session = []  # what is left of it in this kernel


@for_learners
def due(minutes=None):
    """List a session of about `minutes` (10), and ask its first items. Without minutes: go on with the last
    session, or begin one."""
    if minutes is not None:
        check_minutes(minutes)
    facts, notes = log.recall()
    if minutes is None and _session:
        go_on(facts, notes)
    else:
        items, longer = make_session(facts, log.now(), minutes or MINUTES)
        show(items, [*notes, *longer_than(minutes or MINUTES, longer)])


def go_on(facts, notes):
    """Show what of the session is still due or new, in its order."""
    waiting = {item.fact: item for item in [*due_now(facts, log.now()), *new_items(facts)]}
    rest = [waiting[name] for name in _session if name in waiting]
    if rest:
        show(rest, notes)
    else:
        _session.clear()
        say(THROUGH, *due_lines(facts), *notes)


def show(items, notes):
    """The list of the items, and the first of them as they are asked."""
    _session[:] = [item.fact for item in items]
    session_card(items, notes).show()
    due_items = asked_now(items)
    for kind, names in due_items:
        kind.ask_all(names) if len(names) > 1 else kind.ask(*names)
    left = len(items) - sum(len(names) for _, names in due_items)
    say(MORE.format(left) if left else None)


def asked_now(items):
    """[(kind, names)] of the first items. What is typed goes to the item of its kind that was shown last: so
    of a kind with ONE there is one, and a kind with `ask_all` asks its items one after the other."""
    groups = []
    for item in items:
        same = [names for kind, names in groups if kind is item.kind]
        if sum(len(names) for _, names in groups) == AT_ONCE:
            break
        if same and hasattr(item.kind, "ask_all"):
            same[0].append(item.name)
        elif not (same and getattr(item.kind, "ONE", False)):
            groups.append((item.kind, [item.name]))
    return groups
