"""[Row] -> what an instructor reads before anything is copied: a table that fits into 80 columns."""

import shutil
import sys
from collections import Counter

from autograder.report.printing import print_table

from .plan import BAD, NEW, OLDER, OPEN, REPLACES, SAME

COLUMNS = ("student", "lesson", "known by", "what", "file")
SHORTEST, OTHER_COLUMNS = 16, 4 * 2
SAID = {
    NEW: "{} new",
    REPLACES: "{} in the place of an older version, which is kept in submitted_before/",
    SAME: "{} already there",
    OLDER: "{} older than what counts, left where {} is",
    OPEN: "{} doubtful",
    BAD: "{} left out",
}
MOST_NAMED = 4


def show_plan(rows, contents):
    """What will be copied, what is doubtful, what is left out; then the counts."""
    sure = sorted((r for r in rows if r.state in (NEW, REPLACES)), key=lambda r: (r.lesson, r.student))
    cells = [(row.student, row.lesson, row.how, what(row)) for row in sure]
    if sure:
        room = room_for_files(cells)
        files = [shortened(row.file.label, room) for row in sure]
        print_table(COLUMNS, [(*row, file) for row, file in zip(cells, files, strict=True)])
    for row in sure:
        if row.note:
            print(f"\n{row.file.label}\n  {row.note}")
    show_open([row for row in rows if row.state == OPEN])
    show_left_out(rows, contents)
    show_counts(rows)


def what(row):
    return f"{row.state}, late" if row.claim.late and row.time is None else row.state


def room_for_files(cells):
    """How many characters are left for names of files; all of them where the output is not a terminal."""
    if not sys.stdout.isatty():
        return 10_000
    widths = [
        max(map(len, (head, *column)))
        for head, column in zip(COLUMNS, zip(*cells, strict=True), strict=False)
    ]
    return max(SHORTEST, shutil.get_terminal_size().columns - sum(widths) - OTHER_COLUMNS)


def shortened(text, room):
    """With its middle left out: the beginning names the student, the end the version."""
    if len(text) <= room:
        return text
    end = (room - 1) // 2
    return f"{text[: room - 1 - end]}…{text[len(text) - end :]}"


def show_open(rows):
    if not rows:
        return
    print(f"\n{len(rows)} doubtful:")
    for row in rows:
        likely = ", ".join(f"{p.id} ({p.name})" if p.name else p.id for p in row.candidates)
        print(f"  {row.file.label}\n    {row.doubt}" + (f"\n    likely: {likely}" if likely else ""))


def show_left_out(rows, contents):
    left = [(row.file.label, row.note) for row in rows if row.state == BAD] + contents.left_out
    if left:
        print("\nLeft out:")
        for label, reason in left:
            print(f"  {label}\n    {reason}")
    if contents.others:
        names = ", ".join(contents.others[:MOST_NAMED]) + (
            " ..." if len(contents.others) > MOST_NAMED else ""
        )
        files = f"{counted(len(contents.others), 'file')}, {names}"
        print(f"\nNo notebooks, and left where they are: {files}")


def show_counts(rows):
    counts = Counter(row.state for row in rows)
    it = "it" if counts[OLDER] == 1 else "they"
    parts = [text.format(counts[state], it) for state, text in SAID.items() if counts[state]]
    late = sum(row.claim.late and row.state in (NEW, REPLACES) for row in rows)
    print(
        f"\n{counted(len(rows), 'notebook')}: " + "; ".join(parts) + "."
        if rows
        else "\nThere is no notebook here."
    )
    if late:
        print(f"{late} late in Canvas, which does not say when: nbgrader counts what has no time as in time.")


def counted(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"
