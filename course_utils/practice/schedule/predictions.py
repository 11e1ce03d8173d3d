"""The lessons' questions as a kind of practice (kinds.py): facts with bare names."""

from ..ask import ask as ask_question
from ..questions import published

PREFIX = ""
MINUTES = 1


def items():
    return dict.fromkeys(published()[0], MINUTES)


def title(name):
    question = published()[0][name]
    return f"Question: {question.name.replace('_', ' ')} ({question.lesson})"


def ask(name):
    ask_question(published()[0][name], again=True)


def new(facts):
    """Those that were passed over: a later one of the same lesson was answered."""
    answered, found, above = {fact.name for fact in facts}, [], {}
    for name, question in published()[0].items():
        if name in answered:
            found += above.pop(question.lesson, [])
        else:
            above.setdefault(question.lesson, []).append(name)
    return found
