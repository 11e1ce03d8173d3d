"""[Row] -> what an instructor reads before anything is copied."""

from collections import Counter

from autograder.tables import counted, first_of, print_table

from .plan import BAD, NEW, OLDER, OPEN, REPLACES, SAME

COLUMNS = "student", "lesson", "known by", "what", "file"
COUNTS = {
    NEW: "{} new",
    REPLACES: "{} replacing an older version, which is kept in submitted_before/",
    SAME: "{} already there",
    OLDER: "{} older than what counts, left where {}",
    OPEN: "{} doubtful",
    BAD: "{} left out",
}
LATE = "{} late in the LMS, which does not say when: write the time into timestamp.txt, or a person is asked."
OTHERS = "No notebooks, and left where they are: {}, {}"
MISSING = "Of the roster's {}, nothing of {}: {}"


def show_plan(rows, contents, roster=()):
    """What will be copied, what is doubtful, what is left out; then the counts."""
    sure = sorted((r for r in rows if r.state in (NEW, REPLACES)), key=lambda r: (r.lesson, r.student))
    if sure:
        print_table(COLUMNS, [(r.student, r.lesson, r.how, state_of(r), r.file.label) for r in sure])
    for row in sure:
        if row.note:
            show_one(row.file.label, row.note)
    show_all("Doubtful:", [(r.file.label, r.doubt, likely(r)) for r in rows if r.state == OPEN])
    left_out = [(row.file.label, row.note) for row in rows if row.state == BAD] + contents.left_out
    show_all("Left out:", left_out)
    if contents.others:
        print("\n" + OTHERS.format(counted(len(contents.others), "file"), first_of(contents.others, 4)))
    show_counts(rows)
    missing = [person.id for person in roster if person.id not in {row.student for row in rows}]
    if missing:
        print(MISSING.format(len(roster), len(missing), first_of(missing, 20)))


def is_late(row):
    return row.claim.late and row.time is None and row.state in (NEW, REPLACES)


def state_of(row):
    return f"{row.state}, late" if is_late(row) else row.state


def likely(row):
    return f"likely: {', '.join(person.label for person in row.candidates)}" if row.candidates else ""


def show_all(title, items):
    if items:
        print(f"\n{title}")
    for item in items:
        show_one(*item)


def show_one(label, *sentences):
    """A file, and below it what there is to say of it."""
    print(f"  {label}", *(f"    {sentence}" for sentence in sentences if sentence), sep="\n")


def show_counts(rows):
    counts = Counter(row.state for row in rows)
    it = "it is" if counts[OLDER] == 1 else "they are"
    parts = [text.format(counts[state], it) for state, text in COUNTS.items() if counts[state]]
    print(
        f"\n{counted(len(rows), 'notebook')}: {'; '.join(parts)}." if rows else "\nThere is no notebook here."
    )
    late = sum(map(is_late, rows))
    if late:
        print(LATE.format(late))
