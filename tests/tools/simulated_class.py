"""A made-up class whose mistakes are known: graded submissions that were never run, and the true counts."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from random import Random

from autograder.gradebook.page import memory_of, notes_in
from autograder.gradebook.standing import Outcome, Score, StudentInfo
from autograder.gradebook.submitted import Submitted
from autograder.grading.graded import GradedExercise, GradedSubmission
from autograder.releases import store
from autograder.report.class_report.collect import Course, entry_of
from autograder.report.class_report.mistakes import sentences_of
from autograder.sandbox.shared.job import TOO_SLOW

LESSONS = "02_split_concat", "01_masks"
# {exercise: [(percentage, mistake)]}
MADE = {
    "split_heads": [(18, "split_without_transpose"), (6, "split_interleaved")],
    "merge_heads": [(14, "merge_without_transpose")],
    "scaled_dot_product_attention": [(15, "softmax_over_queries"), (9, "not_scaled")],
    "multi_head_attention_core": [(12, "softmax_over_queries")],
    "multi_head_attention": [(7, "not_scaled")],
    "masked_softmax": [(10, "inverted")],
}
FATES = ((4, "not_started"), (3, "error"), (2, "limit"), (5, "wrong"), (4, "one_left"))  # percentages


@dataclass
class Truth:
    """The true counts, without the code that is tested. states: {(lesson, exercise): {fate: students}}.
    mistakes: {mistake: {student: exercises}}. where: {(mistake, lesson, exercise): students}. passed:
    {lesson: {student: {exercise: (right, points)}}}. The last three: {lesson: students}."""

    states: dict = field(default_factory=lambda: defaultdict(Counter))
    mistakes: dict = field(default_factory=lambda: defaultdict(Counter))
    where: Counter = field(default_factory=Counter)
    passed: dict = field(default_factory=lambda: defaultdict(dict))
    started: Counter = field(default_factory=Counter)
    rejected: Counter = field(default_factory=Counter)
    absent: Counter = field(default_factory=Counter)


def simulated(students):
    """(Course, Truth) of a class in which weaker students make more of the mistakes."""
    random, truth = Random(5), Truth()
    course = Course({f"student{number:03d}" for number in range(students)})
    for lesson in LESSONS:
        course.lessons[lesson] = []
        for student in sorted(course.students):
            fate = random.randrange(100)
            if fate < 5:
                truth.absent[lesson] += 1
                continue
            if fate < 7:
                truth.rejected[lesson] += 1
                graded = GradedSubmission.rejected(f"{student}.ipynb: This is no notebook.", 1)
            else:
                graded = grade(student, lesson, random, truth, fate > 9)
            course.lessons[lesson].append(as_entry(student, lesson, graded))
    return course, truth


def grade(student, lesson, random, truth, has_started):
    release, exercises, ability = store.current(lesson), {}, Random(f"{student} 5").random() * 2
    for name, points in release.exercises.items():
        fate, mistake = draw_fate(name, ability, random) if has_started else ("not_started", None)
        exercises[name] = exercise(name, points, fate, mistake)
        truth.states[lesson, name][fate] += 1
        truth.passed[lesson].setdefault(student, {})[name] = fate == "right", exercises[name].points
        if mistake:
            truth.mistakes[mistake][student] += 1
            truth.where[mistake, lesson, name] += 1
    truth.started[lesson] += any(item.status != "not_started" for item in exercises.values())
    return GradedSubmission(lesson, release.id, exercises=exercises, seed=1)


def draw_fate(name, ability, random):
    """(fate, mistake): at ability 2 always "right"; at ability 0 everything else is twice as likely."""
    draw, edge = random.random() * 100, 0.0
    fates = [(share, "mistake", mistake) for share, mistake in MADE.get(name, ())]
    fates += [(share, fate, "casts_dtype" if fate == "one_left" else None) for share, fate in FATES]
    for share, fate, mistake in fates:
        edge += share * (2 - ability)
        if draw < edge:
            return fate, mistake
    return "right", None


def exercise(name, points, fate, mistake):
    share = {"right": 1.0, "one_left": 0.9}.get(fate, 0.0)
    status = {"right": "passed", "mistake": "wrong", "limit": "error"}.get(fate, fate)
    ended = {"error": "ValueError: too many values", "limit": TOO_SLOW}.get(fate, "")
    plain = {"wrong": "Entry 0 is 1.0 instead of 2.0.", "right": "It is right."}.get(fate, ended)
    message = sentences_of(name).get(mistake, [plain])[0]
    return GradedExercise(name, share * points, points, share == 1, status, mistake, message, ended=ended)


def as_entry(student, lesson, graded, first_name=None, last_name=None):
    """The class report's entry, with memory and points as the page and the gradebook would return them."""
    memory = json.loads(json.dumps(memory_of(graded, Submitted(student, lesson, b"{}"))))
    exercises = store.current(lesson).exercises
    points = {name: graded.exercises[name].points if graded.exercises else 0.0 for name in exercises}
    cells = {f"test_{name}": number for name, number in points.items()}
    score = Score(needs_manual_grade=graded.status == "rejected", cells=cells)
    score.max_score = sum(exercises.values())
    about = StudentInfo(first_name, last_name)
    outcome = Outcome(student, lesson, "unchanged", notes_in(memory), memory, score, about=about)
    return entry_of(outcome, exercises)
