"""progress(): show which exercises pass, which one is next, and what is due for practice."""

import html

from .model.sheet import lessons, published_names
from .practice.card import for_learners, say
from .practice.schedule import progress_lines
from .show.card import box, display_both
from .show.tables import tag
from .yours import in_notebook, saved_files


@for_learners
def progress():
    """Show every lesson's exercises, mark those that pass, and name the next one.

    A lesson is shown only if all of its exercises are here: a notebook that works alone (in Colab) carries
    its own and some from earlier lessons. If no lesson is (as in 08_interview), only what is due is shown.
    """
    published = set(published_names())
    whole = [(lesson, names) for lesson, names in lessons().items() if names and set(names) <= published]
    rows = [(lesson, [(name, passes(name)) for name in names]) for lesson, names in whole]
    if rows:
        show_exercises(rows)
    say(*progress_lines())


def show_exercises(rows):
    """Display the exercises and name the next one. rows: [(lesson, [(exercise, whether it passes)])]."""
    first_open = next(((lesson, name) for lesson, marks in rows for name, ok in marks if not ok), None)
    last = "Everything passes." if first_open is None else f"Next: {first_open[1]} in {first_open[0]}."
    lines = [
        f"{lesson}: " + "  ".join(f"[{'x' if ok else ' '}] {name}" for name, ok in marks)
        for lesson, marks in rows
    ]
    page = "".join(row_html(lesson, marks) for lesson, marks in rows)
    page += tag("div", "margin-top:.4em", f"<b>{html.escape(last)}</b>")
    display_both(box("#3568a8", page), "\n".join([*lines, last]))


def passes(name):
    """Does the exercise pass? A saved answer was checked when it was saved; the notebook's own object is
    checked now."""
    return bool(saved_files(name)) or in_notebook(name)[0] is not None


def row_html(lesson, marks):
    n_done = sum(ok for _, ok in marks)
    style = "white-space:nowrap;margin-right:.8em;"
    cells = " ".join(
        tag("span", style, f"● {html.escape(name)}")
        if ok
        else tag("span", f"{style}opacity:.75", f"○ {html.escape(name)}")
        for name, ok in marks
    )
    return tag("div", "", f"<b>{html.escape(lesson)}</b> {n_done} of {len(marks)}: {cells}")
