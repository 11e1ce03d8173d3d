"""Shows Outcomes as a table in the terminal, lists what a person has to look at, and writes grades.csv."""

from autograder.grading.graded import summary
from autograder.notes import DOUBT, LOOK, RELEASE, WAIT, texts_of
from autograder.tables import as_csv, number, print_table, replace_file

SET_BY_HAND = "Points were set by hand on an earlier file: check whether they still apply to this one."
TIME_UNKNOWN = "time unknown"  # the status of a score that may get a late penalty
COLUMNS = ("student", "lesson", "status", "score", "what to know")


def show_class(outcomes):
    rows = [(o.student, o.lesson or "-", status(o), points(o), what_to_know(o)) for o in outcomes]
    print_table(COLUMNS, rows)
    waiting = waiting_for_a_person(outcomes)
    if waiting:
        print(f"\n{len(waiting)} {'things wait' if len(waiting) > 1 else 'thing waits'} for a person:")
        print_table((), waiting)


def status(outcome):
    """The submission's status in a few words, the same in the table and in grades.csv."""
    if outcome.excused:
        return "excused"
    if outcome.state in ("left", "absent"):
        return "not graded" if outcome.state == "left" else "not handed in"
    if outcome.time_waits:
        return TIME_UNKNOWN
    needs_a_person = outcome.score.needs_manual_grade
    if outcome.memory["status"] == "rejected":
        return "rejected" if needs_a_person else "graded by a person"
    return "needs a person" if needs_a_person else "graded"


def has_score(outcome):
    return status(outcome) in ("graded", "needs a person", "graded by a person")


def points(outcome):
    """The score in the gradebook, after the late penalty; "-" if there is none."""
    if not has_score(outcome):
        return "-"
    score = outcome.score
    late = f" (late: -{number(score.penalty)})" if score.penalty else ""
    return f"{number(score.final)} of {number(score.max_score)}{late}"


def what_to_know(outcome):
    """What happened to the exercises and a remark on the release; if there is neither, the first note."""
    happened, release = summary(outcome.memory.get("happened", {})), texts_of(outcome.notes, RELEASE, DOUBT)
    return "; ".join(filter(None, [happened, *release])) or "".join(texts_of(current_notes(outcome))[:1])


def current_notes(outcome):
    """The Notes on an outcome, without what waited for a person who has since decided."""
    decided = outcome.score is not None and not outcome.score.needs_manual_grade
    return [note for note in outcome.notes if not (decided and note.kind == WAIT)]


def waiting_for_a_person(outcomes):
    """[(where, sentence)]; a sentence that several submissions of a lesson share is listed once."""
    places = {}
    for outcome in outcomes:
        for sentence in for_a_person(outcome):
            places.setdefault((outcome.lesson, sentence), []).append(outcome.student)
    rows = []
    for (lesson, sentence), students in places.items():
        several = f"{lesson or students[0]} ({len(students)} submissions)"
        rows.append((several if len(students) > 1 else f"{students[0]}/{lesson}".rstrip("/"), sentence))
    return rows


def for_a_person(outcome):
    """The sentences on what a person has to look at in this submission."""
    if outcome.excused:
        return []
    if outcome.state in ("left", "absent"):
        return texts_of(outcome.notes)
    waits = (
        (texts_of(outcome.notes, WAIT, DOUBT) or [SET_BY_HAND]) if outcome.score.needs_manual_grade else []
    )
    return texts_of(outcome.notes, LOOK) + waits


def of_score(field):
    """A column of grades.csv that is empty without a score, whatever the reason."""
    return lambda outcome: getattr(outcome.score, field) if has_score(outcome) else ""


CSV_COLUMNS = [  # (heading, function of an Outcome); nbgrader's export uses the same headings
    ("assignment", lambda outcome: outcome.lesson),
    ("student_id", lambda outcome: outcome.student),
    ("last_name", lambda outcome: outcome.about.last_name),
    ("first_name", lambda outcome: outcome.about.first_name),
    ("score", of_score("final")),
    ("max_score", of_score("max_score")),
    ("raw_score", of_score("raw")),
    ("late_submission_penalty", of_score("penalty")),
    ("duedate", lambda outcome: outcome.score.duedate if outcome.score else ""),
    ("timestamp", lambda outcome: outcome.score.timestamp if outcome.score else ""),
    ("status", status),
    ("email", lambda outcome: outcome.about.email),
    ("lms_user_id", lambda outcome: outcome.about.lms_user_id),
    ("seed", lambda outcome: outcome.memory.get("seed", "") if has_score(outcome) else ""),
    ("what_happened", lambda outcome: summary(outcome.memory.get("happened", {}))),
    ("what_to_know", lambda outcome: " ".join(texts_of(current_notes(outcome)))),
]


def write_class(path, outcomes):
    """Write the current scores as a CSV file, for a spreadsheet or an LMS."""
    outcomes = [outcome for outcome in outcomes if outcome.lesson]
    cells = dict.fromkeys(name for outcome in outcomes if outcome.score for name in outcome.score.cells)
    columns = [*CSV_COLUMNS, *((name.removeprefix("test_"), of_cell(name)) for name in cells)]
    rows = [[value_of(outcome) for _, value_of in columns] for outcome in outcomes]
    replace_file(path, as_csv([heading for heading, _ in columns], rows))


def of_cell(name):
    return lambda outcome: outcome.score.cells.get(name, "") if has_score(outcome) else ""
