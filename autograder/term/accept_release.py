"""`python -m autograder accept-release`: lets a lesson's earlier release, which lacks exercises, count."""

from pathlib import Path

from autograder.gradebook.class_files import RELEASE_COLUMNS, RELEASES, read_releases
from autograder.gradebook.course import settings
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import as_csv, replace_file

UNKNOWN = "The grader has no release {} of {}: copy the id from the table that `make grade` prints."
COMPLETE = "The release {} of {} has every exercise of today's lesson, so it counts in any class."
ACCEPTED = "{} accepts the release {} of {}: `make grade` enters the points of its submissions."


def run(root, lesson, release_id):
    root = Path(settings(root).CourseDirectory.root)
    store.current(lesson)  # raises Refused if there is no such lesson
    release = store.find(lesson, release_id)
    if release is None:
        raise Refused(UNKNOWN.format(release_id, lesson))
    if not store.lacks(release):
        raise Refused(COMPLETE.format(release_id, lesson))
    rows = sorted(read_releases(root) | {(lesson, release_id)})
    replace_file(root / RELEASES, as_csv(RELEASE_COLUMNS, rows))
    print(ACCEPTED.format(RELEASES, release_id, lesson))
