"""`python -m autograder accept-release`: lets a lesson's earlier release, which lacks exercises, count."""

from pathlib import Path

from autograder.csv_file import CsvFile
from autograder.gradebook.class_files import RELEASE_COLUMNS, RELEASES, read_releases
from autograder.gradebook.course import settings
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import as_csv, replace_file

UNKNOWN = "The grader has no release {} of {}: copy the id from the table that `make grade` prints."
SAME = "The release {} of {} has the exercises of today's lesson, so it counts in any class."
ACCEPTED = "{} accepts the release {} of {}: with the next `make grade`, its submissions wait no longer."


def run(root, lesson, release_id):
    root = Path(settings(root).CourseDirectory.root)
    store.current(lesson)  # raises Refused if there is no such lesson
    release = store.find(lesson, release_id)
    if release is None:
        raise Refused(UNKNOWN.format(release_id, lesson))
    if store.other_parts(release) == ([], []):
        raise Refused(SAME.format(release_id, lesson))
    if (lesson, release_id) not in read_releases(root):
        table = CsvFile(root / RELEASES).rows if (root / RELEASES).exists() else [RELEASE_COLUMNS]
        heading = [cell.strip().lower() for cell in table[0]]
        line = [{"lesson": lesson, "release": release_id}.get(column, "") for column in heading]
        replace_file(root / RELEASES, as_csv(table[0], [*table[1:], line]))
    print(ACCEPTED.format(RELEASES, release_id, lesson))
