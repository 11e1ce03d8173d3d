"""collect.csv: the doubtful files, and what the instructor decided on them, for this run and later ones."""

from pathlib import Path

from autograder.csv_file import WrongLine, parsed_lines
from autograder.releases import store
from autograder.tables import as_csv, replace_file, safe

from .people import Person
from .plan import YOU
from .roster import may_be_id

FILE = "collect.csv"
COLUMNS = "file", "why", "likely", "student", "lesson", "content"
LEAVE_OUT, NEW = "-", "new:"
LEFT = "left out, as you decided"
NO_STUDENT = '{!r} is no known id. Write one of the ids, "new: ID" for a new student, or "-"'
NO_LESSON = "{!r} is no lesson: write one of {}"


class Decisions:
    """lines: {(file, content): cells} of collect.csv. content: the beginning of the file's sha, so that a
    decision holds until the file changes."""

    def __init__(self, root, people):
        self.path, self.people, self.lines = Path(root) / FILE, people, {}
        parsed_lines(self.path, COLUMNS, self.enter)

    def enter(self, cells):
        self.lines[cells["file"], cells["content"]] = cells
        if cells["lesson"] not in ("", *store.lessons()):
            raise WrongLine(NO_LESSON.format(cells["lesson"], ", ".join(store.lessons())))
        if cells["student"] not in ("", LEAVE_OUT):
            self.person(cells["student"])

    def person(self, student):
        new = student[len(NEW) :].strip() if student.lower().startswith(NEW) else ""
        people = self.people.of_id(new or student)
        if may_be_id(new) and not people:
            people = [Person(new)]
            self.people.enter(people[0])
        if len(people) != 1:
            raise WrongLine(NO_STUDENT.format(student))
        return people[0]

    def apply(self, row):
        """Enter what was decided; the LMS's number in the file's name is theirs, or does not count."""
        cells = self.lines.get(key_of(row), {"student": ""})
        if cells["student"] == LEAVE_OUT:
            row.leave_out(LEFT)
        elif cells["student"]:
            person = self.person(cells["student"])
            row.person, row.how, row.lesson = person, YOU, cells["lesson"] or row.lesson
            if row.lesson:
                row.state = row.why = ""
            row.claim.lms_id = person.lms_id = person.lms_id or row.claim.lms_id or ""
            self.people.enter(person)

    def write(self, open_rows):
        """The lines as they are, and one for each row that is open."""
        lines = dict(self.lines)
        for row in open_rows:
            file, content = key_of(row)
            likely = "; ".join(person.label for person in row.candidates or filter(None, [row.person]))
            about = file, row.why, likely, "", row.lesson, content
            lines[file, content] = dict(zip(COLUMNS, about, strict=True))
        cells = [[line.get(column, "") for column in COLUMNS] for line in lines.values()]
        replace_file(self.path, as_csv(COLUMNS, cells))


def key_of(row):
    """How collect.csv names this file."""
    return safe(row.file.label), row.sha[:12]
