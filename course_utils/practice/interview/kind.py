"""Interviews as a kind of practice (schedule/kinds.py): one fact for each interview that has ended."""

from ...show.card import show_text
from ..due import lesson_here
from ..memory import Fact, now, remember
from .topics import TOPICS

PREFIX = "interview:"
MINUTES = 20
HOW = (
    '`interview("{}")`, after `from course_utils import interview`, starts an interview of {} minutes on {}. '
    "Its clock runs from then on."
)


def items():
    return dict.fromkeys(TOPICS, MINUTES)


def title(name):
    return f"Interview: {TOPICS[name].title}"


def ask(name):
    """Say how to start it: a clock that nobody started should not run."""
    show_text(HOW.format(name, MINUTES, TOPICS[name].title))


def remember_end(interview):
    """Remember that it has ended: right when every part was done, and none was skipped. A sentence if that
    could not be kept, else None."""
    parts = range(len(TOPICS[interview.topic].stages))
    right = {event["stage"] for event in interview.events if event.get("right")}
    when = min(now(), interview.end)
    return remember(Fact(PREFIX + interview.topic, when, right.issuperset(parts), None, lesson_here()))
