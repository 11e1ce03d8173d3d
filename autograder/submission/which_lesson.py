"""The cells of a submission, and the lesson that its file names -> the lesson that it is."""

from autograder.releases.store import earlier, lessons

from .notebook_file import Rejected


def which_lesson(cells, named=None):
    """The lesson that the file's metadata name, if all its exercises are there. Else the one whose exercises
    are found most often: by grade id, by test cell, by definition; that the metadata name a lesson counts as
    much as a definition of each of its exercises. Of two, the one where fewer are missing."""
    votes, names = {}, {name for cell in cells for name in (cell.named, cell.tests)}

    def vote(own, lesson):
        defined = {name for cell in cells if cell.type == "code" for name in cell.defines} & own
        score = 2 * len(names & own) + len(defined)
        return score + (len(own) if score and named == lesson else 0), -len(own)

    asked = lessons()[named].exercises.keys() if named in lessons() else ()
    if asked and asked <= names:
        return lessons()[named]
    for lesson in lessons().values():
        votes[lesson.name] = vote(names_in(lesson), lesson.name)
    if not any(score for score, _ in votes.values()):  # no exercise of today: one of an earlier release?
        for name in lessons():
            votes[name] = vote({own for release in earlier(name) for own in names_in(release)}, name)
    best = max(votes, key=votes.get, default=None)
    if best is None or not votes[best][0]:
        all_lessons = ", ".join(lessons())
        raise Rejected(
            f"This is a notebook, but not of a lesson of this course ({all_lessons}): was the right file "
            "handed in?"
        )
    return lessons()[best]


def names_in(release):
    """The exercises and questions of a release, those without a check too."""
    return {name.removeprefix("test_") for name in (*release.exercises, *release.by_hand, *release.plain)}
