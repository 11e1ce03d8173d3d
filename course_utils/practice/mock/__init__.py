"""A level comes in; a mock interview of 45 minutes, its cards and a page of them go out.

`plan.py` chooses what is asked, `desk.py` is what a learner calls, `pages.py` has the cards. What is asked
and said stands in the TOML files.
"""

from .desk import MockInterview

mock_interview = MockInterview()
