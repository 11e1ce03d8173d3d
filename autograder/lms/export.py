"""`python -m autograder export`: the gradebook's scores, in the files that Canvas and Moodle take."""

import os
import sys
from collections import Counter
from pathlib import Path

from autograder.gradebook.class_csv import write_csv
from autograder.gradebook.class_now import outcomes_now
from autograder.gradebook.class_table import has_score
from autograder.gradebook.database import Refused, explain
from autograder.releases import store

from .canvas import Canvas
from .grades import fill
from .moodle import Moodle, uses_comma, zip_feedback
from .people import People, Person
from .table import counted

FOLDER = "export"
NEEDS_TEMPLATE = (
    "Give the file that {} exports, with --template: the grades are filled into it. "
    "docs/lms.md says where to get it."
)
NEEDS_LESSON = "Say which lesson this worksheet is of, with --lesson: {}."
NO_LESSON = "{} was handed in by nobody: the gradebook has {}."
NO_MATCH = "No column of {} names a lesson that was handed in: say which, with --lesson and --column."
NOT_EXPORTED = (
    "{0} has {1} here and no column in {2}: make an assignment in Canvas whose name says {0}, export the "
    "gradebook again and fill that, or name a column with --lesson {0} --column."
)
COLUMN_OF_WHAT = "Say which lesson the column is for, with --lesson."
ONTO_ITSELF = "{} would be written over itself: choose another place with --out."
MOST_NAMED = 10
NO_PAGES = (
    "There are no feedback pages for these students: `make grade` writes them, and for what was graded "
    "before `make grade GRADE_FLAGS=--again`."
)


def run(root, to, template=None, lesson=None, column=None, out=None, rules=None):
    """The exit code: 0 when the file is written."""
    root = Path(root).resolve()
    try:
        outcomes = outcomes_now(root)
        if to == "csv":
            return export_csv(root, outcomes, out)
        if template is None:
            raise Refused(NEEDS_TEMPLATE.format(to.title()))
        export = export_canvas if to == "canvas" else export_moodle
        return export(root, outcomes, Path(template), lesson, column, out, rules)
    except OSError as error:
        print(explain("", error), file=sys.stderr)
        return 1
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1


def export_csv(root, outcomes, out):
    path = Path(out) if out else root / "grades.csv"
    write_csv(path, outcomes)
    print(f"grades       {path}")
    return 0


def export_canvas(root, outcomes, template, lesson, column, out, rules):
    canvas, lessons = Canvas(template), lessons_in(outcomes, lesson)
    if column and not lesson and len(lessons) > 1:
        raise Refused(COLUMN_OF_WHAT)
    columns = {name: canvas.column(name, column) for name in lessons}
    without = [name for name, number in columns.items() if number is None]
    columns = {name: number for name, number in columns.items() if number is not None}
    if not columns:
        raise canvas.no_column(lesson) if lesson else Refused(NO_MATCH.format(canvas.table.name))
    values, reports = {}, []
    for name, number in columns.items():
        filled, _ = filled_of(canvas, name, number, outcomes, rules)
        values |= {(row, number): text for row, text in filled.values.items()}
        reports.append((name, canvas.rows[0][number], filled))
    path = write_template(root, canvas.table, template, values, out)
    for report in reports:
        show(*report)
    show_without_column(without, outcomes, canvas.table.name)
    print(f"\ngrades       {path}   import it in Canvas: Grades, Import")
    return 0


def show_without_column(lessons, outcomes, name):
    """Each lesson that has grades here and gets none into the file."""
    grades = Counter(outcome.lesson for outcome in outcomes if has_score(outcome))
    for lesson in lessons:
        if grades[lesson]:
            print(f"\n{NOT_EXPORTED.format(lesson, counted(grades[lesson], 'grade'), name)}")


def export_moodle(root, outcomes, template, lesson, column, out, rules):
    moodle, lessons = Moodle(template), lessons_in(outcomes, lesson)
    if len(lessons) != 1:
        raise Refused(NEEDS_LESSON.format(", ".join(lessons)))
    number = moodle.column(lessons[0], column)
    filled, lines = filled_of(moodle, lessons[0], number, outcomes, rules)
    values = {(row, number): text for row, text in filled.values.items()}
    path = write_template(root, moodle.table, template, values, out)
    show(lessons[0], moodle.rows[0][number].lstrip("\ufeff"), filled)
    print(f"\ngrades       {path}   upload it in Moodle: Upload grading worksheet")
    pages = path.with_name(f"feedback_{lessons[0]}.zip")
    count = zip_feedback(root, lessons[0], lines, pages)
    if count:
        print(f"feedback     {pages}   {counted(count, 'page')}: Upload multiple feedback files in a zip")
    else:
        print(NO_PAGES)
    return 0


def lessons_in(outcomes, lesson):
    """The lessons to export: the one that was named, else all that somebody handed in."""
    known = list(dict.fromkeys(outcome.lesson for outcome in outcomes))
    if lesson is not None and lesson not in known:
        raise Refused(NO_LESSON.format(lesson, ", ".join(known) or "nothing yet"))
    return [lesson] if lesson else known


def filled_of(file, lesson, column, outcomes, rules):
    """(Filled, the file's lines) of one column."""
    ours = [outcome for outcome in outcomes if outcome.lesson == lesson]
    people = People(person_of(outcome) for outcome in ours)
    lines, comma = file.lines(column), uses_comma(file.rows[1:], {**file.columns, "grade": column})
    return fill(lines, ours, people, rules, file.most(column), points_of(lesson), comma), lines


def person_of(outcome):
    about = outcome.about
    texts = (about.first_name, about.last_name, about.email, about.lms_user_id)
    return Person(outcome.student, *(text or "" for text in texts))


def points_of(lesson):
    """All that a lesson gives, written answers included."""
    release = store.current(lesson)
    own = sum(points for points, _ in release.plain.values())
    return sum(release.exercises.values()) + sum(release.by_hand.values()) + own


def write_template(root, table, template, values, out):
    """Write the filled file in one piece -> its path; never over the template."""
    path = Path(out) if out else root / FOLDER / template.name
    if path.exists() and path.samefile(template):
        raise Refused(ONTO_ITSELF.format(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(table.filled(values))
    os.replace(new, path)
    return path


def show(lesson, column, filled):
    """What was filled, and who got nothing."""
    entered = f"{counted(len(filled.values), 'grade')} entered, {len(filled.same)} as they were"
    print(f"\n{lesson} -> {column}: {entered}.")
    for student, old, new in filled.changed[:MOST_NAMED]:
        print(f"  {student}: {old} became {new}")
    if len(filled.changed) > MOST_NAMED:
        print(f"  and {len(filled.changed) - MOST_NAMED} more that had another grade")
    for what, names in (
        ("Handed nothing in", filled.absent),
        ("Not graded yet, left as they are: run `make grade`, and export again", filled.ungraded),
        ("Wait for a person, and keep what stands there", filled.waiting),
        ("Excused or not assigned, left as they are", filled.excused),
        ("In the file, and not in the gradebook", filled.strangers),
        ("In the gradebook, and not in the file", filled.missing),
    ):
        if names:
            more = " ..." if len(names) > MOST_NAMED else ""
            print(f"  {what}: {len(names)} ({', '.join(sorted(names)[:MOST_NAMED])}{more})")
