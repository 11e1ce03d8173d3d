"""A page of feedback for each graded notebook, for the student to read."""

from collections import Counter
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.exercises import names
from course_utils.show.card import code_spans

from .labels import below

LONGEST_NAME, LONGEST_PATH = 200, 1000  # bytes

PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGES.filters["code_spans"] = lambda text: Markup(code_spans(text))  # it escapes what it is given


def write_feedback(graded, folder):
    """Write folder/<submission>.html for every (path, GradedSubmission), submissions named from what they have in common:
    where they lie on the grader's machine is no student's business.

    A page that cannot be written keeps no other from its place: the OSError that names it comes at the end.
    """
    submissions = [path for path, _ in graded]
    pages = [folder / name for name in page_names(submissions)]
    missing = []
    for (_, submission), name, page in zip(graded, below(submissions), pages, strict=True):
        try:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(
                as_page({**submission.as_dict(), "submission": str(name)}, submission.exercises),
                encoding="utf-8",
            )
        except OSError as error:
            missing.append((page, error))
    if missing:
        page, error = missing[0]
        others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise OSError(error.errno, error.strerror, f"{page}{others}") from error
    return pages


def page_names(submissions):
    """A relative path for each: the submission's own path below the folder that holds all. No page where another one lies; no
    folder with a page's name, which an earlier page could have; nothing too long for a file system."""
    taken, pages = Counter(), {}
    for path in below(submissions):
        first = page = fitting([folder_name(name) for name in path.parent.parts], short(path.stem) + ".html")
        while page in pages:
            taken[first] += 1
            page = first.with_name(f"{first.stem}_{taken[first]}.html")
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


def as_page(entry, results):
    """The HTML of one entry. All that comes from the submission is escaped; the page runs and loads nothing."""
    exercises = [
        exercise(name, told, entry["notes"], results.get(name)) for name, told in entry["exercises"].items()
    ]
    own = {
        f"{name}: {note}"
        for name, e in zip(entry["exercises"], exercises, strict=True)
        for note in e["notes"]
    }
    notes = [note for note in entry["notes"] if note not in own]
    stuck = next((e["name"] for e in exercises if not e["passed"] and e["name"] in names()), None)
    return PAGES.get_template("feedback.html").render(
        entry=entry, exercises=exercises, notes=notes, stuck=stuck
    )


def exercise(name, told, notes, result):
    """What the page says about one exercise, and shows: yours beside the target."""
    not_started = told["message"].startswith("Not started")
    state = "right" if told["passed"] else "open" if not_started else "part" if told["points"] else "wrong"
    return {
        **told,
        "name": name,
        "state": state,
        "word": {"right": "Right", "open": "Not started", "part": "Nearly", "wrong": "Not yet"}[state],
        "message": "It still raises NotImplementedError: write it, and what it calls."
        if not_started
        else told["message"],
        "picture": Markup(result.tables_html) if result else "",
        "look_at": result.look_at if result else "",
        "share": round(100 * told["points"] / told["max_points"]) if told["max_points"] else 0,
        "notes": [note.removeprefix(f"{name}: ") for note in notes if note.startswith(f"{name}: ")],
    }
