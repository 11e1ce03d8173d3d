"""[Class] -> one HTML page with the texts of each pair side by side.

All that students wrote is escaped; the page runs and loads nothing.
"""

from collections import Counter
from pathlib import Path

from markupsafe import Markup

from autograder.grading.feedback import environment
from autograder.report.class_report.pages import style
from course_utils.source import meaning

from .answers import COMMON, COMPARED, LESSONS, SHORT, WRITTEN
from .pairs import ALIKE, ENOUGH, FEW, HALF, LENGTH, PARTLY, lines_with

FOLDER = Path(__file__).parent
PAGE = environment(FOLDER)
MOST_PAIRS = 100  # with texts, of one lesson; the table holds all
MOST_LINES, LONGEST_LINE = 200, 400
SMALL_CLASS = 20
REASONS = {
    LESSONS: "close to the lesson's own answer or to the course's stand-in",
    SHORT: "with very little or nothing beside what the lessons give and say",
    COMMON: f"the same as, or made of the same pieces as, what more than {FEW} students wrote",
    COMPARED: "compared",
}


def page_of(lessons):
    return PAGE.get_template("page.html").render(
        found=lessons,
        style=style(),
        own_style=Markup((FOLDER / "style.css").read_text(encoding="utf-8")),
        fates_of=fates_of,
        sides_of=sides_of,
        says=says,
        reasons=REASONS,
        most=MOST_PAIRS,
        small=SMALL_CLASS,
        few=FEW,
        length=LENGTH,
        enough=ENOUGH,
        partly=PARTLY,
        half=f"{100 * HALF:.0f} %",
        alike=f"{100 * ALIKE:.0f} %",
    )


def fates_of(lesson):
    """[(reason, how many answers)], the compared ones last."""
    counts = sum(lesson.fates.values(), Counter())
    return [(reason, counts[fate]) for fate, reason in REASONS.items()]


def says(match):
    """What the texts have in common beyond the words, as a sentence; "" for nothing."""
    first, second = match.first.text, match.second.text
    if first.strip() == second.strip():
        return "The texts are the same to the letter."
    if match.first.kind != WRITTEN and meaning(first) and meaning(first) == meaning(second):
        return "The same but for comments, layout and quotes; all names are the same."
    return ""


def sides_of(match):
    """[(student, [(line, is it marked)], how many lines are left out)] of the two."""
    both = match.first.pieces & match.second.pieces
    for answer in (match.first, match.second):
        lines, marked = answer.text.split("\n"), lines_with(answer.lines, both)
        rows = [(printable(line), number in marked) for number, line in enumerate(lines[:MOST_LINES], 1)]
        yield answer.student, rows, max(0, len(lines) - MOST_LINES)


def printable(line):
    """A line without signs that hide or turn around what stands beside them, cut where it is too long."""
    cut = line[:LONGEST_LINE] + (" …" if len(line) > LONGEST_LINE else "")
    return "".join(
        sign if sign.isprintable() else "    " if sign == "\t" else "\N{REPLACEMENT CHARACTER}"
        for sign in cut
    )
