"""One answer to one question: judged, remembered, and made a card of, as (HTML, text)."""

from .cards import card, sentence
from .due import lesson_here
from .judge import judge
from .memory import Fact, now, remember
from .typed import Unreadable

SURE = "`sure` is True or False, or left out: your answer was not counted."


def answer_card(question, typed, sure=None):
    """Judge what was typed, keep it as a fact, and return its card; what is no answer is not kept."""
    if not (sure is None or isinstance(sure, bool)):
        return sentence(SURE)
    try:
        verdict = judge(question, typed)
    except Unreadable as unreadable:
        return sentence(str(unreadable))
    problem = remember(Fact(question.name, now(), verdict.right, sure, lesson_here()))
    return card(question, verdict, sure, [problem] if problem else [])
