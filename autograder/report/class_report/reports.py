"""Course -> the report on it and on each lesson, as plain data: what the pages and the JSON files hold."""

from dataclasses import replace

from .collect import OPEN, RIGHT
from .mistakes import mistakes_of, without_a_name
from .numbers import exercises_of, scores_of_class
from .signs import NOT_GRADED, doubts, sentence_without, waiting

COUNTS = "students", "handed_in", "started", "finished", "rejected", "not_graded_yet", "excused", "scores"
MISSING = (
    "Without a record of what became of the exercises: {}. The page in autograded/ is gone, or an earlier "
    "version of the course wrote it: their points say what is right, and no mistake is known. `make grade "
    "GRADE_FLAGS=--regrade` grades them again."
)


def report_on(course, with_names=False):
    """(the course's report, {lesson: its report}); lessons that nobody handed in are left out.

    Without names, no list of students is in them ("who"), and nothing else that they chose.
    """
    if not with_names:
        course = without_names(course)
    lessons = {
        lesson: lesson_report(course, lesson, entries)
        for lesson, entries in course.lessons.items()
        if entries or course.ungraded.get(lesson)
    }
    reports = course_report(course, lessons), lessons
    return reports if with_names else without_lists(reports)


def lesson_report(course, lesson, entries):
    exercises, ungraded = exercises_of(entries), course.ungraded.get(lesson, [])
    handed_in = {entry.student for entry in entries} | set(ungraded)
    states = [{attempt.state for attempt in entry.tries.values()} for entry in entries]
    sentences = [(text, entry.student) for entry in entries for text in entry.waits]
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
        "mistakes": mistakes_of(entries),
        "unnamed": without_a_name(entries),
        "doubts": doubts(entries, exercises),
        "waiting": waiting(lesson, sentences + [(NOT_GRADED, student) for student in ungraded]),
    }


def missing(entries):
    """A sentence on what is not known, or ""."""
    count = sum(not entry.recorded for entry in entries)
    return MISSING.format(count) if count else ""


def course_report(course, lessons):
    entries = [entry for lesson in lessons for entry in course.lessons[lesson]]
    ungraded = {student for of_lesson in course.ungraded.values() for student in of_lesson}
    whole = {
        key: [row for report in lessons.values() for row in report[key]]
        for key in ("exercises", "unnamed", "doubts", "waiting")
    }
    whole["waiting"] += waiting("", [(reason, place) for place, reason in course.left_out])
    counts = [{"lesson": name, **{key: report[key] for key in COUNTS}} for name, report in lessons.items()]
    return whole | {
        "lesson": None,
        "students": len(course.students | {entry.student for entry in entries} | ungraded),
        "lessons": counts,
        "missing": missing(entries),
        "mistakes": mistakes_of(entries),
    }


def without_names(course):
    """The same, and nothing that a student chose stands in a sentence."""

    def public(entry):
        return replace(entry, waits=[sentence_without(text, entry.names) for text in entry.waits])

    lessons = {lesson: [*map(public, entries)] for lesson, entries in course.lessons.items()}
    left_out = [(place, sentence_without(reason)) for place, reason in course.left_out]
    return replace(course, lessons=lessons, left_out=left_out)


def without_lists(data):
    """The same without the lists of students."""
    if isinstance(data, dict):
        return {key: without_lists(value) for key, value in data.items() if key != "who"}
    return type(data)(map(without_lists, data)) if isinstance(data, list | tuple) else data
