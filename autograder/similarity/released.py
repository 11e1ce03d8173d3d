"""A lesson -> the pieces of what every student was given, or may have found in the course; right answers."""

from functools import cache
from pathlib import Path

from autograder.publish.solutions import answers
from autograder.releases import store
from course_utils.source import statements

from .normal import code_lines, text_lines
from .pieces import pieces_of

STANDINS = Path(store.ROOT) / "course_utils" / "standins.py"


@cache
def given_pieces():
    """The pieces of all lessons as they are given out, of their own answers and of the stand-ins.

    That two students both have these says nothing.
    """
    pieces = set(pieces_of(code_lines(STANDINS.read_text(encoding="utf-8"))))
    for lesson, release in store.lessons().items():
        for cell in release.skeleton().cells:
            read = code_lines if cell.cell_type == "code" else text_lines
            pieces |= pieces_of(read(cell.source))
        for name, text in own_answers(lesson).items():
            pieces |= pieces_of(text_lines(text) if name in release.by_hand else code_lines(text))
    return pieces


def right_answers(lesson, name):
    """[[Line]]: the lesson's own answer to an exercise or a question, and its stand-in."""
    release, own = store.current(lesson), own_answers(lesson).get(name, "")
    if name in release.by_hand:
        return [text_lines(own)]
    texts = [stand_in.python for stand_in in stand_ins() if name in stand_in.bound]
    return [code_lines(text) for text in (own, *texts) if text]


@cache
def own_answers(lesson):
    """{grade id: text}; nothing of a lesson whose source is not here."""
    try:
        return answers(lesson)
    except OSError:
        return {}


@cache
def stand_ins():
    return statements(STANDINS.read_text(encoding="utf-8"))
