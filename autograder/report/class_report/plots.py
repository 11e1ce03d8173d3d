"""A report's numbers -> SVG, each with a title, a description, and a table of the same numbers behind it."""

from dataclasses import dataclass
from itertools import count

from markupsafe import Markup, escape

from .entries import STATES
from .numbers import SHARES

WIDTH, ROW, LABEL = 720, 26, 270  # units of the picture; LABEL is for the names at the left
LONGEST_LABEL = 36  # characters
CLASSES = dict(zip(STATES, ("right", "mistake", "other", "error", "open"), strict=True))


@dataclass
class Plot:
    """svg: the picture. columns, rows: the same numbers as a table. caption: of both."""

    caption: str
    svg: Markup
    columns: list
    rows: list


class Plots:
    """The plots of one page; each has ids of its own."""

    def __init__(self):
        self.numbers = count(1)

    def picture(self, title, about, height, parts):
        number = next(self.numbers)
        head = Markup('<svg viewBox="0 0 {w} {h}" role="img" aria-labelledby="title{n} about{n}">').format(
            w=WIDTH, h=height, n=number
        )
        names = Markup('<title id="title{n}">{}</title><desc id="about{n}">{}</desc>').format(
            title, about, n=number
        )
        return head + names + Markup("").join(parts) + Markup("</svg>")

    def scores(self, scores):
        """Columns: how many submissions have how much of the full marks."""
        counts, most = scores["tenths"], max(scores["tenths"]) or 1
        step, floor, tall = WIDTH / len(counts), 190, 150
        parts, rows = [], []
        for place, number in enumerate(counts):
            x, height = place * step, tall * number / most
            name = f"{place * 10} to {place * 10 + 10} %"
            parts += [
                box(x + 6, floor - height, step - 12, height, "count"),
                text(x + step / 2, floor - height - 6, number, "middle"),
                text(x + step / 2, floor + 20, f"{place * 10}–{place * 10 + 10} %", "middle quiet"),
            ]
            rows.append([name, number])
        parts.append(line(0, floor, WIDTH, floor))
        title = "Scores: submissions by share of the full marks"
        about = f"{scores['submissions']} submissions; " + listed(rows)
        svg = self.picture(title, about, floor + 30, parts)
        return Plot(title, svg, ["share of the full marks", "submissions"], rows)

    def states(self, exercises):
        """A bar for each exercise, from right to not started."""
        parts, rows = list(self.legend()), []
        for place, one in enumerate(exercises):
            y, x = 34 + place * ROW, LABEL
            parts.append(text(LABEL - 10, y + 16, label(one["exercise"]), "end"))
            for state, number in one["states"].items():
                wide = (WIDTH - LABEL) * number / one["graded"]
                parts += [box(x, y, wide, ROW - 6, CLASSES[state])]
                parts += (
                    [text(x + wide / 2, y + 15, number, f"middle on-{CLASSES[state]}")]
                    if wide > 10 + 8 * len(str(number))
                    else []
                )
                x += wide
            rows.append([one["exercise"], *one["states"].values()])
        title = "What became of each exercise"
        about = "Bars of the share of submissions; the table below has the numbers."
        svg = self.picture(title, about, 34 + len(rows) * ROW, parts)
        return Plot(title, svg, ["exercise", *STATES], rows)

    def legend(self):
        for place, state in enumerate(STATES):
            x = place * WIDTH / len(STATES)
            yield box(x, 2, 14, 14, CLASSES[state])
            yield text(x + 20, 14, state, "start")

    def points(self, exercises):
        """For each exercise, small columns: how many have which share of its points."""
        parts, rows, tall, step = [], [], 30, (WIDTH - LABEL) / len(SHARES)
        for place, share in enumerate(("0", "–25 %", "–50 %", "–75 %", "–99 %", "100 %")):
            parts.append(text(LABEL + (place + 0.5) * step, 14, share, "middle quiet"))
        for place, one in enumerate(exercises):
            floor = 24 + (place + 1) * (tall + 18)
            parts += [
                text(LABEL - 10, floor - 6, label(one["exercise"]), "end"),
                line(LABEL, floor, WIDTH, floor),
            ]
            for column, number in enumerate(one["points"].values()):
                x, height = LABEL + column * step, tall * number / max(one["graded"], 1)
                parts.append(box(x + 8, floor - height, step - 16, height, "count"))
                parts += [text(x + step / 2, floor - height - 3, number, "middle")] if number else []
            rows.append([one["exercise"], *one["points"].values()])
        title = "Points of each exercise: submissions by share of its points"
        about = "Columns of the share of submissions; the table below has the numbers."
        svg = self.picture(title, about, 30 + len(rows) * (tall + 18), parts)
        return Plot(title, svg, ["exercise", *SHARES], rows)

    def mistakes(self, mistakes, most=10):
        """A bar for each of the commonest mistakes."""
        shown = mistakes[:most]
        longest = max((one["students"] for one in shown), default=1)
        parts, rows = [], []
        for place, one in enumerate(shown):
            y, wide = place * ROW, (WIDTH - LABEL - 50) * one["students"] / longest
            parts += [
                text(LABEL - 10, y + 16, label(one["mistake"]), "end"),
                box(LABEL, y, wide, ROW - 6, "mistake"),
                text(LABEL + wide + 8, y + 16, one["students"], "start"),
            ]
            rows.append([one["mistake"], one["students"], one["came_back"]])
        first = f", the first {most}" if len(mistakes) > most else ""
        title = f"The commonest mistakes: students who made them{first}"
        svg = self.picture(title, listed(rows), max(len(rows) * ROW, 1), parts)
        return Plot(title, svg, ["mistake", "students", "in two or more exercises"], rows)

    def lessons(self, lessons):
        """Two bars for each lesson of a course: who handed it in, and who has all of it right."""
        parts, rows = [], []
        for place, one in enumerate(lessons):
            y = place * 2 * ROW
            parts.append(text(LABEL - 10, y + 26, label(one["lesson"]), "end"))
            for half, (key, kind) in enumerate((("handed_in", "count"), ("finished", "right"))):
                wide = (WIDTH - LABEL - 150) * one[key] / max(one["students"], 1)
                words = f"{one[key]} {'handed in' if key == 'handed_in' else 'all right'}"
                parts.append(box(LABEL, y + half * 20, wide, 16, kind))
                parts.append(text(LABEL + wide + 8, y + half * 20 + 13, words, "start"))
            rows.append([one["lesson"], one["handed_in"], one["finished"], one["scores"]["mean"]])
        title = "Lessons: students who handed in, and who have everything right"
        svg = self.picture(title, listed(rows), max(len(rows) * 2 * ROW, 1), parts)
        return Plot(title, svg, ["lesson", "handed in", "everything right", "mean score"], rows)


def label(name):
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"


def listed(rows):
    return "; ".join(f"{row[0]}: {row[1]}" for row in rows) + "."


def box(x, y, width, height, kind):
    return Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="{}"/>').format(
        x, y, max(width, 0), max(height, 0), kind
    )


def text(x, y, words, kind):
    return Markup('<text x="{:.1f}" y="{:.1f}" class="{}">{}</text>').format(x, y, kind, escape(words))


def line(x, y, to_x, to_y):
    return Markup('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>').format(x, y, to_x, to_y)
