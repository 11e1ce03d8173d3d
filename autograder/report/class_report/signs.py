"""[Entry] -> what an instructor should look at: doubts about the grading, and what waits for a person."""

import re
from collections import Counter

from autograder.tables import counted

from .collect import ERROR, OTHER, group

STRONG = 0.8  # share of the points of all other exercises
STRONG_ONES = "{} with at least 80 % of the points elsewhere {} wrong here, without a known mistake."
ONE_LEFT = "{} with all values right lost points for something else ({})."
BY_HAND = "A person gave {} more points here than the grader did."
NOT_GRADED = "This was handed in and is not graded yet: run `make grade`."
FEWEST_WORDS = 4
MAY_NAME_SOMEBODY = "A sentence that may hold a student's text."


def doubts(entries, exercises):
    """Where right answers may have lost points; `who` are those to look at."""
    return [sign for row in exercises for sign in doubts_on(row["lesson"], row["exercise"], entries)]


def doubts_on(lesson, name, entries):
    tries = [(entry, entry.tries[name]) for entry in entries if name in entry.tries]
    unnamed = [entry for entry, attempt in tries if attempt.state in (OTHER, ERROR)]
    strong = [entry.student for entry in unnamed if is_strong(entry, name)]
    left = [(entry.student, attempt.mistake or "no name") for entry, attempt in tries if attempt.one_left]
    graded = [(entry, attempt) for entry, attempt in tries if attempt.automatic is not None]
    raised = [entry.student for entry, attempt in graded if attempt.points > attempt.automatic + 1e-6]
    if strong:
        text = STRONG_ONES.format(counted(len(strong), "student"), "is" if len(strong) == 1 else "are")
        yield sign("strong", text, strong, lesson, name)
    if left:
        what = ", ".join(f"{fault}: {n}" for fault, n in Counter(fault for _, fault in left).most_common())
        text = ONE_LEFT.format(counted(len(left), "student"), what)
        yield sign("one_left", text, [student for student, _ in left], lesson, name)
    if raised:
        yield sign("by_hand", BY_HAND.format(counted(len(raised), "student")), raised, lesson, name)


def sign(kind, text, students, lesson="", exercise=""):
    about = {"kind": kind, "lesson": lesson, "exercise": exercise, "sentence": text}
    return about | {"students": len(students), "who": sorted(students)}


def is_strong(entry, name):
    """Has it most points of all other exercises? Written answers, which people grade later, do not count."""
    others = [attempt for other, attempt in entry.tries.items() if other != name]
    most = sum(attempt.max_points for attempt in others)
    return most > 0 and sum(attempt.points for attempt in others) >= STRONG * most


def waiting(lesson, sentences):
    """What waits for a person: each of [(sentence, whose)] once, with how many it concerns."""
    rows = [sign("waiting", text, who, lesson) for text, who in group(sentences).items()]
    return sorted(rows, key=lambda row: (-row["students"], row["sentence"]))


def sentence_without(sentence, names=()):
    """A sentence's first part of four words or more, between colons, brackets and quotes, without the
    student's names: a file's name or a student's text stands in a part of its own, mostly a later one."""
    for name in sorted(names, key=len, reverse=True):
        sentence = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "\0", sentence)
    parts = (part.strip(" .,;") for part in re.split(r":\s|[(\"“`]|(?<!\w)'", sentence))
    short = next((part for part in parts if len(part.split()) >= FEWEST_WORDS), "")
    return f"{short}.".replace("\0", "(name)") if short else MAY_NAME_SOMEBODY
