"""The bug hunt: a line, an input and a fix for somebody else's program come in, cards go out.

`desk.py` is what a learner calls. `programs/` holds the programs, one a file, `order.toml` their levels. As a
kind of practice (kinds.py), names, minutes and titles go out, and a name comes in.
"""

from .desk import PREFIX, Hunter
from .program import levels, load

__all__ = ["ONE", "PREFIX", "ask", "bug_hunt", "items", "title"]
ONE = True  # `bug_hunt.found` goes to the program that was shown last
MINUTES = {1: 4, 2: 6, 3: 9}  # of a level: reading, the input, the fix
bug_hunt = Hunter()
ask = bug_hunt.ask


def items():
    return {name: MINUTES[level] for name, level in levels().items()}


def title(name):
    """One short line for a list, which does not say what is wrong."""
    return f"Bug hunt: {load(name).title}"
