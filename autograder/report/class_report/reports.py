"""Course -> the report on it and on each lesson, as plain data: what the pages and the JSON files hold."""

from .mistakes import mistakes_of, without_a_name
from .numbers import exercises_of, scores_of_class
from .signs import doubts, flags, waiting

MISSING = {
    "names": "{} graded by an earlier version of the course, which kept no sentences, points or states of "
    "the exercises: their mistakes are known by name, and where they are right by the points. `make grade "
    "GRADE_FLAGS=--again` grades them again and keeps all.",
    "nothing": "{} no page in autograded/ that can be read: they count as handed in, with the points that "
    "the gradebook has; their mistakes are not known. `make grade` grades them again.",
}


def report_on(course, with_names=False):
    """(the course's report, {lesson: its report}); lessons that nobody handed in are left out.

    Without names, no list of students is in them ("who"), and nothing else that they chose but code.
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
    told = [entry for entry in entries if entry.kept != "nothing"]
    exercises = exercises_of(told)
    ungraded = course.ungraded.get(lesson, [])
    return {
        "lesson": lesson,
        **turnout(course, lesson, entries, ungraded),
        "missing": missing(entries),
        "scores": scores_of_class(entries),
        "exercises": exercises,
        "mistakes": mistakes_of(told),
        "unnamed": without_a_name(told),
        "doubts": doubts(told, exercises),
        "waiting": waiting(entries, ungraded, (), lesson, with_names),
        "flags": flags(entries),
    }


def turnout(course, lesson, entries, ungraded):
    return {
        "students": len(course.students | {entry.student for entry in entries} | set(ungraded)),
        "handed_in": len({entry.student for entry in entries} | set(ungraded)),
        "started": sum(any(one.state != "not started" for one in e.tries.values()) for e in entries),
        "finished": sum(e.graded and all(one.state == "right" for one in e.tries.values()) for e in entries),
        "rejected": sum(entry.rejected for entry in entries),
        "not_graded_yet": len(ungraded),
        "excused": course.excused.get(lesson, 0),
    }


def missing(entries):
    """Sentences on what is not known, and of how many submissions."""
    counts = {kind: sum(entry.kept == kind for entry in entries) for kind in MISSING}
    verbs = {
        "names": ("1 submission was", "{} submissions were"),
        "nothing": ("1 submission has", "{} submissions have"),
    }
    return [
        MISSING[kind].format(verbs[kind][count > 1].format(count)) for kind, count in counts.items() if count
    ]


def course_report(course, lessons, with_names):
    entries = [entry for lesson in lessons for entry in course.lessons[lesson]]
    told = [entry for entry in entries if entry.kept != "nothing"]
    everybody = (
        course.students
        | {entry.student for entry in entries}
        | {student for some in course.ungraded.values() for student in some}
    )
    counts = (
        *("students", "handed_in", "started", "finished", "rejected", "not_graded_yet", "excused"),
        "scores",
    )
    return {
        "lesson": None,
        "students": len(everybody),
        "lessons": [{"lesson": name, **{key: one[key] for key in counts}} for name, one in lessons.items()],
        "missing": missing(entries),
        "exercises": [row for one in lessons.values() for row in one["exercises"]],
        "mistakes": mistakes_of(told),
        "unnamed": [row for one in lessons.values() for row in one["unnamed"]],
        "doubts": [row for one in lessons.values() for row in one["doubts"]],
        "waiting": [row for one in lessons.values() for row in one["waiting"]]
        + waiting((), (), course.left_out, "", with_names),
        "flags": flags(entries),
    }


def without_lists(data):
    """The same without the lists of students."""
    if isinstance(data, dict):
        return {key: without_lists(value) for key, value in data.items() if key != "who"}
    return [without_lists(value) for value in data] if isinstance(data, list) else data
