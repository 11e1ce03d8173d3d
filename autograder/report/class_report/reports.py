"""Course -> the report on it and on each lesson, as plain data: what the pages and the JSON files hold."""

from .entries import OPEN, RIGHT
from .mistakes import mistakes_of, without_a_name
from .numbers import exercises_of, scores_of_class
from .signs import doubts, flags, waiting

COUNTS = "students", "handed_in", "started", "finished", "rejected", "not_graded_yet", "excused", "scores"
MISSING = {
    "names": "Graded by an earlier version of the course: {}. It kept no sentences, points or states of the "
    "exercises: mistakes are known by name, and what is right by the points. `make grade "
    "GRADE_FLAGS=--regrade` grades them again and keeps all.",
    "nothing": "Without a page in autograded/ that can be read: {}. They count as handed in, with the points "
    "that the gradebook has; their mistakes are not known. `make grade` grades them again.",
}


def report_on(course, with_names=False):
    """(the course's report, {lesson: its report}); lessons that nobody handed in are left out.

    Without names, no list of students is in them ("who"), and nothing else that they chose.
    """
    lessons = {
        lesson: lesson_report(course, lesson, entries, with_names)
        for lesson, entries in course.lessons.items()
        if entries or course.ungraded.get(lesson)
    }
    whole = course_report(course, lessons, with_names)
    keep = (lambda data: data) if with_names else without_lists
    return keep(whole), {lesson: keep(report) for lesson, report in lessons.items()}


def lesson_report(course, lesson, entries, with_names):
    # a submission without a page has points and nothing that could be counted
    readable = [entry for entry in entries if entry.record_kind != "nothing"]
    exercises, ungraded = exercises_of(readable), course.ungraded.get(lesson, [])
    handed_in = {entry.student for entry in entries} | set(ungraded)
    states = [{attempt.state for attempt in entry.tries.values()} for entry in entries]
    return {
        "lesson": lesson,
        "students": len(course.students | handed_in),
        "handed_in": len(handed_in),
        "started": sum(bool(of_student - {OPEN}) for of_student in states),
        "finished": sum(of_student == {RIGHT} for of_student in states),
        "rejected": sum(entry.rejected for entry in entries),
        "not_graded_yet": len(ungraded),
        "excused": course.excused.get(lesson, 0),
        "missing": missing(entries),
        "scores": scores_of_class(entries),
        "exercises": exercises,
        "mistakes": mistakes_of(readable),
        "unnamed": without_a_name(readable),
        "doubts": doubts(readable, exercises),
        "waiting": waiting(entries, ungraded, (), lesson, with_names),
        "flags": flags(entries),
    }


def missing(entries):
    """Sentences on what is not known, and of how many submissions."""
    counts = {kind: sum(entry.record_kind == kind for entry in entries) for kind in MISSING}
    return [MISSING[kind].format(count) for kind, count in counts.items() if count]


def course_report(course, lessons, with_names):
    entries = [entry for lesson in lessons for entry in course.lessons[lesson]]
    ungraded = {student for of_lesson in course.ungraded.values() for student in of_lesson}
    whole = {
        key: [row for report in lessons.values() for row in report[key]]
        for key in ("exercises", "unnamed", "doubts", "waiting")
    }
    whole["waiting"] += waiting((), (), course.left_out, "", with_names)
    return whole | {
        "lesson": None,
        "students": len(course.students | {entry.student for entry in entries} | ungraded),
        "lessons": [
            {"lesson": name, **{key: report[key] for key in COUNTS}} for name, report in lessons.items()
        ],
        "missing": missing(entries),
        "mistakes": mistakes_of([entry for entry in entries if entry.record_kind != "nothing"]),
        "flags": flags(entries),
    }


def without_lists(data):
    """The same without the lists of students."""
    if isinstance(data, dict):
        return {key: without_lists(value) for key, value in data.items() if key != "who"}
    return [without_lists(value) for value in data] if isinstance(data, list) else data
