"""[Row] -> what an instructor reads before anything is copied: a table that fits into 80 columns."""

import shutil
import sys
import textwrap
from collections import Counter

from rich.cells import cell_len, chop_cells

from autograder.report.printing import print_table

from .plan import BAD, NEW, OLDER, OPEN, REPLACES, SAME

COLUMNS = ("student", "lesson", "known by", "what", "file")
ENDLESS = 100_000
SHORTEST, OTHER_COLUMNS = 16, 4 * 2
SAID = {
    NEW: "{} new",
    REPLACES: "{} in the place of an older version, which is kept in submitted_before/",
    SAME: "{} already there",
    OLDER: "{} older than what counts, left where {}",
    OPEN: "{} doubtful",
    BAD: "{} left out",
}
MOST_NAMED, MOST_MISSING = 4, 20


def show_plan(rows, contents, roster=()):
    """What will be copied, what is doubtful, what is left out; then the counts."""
    sure = sorted((r for r in rows if r.state in (NEW, REPLACES)), key=lambda r: (r.lesson, r.student))
    cells = [(row.student, row.lesson, row.how, what(row)) for row in sure]
    if sure:
        room = room_for_files(cells)
        files = [shortened(row.file.label, room) for row in sure]
        print_table(COLUMNS, [(*row, file) for row, file in zip(cells, files, strict=True)])
    for row in sure:
        if row.note:
            show_one(row.file.label, row.note)
    show_open([row for row in rows if row.state == OPEN])
    show_left_out(rows, contents)
    show_counts(rows)
    show_missing(roster, rows)


def what(row):
    return f"{row.state}, late" if row.claim.late and row.time is None else row.state


def width():
    """Characters of a line; without end where the output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else ENDLESS


def room_for_files(cells):
    """How many characters are left for names of files."""
    widths = [
        max(map(len, (head, *column)))
        for head, column in zip(COLUMNS, zip(*cells, strict=True), strict=False)
    ]
    return max(SHORTEST, width() - sum(widths) - OTHER_COLUMNS)


def shortened(text, room):
    """With its middle left out: the beginning names the student, the end the version. A Chinese letter is two
    characters wide."""
    if cell_len(text) <= room:
        return text
    end = (room - 1) // 2
    last = chop_cells(text[::-1], end)[0][::-1]
    return f"{chop_cells(text, room - 1 - end)[0]}…{last}"


def show_open(rows):
    if rows:
        print(f"\n{len(rows)} doubtful:")
    for row in rows:
        likely = ", ".join(f"{p.id} ({p.name})" if p.name else p.id for p in row.candidates)
        show_one(row.file.label, row.doubt, *([f"likely: {likely}"] if likely else []))


def show_left_out(rows, contents):
    left = [(row.file.label, row.note) for row in rows if row.state == BAD] + contents.left_out
    if left:
        print("\nLeft out:")
        for label, reason in left:
            show_one(label, reason)
    if contents.others:
        names = ", ".join(contents.others[:MOST_NAMED]) + (
            " ..." if len(contents.others) > MOST_NAMED else ""
        )
        print()
        say(f"No notebooks, and left where they are: {counted(len(contents.others), 'file')}, {names}")


def show_one(label, *sentences):
    """A file, and below it what there is to say of it."""
    print(f"  {shortened(label, width() - 2)}")
    for sentence in sentences:
        say(sentence, "    ")


def say(text, indent=""):
    """A sentence, broken into the lines of the terminal."""
    lines = textwrap.wrap(
        text, width(), initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
    print("\n".join(lines))


def show_counts(rows):
    counts = Counter(row.state for row in rows)
    it = "it is" if counts[OLDER] == 1 else "they are"
    parts = [text.format(counts[state], it) for state, text in SAID.items() if counts[state]]
    late = sum(row.claim.late and row.state in (NEW, REPLACES) for row in rows)
    print()
    say(
        f"{counted(len(rows), 'notebook')}: " + "; ".join(parts) + "."
        if rows
        else "There is no notebook here."
    )
    if late:
        say(f"{late} late in Canvas, which does not say when: nbgrader counts what has no time as in time.")


def show_missing(roster, rows):
    """Of whom nothing was found, where there is a roster."""
    there = {row.student for row in rows}
    missing = [person.id for person in roster if person.id not in there]
    if missing:
        names = ", ".join(missing[:MOST_MISSING]) + (" ..." if len(missing) > MOST_MISSING else "")
        say(f"Of the roster's {len(roster)}, nothing of {len(missing)}: {names}")


def counted(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"
