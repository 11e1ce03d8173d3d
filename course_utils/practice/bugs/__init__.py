"""The bug hunt: a learner names a program's buggy line, an input that shows the bug, and a fix; cards go out.

`desk.py` has what a learner calls. `programs/` has the programs, one per file; `order.toml` lists them by
level.
"""

from .desk import KIND, bug_hunt

__all__ = ["KIND", "bug_hunt"]
