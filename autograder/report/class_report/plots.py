"""A report's numbers -> plots: SVG for wide and narrow windows, with a title, a description and a table."""

from dataclasses import dataclass
from functools import partial
from itertools import count

from markupsafe import Markup

from .drawn import LAYOUTS, of_lessons, of_mistakes, of_points, of_scores, of_states
from .entries import STATES
from .numbers import SHARES


@dataclass
class Plot:
    """svg: the pictures. columns, rows: the same numbers as a table. caption: of both."""

    caption: str
    svg: Markup
    columns: list
    rows: list


class Plots:
    """The plots of one page; each picture has ids of its own."""

    def __init__(self):
        self.numbers = count(1)

    def pictures(self, title, about, draw):
        """One for each layout, of which the page shows the one that fits. draw(layout): (height, parts)."""
        return Markup("").join(self.picture(title, about, layout, *draw(at=layout)) for layout in LAYOUTS)

    def picture(self, title, about, layout, height, parts):
        number = next(self.numbers)
        head = Markup(
            '<svg class="{name}" viewBox="0 0 {w} {h}" role="img" aria-labelledby="title{n} about{n}">'
        ).format(name=layout.name, w=layout.width, h=height, n=number)
        names = Markup('<title id="title{n}">{}</title><desc id="about{n}">{}</desc>').format(
            title, about, n=number
        )
        return head + names + Markup("").join(parts) + Markup("</svg>")

    def scores(self, scores):
        """How many submissions have how much of the full marks."""
        rows = [[f"{n * 10} to {n * 10 + 10} %", number] for n, number in enumerate(scores["tenths"])]
        title = "Scores: submissions by share of the full marks"
        about = f"{scores['submissions']} submissions; " + listed(rows)
        svg = self.pictures(title, about, partial(of_scores, scores["tenths"]))
        return Plot(title, svg, ["share of the full marks", "submissions"], rows)

    def states(self, exercises):
        """What became of each exercise, from right to not started."""
        rows = [[one["exercise"], *one["states"].values()] for one in exercises]
        title = "What became of each exercise"
        about = "Bars of the share of submissions; the table below has the numbers."
        svg = self.pictures(title, about, partial(of_states, exercises))
        return Plot(title, svg, ["exercise", *STATES], rows)

    def points(self, exercises):
        """How many have which share of the points of each exercise."""
        rows = [[one["exercise"], *one["points"].values()] for one in exercises]
        title = "Points of each exercise: submissions by share of its points"
        about = "Columns of the share of submissions; the table below has the numbers."
        svg = self.pictures(title, about, partial(of_points, exercises))
        return Plot(title, svg, ["exercise", *SHARES], rows)

    def mistakes(self, mistakes, most=10):
        """The commonest mistakes."""
        shown = mistakes[:most]
        rows = [[one["mistake"], one["students"], one["came_back"]] for one in shown]
        first = f", the first {most}" if len(mistakes) > most else ""
        title = f"The commonest mistakes: students who made them{first}"
        svg = self.pictures(title, listed(rows), partial(of_mistakes, shown))
        return Plot(title, svg, ["mistake", "students", "in two or more exercises"], rows)

    def lessons(self, lessons):
        """Who handed each lesson of a course in, and who has all of it right."""
        rows = [[one["lesson"], one["handed_in"], one["finished"], one["scores"]["mean"]] for one in lessons]
        title = "Lessons: students who handed in, and who have everything right"
        svg = self.pictures(title, listed(rows), partial(of_lessons, lessons))
        return Plot(title, svg, ["lesson", "handed in", "everything right", "mean score"], rows)


def listed(rows):
    return "; ".join(f"{row[0]}: {row[1]}" for row in rows) + "."
