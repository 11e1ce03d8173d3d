"""collect.csv: the doubtful files and the instructor's decisions on them, for this run and later ones."""

from autograder.csv_file import WrongLine, parsed_lines
from autograder.tables import as_csv, replace_file, safe

from .people import Person, exact
from .roster import may_be_id

FILE = "collect.csv"
COLUMNS = "file", "why", "student", "content"
LEAVE_OUT, NEW = "-", "new:"
NO_STUDENT = '{!r} is not a known id. Write one of the ids, "new: ID" for a new student, or "-"'


def read_decisions(root, people):
    """{(file, content): cells of the line}. content: the beginning of the file's hash, so that a decision
    holds until the file changes."""

    def parse(cells):
        person_of(cells["student"], people)
        return (cells["file"], cells["content"]), cells

    return dict(parsed_lines(root / FILE, COLUMNS, parse))


def person_of(decision, people):
    """The Person that a decision names, who may be new; None if it names nobody. Raises WrongLine."""
    if decision in ("", LEAVE_OUT):
        return None
    new = decision[len(NEW) :].strip() if decision.lower().startswith(NEW) else ""
    ids = people.ids["id", exact(new or decision)]
    if may_be_id(new) and not ids:
        people.enter(Person(new))
    if len(ids) != 1:
        raise WrongLine(NO_STUDENT.format(decision))
    return people.all[min(ids)]


def decision_on(row, decisions):
    return decisions.get(key_of(row), {"student": ""})["student"]


def write_decisions(root, decisions, waiting):
    """Write the existing lines, and one for each row that waits."""
    for row in waiting:
        file, content = key_of(row)
        cells = {"file": file, "student": decision_on(row, decisions), "content": content, "why": row.why}
        decisions[file, content] = cells
    rows = [[cells[column] for column in COLUMNS] for cells in decisions.values()]
    replace_file(root / FILE, as_csv(COLUMNS, rows))


def key_of(row):
    """The (file, content) by which collect.csv identifies the file."""
    return safe(row.label), row.sha[:12]
