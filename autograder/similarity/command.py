"""`python -m autograder similar`: the page of pairs of answers that are nearly the same, and a table."""

import sys
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.gradebook.class_files import read_groups
from autograder.gradebook.course import settings
from autograder.gradebook.submitted import find_all
from autograder.refused import Refused
from autograder.releases import store
from autograder.report.class_report.command import FOLDER_WITH_NAMES
from autograder.tables import as_csv, counted, replace_file

from .answers import read_class
from .page import page_of
from .pairs import compare

PAGE, TABLE = "similar.html", "similar.csv"
COLUMNS = "lesson", "one", "other", "exercise", "words_alike", "unusual_pieces"
NO_LESSON = "{!r} is no lesson of the course: {}."
NOTHING = "Nothing of {} was handed in: there is no {}/STUDENT/LESSON/LESSON.ipynb."
TOLD_EVERY = 200  # submissions


def run(root, lesson=None):
    """The exit code: 0 when the page is written."""
    try:
        lessons = look(root, lesson)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    folder = Path(root) / FOLDER_WITH_NAMES
    replace_file(folder / PAGE, page_of(lessons))
    replace_file(folder / TABLE, as_csv(COLUMNS, rows_of(lessons)))
    pairs = counted(sum(len(compared.pairs) for compared in lessons), "pair")
    print(f"similar      {folder / PAGE}   {pairs} to look at; it names students")
    return 0


def look(root, lesson=None):
    """[Class] of a lesson or of all; Refused, in a sentence, when there is nothing to look at."""
    coursedir = CourseDirectory(config=settings(root))
    if lesson and lesson not in store.lessons():
        raise Refused(NO_LESSON.format(lesson, ", ".join(store.lessons())))
    submitted, handed_in = Path(coursedir.root) / coursedir.submitted_directory, {}
    for student, name, folder in find_all(submitted, [lesson] if lesson else ())[0]:
        handed_in.setdefault(name, []).append((student, folder))
    if not handed_in:
        raise Refused(NOTHING.format(lesson or "any lesson", coursedir.submitted_directory))
    groups = read_groups(Path(coursedir.root))
    return [look_at(name, handed_in[name], groups) for name in sorted(handed_in)]


def look_at(lesson, students, groups):
    def progress(done):
        if done % TOLD_EVERY == 0:
            print(f"{lesson}: {done} of {len(students)} read", file=sys.stderr)

    whole = read_class(lesson, students, progress)
    return compare(whole, lambda first, second: second in groups.of(first, lesson))


def rows_of(lessons):
    """A row for each pair and exercise."""
    for lesson in lessons:
        for pair in lesson.pairs:
            for match in pair.matches:
                yield [lesson.lesson, *pair.students, match.name, round(match.alike, 3), match.unusual]
