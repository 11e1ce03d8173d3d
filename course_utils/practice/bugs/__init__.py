"""The bug hunt: a learner names a program's buggy line, an input that shows the bug, and a fix; cards go out.

`desk.py` has what a learner calls. `programs/` has the programs, one per file; `order.toml` lists them by
level. The functions below make the bug hunt a kind of practice (kinds.py).
"""

from .desk import PREFIX, Hunter
from .program import levels, load

__all__ = ["ONE", "PREFIX", "ask", "bug_hunt", "items", "title"]
ONE = True  # `bug_hunt.found` refers to the program that was shown last
MINUTES = {1: 4, 2: 6, 3: 9}  # {level: minutes to read a program, find an input and fix it}
bug_hunt = Hunter()
ask = bug_hunt.ask


def items():
    return {name: MINUTES[level] for name, level in levels().items()}


def title(name):
    """A short line for a list, which does not give the bug away."""
    return f"Bug hunt: {load(name).title}"
