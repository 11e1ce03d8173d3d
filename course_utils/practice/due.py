"""When an item is to be practised again: its facts and a time come in, a time goes out.

The rule: a miss brings an item back after 1 day. Right answers in a row bring it back after 1, 3, 7, 21 and
then always 60 days, counted from the answer. A miss counts at any time, a right answer only when the item is
due or new; so answering twice on a day moves nothing up twice.

A day is 20 hours here, and n days are four hours less than n times 24: an item of yesterday evening is due
this evening, even a little earlier. No calendar is used, so time zones and the clocks of servers make no
difference.
"""

from datetime import timedelta

DAYS = 1, 3, 7, 21, 60
EARLY = timedelta(hours=4)
AFTER = timedelta(days=1) - EARLY


def history(facts):
    """{name: its facts}"""
    facts_of = {}
    for fact in facts:
        facts_of.setdefault(fact.name, []).append(fact)
    return facts_of


def due_again(facts, now):
    """When the item of these facts (one or more, in the order of time) is due again.

    A fact from more than a day ahead comes from a clock that was wrong, and does not count before its time.
    With no other fact, the item is due now.
    """
    in_a_row, due = 0, None
    for fact in facts:
        if fact.when > now + timedelta(days=1):
            break
        if not fact.right:
            in_a_row, due = 0, fact.when + AFTER
        elif due is None or fact.when >= due:
            in_a_row += 1
            due = fact.when + timedelta(days=DAYS[min(in_a_row, len(DAYS)) - 1]) - EARLY
    return due or now


def in_turn(names, prefix, facts, now):
    """The names of a kind in the order in which they are to be asked: what is due, the longest first; what
    was never answered; the rest, by the time when it is due. prefix: of the kind's facts."""
    facts_of = history(facts)
    due = {name: due_again(facts_of[prefix + name], now) for name in names if prefix + name in facts_of}
    when = sorted(due, key=due.get)
    new = [name for name in names if name not in due]
    return [name for name in when if due[name] <= now] + new + [name for name in when if due[name] > now]
