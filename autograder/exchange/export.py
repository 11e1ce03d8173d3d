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
from .grades import Column, Rules
from .lms import Sheet
from .store import Store

FOLDER = "export"
NEEDS_TEMPLATE = (
    "Give the file that {} exports, with --template: the grades are filled into it. "
    "docs/lms.md says where to get it."
)
NEEDS_LESSON = "Say which lesson the column is for, with --lesson: {}."
NO_LESSON = "Nobody handed in {}: the gradebook has {}."
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
        else:
            Export(root, to, template).run(lesson, column, out, rules or Rules())
    except (OSError, Refused) as error:
        print(explain("", error) if isinstance(error, OSError) else error, file=sys.stderr)
        return 1
    return 0


class Export:
    """A file to fill, and the feedback pages that go with it. outcomes: {lesson: [Outcome]}."""

    def __init__(self, root, to, template):
        if template is None:
            raise Refused(NEEDS_TEMPLATE.format(to.title()))
        self.root, self.path, self.lms, self.outcomes = root, Path(template), system(to), {}
        for outcome in outcomes_now(root):
            self.outcomes.setdefault(outcome.lesson, []).append(outcome)
        self.sheet = Sheet(self.path)
        if self.lms.needs not in self.sheet.columns:
            raise Refused(self.lms.other_file.format(self.sheet.name))

    def run(self, lesson, heading, out, rules):
        columns = self.columns(lesson, heading)
        for column in columns:
            column.fill(self.outcomes[column.lesson], rules)
        path = Path(out) if out else self.root / FOLDER / self.path.name
        if path.exists() and path.samefile(self.path):
            raise Refused(ONTO_ITSELF.format(path))
        texts = {(row, c.number): text for c in columns for row, text in c.texts.items()}
        replace_file(path, self.sheet.table.filled(texts))
        for column in columns:
            show(column, self.sheet.heading[column.number])
        print(f"\ngrades       {path}   {self.lms.upload}")
        for column in columns:
            self.write_feedback(column, path.with_name(f"feedback_{column.lesson}.zip"))

    def columns(self, lesson, heading):
        """[Column] of the lesson that was named, else of all that somebody handed in."""
        every = list(self.outcomes)
        if lesson not in (None, *every):
            raise Refused(NO_LESSON.format(lesson, ", ".join(every) or "nothing yet"))
        if lesson is None and (heading or not self.lms.several_lessons):
            raise Refused(NEEDS_LESSON.format(", ".join(every)))
        columns = []
        for name in [lesson] if lesson else every:
            numbers = self.numbers(name, heading)
            if len(numbers) == 1:
                columns.append(Column(self.lms, self.sheet, name, numbers[0]))
            elif numbers or lesson:
                raise Refused(self.not_one(numbers, name))
            elif any(map(has_score, self.outcomes[name])):
                print(self.not_one(numbers, name))
        if not columns:
            raise Refused(self.not_one([], "any lesson that was handed in"))
        return columns

    def numbers(self, lesson, heading):
        """[number of a column] that may be the lesson's."""
        if heading is None:
            return self.lms.columns(self.sheet, lesson)
        return [number for number, text in enumerate(self.sheet.heading) if text == heading.strip()]

    def not_one(self, numbers, lesson):
        texts = [f'"{text}"' for text in self.sheet.heading if self.lms.headings.fullmatch(text)]
        return NOT_ONE.format(self.sheet.name, len(numbers) or "no", lesson, ", ".join(texts) or "none")

    def write_feedback(self, column, path):
        """A zip of the feedback pages, each under the name by which the LMS knows whose it is."""
        lesson, collected = column.lesson, Store(self.root, self.root / "submitted").collected()
        files = {(entry["student"], entry["lesson"]): entry["file"] for entry in collected}
        data, count = io.BytesIO(), 0
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for student, person in column.people.items():
                name = self.lms.feedback_name(person, lesson, files.get((student, lesson), ""))
                page = feedback_path(self.root, student, lesson)
                if name and page.is_file():
                    archive.writestr(name, page.read_bytes())
                    count += 1
        if not count:
            print(NO_PAGES.format(lesson))
            return
        replace_file(path, data.getvalue())
        print(f"feedback     {path}   {counted(count, 'page')}: {self.lms.upload_feedback}")


def show(column, heading):
    """What was filled, and who got nothing."""
    entered = f"{counted(len(column.texts), 'grade')} entered, {column.same} as they were"
    print(f"\n{column.lesson} -> {heading}: {entered}.")
    for sentence in column.changes:
        print(f"  {sentence}")
    for why, names in column.without.items():
        print(f"  {why}: {len(names)} ({first_of(sorted(names))})")
