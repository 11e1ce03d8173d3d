"""Which cards are asked: names, facts and a time come in, a few names go out."""

from collections import defaultdict

from ..due import due_again
from .visit import PREFIX

FEW = 5


def choose(names, facts, now, all_of_them=False):
    """Up to FEW of these names: those that are due, the longest first, then new ones in their order.

    facts: in the order of time. all_of_them: if these are not enough, the others too, in the order in which
    they will be due.
    """
    facts_of = defaultdict(list)
    for fact in facts:
        if fact.name.startswith(PREFIX):
            facts_of[fact.name.removeprefix(PREFIX)].append(fact)
    when = {name: due_again(facts_of[name], now) for name in names if name in facts_of}
    in_order = sorted(when, key=when.get)
    due = [name for name in in_order if when[name] <= now]
    new = [name for name in names if name not in when]
    later = [name for name in in_order if when[name] > now] if all_of_them else []
    return [*due, *new, *later][:FEW]
