"""Show whose version ran: a line below each cell that uses an object of `yours`, even by a name that an
earlier cell gave it."""

import sys

from ..observe.nested import depth
from ..show.card import display_both
from ..show.tables import small
from ..source import names_in

_versions, _new_labels = {}, []


def hand_out(obj, exercise, label):
    """Return the object, and record whose version it is. A line below the cell shows it; outside IPython it
    is printed at once, except inside a check: there it would count as what the answer prints."""
    _versions[id(obj)] = obj, exercise, label  # keeps the object alive, so that its id is not reused
    if register_line():
        _new_labels.append(label.format(exercise))
    elif not depth():
        print(f"yours gives {label.format(exercise)}.")
    return obj


def register_line():
    """Have IPython show a line after each cell, starting with this one; False if there are no cells."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        return False
    if show_below not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", show_below)
    return True


def show_below(result):
    """Show the line below a cell; IPython calls this after each cell."""
    names = dict.fromkeys([*labels_of_other_names(result.info.raw_cell or ""), *_new_labels])
    _new_labels.clear()
    if names:
        text = f"This cell ran {'; '.join(names)}."
        display_both(small(text), text)


def labels_of_other_names(cell):
    """Whose versions the cell uses by a name other than the exercise's: `split`, say, for split_heads, or a
    layer made from the class. (Under the exercise's own name it is plainly the learner's.)"""
    space = vars(sys.modules["__main__"])
    for name in sorted(names_in(cell).used & space.keys()):
        value = space[name]
        for obj in (value, type(value)):
            known_obj, exercise, label = _versions.get(id(obj), (None, None, None))
            if exercise and known_obj is obj and name != exercise:
                yield label.format(exercise)
