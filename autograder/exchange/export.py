"""`python -m autograder export`: the gradebook's scores, in the files that an LMS takes."""

import io
import sys
import zipfile
from pathlib import Path

from autograder.gradebook.class_table import has_score, write_class
from autograder.gradebook.database import explain
from autograder.gradebook.page import feedback_path
from autograder.gradebook.standing import outcomes_now
from autograder.refused import Refused
from autograder.tables import counted, first_of, replace_file

from . import system
from .grades import CHANGED, Column, Rules
from .sheet import Sheet
from .store import Store

FOLDER = "export"
NEEDS_TEMPLATE = "Give {} with --template: the grades are filled into it. docs/lms.md says where to get it."
OTHER_FILE = "{} is not {}. docs/lms.md says where to get it."
NEEDS_LESSON = "Say which lesson the column is for, with --lesson and one that was handed in: {}."
NOT_ONE = (
    "{} has {} columns for {}: make an assignment whose name says the lesson, and export again, or name a "
    "column with --lesson and --column, one of {}."
)
ONTO_ITSELF = "{} would be written over itself: choose another place with --out."
NO_PAGES = (
    "There are no feedback pages of {} for these students: `make grade` writes them, and for what was graded "
    "before `make grade GRADE_FLAGS=--regrade`."
)


def run(root, to, template=None, lesson=None, column=None, out=None, rules=None):
    """The exit code: 0 when the file is written."""
    root = Path(root).resolve()
    try:
        if to == "csv":
            path = Path(out) if out else root / "grades.csv"
            write_class(path, outcomes_now(root))
            print(f"grades       {path}")
        elif template is None:
            raise Refused(NEEDS_TEMPLATE.format(system(to).file))
        else:
            fill(root, system(to), Path(template), (lesson, column), out, rules or Rules())
    except (OSError, Refused) as error:
        print(explain("", error) if isinstance(error, OSError) else error, file=sys.stderr)
        return 1
    return 0


def fill(root, lms, template, names, out, rules):
    """Write the LMS's file with the grades, and the feedback pages that go with it. names: see columns_of."""
    outcomes = {}
    for outcome in outcomes_now(root):
        outcomes.setdefault(outcome.lesson, []).append(outcome)
    sheet = Sheet(template)
    if lms.needs not in sheet.columns:
        raise Refused(OTHER_FILE.format(sheet.name, lms.file))
    columns = columns_of(lms, sheet, outcomes, *names)
    for column in columns:
        column.fill(outcomes[column.lesson], rules)
    path = Path(out) if out else root / FOLDER / template.name
    if path.exists() and path.samefile(template):
        raise Refused(ONTO_ITSELF.format(path))
    texts = {(row, column.number): text for column in columns for row, text in column.texts.items()}
    replace_file(path, sheet.table.filled(texts))
    for column in columns:
        show(column)
    print(f"\ngrades       {path}   {lms.upload}")
    for column in columns:
        write_feedback(root, column, path.with_name(f"feedback_{column.lesson}.zip"))


def columns_of(lms, sheet, outcomes, lesson, heading):
    """[Column] of the lesson that was named, else of all that somebody handed in."""
    if lesson not in (None, *outcomes) or lesson is None and (heading or not lms.several_lessons):
        raise Refused(NEEDS_LESSON.format(", ".join(outcomes) or "none"))
    columns = []
    for name in [lesson] if lesson else outcomes:
        numbers = lms.columns(sheet, name)
        if heading:
            numbers = [number for number, text in enumerate(sheet.heading) if text == heading.strip()]
        if len(numbers) == 1:
            columns.append(Column(lms, sheet, name, numbers[0]))
        elif numbers or lesson:
            raise Refused(not_one(sheet, numbers, name))
        elif any(map(has_score, outcomes[name])):
            print(not_one(sheet, numbers, name))
    if not columns:
        raise Refused(not_one(sheet, [], "any lesson that was handed in"))
    return columns


def not_one(sheet, numbers, lesson):
    others = [f'"{text}"' for n, text in enumerate(sheet.heading) if n not in sheet.columns.values()]
    return NOT_ONE.format(sheet.name, len(numbers) or "no", lesson, ", ".join(others) or "none")


def write_feedback(root, column, path):
    """A zip of the feedback pages, each under the name by which the LMS knows whose it is."""
    store, lesson, pages = Store(root, root / "submitted"), column.lesson, {}
    for student, person in column.people.items():
        name = column.lms.feedback_name(person, lesson, store.source(student, lesson))
        page = feedback_path(root, student, lesson)
        if name and page.is_file():
            pages[name] = page.read_bytes()
    if not pages:
        print(NO_PAGES.format(lesson))
        return
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in pages.items():
            archive.writestr(name, page)
    replace_file(path, data.getvalue())
    print(f"feedback     {path}   {counted(len(pages), 'page')}: {column.lms.upload_feedback}")


def show(column):
    """What was filled, and who got nothing."""
    print(f"\n{column.lesson} -> {column.sheet.heading[column.number]}")
    for fate, names in column.fates.items():
        print(
            f"  {fate}: {len(names)} ({first_of(sorted(names), most=len(names) if fate == CHANGED else 10)})"
        )
