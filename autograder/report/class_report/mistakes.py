"""[Entry] -> the commonest mistakes: a sentence, how many made it, and where it came back."""

from collections import Counter

from .entries import ERROR, MISTAKE, OTHER, group, tries_in
from .published import sentence_of

MOST_MESSAGES = 3


def mistakes_of(entries):
    """The known mistakes, the commonest first. `students` made it at least once, `came_back` in two or more
    exercises; `exercises` says where, and how many there."""
    cases = [case for case in tries_in(entries) if case[2].state == MISTAKE]
    rows = [described(*of_one) for of_one in group((case[2].mistake, case) for case in cases).items()]
    return sorted(rows, key=lambda row: (-row["students"], row["mistake"]))


def described(mistake, cases):
    """cases: [(Entry, exercise, Try)] with this mistake."""
    by_student = Counter(entry.student for entry, *_ in cases)
    places = Counter((entry.lesson, exercise) for entry, exercise, _ in cases)
    where = []
    for (lesson, exercise), count in sorted(places.items(), key=lambda item: (-item[1], item[0])):
        messages = Counter(attempt.message for _, name, attempt in cases if name == exercise)
        sentence = sentence_of(mistake, exercise, messages)
        where.append({"lesson": lesson, "exercise": exercise, "students": count, "sentence": sentence})
    return {
        "mistake": mistake,
        "sentence": where[0]["sentence"],
        "students": len(by_student),
        "who": sorted(by_student),
        "came_back": sum(count > 1 for count in by_student.values()),
        "exercises": where,
    }


def without_a_name(entries):
    """Wrong answers with no known mistake, by exercise: how many, and the sentences that two or more read."""
    cases = [case for case in tries_in(entries) if case[2].state in (OTHER, ERROR)]
    tries = group(((entry.lesson, exercise), attempt) for entry, exercise, attempt in cases)
    rows = [
        {"lesson": lesson, "exercise": name, "students": len(students), "messages": shared_messages(students)}
        for (lesson, name), students in tries.items()
    ]
    return sorted(rows, key=lambda row: (-row["students"], row["lesson"], row["exercise"]))


def shared_messages(tries):
    """A sentence that one student alone read may hold the student's own words."""
    counts = Counter(attempt.message or attempt.ended for attempt in tries)
    shared = [(text, n) for text, n in counts.items() if text and n > 1]
    shared.sort(key=lambda item: (-item[1], item[0]))
    return [{"message": text, "students": count} for text, count in shared[:MOST_MESSAGES]]
