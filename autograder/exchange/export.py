"""`python -m autograder export`: writes the gradebook's scores into the files that an LMS imports."""

import io
import zipfile
from collections import defaultdict
from pathlib import Path

from autograder.gradebook.class_table import write_class
from autograder.gradebook.feedback_pages import write_feedback_pages
from autograder.gradebook.page import feedback_path
from autograder.gradebook.standing import measured_in_two_ways, outcomes_now
from autograder.refused import Refused
from autograder.tables import amount, replace_file

from . import sentences, system
from .grades import Column
from .roster import Sheet
from .store import source_of


def run(root, to, template=None, lesson=None, heading=None, scale=None, unfinished=False):
    """Write the LMS's file with a lesson's grades, and a zip of its feedback pages; for csv, just grades.csv.
    lesson, heading: see column_of. scale, unfinished: see Column.fill."""
    root = Path(root).resolve()
    outcomes, lessons = outcomes_now(root), defaultdict(list)
    if to == "csv":
        write_class(root / "grades.csv", outcomes)
        print(f"grades       {root / 'grades.csv'}")
        return
    lms, sheet = system(to), template and Sheet(template)
    if sheet is None or lms.needs not in sheet.columns:
        raise Refused(sentences.template.format(lms.file))
    for outcome in outcomes:
        lessons[outcome.lesson].append(outcome)
    column = column_of(lms, sheet, lessons, lesson, heading)
    if names := measured_in_two_ways(lessons[column.lesson]):
        raise Refused(sentences.two_measures.format(column.lesson, ", ".join(names), column.lesson))
    column.fill(lessons[column.lesson], scale, unfinished)
    path = root / "export" / Path(template).name
    if path.exists() and path.samefile(template):
        raise Refused(sentences.onto_itself.format(path))
    replace_file(path, sheet.table.filled({(row, column.number): t for row, t in column.texts.items()}))
    print(f"grades       {path}   {lms.upload}")
    write_feedback_pages(root, lessons[column.lesson])
    write_feedback(root, column, path.with_name(f"feedback_{column.lesson}.zip"))
    print(f"\n{column.lesson} -> {sheet.heading[column.number]}")
    for fate, students in column.fates.items():
        print(f"  {fate}: {len(students)} ({', '.join(sorted(students))})")


def column_of(lms, sheet, lessons, lesson, heading):
    """Return the Column to fill: the one with this heading or, without one, the only one for the lesson.
    lesson: may be None if only one was handed in. Raises Refused unless exactly one column fits."""
    if lesson is None and len(lessons) == 1:
        (lesson,) = lessons
    if lesson not in lessons:
        raise Refused(sentences.name_lesson.format(", ".join(lessons) or "none"))
    headings, numbers = list(enumerate(sheet.heading)), lms.columns(sheet, lesson)
    if heading:
        numbers = [n for n, text in headings if text == heading.strip()]
    if len(numbers) != 1:
        choices = [f'"{text}"' for n, text in headings if n not in sheet.columns.values()]
        facts = sheet.name, len(numbers) or "no", lesson, ", ".join(choices) or "none"
        raise Refused(sentences.no_single_column.format(*facts))
    return Column(lms, sheet, lesson, *numbers)


def write_feedback(root, column, path):
    """Write a zip of the feedback pages, under names that tell the LMS whose page each is."""
    lesson, data, pages = column.lesson, io.BytesIO(), {}
    for student, person in column.people.items():
        source = source_of(root / "submitted" / student / lesson)
        name, page = column.lms.feedback_name(person, lesson, source), feedback_path(root, student, lesson)
        if name and page.is_file():
            pages[name] = page.read_bytes()
    if not pages:
        print(sentences.no_pages.format(lesson))
        return
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in pages.items():
            archive.writestr(name, page)
    replace_file(path, data.getvalue())
    print(f"feedback     {path}   {amount(len(pages), 'page')}: {column.lms.upload_feedback}")
