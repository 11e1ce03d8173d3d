"""The cells of a submission, and the lesson that its file names -> the lesson that it is."""

from autograder.releases.store import lessons

from .notebook_file import Rejected


def which_lesson(cells, named=None):
    """The lesson that the file's metadata name, if all its exercises are there. Else the one whose exercises
    are found most often: by grade id, by test cell, by definition; that the metadata name a lesson counts as
    much as a definition of each of its exercises. Of two, the one where fewer are missing."""
    votes, found = {}, {name for cell in cells for name in (cell.named, cell.tests)}
    asked = lessons()[named].exercises.keys() if named in lessons() else ()
    if asked and asked <= found:
        return lessons()[named]
    for lesson in lessons().values():
        own = {name.removeprefix("test_") for name in (*lesson.exercises, *lesson.by_hand, *lesson.plain)}
        defined = {name for cell in cells if cell.type == "code" for name in cell.defines} & own
        score = 2 * len(found & own) + len(defined)
        votes[lesson.name] = score + (len(own) if score and named == lesson.name else 0), -len(own)
    best = max(votes, key=votes.get, default=None)
    if best is None or not votes[best][0]:
        known = ", ".join(lessons())
        raise Rejected(
            f"This is a notebook, but not of a lesson of this course ({known}): was the right file handed in?"
        )
    return lessons()[best]
