"""`python -m autograder similar`: writes a page of pairs of answers that are nearly the same.

Everything that students wrote is escaped; the page runs no script and loads nothing.
"""

import sys
from pathlib import Path

from markupsafe import Markup
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook.class_files import read_groups
from autograder.gradebook.course import settings
from autograder.gradebook.submitted import find_all
from autograder.grading.feedback import environment
from autograder.refused import Refused
from autograder.releases import store
from autograder.report.class_report.pages import FOLDER_WITH_NAMES, STYLE
from autograder.submission.pieces import LENGTH, LONGEST
from autograder.tables import amount, replace_file

from .answers import read_class
from .pairs import MAX_HOLDERS, MIN_SHARE, MIN_UNUSUAL, compare

FOLDER = Path(__file__).parent
MOST_PAIRS = 100  # shown for each lesson
NO_LESSON = "{!r} is not a lesson of the course: {}."
NOTHING = "Nothing was handed in for {}: there is no {}/STUDENT/LESSON/LESSON.ipynb."


def run(root, lesson=None):
    """Write the page, and print where it is."""
    lessons, page = compare_classes(root, lesson), Path(root) / FOLDER_WITH_NAMES / "similar.html"
    replace_file(page, page_of(lessons))
    pairs = amount(sum(len(compared.pairs) for compared in lessons), "pair")
    print(f"similar      {page}   {pairs} to look at; it names students")


def compare_classes(root, lesson=None):
    """[Class] with its pairs, of one lesson or of all; raises Refused if nothing was handed in."""
    coursedir = CourseDirectory(config=settings(root))
    if lesson and lesson not in store.lessons():
        raise Refused(NO_LESSON.format(lesson, ", ".join(store.lessons())))
    submitted, handed_in, classes = Path(coursedir.root) / coursedir.submitted_directory, {}, []
    for student, name, folder in find_all(submitted, [lesson] if lesson else ())[0]:
        handed_in.setdefault(name, []).append((student, folder))
    if not handed_in:
        raise Refused(NOTHING.format(lesson or "any lesson", coursedir.submitted_directory))
    groups = read_groups(Path(coursedir.root))
    for name, folders in sorted(handed_in.items()):
        print(f"{name}: reading {amount(len(folders), 'submission')}", file=sys.stderr)
        together = {student: groups.of(student, name) for student, _ in folders}
        classes.append(compare(read_class(name, folders), together))
    return classes


def page_of(lessons):
    share = f"{100 * MIN_SHARE:.0f} %"
    numbers = {"few": MAX_HOLDERS, "length": LENGTH, "enough": MIN_UNUSUAL, "alike": share}
    looks = STYLE + Markup((FOLDER / "style.css").read_text(encoding="utf-8"))
    page = environment(FOLDER).get_template("page.html")
    return page.render(lessons=lessons, style=looks, lines_of=lines_of, most=MOST_PAIRS, **numbers)


def lines_of(answer, pieces):
    """[(line, does it belong to one of the pieces?)]"""
    marked = {number for piece in pieces for lines in answer.pieces[piece] for number in lines}
    lines = answer.text[:LONGEST].split("\n")
    return [(printable(line), number in marked) for number, line in enumerate(lines, 1)]


def printable(line):
    """The line without characters that hide or reorder the text around them."""
    expansions = {"\t": "    "}
    return "".join(s if s.isprintable() else expansions.get(s, "\N{REPLACEMENT CHARACTER}") for s in line)
