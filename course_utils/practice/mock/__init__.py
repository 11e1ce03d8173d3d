"""A level and a seed come in; a mock interview of 45 minutes, its cards and a page to print go out.

`plan.py` chooses what is asked, `desk.py` is what a learner calls, `record.py` says what happened,
`report.py` and `sheet.py` write the pages. What is asked stands in the TOML files; programs, bugs and
flashcards come from their own modules.
"""

from .desk import MockInterview

mock_interview = MockInterview()
