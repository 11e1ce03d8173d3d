"""A notebook's bytes and its path -> the lesson that it is; what the notebook itself says comes first."""

from autograder.releases import store
from autograder.submission.notebook_file import Rejected, read_notebook
from autograder.submission.which_lesson import which_lesson

from .naming import lessons_named

UNKNOWN = "it does not say which lesson it is: give --lesson"
TWO = "it cannot be read, and its name says several lessons"
OTHER = "it is a notebook of {}"
NAMED_OTHER = "is {}, though its name says {}"


def lesson_of(data, text, wanted=None):
    """(lesson or None, why that is doubtful, a note). wanted: the lesson that the instructor expects."""
    inside, named = lesson_in(data), lessons_named(text)
    if inside is None:
        lesson = wanted or (named[0] if len(named) == 1 else None)
        return lesson, "" if lesson else TWO if named else UNKNOWN, ""
    if wanted not in (None, inside):
        return inside, OTHER.format(inside), ""
    contradicts = named and inside not in named
    return inside, "", NAMED_OTHER.format(inside, named[0]) if contradicts else ""


def lesson_in(data):
    """What the notebook's metadata or its cells say; None where it cannot be read, or is no lesson."""
    try:
        cells, named, _ = read_notebook(data, [])
        if named in store.lessons():
            return named
        return which_lesson(cells, named).name
    except Rejected:
        return None
