"""What progress() says of questions and of what is due, and what predict() without a name asks again."""

from ..show.card import display_both
from .ask import ask
from .cards import sentence
from .memory import now, recall
from .questions import published
from .schedule import predictions
from .schedule.kinds import IN_ALL, kinds_of
from .schedule.page import progress_lines
from .schedule.session import due_now

AT_ONCE = 3
NONE_DUE = 'No question waits for you. predict("name") asks the one of that name: {}.'
NO_QUESTIONS = "There are no questions here."
MORE = "{} more: run predict() when you are through."


def waiting(clock=now):
    """([Question] that is due, [a sentence for each file that could not be read])."""
    questions, said = published()
    facts, told = recall()
    due = [item for item in due_now(facts, clock()) if item.kind is predictions]
    return [questions[item.name] for item in due], [*said, *told]


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
    """What progress() adds: how many questions were answered, where there are some, and what is due."""
    questions, said = published()
    facts, told = recall()
    lines = [counted(questions, facts)] if questions else []
    others = [of_kind(kind, facts) for kind in kinds_of(facts) if kind.PREFIX in IN_ALL]
    lines += [" ".join(others)] if others else []
    lines += [*progress_lines(facts, clock()), *said, *told]
    if lines:
        display_both(*sentence(*lines))


def of_kind(kind, facts):
    """Of flashcards, bugs or interviews: how many there are, were practised, and were right the last time."""
    every = [kind.PREFIX + name for name in kind.items()]
    last = {fact.name: fact.right for fact in facts if fact.name in every}
    right = sum(last.values())
    return f"{IN_ALL[kind.PREFIX]}: {len(last)} of {len(every)} practised, {right} right the last time."


def counted(questions, facts):
    """Of those that are published here: how many were answered, and how many of these are right now."""
    last = {fact.name: fact.right for fact in facts if fact.name in questions}
    return f"Questions: {len(last)} of {len(questions)} answered, {sum(last.values())} right the last time."
