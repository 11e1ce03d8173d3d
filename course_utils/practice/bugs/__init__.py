"""The bug hunt: a learner names a program's buggy line, an input that shows the bug, and a fix; cards go out.

`desk.py` has what a learner calls. `programs/` has the programs, one per file; `order.toml` lists them by
level.
"""

from ..kinds import Kind
from .desk import PREFIX, Hunter
from .program import levels, load

MINUTES = {1: 4, 2: 6, 3: 9, 4: 30}  # {level: minutes to read a program, find an input and fix it}
bug_hunt = Hunter()
KIND = Kind(
    prefix=PREFIX,
    head="Bugs",
    minutes=lambda: {name: MINUTES[level] for name, level in levels().items()},
    title=lambda name: f"Bug hunt: {load(name).title}",
    ask=lambda names: bug_hunt.ask(*names),
    at_once=1,  # `bug_hunt.found` refers to the program that was shown last
    desk="bug_hunt",
)
