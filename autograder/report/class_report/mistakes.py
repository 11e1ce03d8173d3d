"""[Entry] -> the commonest mistakes: a sentence, how many made it, where it came back, an example of code."""

from collections import Counter

from .anonymous import anonymised
from .entries import ERROR, MISTAKE, OTHER
from .published import released_text, sentence_of

MOST_MESSAGES = 3
LECTURE = (
    "To let the class find it: paste the example into the lesson's notebook, below its exercise, and run "
    "`check({0!r}, {0})`."
)


def mistakes_of(entries):
    """The known mistakes, the commonest first. `students` made it at least once, `came_back` in two or more
    exercises; `exercises` says where, and how many there."""
    made = {}
    for entry in entries:
        for exercise, one in entry.tries.items():
            if one.state == MISTAKE:
                made.setdefault(one.mistake, []).append((entry, exercise, one))
    found = [described(name, cases) for name, cases in made.items()]
    return sorted(found, key=lambda one: (-one["students"], one["mistake"]))


def described(mistake, cases):
    """cases: [(Entry, exercise, Try)] with this mistake."""
    of_student = Counter(entry.student for entry, *_ in cases)
    places = Counter((entry.lesson, exercise) for entry, exercise, _ in cases)
    where = [
        {
            "lesson": lesson,
            "exercise": exercise,
            "students": count,
            "sentence": read_in(mistake, exercise, cases),
        }
        for (lesson, exercise), count in sorted(places.items(), key=lambda one: (-one[1], one[0]))
    ]
    first = where[0]["exercise"]
    example = example_of([case for case in cases if case[1] == first])
    return {
        "mistake": mistake,
        "sentence": where[0]["sentence"],
        "students": len(of_student),
        "who": sorted(of_student),
        "came_back": sum(count > 1 for count in of_student.values()),
        "exercises": where,
        "example": example,
        "lecture": LECTURE.format(first) if example else "",
    }


def read_in(mistake, exercise, cases):
    messages = Counter(one.message for _, where, one in cases if where == exercise and one.message)
    return sentence_of(mistake, exercise, messages)


def example_of(cases):
    """The form in which most wrote it, of several the shortest; None where none can be shown."""
    known = released_text(cases[0][0].lesson)
    forms = Counter(anonymised(one.code, entry.names, known) for entry, _, one in cases if one.code)
    forms.pop(None, None)
    if not forms:
        return None
    code, count = min(forms.items(), key=lambda one: (-one[1], len(one[0]), one[0]))
    return {"exercise": cases[0][1], "code": code, "students": count}


def without_a_name(entries):
    """Wrong answers with no known mistake, by exercise: how many, and the sentences that two or more read."""
    found = {}
    for entry in entries:
        for exercise, one in entry.tries.items():
            if one.state in (OTHER, ERROR):
                found.setdefault((entry.lesson, exercise), []).append(one)
    rows = [
        {"lesson": lesson, "exercise": exercise, "students": len(tries), "messages": shared_messages(tries)}
        for (lesson, exercise), tries in found.items()
    ]
    return sorted(rows, key=lambda row: (-row["students"], row["lesson"], row["exercise"]))


def shared_messages(tries):
    """A sentence that one student alone read may hold the student's own words."""
    counts = Counter(one.message or one.ended for one in tries if one.message or one.ended)
    shared = [(text, count) for text, count in counts.items() if count > 1]
    shared.sort(key=lambda one: (-one[1], one[0]))
    return [{"message": text, "students": count} for text, count in shared[:MOST_MESSAGES]]
