"""`python -m autograder export`: the gradebook's scores, in the files that an LMS takes."""

import io
import sys
import zipfile
from collections import Counter
from pathlib import Path

from autograder.gradebook.class_table import has_score, write_class
from autograder.gradebook.database import explain
from autograder.gradebook.page import feedback_path
from autograder.gradebook.standing import outcomes_now
from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import counted, first_of, replace_file

from . import system
from .grades import Rules, fill
from .store import Store

FOLDER = "export"
NEEDS_TEMPLATE = (
    "Give the file that {} exports, with --template: the grades are filled into it. "
    "docs/instructors.md says where to get it."
)
NEEDS_LESSON = "Say which lesson this worksheet is for, with --lesson: {}."
NO_LESSON = "Nobody handed in {}: the gradebook has {}."
NO_MATCH = "No column of {} names a lesson that was handed in: say which, with --lesson and --column."
NOT_EXPORTED = (
    "{0} has {1} here and no column in {2}: make an assignment whose name says {0}, export the gradebook "
    "again and fill that, or name a column with --lesson {0} --column."
)
COLUMN_OF_WHAT = "Say which lesson the column is for, with --lesson."
ONTO_ITSELF = "{} would be written over itself: choose another place with --out."
NO_PAGES = (
    "There are no feedback pages of {} for these students: `make grade` writes them, and for what was graded "
    "before `make grade GRADE_FLAGS=--regrade`."
)
STAMP = (2026, 1, 1, 0, 0, 0)  # equal pages make equal zips


def run(root, to, template=None, lesson=None, column=None, out=None, rules=None):
    """The exit code: 0 when the file is written."""
    root = Path(root).resolve()
    try:
        if to == "csv":
            path = Path(out) if out else root / "grades.csv"
            write_class(path, outcomes_now(root))
            print(f"grades       {path}")
        else:
            Export(root, to, template, rules or Rules()).run(lesson, column, out)
    except OSError as error:
        print(explain("", error), file=sys.stderr)
        return 1
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


class Export:
    """One template to fill, and the feedback pages that go with it."""

    def __init__(self, root, to, template, rules):
        if template is None:
            raise Refused(NEEDS_TEMPLATE.format(to.title()))
        self.root, self.path, self.rules = root, Path(template), rules
        self.outcomes = outcomes_now(root)
        self.template = system(to).Template(self.path)

    def run(self, lesson, column, out):
        columns = self.columns(self.lessons(lesson), lesson, column)
        filled = {name: self.filled(name, number) for name, number in columns.items() if number is not None}
        if not filled:
            raise Refused(self.template.no_column if lesson else NO_MATCH.format(self.template.table.name))
        path = self.write(columns, filled, out)
        for name, (_, result) in filled.items():
            show(name, self.template.rows[0][columns[name]], result)
        grades = Counter(outcome.lesson for outcome in self.outcomes if has_score(outcome))
        for name in columns.keys() - filled.keys():
            if grades[name]:
                print("\n" + NOT_EXPORTED.format(name, counted(grades[name], "grade"), self.path.name))
        print(f"\ngrades       {path}   {self.template.upload}")
        for name, (lines, _) in filled.items():
            self.write_feedback(name, lines, path.with_name(f"feedback_{name}.zip"))

    def lessons(self, lesson):
        """The lesson that was named, else all that somebody handed in."""
        lessons = list(dict.fromkeys(outcome.lesson for outcome in self.outcomes))
        if lesson is not None and lesson not in lessons:
            raise Refused(NO_LESSON.format(lesson, ", ".join(lessons) or "nothing yet"))
        return [lesson] if lesson else lessons

    def columns(self, lessons, lesson, column):
        """{lesson: number of its column, or None}"""
        if len(lessons) != 1 and not self.template.several_lessons:
            raise Refused(NEEDS_LESSON.format(", ".join(lessons)))
        if column and not lesson and len(lessons) > 1:
            raise Refused(COLUMN_OF_WHAT)
        return {name: self.template.column(name, column) for name in lessons}

    def filled(self, lesson, column):
        """(the template's lines, Filled)"""
        outcomes = [outcome for outcome in self.outcomes if outcome.lesson == lesson]
        lines, comma = self.template.lines(column), self.template.has_comma(column)
        most = self.template.most(column)
        return lines, fill(lines, outcomes, self.rules, most, points_of(lesson), comma)

    def write(self, columns, filled, out):
        """The filled file's path; never the template's."""
        path = Path(out) if out else self.root / FOLDER / self.path.name
        if path.exists() and path.samefile(self.path):
            raise Refused(ONTO_ITSELF.format(path))
        values = {
            (row, columns[name]): text
            for name, (_, result) in filled.items()
            for row, text in result.values.items()
        }
        replace_file(path, self.template.table.filled(values))
        return path

    def write_feedback(self, lesson, lines, path):
        """A zip of the feedback pages, each under the name by which the LMS knows whose it is."""
        store_of_files = Store(self.root, self.root / "submitted")
        files = {(e["student"], e["lesson"]): e.get("file", "") for e in store_of_files.collected()}
        data, count = io.BytesIO(), 0
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for line in filter(lambda line: line.student, lines):
                name = self.template.feedback_name(line, lesson, files.get((line.student, lesson), ""))
                page = feedback_path(self.root, line.student, lesson)
                if name and page.is_file():
                    entry = zipfile.ZipInfo(name, STAMP)
                    entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
                    archive.writestr(entry, page.read_bytes())
                    count += 1
        if not count:
            print(NO_PAGES.format(lesson))
            return
        replace_file(path, data.getvalue())
        print(f"feedback     {path}   {counted(count, 'page')}: {self.template.upload_feedback}")


def points_of(lesson):
    """All that a lesson gives, written answers included."""
    release = store.current(lesson)
    own = sum(points for points, _ in release.plain.values())
    return sum(release.exercises.values()) + sum(release.by_hand.values()) + own


def show(lesson, column, filled):
    """What was filled, and who got nothing."""
    entered = f"{counted(len(filled.values), 'grade')} entered, {filled.same} as they were"
    print(f"\n{lesson} -> {column}: {entered}.")
    for student, old, new in filled.changed:
        print(f"  {student}: {old} became {new}")
    for why, names in filled.without.items():
        print(f"  {why}: {len(names)} ({first_of(sorted(names))})")
