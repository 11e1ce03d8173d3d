"""`python -m autograder export`: writes the gradebook's scores into the files that an LMS imports."""

import io
import zipfile
from collections import defaultdict
from pathlib import Path

from autograder.gradebook.class_table import status, write_class
from autograder.gradebook.lessons import points_of
from autograder.gradebook.page import feedback_path, was_graded, write_feedback_pages
from autograder.gradebook.standing import measured_in_two_ways, outcomes_now
from autograder.grading.graded import scaled
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import amount, first_of, number, replace_file

from . import sentences, system
from .lms import cell, value_of
from .people import People, person_of
from .roster import Sheet
from .store import source_of


def run(root, to, template=None, lesson=None, heading=None, scale=None, unfinished=False):
    """Write the LMS's file with a lesson's grades, and a zip of its feedback pages; for csv, just grades.csv.
    heading: the column's. scale: None if not chosen. unfinished: also scores that wait for a person."""
    root = Path(root).resolve()
    outcomes = outcomes_now(root)
    if to == "csv":
        write_class(root / "grades.csv", outcomes)
        print(f"grades       {root / 'grades.csv'}")
        return
    lms = system(to)
    if template is None or lms.needs not in (sheet := Sheet(template)).columns:
        raise Refused(sentences.template.format(lms.file))
    lessons = {outcome.lesson for outcome in outcomes}
    lesson = lesson or (min(lessons) if len(lessons) == 1 else None)
    if lesson not in lessons:
        raise Refused(sentences.name_lesson.format(", ".join(sorted(lessons)) or "none"))
    column, outcomes = column_of(lms, sheet, lesson, heading), [o for o in outcomes if o.lesson == lesson]
    if names := measured_in_two_ways(outcomes):
        raise Refused(sentences.two_measures.format(lesson, ", ".join(names), lesson))
    people, texts, fates = {}, {}, defaultdict(list)
    current = {outcome.student for outcome in outcomes if was_graded(outcome)}  # their newest file is graded
    for fate, student, row, person, text in fates_of(lms, sheet, column, outcomes, scale, unfinished):
        fates[fate].append(student)
        people |= {student: person} if person and student in current else {}
        texts |= {(row, column): text} if text else {}
    path = root / "export" / Path(template).name
    if path.exists() and path.samefile(template):
        raise Refused(sentences.onto_itself.format(path))
    replace_file(path, sheet.table.filled(texts))
    print(f"grades       {path}   {lms.upload}")
    write_feedback_pages(root, outcomes)
    write_feedback(root, lms, lesson, people)
    print(f"\n{lesson} -> {sheet.heading[column]}")
    for fate, students in fates.items():
        print(f"  {fate}: {len(students)} ({', '.join(sorted(students))})")


def column_of(lms, sheet, lesson, heading):
    """The number of the column with this heading or, without one, of the only one for the lesson. Raises
    Refused unless exactly one column fits."""
    headings, numbers = list(enumerate(sheet.heading)), lms.columns(sheet, lesson)
    if heading:
        numbers = [n for n, text in headings if text == heading.strip()]
    if len(numbers) != 1:
        choices = [f'"{text}"' for n, text in headings if n not in sheet.columns.values()]
        facts = sheet.name, len(numbers) or "no", lesson, ", ".join(choices) or "none"
        raise Refused(sentences.no_single_column.format(*facts))
    return numbers[0]


def fates_of(lms, sheet, column, outcomes, scale, unfinished):
    """Yield (what becomes of a score, student, row in the sheet, its Person, text to enter) for each row and
    each score; the last three are None where there is nothing to enter, or no row."""
    by_student = {outcome.student: outcome for outcome in outcomes}
    class_list = People(person_of(outcome.student, outcome.about) for outcome in outcomes)
    score_of = converter(sheet, column, outcomes[0].lesson, scale)
    nothing = sentences.not_entered | ({"needs a person": None} if unfinished else {})
    matches = class_list.find_each(sheet.people.values())
    for (row, person), (match, _) in zip(sheet.people.items(), matches, strict=True):
        if match is None:
            yield sentences.strangers, person.label, None, None, None
            continue
        outcome, old = by_student.pop(match.id), cell(sheet.rows[row], column)
        student, state, new = outcome.student, status(outcome), None
        if old.lower() in lms.own_words:
            fate = nothing["excused"]
        elif state == "needs a person" and outcome.memory.get("release_question"):
            fate = nothing["rejected"]  # also with --unfinished
        else:
            fate = nothing.get(state)
        if fate is None:
            new = number(score_of(outcome), sheet.has_comma)
            if value_of(old) == value_of(new):
                fate, new = sentences.unchanged, None
            elif old not in ("", "-"):
                yield sentences.changed_score, f"{student}: {old} became {new}", None, None, None
        yield fate or sentences.entered, student, row, person, new
    for outcome in by_student.values():
        if outcome.score is not None:
            yield sentences.not_in_file, outcome.student, None, None, None


def converter(sheet, column, lesson, scale):
    """A function that returns an Outcome's score in the points of the LMS's column."""
    most, points = sheet.max_points(column), sum(points_of(store.current(lesson)).values())
    if most is None and scale:
        raise Refused(sentences.no_maximum.format(sheet.name))
    if most not in (None, points) and scale is None:
        raise Refused(sentences.other_most.format(lesson, points, most))

    def score_of(outcome):
        score = outcome.score.final
        if scale:  # an earlier release may have had another maximum
            score = scaled(score, outcome.score.max_score or points, most) or 0.0
        if most is not None and round(score, 6) > most:
            raise Refused(sentences.too_many.format(outcome.student, score, most))
        return score

    return score_of


def write_feedback(root, lms, lesson, people):
    """Write a zip of the feedback pages, under names that tell the LMS whose page each is. people: {student:
    the Person in the LMS's file}."""
    path, data, pages, others = root / "export" / f"feedback_{lesson}.zip", io.BytesIO(), {}, []
    for student, person in people.items():
        source = source_of(root / "submitted" / student / lesson)
        name, page = lms.feedback_name(person, lesson, source), feedback_path(root, student, lesson)
        if name and page.is_file():
            pages[name] = page.read_bytes()
        elif page.is_file():
            others.append(student)
    if not pages:
        print(sentences.no_pages.format(lesson))
        return
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in pages.items():
            archive.writestr(name, page)
    replace_file(path, data.getvalue())
    print(f"feedback     {path}   {amount(len(pages), 'page')}: {lms.upload_feedback}")
    if others:
        print(sentences.no_upload.format(first_of(others), lesson))
