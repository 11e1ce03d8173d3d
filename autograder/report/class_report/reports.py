"""Turns a Course into reports on it and on each lesson: plain data for the pages and the JSON files."""

import re
from collections import Counter, defaultdict
from statistics import fmean, median

from autograder.tables import amount

from .collect import ERROR, MISTAKE, OPEN, OTHER, RIGHT, STATES
from .mistakes import sentence_of

COUNTS = "lesson", "students", "handed_in", "started", "finished", "rejected", "not_graded_yet"
COUNTS += "excused", "scores"
BINS = 10  # in the histogram of a lesson's scores
MOST_MESSAGES = 3
STRONG = 0.8  # share of the points of all other exercises
STRONG_ONES = "{} with at least 80 % of the points elsewhere {} wrong here, without a known mistake."
ONE_LEFT = "{} with all values right lost points for something else ({})."
BY_HAND = "A person gave {} more points here than the grader did."
NOT_GRADED = "This was handed in and is not graded yet: run `grade`."
MISSING = (
    "Without a record of what became of the exercises: {}. The page in autograded/ is gone, or an earlier "
    "version of the course wrote it: their points say what is right, and no mistake is known. `grade "
    "--regrade` grades them again."
)
FEWEST_WORDS = 4
MAY_NAME_SOMEBODY = "A sentence that may hold a student's text."


def report_on(course, with_names=False):
    """Return (the course's report, {lesson: its report}), without lessons that nobody handed in.

    Without names, the reports have no lists of students ("who"), and no other text that students chose.
    """
    names = [lesson for lesson, entries in course.lessons.items() if entries or course.ungraded[lesson]]
    lessons = {name: report_of(course, [name], with_names, lesson=name) for name in names}
    for name, report in lessons.items():
        report["scores"] = scores_of_class(course.lessons[name])
    whole = report_of(course, names, with_names, course.left_out)
    counts = [{key: report[key] for key in COUNTS} for report in lessons.values()]
    return whole | {"lessons": counts}, lessons


def report_of(course, lessons, with_names, left_out=(), lesson=None):
    """The report on these lessons together. left_out: [(path, reason)] that belong to no lesson."""
    entries = [entry for name in lessons for entry in course.lessons[name]]
    ungraded = [(name, student) for name in lessons for student in course.ungraded[name]]
    handed_in = {(entry.lesson, entry.student) for entry in entries} | set(ungraded)
    states = [{attempt.state for attempt in entry.tries.values()} for entry in entries]
    unrecorded = sum(not entry.recorded for entry in entries)
    tries: dict[tuple[str, str], list] = defaultdict(list)
    for entry in entries:
        for name, attempt in entry.tries.items():
            tries[entry.lesson, name].append((entry, attempt))
    waits = [((entry.lesson, text), entry.student, entry.names) for entry in entries for text in entry.waits]
    waits += [((name, NOT_GRADED), student, ()) for name, student in ungraded]
    waits += [(("", reason), place, ()) for place, reason in left_out]
    report = {
        "lesson": lesson,
        "students": len(course.students | {student for _, student in handed_in}),
        "handed_in": len(handed_in),
        "started": sum(bool(of_student - {OPEN}) for of_student in states),
        "finished": sum(of_student == {RIGHT} for of_student in states),
        "rejected": sum(entry.rejected for entry in entries),
        "not_graded_yet": len(ungraded),
        "excused": sum(course.excused[name] for name in lessons),
        "missing": MISSING.format(unrecorded) if unrecorded else "",
        "exercises": [exercise_of(*place, attempts) for place, attempts in tries.items()],
        "mistakes": mistakes_of(tries),
        "unnamed": unrecognised_answers(tries),
        "doubts": [row for place, attempts in tries.items() for row in doubts_on(*place, attempts)],
        "waiting": waiting(waits, with_names),
    }
    for row in () if with_names else [*report["mistakes"], *report["doubts"], *report["waiting"]]:
        del row["who"]
    return report


def scores_of_class(entries):
    """Statistics of a lesson's scores: count, full marks, mean, median, and a histogram in tenths.

    Releases of a lesson may have different full marks, so the histogram divides each score by its own.
    """
    scored = [(e.score, e.max_score) for e in entries if e.score is not None and e.max_score]
    tenths = Counter(min(int(score / most * BINS + 1e-9), BINS - 1) for score, most in scored)
    scores = [score for score, _ in scored]
    return {
        "submissions": len(scored),
        "full_marks": sorted({most for _, most in scored}),
        "mean": round(fmean(scores), 4) if scores else None,
        "median": round(median(scores), 4) if scores else None,
        "tenths": [tenths[n] for n in range(BINS)],
    }


def exercise_of(lesson, name, tries):
    """What happened to an exercise; the keys are the table's columns. tries: [(Entry, Try)]."""
    states = Counter(attempt.state for _, attempt in tries)
    return {
        "lesson": lesson,
        "exercise": name,
        "max_points": max(attempt.max_points for _, attempt in tries),
        "graded": len(tries),
        "started": len(tries) - states[OPEN],
        "states": {state: states[state] for state in STATES},
        "one_left": sum(attempt.one_left for _, attempt in tries),
        "share_right": round(states[RIGHT] / len(tries), 4),
        "mean_points": round(fmean(attempt.points for _, attempt in tries), 4),
    }


