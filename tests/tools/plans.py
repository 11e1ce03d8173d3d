"""The study plans in docs/plans: their minutes are worked out from the lessons, row by row, and written.

A row of a plan is one of these; its second column is its minutes, and so are those of the row `together`:

    Lesson 1: 1.4, 1.8 to 1.10 (what it is about)     sections of a lesson; `all` is all of it
    `interview("mha")`                                a topic
    `bug_hunt()`, 2 programs                          6 minutes each
    `flashcards()`, 10 cards                          1 minute each
    `due(10)`                                         a session of 10 minutes
    `mock_interview("intern")`                        a level
"""

import re
from functools import cache
from pathlib import Path

from course_utils.practice.interview import topics
from course_utils.practice.mock.plan import MINUTES, levels
from tests.tools.minutes import all_times

PLANS = Path(__file__).resolve().parents[2] / "docs" / "plans"
PAGE = PLANS.parent / "interview.md"
INTERVIEW, BUG, FLASHCARD = 20, 6, 1
ROW = re.compile(r"^\| (?P<what>.+?) \| (?P<minutes>[^|]*) \|$")
LESSON = re.compile(r"Lesson (?P<lesson>\d): (?P<sections>[\d., to]+|all)(?: \(.*\))?")
OTHERS = {
    r"`interview\(\"(\w+)\"\)`": lambda topic: INTERVIEW if topic in topics.names() else None,
    r"`bug_hunt\(\)`, (\d+) programs?": lambda n: BUG * int(n),
    r"`flashcards\(\)`, (\d+) cards": lambda n: FLASHCARD * int(n),
    r"`due\((\d+)\)`": int,
    r"`mock_interview\(\"(\w+)\"\)`": lambda level: MINUTES if level in levels() else None,
}
TOTAL = re.compile(r"^\*\*In all: .*\*\*$", re.M)


@cache
def minutes_of_lessons():
    """{lesson's number: {section's number, or its title where it has none: minutes}}, in their order."""
    return {
        int(name[:2]): {
            section.title.split(" ")[0] if section.title[:1].isdigit() else section.title: section.minutes
            for section in times.sections
        }
        for name, times in all_times().items()
    }


def sections_of():
    """{("01", "1.4"), ...}: every section that has a number."""
    return {
        (f"{lesson:02d}", number)
        for lesson, sections in minutes_of_lessons().items()
        for number in sections
        if re.fullmatch(r"\d+\.\d+", number)
    }


def numbers_in(sections, lesson):
    """['1.4', '1.8', '1.9', '1.10'] of '1.4, 1.8 to 1.10'; ValueError for what a lesson does not have."""
    known = list(minutes_of_lessons()[lesson])
    if sections == "all":
        return known
    found = []
    for part in sections.split(", "):
        first, _, last = part.partition(" to ")
        found += known[known.index(first) : known.index(last or first) + 1]
    return found


def minutes_of(what):
    """The minutes of a row; ValueError for a row that is none of those that are known."""
    lesson = LESSON.fullmatch(what)
    if lesson:
        number = int(lesson["lesson"])
        minutes = minutes_of_lessons()[number]
        return round(sum(minutes[one] for one in numbers_in(lesson["sections"], number)))
    for pattern, minutes in OTHERS.items():
        found = re.fullmatch(pattern, what)
        if found and minutes(found[1]) is not None:
            return minutes(found[1])
    raise ValueError(f"{what!r} is no row that a plan can have.")


def with_minutes(text):
    """A plan's text with its minutes as they are now."""
    lines, day, lessons, everything = [], 0, 0, 0
    for line in text.splitlines():
        row = ROW.match(line)
        if row and row["what"] == "together":
            line, everything, day = f"| together | **{day}** |", everything + day, 0
        elif row and row["what"] not in ("what", "---"):
            minutes = minutes_of(row["what"])
            line, day = f"| {row['what']} | {minutes} |", day + minutes
            lessons += minutes * row["what"].startswith("Lesson")
        lines.append(line)
    said = (
        f"**In all: {everything} minutes, {lessons} of them for lessons. Every number here is an estimate.**"
    )
    return TOTAL.sub(said, "\n".join(lines) + "\n")


def plans():
    return sorted(PLANS.glob("*.md"))


def with_totals(text):
    """The text of docs/interview.md, whose table of plans has the minutes of each."""
    for path in plans():
        minutes = re.search(r"In all: (\d+)", path.read_text(encoding="utf-8"))[1]
        row = rf"(\(plans/{path.name}\) \| )\d+"
        text = re.sub(row, lambda found, minutes=minutes: found[1] + minutes, text)
    return text


def main():
    for path in plans():
        path.write_text(with_minutes(path.read_text(encoding="utf-8")), encoding="utf-8")
        print(path.name, TOTAL.search(path.read_text(encoding="utf-8"))[0])
    PAGE.write_text(with_totals(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
