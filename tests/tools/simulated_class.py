"""A class whose mistakes are known: graded submissions that nobody had to run, and the truth about them."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from random import Random

from autograder.gradebook.page import memory_of
from autograder.gradebook.standing import About, Outcome, Score
from autograder.gradebook.submitted import Submitted
from autograder.grading.graded import GradedExercise, GradedSubmission
from autograder.publish.solutions import answers
from autograder.releases import store
from autograder.report.class_report.collect import Course
from autograder.report.class_report.entries import entry_of
from autograder.report.class_report.published import mistakes_in
from autograder.sandbox.host.losses import TOO_SLOW
from autograder.setup.sample_class import changed
from autograder.submission.ready_made import note_on

LESSONS = "02_split_concat", "01_masks"
SCORES_OF_CORE = (
    "heads, weights = scaled_dot_product_attention(Q, K, V, mask)",
    "weights = (Q @ K.mT / Q.shape[-1] ** 0.5).softmax(-2)\n    heads = weights @ V",
)
# {exercise: [(how many of a hundred, mistake, what is changed in the right answer)]}
MADE = {
    "split_heads": [
        (18, "split_without_transpose",
         [("T, num_heads,", "num_heads, T,"), ("bands.transpose(1, 2)", "bands")]),
        (6, "split_interleaved",
         [("T, num_heads, d_model // num_heads", "T, -1, num_heads"), ("1, 2)", "1, 3)")]),
    ],
    "merge_heads": [(14, "merge_without_transpose", [("x.transpose(1, 2)", "x")])],
    "scaled_dot_product_attention": [
        (15, "softmax_over_queries", [("dim=-1", "dim=-2")]),
        (9, "not_scaled", [(" / math.sqrt(Q.shape[-1])", "")]),
    ],
    "multi_head_attention_core": [(12, "softmax_over_queries", [SCORES_OF_CORE])],
    "multi_head_attention": [(7, "not_scaled", [(" / d_head**0.5", "")])],
    "masked_softmax": [(10, "inverted", [("masked_fill(mask, lowest)", "masked_fill(~mask, lowest)")])],
}  # fmt: skip
FATES = ((4, "not_started"), (3, "error"), (2, "limit"), (5, "wrong"), (4, "one_left"))  # of a hundred each


@dataclass
class Truth:
    """What was made, counted where it was made and not where it is read.

    states: {(lesson, exercise): {fate: students}}. mistakes: {mistake: {student: exercises}}. where:
    {(mistake, lesson, exercise): students}. passed: {lesson: {student: {exercise: (right, points)}}}. The
    last three: {lesson: students}.
    """

    states: dict = field(default_factory=lambda: defaultdict(Counter))
    mistakes: dict = field(default_factory=lambda: defaultdict(Counter))
    where: Counter = field(default_factory=Counter)
    passed: dict = field(default_factory=lambda: defaultdict(dict))
    ready_made: set = field(default_factory=set)
    at_limit: set = field(default_factory=set)
    started: Counter = field(default_factory=Counter)
    rejected: Counter = field(default_factory=Counter)
    absent: Counter = field(default_factory=Counter)


def simulated(students=300, seed=5, lessons=LESSONS):
    """(Course, Truth) of a class in which the weak make more of the mistakes."""
    random, truth = Random(seed), Truth()
    course = Course({f"student{number:03d}" for number in range(students)})
    for lesson in lessons:
        course.lessons[lesson] = []
        for student in sorted(course.students):
            ability = Random(f"{student} {seed}").random() * 2
            fate = random.randrange(100)
            if fate < 5:
                truth.absent[lesson] += 1
            elif fate < 7:
                truth.rejected[lesson] += 1
                unread = GradedSubmission.rejected(f"{student}.ipynb: This is no notebook.", 1)
                course.lessons[lesson].append(as_entry(student, lesson, unread))
            else:
                course.lessons[lesson].append(entry(student, lesson, ability, random, truth, fate > 9))
    return course, truth


def entry(student, lesson, ability, random, truth, begun):
    release, exercises, texts, notes = store.current(lesson), {}, {}, []
    for name, points in release.exercises.items():
        fate, mistake, edits = draw_fate(name, ability, random) if begun else ("not_started", None, ())
        exercises[name] = exercise(name, points, fate, mistake)
        texts[name] = f"# {student} wrote this\n{changed(answers(lesson)[name], edits, name)}"
        truth.states[lesson, name][fate] += 1
        truth.passed[lesson].setdefault(student, {})[name] = fate == "right", exercises[name].points
        if mistake:
            truth.mistakes[mistake][student] += 1
            truth.where[mistake, lesson, name] += 1
        if fate == "limit":
            truth.at_limit.add(student)
    truth.started[lesson] += any(item.status != "not_started" for item in exercises.values())
    if random.random() < 0.04:
        truth.ready_made.add(student)
        notes.append(note_on(4, "scaled_dot_product_attention", "cell 7 of the notebook, "))
    graded = GradedSubmission(lesson, release.id, exercises=exercises, notes=notes, seed=1, texts=texts)
    return as_entry(student, lesson, graded)


def draw_fate(name, ability, random):
    """(fate, mistake, edits): ability 2 makes none of it, ability 0 all twice as often."""
    draw, edge = random.random() * 100, 0.0
    for share, mistake, edits in MADE.get(name, ()):
        edge += share * (2 - ability)
        if draw < edge:
            return "mistake", mistake, edits
    for share, fate in FATES:
        edge += share * (2 - ability)
        if draw < edge:
            return fate, "casts_dtype" if fate == "one_left" else None, ()
    return "right", None, ()


def exercise(name, points, fate, mistake):
    share = {"right": 1.0, "one_left": 0.9}.get(fate, 0.0)
    status = {"right": "passed", "mistake": "wrong", "limit": "error"}.get(fate, fate)
    ended = {"error": "ValueError: too many values", "limit": TOO_SLOW}.get(fate, "")
    plain = {"wrong": "Entry 0 is 1.0 instead of 2.0.", "right": "It is right."}.get(fate, ended)
    message = mistakes_in(name).get(mistake, [plain])[0]
    right = fate == "right"
    return GradedExercise(name, share * points, points, right, status, mistake, message, ended=ended)


def as_entry(student, lesson, graded, first_name=None, last_name=None):
    """As the page and the gradebook would give it back."""
    memory = json.loads(json.dumps(memory_of(graded, Submitted(student, lesson, b"{}"))))
    exercises = store.current(lesson).exercises
    points = {name: graded.exercises[name].points if graded.exercises else 0.0 for name in exercises}
    cells = {f"test_{name}": number for name, number in points.items()}
    score = Score(needs_manual_grade=graded.status == "rejected", cells=cells)
    score.max_score = sum(exercises.values())
    about = About(first_name, last_name)
    outcome = Outcome(student, lesson, "unchanged", memory["notes"], memory, score, about=about)
    return entry_of(outcome, exercises)
