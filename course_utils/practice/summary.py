"""What progress() says of questions: how many were answered, and which are asked again."""

from ..show.card import display_both
from .ask import ask
from .cards import sentence
from .due import due, lesson_here
from .memory import now, recall
from .questions import published

AT_ONCE = 3
NONE_DUE = 'No question waits for you. predict("name") asks the one of that name: {}.'
NO_QUESTIONS = "There are no questions here."
MORE = "{} more: run predict() when you are through."


def waiting(clock=now):
    """([Question] to be asked again, [a sentence for each file that could not be read])."""
    questions, said = published()
    facts, told = recall()
    names = due(facts, clock(), lesson_here())
    return [questions[name] for name in names if name in questions], [*said, *told]


def ask_again(clock=now):
    """Ask what is due, a few at a time; say so when nothing is."""
    questions, said = waiting(clock)
    for question in questions[:AT_ONCE]:
        ask(question, again=True)
    said += [MORE.format(len(questions) - AT_ONCE)] if len(questions) > AT_ONCE else []
    said += [] if questions else [nothing_due()]
    if said:
        display_both(*sentence(*said))


def nothing_due():
    names = list(published()[0])
    return NONE_DUE.format(", ".join(names)) if names else NO_QUESTIONS


def show_questions(clock=now):
    """What progress() adds, where there are questions: what was answered, then what is asked again."""
    questions, said = published()
    if not questions and not said:
        return
    line = counted(questions, recall()[0])
    due_now, told = waiting(clock)
    display_both(*sentence(line, *(["To be asked again:"] if due_now else []), *([] if due_now else told)))
    if due_now:
        ask_again(clock)


def counted(questions, facts):
    """Of those that are published here: how many were answered, and how many of these are right now."""
    last = {fact.name: fact.right for fact in facts if fact.name in questions}
    return f"Questions: {len(last)} of {len(questions)} answered, {sum(last.values())} right the last time."
