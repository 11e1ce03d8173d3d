"""A report's numbers and a Layout -> (height, parts) of an SVG: the bars and columns with their words."""

from dataclasses import dataclass

from markupsafe import Markup, escape

from .entries import STATES

ROW, TALL = 26, 30  # of a bar with its gap, of a small column
LONGEST_NAME = 36  # characters
KEY = 140  # of an entry of the legend
CLASSES = dict(zip(STATES, ("right", "mistake", "other", "error", "open"), strict=True))


@dataclass(frozen=True)
class Layout:
    """width: of the picture. left: of the column of names; above: of a line with the name above each bar,
    where there is no such column. All in units that are pixels in a window of the ordinary size."""

    name: str
    width: int
    left: int
    above: int

    @property
    def wide(self):
        """Of the longest bar."""
        return self.width - self.left

    def named(self, words, y, top):
        """A bar's name, left of the bar with its foot at y, or above the bar that begins at `top`."""
        words = shortened(words)
        return text(self.left - 10, y, words, "end") if self.left else text(0, top - 6, words, "start")


LAYOUTS = Layout("wide", 720, 270, 0), Layout("narrow", 380, 0, 20)


def of_scores(counts, at):
    """A column for each tenth of the full marks."""
    most, step, floor, tall = max(counts) or 1, at.width / len(counts), 190, 150
    parts = [line(0, floor, at.width, floor)]
    for place, number in enumerate(counts):
        x, height = place * step, tall * number / most
        parts += [
            box(x + step / 12, floor - height, step * 10 / 12, height, "count"),
            text(x + step / 2, floor - height - 6, number, "middle"),
        ]
        if step > 60:
            parts.append(text(x + step / 2, floor + 20, f"{place * 10}–{place * 10 + 10} %", "middle quiet"))
    if step <= 60:
        for place, kind in enumerate(("start", "middle", "middle", "middle", "middle", "end")):
            parts.append(text(place * at.width / 5, floor + 20, f"{place * 20} %", f"{kind} quiet"))
    return floor + 30, parts


def of_states(exercises, at):
    """A bar for each exercise, from right to not started."""
    head, parts = legend(at)
    for place, one in enumerate(exercises):
        y, x = head + place * (ROW + at.above) + at.above, at.left
        parts.append(at.named(one["exercise"], y + 16, y))
        for state, number in one["states"].items():
            wide = at.wide * number / one["graded"]
            parts.append(box(x, y, wide, ROW - 6, CLASSES[state]))
            if wide > 10 + 8 * len(str(number)):
                parts.append(text(x + wide / 2, y + 15, number, f"middle on-{CLASSES[state]}"))
            x += wide
    return head + len(exercises) * (ROW + at.above), parts


def legend(at):
    """(height, parts)"""
    in_a_row, parts = at.width // KEY, []
    for place, state in enumerate(STATES):
        x, y = place % in_a_row * at.width / in_a_row, place // in_a_row * 20
        parts += [box(x, y + 2, 14, 14, CLASSES[state]), text(x + 20, y + 14, state, "start")]
    return y + 34, parts


def of_points(exercises, at):
    """For each exercise, small columns: how many have which share of its points."""
    shares, row, parts = ("0", "–25 %", "–50 %", "–75 %", "–99 %", "100 %"), TALL + 18 + at.above, []
    step = at.wide / len(shares)
    for place, share in enumerate(shares):
        parts.append(text(at.left + (place + 0.5) * step, 14, share, "middle quiet"))
    for place, one in enumerate(exercises):
        floor = 24 + (place + 1) * row
        parts.append(at.named(one["exercise"], floor - 6, floor - TALL - 18))
        parts.append(line(at.left, floor, at.width, floor))
        for column, number in enumerate(one["points"].values()):
            x, height = at.left + column * step, TALL * number / max(one["graded"], 1)
            parts.append(box(x + 8, floor - height, step - 16, height, "count"))
            parts += [text(x + step / 2, floor - height - 3, number, "middle")] if number else []
    return 30 + len(exercises) * row, parts


def of_mistakes(mistakes, at):
    """A bar for each mistake."""
    longest, parts = max((one["students"] for one in mistakes), default=1), []
    for place, one in enumerate(mistakes):
        y, wide = place * (ROW + at.above) + at.above, (at.wide - 50) * one["students"] / longest
        parts += [
            at.named(one["mistake"], y + 16, y),
            box(at.left, y, wide, ROW - 6, "mistake"),
            text(at.left + wide + 8, y + 16, one["students"], "start"),
        ]
    return max(len(mistakes) * (ROW + at.above), 1), parts


def of_lessons(lessons, at):
    """Two bars for each lesson of a course: who handed it in, and who has all of it right."""
    row, parts = 2 * ROW + at.above, []
    for place, one in enumerate(lessons):
        y = place * row + at.above
        parts.append(at.named(one["lesson"], y + 26, y))
        bars = (one["handed_in"], "handed in", "count"), (one["finished"], "all right", "right")
        for half, (number, words, kind) in enumerate(bars):
            wide = (at.wide - 150) * number / max(one["students"], 1)
            parts.append(box(at.left, y + half * 20, wide, 16, kind))
            parts.append(text(at.left + wide + 8, y + half * 20 + 13, f"{number} {words}", "start"))
    return max(len(lessons) * row, 1), parts


def shortened(name):
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def box(x, y, width, height, kind):
    return Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="{}"/>').format(
        x, y, max(width, 0), max(height, 0), kind
    )


def text(x, y, words, kind):
    return Markup('<text x="{:.1f}" y="{:.1f}" class="{}">{}</text>').format(x, y, kind, escape(words))


def line(x, y, to_x, to_y):
    return Markup('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>').format(x, y, to_x, to_y)
