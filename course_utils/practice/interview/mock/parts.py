"""What happens when a part begins and ends: a mock interview and a part's number come in."""

from .. import interview
from ..desk import current, time_over
from . import others
from .record import keep
from .rubric import criteria
from .say import say

OTHER = (
    "An interview on {} is running: `interview.stop()` ends it, and then `mock_interview()` shows this part."
)
WRITTEN = "The program is over, and its sheet was shown: `mock_interview.next()` goes on."
THEN = "`mock_interview.next()` goes on."
ABSENT = "This notebook does not have it: `mock_interview.next()` goes on."


def enter(mock, left):
    """Show what belongs to the part that a mock interview is at."""
    number = mock.part()
    part = mock.parts[number]
    if part.kind == "program":
        enter_program(mock, number, left)
    elif part.kind == "hunt" or (part.kind == "cards" and mock.people == 1):
        there = others.ask(part.kind, part.names[mock.asked(number) - 1], THEN, mock.part_start())
        say(None if there else ABSENT)


def shown(mock, number):
    """How many things a part shows in the notebook: for two people flashcards are read out."""
    part = mock.parts[number]
    return 1 if part.kind == "cards" and mock.people == 2 else len(part.names)


def enter_program(mock, number, left):
    """Start the interview on the part's topic, or show it; it has the minutes of the part."""
    running, _ = current()
    mine = mock.interview(number)
    if running is not None and not time_over(running) and running.key != mine:
        say(OTHER.format(running.topic))
    elif mine is None:
        part = mock.parts[number]
        interview(part.names[0], minutes=max(min(part.minutes, left), 0.1))
        remember_program(mock, number)
    elif running is not None and running.key == mine:
        interview()
    else:
        say(WRITTEN)


def remember_program(mock, number):
    running, _ = current()
    if running is not None:
        keep(mock.key, "program", part=number, interview=running.key)


def leave(mock, number):
    """End what a part began."""
    if number < len(mock.parts) and mock.parts[number].kind == "program":
        running, _ = current()
        if running is not None and running.key == mock.interview(number):
            interview.stop()


def said_of_marks(mock, found):
    """One line for each part that was rated, with what would have been better."""
    lines = []
    for number, given in found.items():
        if not given:
            continue
        marks = ", ".join(f"{name} {mark}" for name, mark in given.items())
        lines.append(f"Kept for part {number + 1}: {marks}.")
        lines += [
            f'{one.title}: 2 is "{one.looks[2]}".'
            for one in criteria(mock.parts[number])
            if given.get(one.name, 2) < 2
        ]
    return lines
