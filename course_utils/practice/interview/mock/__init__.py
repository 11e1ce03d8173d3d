"""A level and a seed come in; a mock interview of 45 minutes, its cards and a page to print go out.

`levels.py` says how long which part is, `compose.py` chooses what is asked, `desk.py` is what a learner
calls, `record.py` keeps what happened, `page.py` and `sheet.py` write the pages. What is asked stands in
`spoken.py`, `design.py` and `programs.py`; programs, bugs and flashcards come from their own modules.
"""

from .desk import MockInterview

mock_interview = MockInterview()
