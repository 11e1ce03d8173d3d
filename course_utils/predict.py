"""predict(name, answer): a question that is never graded; it says why this very answer is right or wrong."""

from .practice.answer import answer_card
from .practice.ask import ask
from .practice.cards import sentence
from .practice.drawn import for_answering
from .practice.names import find
from .practice.summary import ask_again
from .show.card import display_both

NEW_NUMBERS = (
    "The numbers of this question are drawn anew at each visit, and these are new: "
    "your answer was not counted."
)


def predict(name=..., answer=..., sure=None):
    """Ask the question `name`; with an answer, judge it at once. Without a name: ask the questions due now.

    answer: a letter, a number, a shape or a text, as the question wants it. sure: True or False, if you like.
    Never raises for what was typed, and returns nothing.
    """
    if name is ...:
        ask_again()
        return
    question, problem = find(name)
    if problem:
        display_both(*sentence(problem))
    elif answer is ...:
        ask(question)
    elif for_answering(question) is None:
        display_both(*sentence(NEW_NUMBERS))
        ask(question)
    else:
        display_both(*answer_card(for_answering(question), answer, sure))
