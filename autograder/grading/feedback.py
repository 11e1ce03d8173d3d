"""Write a page of feedback for each graded notebook, for the student to read."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.exercises import names
from autograder.notes import texts_of
from autograder.tables import number
from course_utils.show.card import code_spans

from .graded import below

NOT_STARTED = "It still raises NotImplementedError: write it, and what it calls."


def environment(folder):
    """Return a Jinja2 environment that escapes everything, for pages with what students wrote."""
    pages = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters["number"] = number
    pages.filters["code_spans"] = lambda text: Markup(code_spans(text))  # code_spans escapes its text
    return pages


PAGES = environment(Path(__file__).parent)


def write_feedback(graded, folder):
    """Write folder/<submission>.html for every (path, GradedSubmission); return the paths of the pages.

    A page shows the submission's path only below the folder that holds all submissions, as students need not
    know the grader's folders. If pages cannot be written, an OSError is raised after writing all others.
    """
    paths, errors = [path for path, _ in graded], []
    pages = [folder / name for name in page_names(paths)]
    for (_, submission), name, page in zip(graded, below(paths), pages, strict=True):
        try:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(as_page(str(name), submission), encoding="utf-8")
        except OSError as error:
            errors.append(error)
    if errors:
        raise errors[0]
    return pages


def page_names(submissions):
    """Return a relative path for each page: the submission's path below the folder that holds all of them.

    All paths differ, and no folder ends in .html, because an earlier page could have the same name.
    """
    counts, pages = Counter(), {}
    for path in below(submissions):
        folders = [f"{name}_" if name.lower().endswith(".html") else name for name in path.parent.parts]
        first = page = Path(*folders, f"{path.stem}.html")
        while page in pages:
            counts[first] += 1
            page = first.with_name(f"{first.stem}_{counts[first]}.html")
        pages[page] = path
    return list(pages)


def as_page(name, graded, now=None):
    """Return the HTML page of one submission. Its texts are escaped; the page runs and loads nothing. now:
    the Score in the gradebook (gradebook/standing.py), if any: its points, comments and penalty count."""
    exercises = graded.exercises.values()
    stuck = next((e.name for e in exercises if not e.passed and e.name in names()), None)
    remarks = {f"{exercise.name}: {exercise.note}" for exercise in exercises if exercise.note}
    notes = [text for text in texts_of(graded.notes) if text not in remarks]
    rows = [(in_gradebook(exercise, now), *state_of(exercise), exercise) for exercise in exercises]
    cells = [] if now is None else [(cell.removeprefix("test_"), cell) for cell in now.cells]
    return PAGES.get_template("feedback.html").render(
        name=name,
        graded=graded,
        exercises=rows,
        by_hand=by_hand,
        notes=notes,
        stuck=stuck,
        not_started=NOT_STARTED,
        now=now,
        others=[(short, cell) for short, cell in cells if short not in graded.exercises],
    )


def in_gradebook(exercise, now):
    """The exercise with the points that the gradebook has now."""
    cell = f"test_{exercise.name}"
    if now is None or now.cells.get(cell) is None:
        return exercise
    return replace(exercise, points=now.cells[cell], max_points=now.worth[cell])


def by_hand(exercise, automatic):
    """Has a person given another share of the points than the grader did?"""
    return abs(exercise.points * automatic.max_points - automatic.points * exercise.max_points) > 1e-4


def state_of(exercise):
    """Return (the name of the exercise's colour on the page, a word for its state)."""
    if exercise.passed:
        return "right", "Right"
    if exercise.status == "not_started":
        return "open", "Not started"
    return ("part", "Nearly") if exercise.points else ("wrong", "Not yet")
