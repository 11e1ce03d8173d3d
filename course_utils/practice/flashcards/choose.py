"""Which cards are asked: names, facts and a time come in, a few names go out."""

from collections import defaultdict

from ..due import due_again
from .visit import PREFIX

FEW = 5


def choose(names, facts, now, all_of_them=False):
    """Up to FEW of these names: those that are due, the longest due first, then new ones in their order.

    all_of_them: if these are not enough, the others too, the one that was seen longest ago first.
    """
    mine = defaultdict(list)
    for fact in facts:
        if fact.name.startswith(PREFIX):
            mine[fact.name.removeprefix(PREFIX)].append(fact)
    when = {name: due_again(its, now) for name, its in mine.items()}
    again = sorted((name for name in when if when[name] <= now), key=when.get)
    new = [name for name in names if name not in mine]
    seen = (name for name in names if name in mine)
    rest = sorted(seen, key=lambda name: mine[name][-1].when) if all_of_them else []
    known = set(names)
    return [name for name in dict.fromkeys([*again, *new, *rest]) if name in known][:FEW]
