"""Which cards are asked: names, facts and a time come in, a few names go out."""

from ..due import due
from .visit import PREFIX

FEW = 5


def choose(names, facts, now, lesson=None, all_of_them=False):
    """Up to FEW of these names: those to be asked again, then new ones in their order.

    all_of_them: if these are not enough, the others too, the one that was seen longest ago first.
    """
    mine = [fact for fact in facts if fact.name.startswith(PREFIX)]
    again = [name.removeprefix(PREFIX) for name in due(mine, now, lesson)]
    seen = {fact.name.removeprefix(PREFIX): fact.when for fact in mine}  # the last time
    new = [name for name in names if name not in seen]
    rest = sorted((name for name in names if name in seen), key=seen.get) if all_of_them else []
    known = set(names)
    return [name for name in dict.fromkeys([*again, *new, *rest]) if name in known][:FEW]
