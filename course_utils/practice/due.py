"""Which questions are to be asked again: facts, a lesson and a time come in, names go out.

Only facts are kept (memory.py); what is due is worked out anew each time, so the rule can change.
"""

import re
from datetime import timedelta
from pathlib import Path

from .questions import published

AFTER = timedelta(days=1)


def due(facts, now, lesson=None):
    """The names whose last answer was wrong, oldest first: after a day, or in another lesson than then.

    facts: in the order of time. now: a datetime with a time zone. lesson: where we are, None if not known.
    """
    last = {fact.name: fact for fact in facts}
    wrong = sorted((fact for fact in last.values() if not fact.right), key=lambda fact: fact.when)
    return [fact.name for fact in wrong if now - fact.when >= AFTER or elsewhere(fact, lesson)]


def elsewhere(fact, lesson):
    return None not in (fact.at, lesson) and fact.at != lesson


def lesson_here():
    """The lesson whose folder this is; where there is one lesson alone (Colab), that one; else None."""
    lessons = {question.lesson for question in published()[0].values()}
    here = Path.cwd().name
    if re.match(r"\d\d_", here):
        return here
    return lessons.pop() if len(lessons) == 1 else None
