"""A topic's name and the learner's code come in; a clock, cards and a saved sheet go out.

`desk.py` is what a learner calls. `topics.py` says what is asked for, `judge.py` finds out whether an
object does one part, and `record.py` what became of each. As a kind of practice (kinds.py), names, minutes
and titles go out, and a name comes in.
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
    """Those that a session may add by itself; the exercises are practised from memory, without a clock."""
    return list(topics.tables())


def title(name):
    return f"Interview: {topics.topic(name).title}"


def ask(name):
    """Say how to start it: a clock that nobody started should not run."""
    say(text("how_to_start", name, MINUTES, topics.topic(name).title))
