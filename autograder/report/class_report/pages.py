"""Reports -> HTML pages. All that students wrote is escaped; a page runs and loads nothing."""

from pathlib import Path

from markupsafe import Markup

from autograder.grading.feedback import environment

from . import plots
from .lecture import tables_of
from .signs import STRONG

FOLDER = Path(__file__).parent
PAGES = environment(FOLDER)
PAGES.filters["percent"] = lambda share: f"{100 * share:.0f} %"
PAGES.filters["number"] = lambda n: "–" if n is None else f"{n:g}" if abs(n) >= 100 else f"{n:.3g}"
DETAILED = 15  # mistakes that are described; the table behind the plot and mistakes.csv hold all


def page_of(report, lessons, with_names):
    """The page of a lesson, or of the course. lessons: the names of the lessons that have a page."""
    exercises, one_lesson = report["exercises"], report["lesson"] is not None
    of_exercises = [plots.of_states(exercises)] if exercises else []
    of_exercises += [plots.of_points(exercises)] if exercises and one_lesson else []
    return PAGES.get_template("page.html").render(
        report=report,
        lessons=lessons,
        with_names=with_names,
        style=style(),
        overview=plots.of_scores(report["scores"]) if one_lesson else plots.of_lessons(report["lessons"]),
        of_exercises=of_exercises,
        of_mistakes=plots.of_mistakes(report["mistakes"]) if report["mistakes"] else None,
        detailed=DETAILED,
        tables_of=tables_of,
        strong=f"{100 * STRONG:.0f} %",
    )


def style():
    return Markup((FOLDER / "style.css").read_text(encoding="utf-8"))
