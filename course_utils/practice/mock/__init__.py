"""Mock interviews: a level comes in; an interview of 45 minutes and a page with its results go out.

`plan.py` chooses the tasks, `desk.py` has what a learner calls, `pages.py` the cards, and TOML files the
texts.
"""

from .desk import mock_interview
from .plan import SPOKEN as KIND

__all__ = ["KIND", "mock_interview"]
