"""A line, an input and a fix for somebody else's program come in, cards go out.

`desk.py` is what a learner calls. `programs/` holds the programs, one a file; `files.py` reads them, and a
`Program` makes both versions, with the bug and without. `inputs.py` says what a valid input is and draws one,
`read_input.py` checks one. `trial.py` runs a version on an input and compares results. `hunter.py` keeps what
happened with one program: tries, hints, time. `kind.py` is for the schedule.
"""

from .desk import Hunter

bug_hunt = Hunter()
"""bug_hunt(): what a learner calls. Each call shows a card and returns nothing; none raises."""
