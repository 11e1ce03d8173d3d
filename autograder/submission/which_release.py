"""The cells of a submission, and what its file names -> the release that it is graded by, and notes on it."""

from dataclasses import dataclass, field

from autograder.releases import store
from autograder.releases.release import Release

from .which_lesson import which_lesson

UNNAMED = "The file does not say which release of the lesson it was made from: graded by the current one."
EARLIER = "It was made from an earlier release of the lesson ({}), and is graded by that one."
UNKNOWN = (
    "It names a release of the lesson that the grader does not know ({}), and is graded by the current one: "
    "compare it with what you handed out."
)
LACKS = "It has test cells of {}, and the release that it names ({}) has no such exercise: find out why."
TWO_LESSONS = (
    "It holds {} beside {}, and one file can be graded as one lesson: have the other handed in separately."
)


@dataclass
class Choice:
    """note: of a release that is not the current one. doubts: [sentence] of why a person has to look."""

    release: Release
    note: str = ""
    doubts: list = field(default_factory=list)


def which_release(cells, named, release_id):
    """The Choice for cells of a file that names this lesson and the id of this release, or None."""
    now = which_lesson(cells, named)
    release = store.find(now.name, release_id)
    choice = Choice(release or now)
    if release_id is None and any(other.exercises != now.exercises for other in store.earlier(now.name)):
        choice.note = UNNAMED
    elif release_id is not None and release is None:
        choice.doubts.append(UNKNOWN.format(release_id))
    elif release is not None and release.id != now.id:
        choice.note = EARLIER.format(release.id)
    tested = {cell.tests for cell in cells}
    exercises = {
        name for other in (now, *store.earlier(now.name)) for name in (*other.exercises, *other.by_person)
    }
    lacking = sorted(tested & exercises - choice.release.exercises.keys() - choice.release.by_person.keys())
    if lacking:
        choice.doubts.append(LACKS.format(", ".join(lacking), choice.release.id))
    beside = [
        other.name
        for other in store.lessons().values()
        if other.name != now.name and 2 * len(other.exercises.keys() & tested) > len(other.exercises)
    ]
    if beside:
        choice.doubts.append(TWO_LESSONS.format(" and ".join(beside), now.name))
    return choice