def mistakes_of(tries):
    """The known mistakes, the most common first. students: how many made it. came_back: how many made it in
    two or more exercises. exercises: where it was made, and by how many students."""
    places, students = defaultdict(lambda: defaultdict(Counter)), defaultdict(Counter)
    for place, attempts in tries.items():
        for entry, attempt in attempts:
            if attempt.state == MISTAKE:
                places[attempt.mistake][place][attempt.message] += 1
                students[attempt.mistake][entry.student] += 1
    rows = []
    for mistake, messages in places.items():
        where = [
            {
                "lesson": lesson,
                "exercise": name,
                "students": messages[lesson, name].total(),
                "sentence": sentence_of(mistake, name, messages[lesson, name]),
            }
            for lesson, name in sorted(messages, key=lambda place: (-messages[place].total(), place))
        ]
        row = {"mistake": mistake, "sentence": where[0]["sentence"], "students": len(students[mistake])}
        row |= {"who": sorted(students[mistake]), "exercises": where}
        rows.append(row | {"came_back": sum(count > 1 for count in students[mistake].values())})
    return sorted(rows, key=lambda row: (-row["students"], row["mistake"]))


def unrecognised_answers(tries):
    """Wrong answers without a known mistake, by exercise: how many, and messages that several students read.

    A message that only one student read is left out, because it may contain the student's own words.
    """
    rows = []
    for (lesson, name), attempts in tries.items():
        messages = Counter(attempt.message for _, attempt in attempts if attempt.state in (OTHER, ERROR))
        shared = sorted((-count, text) for text, count in messages.items() if text and count > 1)
        read = [{"message": text, "students": -count} for count, text in shared[:MOST_MESSAGES]]
        if messages:
            row = {"lesson": lesson, "exercise": name, "students": messages.total(), "messages": read}
            rows.append(row)
    return sorted(rows, key=lambda row: (-row["students"], row["lesson"], row["exercise"]))


def doubts_on(lesson, name, tries):
    """Yield a row for each sign that right answers lost points. who: the students to look at."""
    unnamed = [entry for entry, attempt in tries if attempt.state in (OTHER, ERROR)]
    strong = [entry.student for entry in unnamed if is_strong(entry, name)]
    left = [(entry.student, attempt.mistake or "no name") for entry, attempt in tries if attempt.one_left]
    graded = [(entry, attempt) for entry, attempt in tries if attempt.automatic is not None]
    raised = [entry.student for entry, attempt in graded if attempt.points > attempt.automatic + 1e-6]
    if strong:
        text = STRONG_ONES.format(amount(len(strong), "student"), "is" if len(strong) == 1 else "are")
        yield review_row("strong", text, strong, lesson, name)
    if left:
        summary = ", ".join(f"{fault}: {n}" for fault, n in Counter(fault for _, fault in left).most_common())
        text = ONE_LEFT.format(amount(len(left), "student"), summary)
        yield review_row("one_left", text, [student for student, _ in left], lesson, name)
    if raised:
        yield review_row("by_hand", BY_HAND.format(amount(len(raised), "student")), raised, lesson, name)


def review_row(kind, text, students, lesson, exercise=""):
    about = {"kind": kind, "lesson": lesson, "exercise": exercise, "sentence": text}
    return about | {"students": len(students), "who": sorted(students)}


def is_strong(entry, name):
    """Does the student have most points of all other exercises? Written answers are left out."""
    other_tries = [attempt for other, attempt in entry.tries.items() if other != name]
    most = sum(attempt.max_points for attempt in other_tries)
    return most > 0 and sum(attempt.points for attempt in other_tries) >= STRONG * most


def waiting(sentences, with_names):
    """What waits for a person: each sentence once, with the number of students it concerns. sentences:
    [((lesson, sentence), student, the student's names)]."""
    groups = defaultdict(list)
    for (lesson, text), students, names in sentences:
        groups[lesson, text if with_names else sentence_without(text, names)].append(students)
    rows = [review_row("waiting", text, students, lesson) for (lesson, text), students in groups.items()]
    return sorted(rows, key=lambda row: (-row["students"], row["sentence"]))


def sentence_without(sentence, names=()):
    """The first part of a sentence with four words or more, without the student's names. Colons, brackets and
    quotes separate parts: a file name or a student's text is mostly in a later one."""
    for name in sorted(names, key=len, reverse=True):
        sentence = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "\0", sentence)
    parts = (part.strip(" .,;") for part in re.split(r":\s|[(\"“`]|(?<!\w)'", sentence))
    short = next((part for part in parts if len(part.split()) >= FEWEST_WORDS), "")
    return f"{short}.".replace("\0", "(name)") if short else MAY_NAME_SOMEBODY
