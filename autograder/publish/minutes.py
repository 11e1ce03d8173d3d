"""Estimate the minutes that a newcomer needs for a lesson, and write them into its notebook.

The estimate is a formula over the cells, answers included, so it changes with the lesson. Its constants are
fitted to five readers' estimates, section by section (experiments/minutes.json). The last reader, who knew no
PyTorch, needed 433 minutes for the core of 00 to 05 as it was then: 79, 76, 90, 82, 62 and 44; the formula
gives 375 for it. The four others needed, on average, 508 for 42 optional sections of 00 to 04, for which it
gives 536. No section is off by more than a factor of two.
"""

import re
from dataclasses import dataclass
from itertools import takewhile

from autograder.releases.release import SETUP, marks

WORDS = 45  # per minute: reading and thinking, pencil work included
CODE_LINES = 3  # per minute: reading, running, and looking at the picture
QUESTION = 1.5  # minutes for a `predict`, or a question with a folded answer
TO_WRITE = 3  # minutes for a cell to fill in: reading the task, the check, a second try
LINE = 0.75  # minutes more for each line of the answer
LONGEST_SITTING = 60

TOTAL, STOP = "<!-- minutes -->", "<!-- end of a sitting -->"
ANSWER = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.S)
HEADING = re.compile(r"^## .*$", re.M)
HOW = "Times assume this is all new to you."
CORE_ENDS = "**The core of this lesson ends here.** Optional sections follow; *Next* is at the very end.\n\n"


@dataclass
class Section:
    title: str  # its heading without the ##; "" for the part above the first heading
    minutes: float = 0.0

    @property
    def optional(self):
        """Is the section no part of the core?"""
        return self.title.endswith("(optional)")


@dataclass
class Times:
    sections: list[Section]
    sittings: list[float]  # minutes
    core_of_sittings: list[float]  # how many of them are the core's

    @property
    def total(self):
        return sum(map(to_five, self.sittings))

    @property
    def core(self):
        """Minutes of the core: all sections that are not optional."""
        return to_five(sum(section.minutes for section in self.sections if not section.optional))

    @property
    def has_optional(self):
        return any(section.optional for section in self.sections)

    @property
    def first_after_core(self):
        """The optional section from which on only optional ones follow, and *Next*; None if there is none."""
        work = [section for section in self.sections if section.title != "Next"]
        after = [*takewhile(lambda section: section.optional, reversed(work))]
        return after[-1] if after else None


def times_of(nb):
    """The Times of a lesson, whose questions have already been added."""
    times = Times([Section("")], [0.0], [0.0])
    for cell in nb.cells:
        if cell.source.strip() == STOP:
            times.sittings.append(0.0)
            times.core_of_sittings.append(0.0)
            continue
        for title, minutes in parts(cell):
            if title is not None:
                times.sections.append(Section(title))
            times.sections[-1].minutes += minutes
            times.sittings[-1] += minutes
            times.core_of_sittings[-1] += 0 if times.sections[-1].optional else minutes
    return times


def parts(cell):
    """Yield (title, minutes) for each part of a cell; title is None unless the part begins a section."""
    if marks(cell).get("solution"):
        yield None, TO_WRITE + LINE * sum(map(lines_in, ANSWER.findall(cell.source)))
    elif (marks(cell).get("grade") and cell.cell_type == "code") or SETUP in cell.metadata.get("tags", []):
        yield None, 0  # a check is included in TO_WRITE; the set-up is not read
    elif cell.cell_type == "code":
        yield None, QUESTION if cell.source.startswith("predict(") else lines_in(cell.source) / CODE_LINES
    else:
        for text in re.split(r"^(?=## )", cell.source, flags=re.M):
            heading = HEADING.match(text)
            yield heading and heading[0][3:].strip(), reading(text)


def lines_in(source):
    """The number of non-empty lines."""
    return sum(bool(line.strip()) for line in source.splitlines())


def reading(text):
    visible_text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    words = re.findall(r"[^\W_]+", re.sub(r"</?\w+[^>]*>", "", visible_text))
    return len(words) / WORDS + QUESTION * visible_text.count("<details")


# ---- the minutes in the notebook's text


def add_minutes(nb):
    """Write the minutes under each heading and at each stop, the total in place of its marker, and where the
    core ends."""
    times = times_of(nb)
    first_after_core = times.first_after_core
    sections = iter(times.sections[1:])
    sittings = zip(times.sittings[1:], times.core_of_sittings[1:], strict=True)

    def with_minutes(heading):
        section = next(sections)
        end = CORE_ENDS if section is first_after_core else ""
        return end + heading[0] + minutes_line(section)

    for cell in nb.cells:
        if cell.source.strip() == STOP:
            cell.source = stop_line(*next(sittings))
        elif cell.cell_type == "markdown" and not marks(cell).get("solution"):
            text = HEADING.sub(with_minutes, cell.source)
            cell.source = text.replace(TOTAL, total_line(times))


def minutes_line(section):
    """The minutes as a line below a heading; "" if they round to 0."""
    minutes = round(section.minutes)
    return f"\n\n*{minutes} min*" if minutes else ""


def stop_line(minutes, core):
    """The line at a stop: how long the next sitting is, and how much of it is the core's."""
    of_core = f", {5 * round(core / 5)} of them core" if core >= 2.5 else ", all optional"
    of_core = "" if core == minutes else of_core
    return f"---\n\n**A good place to stop.** Next: about {to_five(minutes)} minutes{of_core}.\n\n---"


def total_line(times):
    sittings = [to_five(minutes) for minutes in times.sittings if minutes]
    each = f", in {len(sittings)} sittings of {join_numbers(sittings)} minutes" if len(sittings) > 1 else ""
    if not times.has_optional:
        return f"*About {times.total} minutes{each}. {HOW}*"
    titles = "\n".join(section.title for section in times.sections if not section.optional)
    numbers = ", ".join(re.findall(r"^\d+\.\d+", titles, re.M))
    core = f"{numbers}{'; ' if numbers else ''}about {times.core} minutes"
    return f"*Core: {core}. The whole lesson: about {times.total} minutes{each}. {HOW}*"


def join_numbers(numbers):
    *most, last = map(str, numbers)
    return f"{', '.join(most)} and {last}" if most else last


def to_five(minutes):
    """Round to a multiple of 5 minutes; a positive time gives at least 5."""
    return max(5, 5 * round(minutes / 5)) if minutes else 0
