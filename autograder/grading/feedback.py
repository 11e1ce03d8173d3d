"""A page of feedback for each graded notebook, for the student to read."""

from collections import Counter
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.exercises import names
from course_utils.show.card import code_spans

from .labels import below

LONGEST_NAME, LONGEST_PATH = 200, 1000  # bytes

WORDS = {"right": "Right", "open": "Not started", "part": "Nearly", "wrong": "Not yet"}
NOT_STARTED = "It still raises NotImplementedError: write it, and what it calls."


def environment(folder):
    """Jinja2's, for pages with what students wrote: everything is escaped."""
    loader, blocks = FileSystemLoader(folder), {"trim_blocks": True, "lstrip_blocks": True}
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, **blocks)
    pages.filters["code_spans"] = lambda text: Markup(code_spans(text))  # it escapes what it is given
    return pages


PAGES = environment(Path(__file__).parent)


def write_feedback(graded, folder):
    """Write folder/<submission>.html for every (path, GradedSubmission) -> the pages.

    Submissions are named from what they have in common: where they lie on the grader's machine is no
    student's business. All pages that can be written are; then the OSError names one that cannot.
    """
    paths = [path for path, _ in graded]
    pages = [folder / name for name in page_names(paths)]
    missing = []
    for (_, submission), name, page in zip(graded, below(paths), pages, strict=True):
        try:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(as_page(str(name), submission), encoding="utf-8")
        except OSError as error:
            missing.append((page, error))
    if missing:
        page, error = missing[0]
        others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise OSError(error.errno, error.strerror, f"{page}{others}") from error
    return pages


def page_names(submissions):
    """A relative path for each: the submission's own path below the folder that holds all.

    No page where another one lies; no folder with a page's name, which an earlier page could have; nothing
    too long for a file system.
    """
    counts, pages = Counter(), {}
    for path in below(submissions):
        first = page = fitting([folder_name(name) for name in path.parent.parts], short(path.stem) + ".html")
        while page in pages:
            counts[first] += 1
            page = first.with_name(f"{first.stem}_{counts[first]}.html")
        pages[page] = path
    return list(pages)


def fitting(folders, name):
    """folders/name, without its last folders where that is too long."""
    while len("/".join([*folders, name]).encode()) > LONGEST_PATH:
        folders = folders[:-1]
    return Path(*folders, name)


def folder_name(name):
    return short(name) + ("_" if short(name).lower().endswith(".html") else "")


def short(name):
    return name.encode()[:LONGEST_NAME].decode(errors="ignore")


def as_page(name, graded):
    """The HTML of one submission. All that comes from it is escaped; the page runs and loads nothing."""
    exercises = [described(exercise) for exercise in graded.exercises.values()]
    stuck = next((e.name for e in graded.exercises.values() if not e.passed and e.name in names()), None)
    remarks = {f"{exercise.name}: {exercise.note}" for exercise in graded.exercises.values() if exercise.note}
    notes = [note for note in dict.fromkeys([*graded.notes, *graded.waits]) if note not in remarks]
    return PAGES.get_template("feedback.html").render(
        name=name, graded=graded, exercises=exercises, notes=notes, stuck=stuck
    )


def described(exercise):
    """What the page says about an exercise, and shows: yours beside the target."""
    state = state_of(exercise)
    share = round(100 * exercise.points / exercise.max_points) if exercise.max_points else 0
    message = NOT_STARTED if exercise.unwritten else exercise.message
    picture = Markup(exercise.tables_html)
    return {
        "e": exercise,
        "state": state,
        "word": WORDS[state],
        "said": message,
        "picture": picture,
        "share": share,
    }


def state_of(exercise):
    """Also the name of its colour in the page."""
    if exercise.passed:
        return "right"
    return "open" if exercise.status == "not_started" else "part" if exercise.points else "wrong"
