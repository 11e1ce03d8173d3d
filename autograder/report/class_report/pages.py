"""Reports -> HTML pages. All that students wrote is escaped; a page runs and loads nothing."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from course_utils.show.card import code_spans

from .lecture import tables_of
from .numbers import FEWEST
from .plots import Plots
from .signs import STRONG

FOLDER = Path(__file__).parent
PAGES = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGES.filters["code_spans"] = lambda text: Markup(code_spans(text))  # it escapes what it is given
PAGES.filters["correlation"] = lambda r: "–" if r is None else f"{r:.2f}"
PAGES.filters["percent"] = lambda share: f"{100 * share:.0f} %"
PAGES.filters["number"] = lambda number: (
    "–" if number is None else f"{number:g}" if abs(number) >= 100 else f"{number:.3g}"
)
DETAILED = 15  # mistakes that are described; the table behind the plot and mistakes.csv hold all


def page_of(report, lessons, with_names):
    """The page of a lesson, or of the course. lessons: the names of the lessons that have a page."""
    plots, one_lesson = Plots(), report["lesson"] is not None
    of_exercises = [plots.states(report["exercises"])] if report["exercises"] else []
    if one_lesson and report["exercises"]:
        of_exercises.append(plots.points(report["exercises"]))
    return PAGES.get_template("page.html").render(
        report=report,
        lessons=lessons,
        with_names=with_names,
        style=Markup((FOLDER / "style.css").read_text(encoding="utf-8")),
        overview=plots.scores(report["scores"]) if one_lesson else plots.lessons(report["lessons"]),
        of_exercises=of_exercises,
        of_mistakes=plots.mistakes(report["mistakes"]) if report["mistakes"] else None,
        detailed=DETAILED,
        fewest=FEWEST,
        tables_of=tables_of,
        strong=f"{100 * STRONG:.0f} %",
    )
