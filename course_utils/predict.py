"""predict(name, answer): ask or judge a question that is never graded, and explain why this answer is right
or wrong."""

from .model.sheet import published_names
from .practice import log
from .practice.ask import KIND, LessonQuestion, ask
from .practice.card import Refusal, for_learners, say
from .practice.drawn import for_answering
from .practice.questions import published
from .practice.schedule import due_now
from .practice.session import find_name

AT_ONCE = 3
NEW_NUMBERS = "This question gets new numbers at each visit, and these are new: your answer was not counted."
EXERCISE = '{0} is an exercise, not a question: run check("{0}", {0}) to try it.'
NONE_DUE = 'No question is due. predict("name") asks a question by its name: {}.'
NO_QUESTIONS = "There are no questions here."
MORE = "{} more: run predict() when you are done."


@for_learners
def predict(name=..., answer=..., sure=None):
    """Ask the question `name`; with an answer, judge it at once. Without a name, ask the questions that are
    due now.

    answer: a letter, a number, a shape or a text, as the question asks for. Never raises for what was typed,
    and returns nothing. (Older notebooks pass `sure`; it makes no difference.)
    """
    if name is ...:
        ask_again()
        return
    question = find_question(name)
    if answer is ...:
        ask(question)
    elif for_answering(question) is None:
        say(NEW_NUMBERS)
        ask(question)
    else:
        for card in LessonQuestion(for_answering(question)).answer(answer):
            card.show()


def find_question(name):
    """The published Question of this name; raises a Refusal if there is none."""
    questions = published()
    if isinstance(name, str) and name.strip() in published_names():
        raise Refusal(EXERCISE.format(name.strip()))
    return questions[find_name("question", name, questions)]


def ask_again():
    """Ask the questions that are due, a few at a time, or say that none is."""
    questions = published()
    waiting = [questions[item.name] for item in due_now(log.recall(), log.now()) if item.kind is KIND]
    for question in waiting[:AT_ONCE]:
        ask(question, again=True)
    rest = [MORE.format(len(waiting) - AT_ONCE)] if len(waiting) > AT_ONCE else []
    none = [] if waiting else [NONE_DUE.format(", ".join(questions)) if questions else NO_QUESTIONS]
    say(*rest, *none)
