"""collect.csv: the doubtful files, and what the instructor decided on them, for this run and later ones."""

from pathlib import Path

from autograder.csv_file import WrongLine, parsed_lines
from autograder.releases import store
from autograder.tables import as_csv, replace_file, safe

from .names import exact
from .people import Person
from .plan import BAD
from .roster import may_be_id

FILE = "collect.csv"
COLUMNS = "file", "why", "likely", "student", "lesson", "content"
LEAVE_OUT, NEW = "-", "new:"
LEFT = "left out, as you decided"
NO_STUDENT = '{!r} is no known id. Write one of the ids, "new: ID" for a new student, or "-"'
NO_LESSON = "{!r} is no lesson: write one of {}"


class Decisions:
    """lines: {(file, content): cells} of collect.csv. content: the beginning of the file's sha, so that a
    decision holds until the file changes; a list of an earlier version has none."""

    def __init__(self, root, people):
        self.path, self.people, self.lines, self.answers = Path(root) / FILE, people, {}, {}
        parsed_lines(self.path, COLUMNS[:-1], self.enter)

    def enter(self, cells):
        key = cells["file"], cells.get("content", "")
        self.lines[key] = cells
        if not cells["student"]:
            return
        student, lesson = cells["student"], cells["lesson"]
        if lesson and lesson not in store.lessons():
            raise WrongLine(NO_LESSON.format(lesson, ", ".join(store.lessons())))
        self.answers[key] = (None if student == LEAVE_OUT else self.person(student)), lesson

    def person(self, student):
        new = student[len(NEW) :].strip() if student.lower().startswith(NEW) else ""
        people = self.people.ids.get(exact(new or student), [])
        if new and may_be_id(new):
            return people[0] if people else Person(new)
        if len(people) != 1:
            raise WrongLine(NO_STUDENT.format(student))
        return people[0]

    def apply(self, rows):
        """Enter what was decided into the rows."""
        for row in rows:
            key = next((key for key in keys_of(row) if key in self.answers), None)
            if key:
                decide(row, *self.answers[key])

    def write(self, open_rows):
        """The lines as they are, and one for each row that is open."""
        lines = dict(self.lines)
        for row in open_rows:
            key = keys_of(row)[0]
            likely = "; ".join(person.label for person in row.candidates or filter(None, [row.person]))
            about = key[0], row.doubt, likely, "", row.lesson, key[1]
            lines[key] = dict(zip(COLUMNS, about, strict=True))
        cells = [[line.get(column, "") for column in COLUMNS] for line in lines.values()]
        replace_file(self.path, as_csv(COLUMNS, cells))


def keys_of(row):
    """How collect.csv names this file, now and in earlier versions of the course."""
    return (safe(row.file.label), row.sha[:12]), (safe(f"{row.file.place}: {row.file.label}"), "")


def decide(row, person, lesson):
    if person is None:
        row.state, row.note, row.doubt = BAD, LEFT, ""
        return
    row.enter(person, "you")
    row.decided, row.lesson = True, lesson or row.lesson
    row.doubt = "" if row.lesson else row.doubt
    person.lms_id = person.lms_id or row.claim.lms_id or ""
