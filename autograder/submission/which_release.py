"""Choose the release that a submission is graded by, from its cells and from what its metadata name."""

from dataclasses import dataclass, field

from autograder.notes import DOUBT, RELEASE, Note
from autograder.releases import store
from autograder.releases.release import Release

from .notebook_file import Rejected

NO_LESSON = "This is a notebook, but not of a lesson of this course ({}): was the right file handed in?"
UNNAMED = "The file does not say which release of the lesson it was made from: graded by the current one."
EARLIER = "It was made from an earlier release of the lesson ({}): that one's exercises and points count."
FEWER = EARLIER + " It lacks {}, which today's lesson gives points for."
UNKNOWN = (
    "It names a release of the lesson that the grader does not know ({}), and is graded by the current one: "
    "compare it with what you handed out."
)
LACKS = "It has test cells of {}, and the release that it names ({}) lacks that exercise: check why."
TWO_LESSONS = (
    "It contains {} as well as {}, but a file is graded as one lesson: have the other handed in separately."
)


@dataclass
class Choice:
    """notes: RELEASE on one that may not be the current one, DOUBT on why a person has to look."""

    release: Release
    notes: list[Note] = field(default_factory=list)


def which_release(cells, lesson_name, release_id):
    """Return the Choice. lesson_name, release_id: what the file's metadata name, or None."""
    lesson = which_lesson(cells, lesson_name)
    release, earlier = store.find(lesson.name, release_id), store.earlier(lesson.name)
    choice = Choice(release or lesson)
    if release_id is None and any(other.exercises != lesson.exercises for other in earlier):
        choice.notes.append(Note(RELEASE, UNNAMED))
    elif release_id is not None and release is None:
        choice.notes.append(Note(DOUBT, UNKNOWN.format(release_id)))
    elif release is not None and release.id != lesson.id:
        fewer, _ = store.other_parts(release)
        text = (FEWER if fewer else EARLIER).format(release.id, ", ".join(fewer))
        choice.notes.append(Note(RELEASE, text))
    tests = {cell.tests for cell in cells}
    exercises = {name for other in (lesson, *earlier) for name in other.all_exercises}
    missing = sorted(tests & exercises - choice.release.all_exercises)
    if missing:
        choice.notes.append(Note(DOUBT, LACKS.format(", ".join(missing), choice.release.id)))
    other_lessons = [
        other.name
        for other in store.lessons().values()
        if other.name != lesson.name and 2 * len(other.exercises.keys() & tests) > len(other.exercises)
    ]
    if other_lessons:
        choice.notes.append(Note(DOUBT, TWO_LESSONS.format(" and ".join(other_lessons), lesson.name)))
    return choice


def which_lesson(cells, lesson_name=None):
    """Return the lesson that the cells belong to; raise Rejected if there is none. It is the lesson that the
    metadata name, if all of its exercises are there. Otherwise lessons get votes: two for each exercise with
    a grade id or a test cell, one for each definition, and, if the metadata name the lesson, one for each of
    its exercises. If two have equal votes, the one with fewer exercises wins."""
    votes, names = {}, {name for cell in cells for name in (cell.exercise_id, cell.tests)}

    def vote(own, lesson):
        defined = {name for cell in cells if cell.type == "code" for name in cell.defines} & own
        score = 2 * len(names & own) + len(defined)
        return score + (len(own) if score and lesson_name == lesson else 0), -len(own)

    named = store.lessons().get(lesson_name or "")
    if named and named.exercises and named.exercises.keys() <= names:
        return named
    for lesson in store.lessons().values():
        votes[lesson.name] = vote(lesson.names, lesson.name)
    if not any(score for score, _ in votes.values()):  # no current exercise: try earlier releases
        for name in store.lessons():
            votes[name] = vote({own for release in store.earlier(name) for own in release.names}, name)
    best = max(votes, key=lambda name: votes[name], default=None)
    if best is None or not votes[best][0]:
        raise Rejected(NO_LESSON.format(", ".join(store.lessons())))
    return store.lessons()[best]
