"""The outcome of every implementation that an exercise declares: the reference and the mistakes."""

from collections import Counter

from autograder.exercises import load
from autograder.grading.judge import judge
from course_utils.diagnose.visible import assess_visible
from course_utils.observe.probe import observe

from .record import SEEDS, VISIBLE, Outcome


def outcomes(name):
    """{(who, seed): Outcome} of one exercise."""
    exercise, result = load(name), {}
    for label, obj in implementations(exercise):
        for seed in (VISIBLE, *SEEDS):
            now = result_of(obj, exercise, seed)
            result[label, str(seed)] = Outcome.of(now.status, now.points, now.mistake, now.message)
    return result


def result_of(obj, exercise, seed):
    """The Result of the visible cases (VISIBLE) or of a seed's hidden cases."""
    if seed == VISIBLE:
        return assess_visible(exercise.name, obj)
    return judge(exercise, seed, [observe(obj, case, exercise.contract) for case in exercise.cases(seed)])


def implementations(exercise):
    """Yield (label, object)."""
    yield "reference", exercise.implementation
    count = Counter()
    for mistake, _, new in exercise.mistakes:
        for implementation in new:
            yield f"mistake/{mistake}/{count[mistake]}", implementation
            count[mistake] += 1
