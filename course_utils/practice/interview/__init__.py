"""Interviews: a topic's name and the learner's code come in; cards, a clock and a sheet of results go out.

`desk.py` has what a learner calls, `topics.py` the tasks; `judge.py` judges programs, `record.py` sums up the
results.
"""

from ..card import say
from ..schedule import Kind
from . import topics
from .desk import MINUTES, PREFIX, Interviewer
from .texts import text

interview = Interviewer()


def ask(names):
    """Say how to start an interview: its clock should only run once the learner starts it."""
    say(*(text("how_to_start", name, MINUTES, topics.topic(name).title) for name in names))


KIND = Kind(
    prefix=PREFIX,
    head="Interviews",
    minutes=lambda: dict.fromkeys(topics.names(), MINUTES),
    title=lambda name: f"Interview: {topics.topic(name).title}",
    ask=ask,
    new=lambda _: list(topics.tables()),  # exercises are practised from memory, without a clock
)
