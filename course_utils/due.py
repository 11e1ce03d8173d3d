"""due(minutes): a practice session of about that many minutes, with items of every kind that are due."""

from .practice import log
from .practice.card import for_learners, say
from .practice.schedule import due_lines, due_now, longer_than, make_session, new_items, session_card
from .practice.session import check_minutes

MINUTES = 10
AT_ONCE = 3
SESSION_DONE = "This session is done."
MORE = "{} more: run `due()` to continue this session."
_session = []  # names of the items last listed in this kernel


@for_learners
def due(minutes=None):
    """List a session of about `minutes` (10) and ask its first items. Without minutes, continue the last
    session, or start one."""
    if minutes is not None:
        check_minutes(minutes)
    facts, notes = log.recall()
    if minutes is None and _session:
        continue_session(facts, notes)
    else:
        items, longer = make_session(facts, log.now(), minutes or MINUTES)
        show(items, [*notes, *longer_than(minutes or MINUTES, longer)])


def continue_session(facts, notes):
    """Show the items of the session that are still due or new, in the session's order."""
    waiting = {item.fact: item for item in [*due_now(facts, log.now()), *new_items(facts)]}
    rest = [waiting[name] for name in _session if name in waiting]
    if rest:
        show(rest, notes)
    else:
        _session.clear()
        say(SESSION_DONE, *due_lines(facts), *notes)


def show(items, notes):
    """Show the list of items, and ask the first few."""
    _session[:] = [item.fact for item in items]
    session_card(items, notes).show()
    due_items = group_first_items(items)
    for kind, names in due_items:
        kind.ask_all(names) if len(names) > 1 else kind.ask(*names)
    remaining = len(items) - sum(len(names) for _, names in due_items)
    say(MORE.format(remaining) if remaining else None)


def group_first_items(items):
    """Group the first items by kind: [(kind, names)]. A typed answer goes to the item of its kind that was
    shown last, so a kind with ONE contributes a single item, and a kind with `ask_all` asks its items one by
    one."""
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
