"""Shows Outcomes as a table in the terminal, lists what a person has to look at, and writes grades.csv."""

from autograder.grading.happened import summary
from autograder.notes import DOUBT, LOOK, RELEASE, WAIT, texts_of
from autograder.tables import as_csv, number, print_table, replace_file

SET_BY_HAND = "Points were set by hand on an earlier file: check whether they still apply to this one."
TIME_UNKNOWN = "time unknown"  # the status of a score that may get a late penalty
COLUMNS = ("student", "lesson", "status", "score", "what to know")
# nbgrader's export uses the same names
CSV_COLUMNS = (
    "assignment", "student_id", "last_name", "first_name", "score", "max_score", "raw_score",
    "late_submission_penalty", "duedate", "timestamp", "status", "email", "lms_user_id", "seed",
    "what_happened", "what_to_know",
)  # fmt: skip


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


def write_class(path, outcomes):
    """Write the current scores as a CSV file, for a spreadsheet or an LMS."""
    outcomes = [outcome for outcome in outcomes if outcome.lesson]
    cells = dict.fromkeys(name for o in outcomes if o.score for name in o.score.cells)
    exercises = [name.removeprefix("test_") for name in cells]
    replace_file(path, as_csv([*CSV_COLUMNS, *exercises], [csv_row(outcome, cells) for outcome in outcomes]))


def csv_row(outcome, cells):
    """One row of grades.csv. Without a score its cells for points are empty, whatever the reason."""
    score, about, scored = outcome.score, outcome.about, has_score(outcome)
    points = [score.final, score.max_score, score.raw, score.penalty] if scored else [""] * 4
    dates = [score.duedate, score.timestamp] if score else ["", ""]
    more = [status(outcome), about.email, about.lms_user_id, outcome.memory.get("seed", "") if scored else ""]
    sentences = [summary(outcome.memory.get("happened", {})), " ".join(texts_of(current_notes(outcome)))]
    each = [score.cells.get(name, "") if scored else "" for name in cells]
    names = [about.last_name, about.first_name]
    return [outcome.lesson, outcome.student, *names, *points, *dates, *more, *sentences, *each]
