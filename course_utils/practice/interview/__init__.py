"""Interviews: a topic's name and the learner's code come in; cards, a clock and a sheet of results go out.

`desk.py` has what a learner calls, `topics.py` the tasks, `judge.py` judges programs.
"""

from .desk import KIND, interview

__all__ = ["KIND", "interview"]
