"""Mock interviews: a level comes in; an interview of 45 minutes, as cards, and a page with its results go
out.

`plan.py` chooses the tasks, `desk.py` has what a learner calls, `pages.py` has the cards. Tasks and sentences
are in the TOML files.
"""

from .desk import MockInterview

mock_interview = MockInterview()
