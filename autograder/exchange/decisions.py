"""collect.csv: the doubtful files, and what the instructor decided on them, for this run and later ones."""

from pathlib import Path

from autograder.csv_file import WrongLine, parsed_lines
from autograder.tables import as_csv, replace_file, safe

from .people import Person, exact
from .roster import may_be_id

FILE = "collect.csv"
COLUMNS = "file", "why", "student", "content"
LEAVE_OUT, NEW = "-", "new:"
NO_STUDENT = '{!r} is no known id. Write one of the ids, "new: ID" for a new student, or "-"'


class Decisions:
    """lines: {(file, content): cells} of collect.csv. content: the beginning of the file's sha, so that a
    decision holds until the file changes."""

    def __init__(self, root, people):
        self.path, self.people, self.lines = Path(root) / FILE, people, {}
        for cells in parsed_lines(self.path, COLUMNS, self.checked):
            self.lines[cells["file"], cells["content"]] = cells

    def checked(self, cells):
        self.person(cells["student"])
        return cells

    def person(self, text):
        """None where nobody is named."""
        if text in ("", LEAVE_OUT):
            return None
        new = text[len(NEW) :].strip() if text.lower().startswith(NEW) else ""
        ids = self.people.ids["id", exact(new or text)]
        if may_be_id(new) and not ids:
            self.people.enter(Person(new))
        if len(ids) != 1:
            raise WrongLine(NO_STUDENT.format(text))
        return self.people.all[min(ids)]

    def text(self, row):
        """What was decided on a row; "" where nothing was."""
        return self.lines.get(key_of(row), {"student": ""})["student"]

    def write(self, rows):
        """The lines as they are, and one for each row that waits."""
        for row in rows:
            file, content = key_of(row)
            line = {"file": file, "student": self.text(row), "content": content, "why": row.why}
            self.lines[file, content] = line
        cells = [[line[column] for column in COLUMNS] for line in self.lines.values()]
        replace_file(self.path, as_csv(COLUMNS, cells))


def key_of(row):
    """How collect.csv names this file."""
    return safe(row.label), row.sha[:12]
