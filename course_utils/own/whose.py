"""Show whose version ran: a line below each cell that uses an object of `yours`, even by a name that an
earlier cell gave it."""

import sys

from ..show.card import display_both
from ..show.tables import small
from ..source import names_in

_handed, _asked_here = {}, []


def hand(obj, exercise, whose):
    """Return the object, and record whose version it is. A line below the cell shows it; outside IPython it
    is printed at once."""
    _handed[id(obj)] = obj, exercise, whose  # keeps the object alive, so that its id is not reused
    if registered():
        _asked_here.append(whose.format(exercise))
    else:
        print(f"yours gives {whose.format(exercise)}.")
    return obj


def registered():
    """Have IPython show a line after each cell, starting with this one; False if there are no cells."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        return False
    if say_below not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", say_below)
    return True


def say_below(result):
    """Show the line below a cell; IPython calls this after each cell."""
    names = dict.fromkeys([*by_other_names(result.info.raw_cell or ""), *_asked_here])
    _asked_here.clear()
    if names:
        text = f"This cell ran {'; '.join(names)}."
        display_both(small(text), text)


def by_other_names(cell):
    """Whose versions the cell uses by a name other than the exercise's: `split`, say, for split_heads, or a
    layer made from the class. (Under the exercise's own name it is plainly the learner's.)"""
    space = vars(sys.modules["__main__"])
    for name in sorted(names_in(cell).used & space.keys()):
        value = space[name]
        for obj in (value, type(value)):
            handed, exercise, whose = _handed.get(id(obj), (None, None, None))
            if exercise and handed is obj and name != exercise:
                yield whose.format(exercise)
