"""`python -m autograder export`: the gradebook's scores, in the files that an LMS takes."""

import io
import zipfile
from collections import defaultdict
from pathlib import Path

from autograder.gradebook.class_table import has_score, write_class
from autograder.gradebook.page import feedback_path
from autograder.gradebook.standing import outcomes_now
from autograder.refused import Refused
from autograder.tables import counted, replace_file

from . import system
from .grades import Column
from .roster import Sheet
from .store import source_of

FOLDER = "export"
TEMPLATE = "Give {} with --template: the grades are filled into it. docs/lms.md says where to get it."
LESSON = "Say which lesson the column is for, with --lesson and one that was handed in: {}."
NOT_ONE = (
    "{} has {} columns for {}: make an assignment named after the lesson, and export again, or name a "
    "column with --lesson and --column, one of {}."
)
ONTO_ITSELF = "{} would be written over itself: take it out of export/ first."
NO_PAGES = "feedback     no pages of {}: `make grade` writes them, or `make grade GRADE_FLAGS=--regrade`"


def run(root, to, template=None, lesson=None, column=None, scale=None, unfinished=False):
    """Write the LMS's file with the grades, and the feedback pages that go with it; for csv, grades.csv.
    lesson, column: see columns_of; scale, unfinished: see Column.fill."""
    root = Path(root).resolve()
    outcomes, lessons = outcomes_now(root), defaultdict(list)
    if to == "csv":
        write_class(root / "grades.csv", outcomes)
        print(f"grades       {root / 'grades.csv'}")
        return
    lms, sheet = system(to), template and Sheet(template)
    if sheet is None or lms.needs not in sheet.columns:
        raise Refused(TEMPLATE.format(lms.file))
    for outcome in outcomes:
        lessons[outcome.lesson].append(outcome)
    columns = columns_of(lms, sheet, lessons, lesson, column)
    for column in columns:
        column.fill(lessons[column.lesson], scale, unfinished)
    path = root / FOLDER / Path(template).name
    if path.exists() and path.samefile(template):
        raise Refused(ONTO_ITSELF.format(path))
    texts = {(row, column.number): text for column in columns for row, text in column.texts.items()}
    replace_file(path, sheet.table.filled(texts))
    print(f"grades       {path}   {lms.upload}")
    for column in columns:
        write_feedback(root, column, path.with_name(f"feedback_{column.lesson}.zip"))
        print(f"\n{column.lesson} -> {sheet.heading[column.number]}")
        for fate, students in column.fates.items():
            print(f"  {fate}: {len(students)} ({', '.join(sorted(students))})")


def columns_of(lms, sheet, lessons, lesson, heading):
    """[Column] of the lesson that was named, else of all that somebody handed in."""
    if lesson not in lessons and (lesson or heading or not lessons or not lms.several_lessons):
        raise Refused(LESSON.format(", ".join(lessons) or "none"))
    others = [f'"{text}"' for n, text in enumerate(sheet.heading) if n not in sheet.columns.values()]
    columns = []
    for name in [lesson] if lesson else lessons:
        numbers = lms.columns(sheet, name)
        if heading:
            numbers = [number for number, text in enumerate(sheet.heading) if text == heading.strip()]
        not_one = NOT_ONE.format(sheet.name, len(numbers) or "no", name, ", ".join(others) or "none")
        if len(numbers) == 1:
            columns.append(Column(lms, sheet, name, numbers[0]))
        elif numbers or lesson:
            raise Refused(not_one)
        elif any(map(has_score, lessons[name])):
            print(not_one)
    if not columns:
        raise Refused(not_one)
    return columns


def write_feedback(root, column, path):
    """A zip of the feedback pages, each under the name by which the LMS knows whose it is."""
    lesson, data, pages = column.lesson, io.BytesIO(), {}
    for student, person in column.people.items():
        source = source_of(root / "submitted" / student / lesson)
        name, page = column.lms.feedback_name(person, lesson, source), feedback_path(root, student, lesson)
        if name and page.is_file():
            pages[name] = page.read_bytes()
    if not pages:
        print(NO_PAGES.format(lesson))
        return
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in pages.items():
            archive.writestr(name, page)
    replace_file(path, data.getvalue())
    print(f"feedback     {path}   {counted(len(pages), 'page')}: {column.lms.upload_feedback}")
