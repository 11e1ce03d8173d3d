"""Makes the two pages of a submission: the notebook that formgrader shows, with a summary for later runs,
and the student's short page, whose numbers are those that are exported."""

import html
import json
from dataclasses import fields
from pathlib import Path

import nbformat
from nbgrader.utils import is_grade, is_solution

from autograder.grading.graded import GradedExercise, GradedSubmission, happened
from autograder.notes import INFO, LOOK, WAIT, Note, texts_of
from autograder.releases.store import version
from autograder.tables import replace_file

from .class_table import current_notes, has_score
from .clean import NO_MATH
from .lessons import release_of
from .record import exercise_of

OTHERS = "### Other code of the submission"
FEEDBACK = "feedback_pages"
IN_CARD = "name", "card_html", "card_text", "message_html"


def page_of(graded, submitted):
    """The released notebook with the student's sources and the grader's cards and points."""
    notebook, memory = release_of(graded, submitted.lesson).skeleton(), memory_of(graded, submitted)
    cells = [first_cell(graded, texts_of(notes_in(memory)))]
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        cells += map(nbformat.v4.new_code_cell, graded.before.get(grade_id, []))
        cells.append(cell)
        if is_solution(cell):
            cell.source = graded.texts.get(grade_id, cell.source)
        if cell.cell_type == "code":
            exercise = graded.exercises.get(exercise_of(cell)) if is_grade(cell) else None
            cell.outputs = outputs(exercise) if exercise else []
    if graded.after:
        cells += [nbformat.v4.new_markdown_cell(OTHERS), *map(nbformat.v4.new_code_cell, graded.after)]
    notebook.cells = cells
    notebook.metadata.course["grading"] = nbformat.from_dict(memory)
    return notebook


def outputs(exercise):
    """The exercise's card, and its points as the plain number that nbgrader reads."""
    card = {"text/html": exercise.card_html, "text/plain": exercise.card_text}
    points = {"text/plain": repr(exercise.points)}
    return [
        nbformat.v4.new_output("display_data", card),
        nbformat.v4.new_output("execute_result", points, execution_count=None),
    ]


def first_cell(graded, notes):
    """The cell at the top of the page: notes on the submission, and a message for each exercise."""
    rejected = graded.status == "rejected"
    title = "This submission could not be graded" if rejected else "About this submission"
    lines = [*map(html.escape, notes)]
    lines += [f'<a href="#test_{e.name}">{e.name}</a>: {e.message_html}' for e in graded.exercises.values()]
    items = "".join(f"<li>{line}</li>" for line in lines)
    return nbformat.v4.new_markdown_cell(f'<div class="{NO_MATH}"><b>{title}</b>\n<ul>{items}</ul></div>')


def memory_of(graded, submitted):
    """The summary for later runs, stored in the page: which bytes were graded, how, and what to report."""
    question = [Note(WAIT, submitted.release_question)] if submitted.release_question else []
    own = sorted(submitted.notes, key=lambda note: note.kind != LOOK)
    notes = [*own, *graded.notes, *question]
    return {
        "submission": submitted.fingerprint,
        "unknown_time": submitted.unknown_time,
        "release": graded.release,
        "release_question": submitted.release_question,
        "measured_by": graded.measured_by,
        "version": version(),
        "seed": graded.seed,
        "status": graded.status,
        "notes": [(note.kind, note.text) for note in notes],
        "happened": list(happened(graded).items()),  # pairs: the page's JSON sorts the keys of a dict
        "exercises": {name: exercise_record(exercise) for name, exercise in graded.exercises.items()},
    }


def notes_in(memory):
    """The Notes in a summary; before 2026-12, it had sentences in three lists."""
    looks = memory.get("for_a_person", [])
    pairs = [(LOOK if n in looks else INFO, n) if isinstance(n, str) else n for n in memory.get("notes", [])]
    return [Note(*pair) for pair in (*pairs, *((WAIT, text) for text in memory.get("waits", [])))]


def exercise_record(exercise):
    """The record of an exercise for the class report and for the student's page; nbgrader itself stores only
    the points."""
    return {key: value for key, value in vars(exercise).items() if key not in IN_CARD}


def page_in(path):
    """A page's file as plain data; {} if it is missing or cannot be read."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def summary_of(page):
    """The summary that memory_of put into this page; {} if it has none."""
    try:
        return {**page["metadata"]["course"]["grading"]}
    except (KeyError, TypeError):
        return {}


def page_folder(coursedir, student, lesson):
    """The folder of the notebook that formgrader shows."""
    return Path(coursedir.format_path(coursedir.autograded_directory, student, lesson))


def memory_in(coursedir, student, lesson):
    return summary_of(page_in(page_folder(coursedir, student, lesson) / f"{lesson}.ipynb"))


def feedback_path(root, student, lesson):
    """The path of the short feedback page for the student."""
    return Path(root) / FEEDBACK / student / f"{lesson}.html"


def bytes_of_page(graded, submitted):
    return f"{nbformat.writes(page_of(graded, submitted))}\n".encode()


def write_page(page, submitted, folder, mode):
    """Write the graded page and nbgrader's small files into a new folder, with the permissions `mode`."""
    folder.mkdir(parents=True)
    for name, data in {f"{submitted.lesson}.ipynb": page, **submitted.small_files}.items():
        (folder / name).write_bytes(data)
        (folder / name).chmod(mode)


def write_feedback_pages(root, outcomes):
    """Write the page of each Outcome that was graded."""
    if outcomes:
        from autograder.grading.feedback import as_page  # imports torch

        for outcome in filter(was_graded, outcomes):
            score = outcome.score if has_score(outcome) else None
            page = as_page(outcome.student, graded_in(outcome), score)
            replace_file(feedback_path(root, outcome.student, outcome.lesson), page)


def lacks_page(root, outcome):
    return was_graded(outcome) and not feedback_path(root, outcome.student, outcome.lesson).exists()


def was_graded(outcome):
    return outcome.score is not None and "submission" in outcome.memory


def graded_in(outcome):
    """The GradedSubmission that an Outcome's page records, as far as the student's page shows it. What the
    instructor should look at is left out."""
    names, memory = {field.name for field in fields(GradedExercise)}, outcome.memory
    exercises = {
        name: GradedExercise(name, **{key: value for key, value in record.items() if key in names})
        for name, record in memory.get("exercises", {}).items()
    }
    lesson = None if memory["status"] == "rejected" else outcome.lesson
    notes = [note for note in current_notes(outcome) if note.kind != LOOK]
    return GradedSubmission(lesson, status=memory["status"], exercises=exercises, notes=notes)
