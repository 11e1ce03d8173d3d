"""Spaced repetition: an item's facts (recorded answers) and the time come in; its next due time goes out.

The rule: a wrong answer brings an item back after 1 day. Consecutive right answers bring it back after 1, 3,
7, 21 and then always 60 days, counted from the answer. A wrong answer always counts, a right answer only if
the item is new or due; so answering twice in a day advances it only once.

Here, n days are 24 n - 4 hours: an item answered yesterday evening is due this evening, even a little
earlier. No calendar is used, so time zones and servers' clocks make no difference.
"""

from datetime import timedelta

DAYS = 1, 3, 7, 21, 60
EARLY = timedelta(hours=4)
AFTER = timedelta(days=1) - EARLY


def history(facts):
    """Group facts by item: {name: [Fact]}."""
    facts_of = {}
    for fact in facts:
        facts_of.setdefault(fact.name, []).append(fact)
    return facts_of


def state_of(facts, now):
    """(when an item is due again, was the last answer right?). facts: the item's, one or more, oldest first.

    A fact from more than a day ahead comes from a wrong clock and is ignored until then. Without another
    fact, the item is due now.
    """
    in_a_row, right, due = 0, False, None
    for fact in facts:
        if fact.when > now + timedelta(days=1):
            break
        right = fact.right
        if not right:
            in_a_row, due = 0, fact.when + AFTER
        elif due is None or fact.when >= due:
            in_a_row += 1
            due = fact.when + timedelta(days=DAYS[min(in_a_row, len(DAYS)) - 1]) - EARLY
    return due or now, right


def in_turn(names, prefix, facts, now):
    """A kind's names in the order in which to ask them: those due, longest first; those never answered; the
    rest by due time. prefix: of the names of the kind's facts."""
    facts_of = history(facts)
    due = {name: state_of(facts_of[prefix + name], now)[0] for name in names if prefix + name in facts_of}
    when = sorted(due, key=due.get)
    new = [name for name in names if name not in due]
    return [name for name in when if due[name] <= now] + new + [name for name in when if due[name] > now]
