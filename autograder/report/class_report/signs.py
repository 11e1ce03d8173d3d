"""[Entry] -> what an instructor should look at: doubts about the grading, what waits for a person, flags."""

from collections import Counter

from .anonymous import sentence_without
from .entries import ERROR, OTHER, READY_MADE
from .numbers import FEWEST, rest_of

STRONG = 0.8  # share of the points of all other exercises
TOLD = {
    "strong": "{} with at least 80 % of the points of all other exercises {} wrong with no known mistake.",
    "one_left": "{} with all values right lost points for something else ({}).",
    "by_hand": "A person gave {} more points here than the grader did.",
    "negative": "Students who have it right have fewer points in the rest of the lesson (r = {:.2f}).",
}
NOT_GRADED = "This was handed in and is not graded yet: run `make grade`."


def doubts(entries, exercises):
    """Where right answers may have lost points; `who` are those to look at."""
    found = []
    for row in exercises:
        name = row["exercise"]
        tries = [(entry, entry.tries[name]) for entry in entries if name in entry.tries]
        strong = [
            e.student
            for e, one in tries
            if one.state in (OTHER, ERROR) and not one.at_limit and is_strong(e, name)
        ]
        left = [(e.student, one.mistake or "no name") for e, one in tries if one.one_left]
        raised = [
            e.student for e, one in tries if one.automatic is not None and one.points > one.automatic + 1e-6
        ]
        if strong:
            text = TOLD["strong"].format(people(len(strong)), "is" if len(strong) == 1 else "are")
            found.append(sign(row, "strong", text, strong))
        if left:
            what = ", ".join(
                f"{name}: {count}" for name, count in Counter(fault for _, fault in left).most_common()
            )
            text = TOLD["one_left"].format(people(len(left)), what)
            found.append(sign(row, "one_left", text, [student for student, _ in left]))
        if raised:
            found.append(sign(row, "by_hand", TOLD["by_hand"].format(people(len(raised))), raised))
        if row["discrimination"] is not None and row["discrimination"] < 0 and row["graded"] >= FEWEST:
            found.append(sign(row, "negative", TOLD["negative"].format(row["discrimination"]), []))
    return found


def sign(row, kind, text, students):
    about = {"lesson": row["lesson"], "exercise": row["exercise"]}
    return about | {"kind": kind, "sentence": text, "students": len(students), "who": sorted(students)}


def people(count):
    return "1 student" if count == 1 else f"{count} students"


def is_strong(entry, name):
    most = sum(one.max_points for other, one in entry.tries.items() if other != name)
    return most > 0 and rest_of(entry, name) >= STRONG * most


def waiting(entries, ungraded=(), left_out=(), lesson="", with_names=False):
    """What waits for a person: each sentence once, with how many it is said of.

    Without names, what students chose is cut from the sentences.
    """
    said = {}
    for entry in entries:
        told = [*entry.for_a_person, *(waits_of(entry) if entry.needs_a_person else [])]
        for sentence in dict.fromkeys(told):
            shown = sentence if with_names else sentence_without(sentence, entry.names)
            said.setdefault((entry.lesson, shown), []).append(entry.student)
    for student in ungraded:
        said.setdefault((lesson, NOT_GRADED), []).append(student)
    for place, reason in left_out:
        shown = reason if with_names else sentence_without(reason, ())
        said.setdefault((lesson, shown), []).append(place)
    rows = [
        {"lesson": where, "sentence": text, "students": len(students), "who": sorted(students)}
        for (where, text), students in said.items()
    ]
    return sorted(rows, key=lambda row: (row["lesson"], -row["students"], row["sentence"]))


def waits_of(entry):
    return entry.waits or ["A score was set by hand before the last grading; look whether it still holds."]


def flags(entries):
    """Ready-made attention that was called, limits that were hit, files that were rejected."""
    found = {}
    for entry in entries:
        for library in sorted({name for note in entry.notes for name in READY_MADE.findall(note)}):
            found.setdefault(("ready_made", f"Ready-made {library} is called in the answers."), set()).add(
                entry.student
            )
        for why in sorted({one.ended for one in entry.tries.values() if one.at_limit}):
            found.setdefault(("limit", f"At least one exercise ended at a limit: {why}."), set()).add(
                entry.student
            )
        if entry.rejected:
            found.setdefault(("rejected", "The file could not be graded."), set()).add(entry.student)
    return [
        {"kind": kind, "sentence": text, "students": len(some), "who": sorted(some)}
        for (kind, text), some in sorted(found.items())
    ]
