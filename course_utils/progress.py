"""progress(): what passes already, what is next, and what is due to be practised again."""

import html

from .model.sheet import lessons, published_names
from .practice.card import say
from .practice.schedule import progress_lines
from .show.card import box, display_both
from .show.tables import tag
from .yours import in_notebook, kept_files


def progress():
    """Show every lesson's exercises with those that pass marked, and name the next one.

    A notebook that works alone (in Colab) brings its own exercises and some of earlier lessons: it shows its
    own. Where there are none, as in 08_interview, only what is due is shown.
    """
    published = set(published_names())
    whole = [(lesson, names) for lesson, names in lessons().items() if names and set(names) <= published]
    rows = [(lesson, [(name, passes(name)) for name in names]) for lesson, names in whole]
    if rows:
        show_exercises(rows)
    say(*progress_lines())


def show_exercises(rows):
    """rows: [(lesson, [(exercise, whether it passes)])]."""
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
    """Kept files were checked when they were kept; what stands in the notebook is checked now."""
    return bool(kept_files(name)) or in_notebook(name)[0] is not None


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
