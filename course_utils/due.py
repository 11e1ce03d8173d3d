"""due(minutes): a practice session of about that many minutes, with items of every kind that are due."""

from .practice import log
from .practice.card import for_learners, say
from .practice.schedule import due_line, due_now, make_session, new_items, session_card
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
    facts = log.recall()
    if minutes is None and _session:
        continue_session(facts)
    else:
        show(*make_session(facts, log.now(), minutes or MINUTES), minutes or MINUTES)


def continue_session(facts):
    """Show the items of the session that are still due or new, in the session's order."""
    waiting = {item.fact: item for item in [*due_now(facts, log.now()), *new_items(facts)]}
    rest = [waiting[name] for name in _session if name in waiting]
    if rest:
        show(rest)
    else:
        _session.clear()
        say(SESSION_DONE, due_line(facts))


def show(items, *longer):
    """Show the list of items, and ask the first few. longer: as for session_card."""
    _session[:] = [item.fact for item in items]
    session_card(items, *longer).show()
    groups = first_items(items)
    for kind, names in groups.items():
        kind.ask(names)
    remaining = len(items) - sum(map(len, groups.values()))
    say(MORE.format(remaining) if remaining else None)


def first_items(items):
    """{kind: [names]} of the first items that can be asked together: a desk takes typed answers to one kind
    at a time, and some only to one item."""
    groups = {}
    for item in items:
        busy = {kind.desk for kind in groups if kind is not item.kind} - {""}
        names = groups.get(item.kind, [])
        if sum(map(len, groups.values())) == AT_ONCE:
            break
        if item.kind.desk not in busy and len(names) < item.kind.at_once:
            groups[item.kind] = [*names, item.name]
    return groups
