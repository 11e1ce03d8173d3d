"""collect.csv: the doubtful files and the instructor's decisions on them, for this run and later ones."""

from autograder.csv_file import WrongLine, parsed_lines
from autograder.gradebook.submitted import COLLECT
from autograder.tables import as_csv, replace_file

from . import sentences
from .people import Person, exact
from .roster import may_be_id

# from: who handed it in, if certain. content: part of the file's hash, as a decision holds for one content
COLUMNS = "file", "why", "student", "from", "lesson", "content"
LEAVE_OUT, NEW = "-", "new:"


def read_decisions(root, people):
    """{(file, content): cells of the line}"""

    def parse(cells):
        cells["student"] = cells["student"].lstrip("'")  # which `safe` writes
        person_of(cells["student"], people)
        return (cells["file"], cells["content"]), cells

    return dict(parsed_lines(root / COLLECT, ("file", "why", "student", "content"), parse))


def person_of(decision, people):
    """The Person that a decision names, who may be new; None if it names nobody. Raises WrongLine."""
    if decision in ("", LEAVE_OUT):
        return None
    new = decision[len(NEW) :].strip() if decision.lower().startswith(NEW) else ""
    ids = people.ids["id", exact(new or decision)]
    if may_be_id(new) and not ids:
        people.enter(Person(new))
    if len(ids) != 1:
        raise WrongLine(sentences.no_student.format(decision))
    return people.all[min(ids)]


def write_decisions(root, decisions, waiting, collected):
    """Write the existing lines, and one for each row that waits. collected: {(student, lesson)} that have a
    notebook now, so that nobody needs to decide about their other files."""
    places = {key: (cells.get("from"), cells.get("lesson")) for key, cells in decisions.items()}
    lines = {k: cells for k, cells in decisions.items() if cells["student"] or places[k] not in collected}
    for row in waiting:
        decision = decisions.get(row.key, {}).get("student", "")
        cells = row.key[0], row.why, decision, row.person.id if row.person else "", row.lesson, row.key[1]
        lines[row.key] = dict(zip(COLUMNS, cells, strict=True))
    if lines or decisions:
        rows = [[cells.get(column, "") for column in COLUMNS] for cells in lines.values()]
        replace_file(root / COLLECT, as_csv(COLUMNS, rows))
