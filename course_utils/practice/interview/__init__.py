"""Interviews: a topic's name and the learner's code come in; cards, a clock and a sheet of results go out.

`desk.py` has what a learner calls, `topics.py` the tasks; `judge.py` judges programs, `record.py` sums up the
results. The functions below make interviews a kind of practice (kinds.py).
"""

from ..card import say
from . import topics
from .desk import MINUTES, PREFIX, Interviewer
from .questions import text

__all__ = ["PREFIX", "ask", "interview", "items", "title"]
interview = Interviewer()


def items():
    return dict.fromkeys(topics.names(), MINUTES)


def new(facts):
    """Topics to offer when time is left; exercises are practised from memory instead, without a clock."""
    return list(topics.tables())


def title(name):
    return f"Interview: {topics.topic(name).title}"


def ask(name):
    """Say how to start the interview: its clock should only run once the learner starts it."""
    say(text("how_to_start", name, MINUTES, topics.topic(name).title))
