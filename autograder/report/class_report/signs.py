"""[Entry] -> what an instructor should look at: doubts about the grading, what waits for a person, flags."""

import re
from collections import Counter

from autograder.tables import counted

from .entries import ERROR, OTHER, group, tries_in

STRONG = 0.8  # share of the points of all other exercises
STRONG_ONES = "{} with at least 80 % of the points elsewhere {} wrong here, without a known mistake."
ONE_LEFT = "{} with all values right lost points for something else ({})."
BY_HAND = "A person gave {} more points here than the grader did."
NOT_GRADED = "This was handed in and is not graded yet: run `make grade`."
READY_MADE = re.compile(r"Ready-made \w+ \((\w+)\) is called")  # autograder.submission.remarks.note_on
FEWEST_WORDS = 4
MAY_NAME_SOMEBODY = "A sentence that may hold a student's text."


def doubts(entries, exercises):
    """Where right answers may have lost points; `who` are those to look at."""
    return [sign for row in exercises for sign in doubts_on(row, entries)]


def doubts_on(row, entries):
    name, place = row["exercise"], {"lesson": row["lesson"], "exercise": row["exercise"]}
    tries = [(entry, entry.tries[name]) for entry in entries if name in entry.tries]
    unnamed = [entry for entry, attempt in tries if attempt.state in (OTHER, ERROR) and not attempt.at_limit]
    strong = [entry.student for entry in unnamed if is_strong(entry, name)]
    left = [(entry.student, attempt.mistake or "no name") for entry, attempt in tries if attempt.one_left]
    graded = [(entry, attempt) for entry, attempt in tries if attempt.automatic is not None]
    raised = [entry.student for entry, attempt in graded if attempt.points > attempt.automatic + 1e-6]
    if strong:
        verb = "is" if len(strong) == 1 else "are"
        yield sign("strong", STRONG_ONES.format(counted(len(strong), "student"), verb), strong, **place)
    if left:
        what = ", ".join(f"{fault}: {n}" for fault, n in Counter(fault for _, fault in left).most_common())
        text = ONE_LEFT.format(counted(len(left), "student"), what)
        yield sign("one_left", text, [student for student, _ in left], **place)
    if raised:
        yield sign("by_hand", BY_HAND.format(counted(len(raised), "student")), raised, **place)


def sign(kind, text, students, **place):
    about = {"kind": kind, "sentence": text, "students": len(students), "who": sorted(students)}
    return place | about


def is_strong(entry, name):
    """Has it most points of all other exercises? Written answers, which people grade later, do not count."""
    others = [attempt for other, attempt in entry.tries.items() if other != name]
    most = sum(attempt.max_points for attempt in others)
    return most > 0 and sum(attempt.points for attempt in others) >= STRONG * most


def waiting(entries, ungraded=(), left_out=(), lesson="", with_names=False):
    """What waits for a person: each sentence once, with how many it is said of.

    Without names, what students chose is cut from the sentences.
    """

    def public(sentence, names=()):
        return sentence if with_names else sentence_without(sentence, names)

    said = [
        ((entry.lesson, public(sentence, entry.names)), entry.student)
        for entry in entries
        for sentence in dict.fromkeys([*entry.for_a_person, *entry.open_points])
    ]
    said += [((lesson, NOT_GRADED), student) for student in ungraded]
    said += [((lesson, public(reason)), place) for place, reason in left_out]
    rows = [sign("waiting", text, who, lesson=where) for (where, text), who in group(said).items()]
    return sorted(rows, key=lambda row: (row["lesson"], -row["students"], row["sentence"]))


def sentence_without(sentence, names):
    """A sentence's first part of four words or more, between colons, brackets and quotes, without the
    student's names: a file's name or a student's text stands in a part of its own, mostly a later one."""
    for name in sorted(names, key=len, reverse=True):
        sentence = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "\0", sentence)
    parts = (part.strip(" .,;") for part in re.split(r":\s|[(\"“`]|(?<!\w)'", sentence))
    short = next((part for part in parts if len(part.split()) >= FEWEST_WORDS), "")
    return f"{short}.".replace("\0", "(name)") if short else MAY_NAME_SOMEBODY


def flags(entries):
    """Ready-made attention that was called, limits that were hit, files that were rejected."""
    said = [
        (("ready_made", f"Ready-made {library} is called in the answers."), entry.student)
        for entry in entries
        for note in entry.notes
        for library in READY_MADE.findall(note)
    ]
    said += [
        (("limit", f"At least one exercise ended at a limit: {attempt.ended}."), entry.student)
        for entry, _, attempt in tries_in(entries)
        if attempt.at_limit
    ]
    said += [(("rejected", "The file could not be graded."), e.student) for e in entries if e.rejected]
    return [sign(*about, {*students}) for about, students in sorted(group(said).items())]
