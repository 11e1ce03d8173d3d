"""A topic's name and what somebody wrote come in; a clock, cards and a sheet that is kept go out.

`desk.py` is what a learner calls. `topics.py` says what is asked for, `judge.py` finds out whether an object
does one problem, whatever its names and layouts are, `stages.py` which problems count for a part, and
`record.py` keeps what happened. Each topic has a file (or the folder `attention` or `online`) with inputs, an
independent reference, its known mistakes and the ways to call an answer.
"""

from .desk import Interviewer

interview = Interviewer()
