"""[Row] -> what an instructor reads before anything is copied."""

from collections import Counter

from autograder.tables import counted, first_of, print_table

from .plan import BAD, NEW, OLDER, OPEN, REPLACES, SAME

COLUMNS = "student", "lesson", "known by", "what", "file"
COUNTS = {
    NEW: "{} new",
    REPLACES: "{} replacing an older version, which is kept in submitted_before/",
    SAME: "{} already there",
    OLDER: "{} older than what counts, not copied",
    OPEN: "{} doubtful",
    BAD: "{} left out",
}
LATE = "{} late in the LMS, which does not say when: write the time into timestamp.txt, or a person is asked."
OTHERS = "\nNo notebooks, and left where they are: {}, {}"
MISSING = "Of {} on the roster, {} missing: {}"
NEWCOMERS = (
    "Of the roster's {}, new in the gradebook {}: {}. If it has them under other ids, stop, and give a "
    "roster with those."
)


def show_plan(rows, others, roster=(), newcomers=()):
    """What will be copied, what is doubtful, what is left out; then the counts."""
    sure = sorted((r for r in rows if r.state in (NEW, REPLACES)), key=lambda r: (r.lesson, r.student))
    if sure:
        print_table(COLUMNS, [(r.student, r.lesson, r.how, what(r), r.file.label) for r in sure])
    show_all("", [row for row in sure if row.why])
    show_all("Doubtful:", [row for row in rows if row.state == OPEN])
    show_all("Left out:", [row for row in rows if row.state == BAD])
    if others:
        print(OTHERS.format(counted(len(others), "file"), first_of(others, 4)))
    counts = Counter(row.state for row in rows)
    parts = [text.format(counts[state]) for state, text in COUNTS.items() if counts[state]]
    print(f"\n{counted(len(rows), 'notebook')}: {'; '.join(parts) or 'there is none here'}.")
    students = {row.student for row in rows}
    missing = [person.id for person in roster if person.id not in students]
    for sentence, ids in ((MISSING, missing), (NEWCOMERS, newcomers)):
        if ids:
            print(sentence.format(len(roster), len(ids), first_of(ids, 20)))
    late = [row for row in sure if row.is_late]
    if late:
        print(LATE.format(len(late)))


def what(row):
    return f"{row.state}, late" if row.is_late else row.state


def show_all(title, rows):
    """Files, and below each what there is to say of it."""
    if rows:
        print(f"\n{title}")
    for row in rows:
        print(f"  {row.file.label}\n    {row.why}")
        if row.state == OPEN and row.candidates:
            print(f"    likely: {', '.join(person.label for person in row.candidates)}")
