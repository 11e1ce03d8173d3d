"""The outcome of every implementation: reference, right answers, declared and held-back mistakes."""

from collections import Counter
from functools import cache

from autograder.exercises import load
from autograder.grading.judge import judge
from course_utils.diagnose.visible import assess_visible
from course_utils.observe.probe import observe
from tests.tools.variants import variants

from .record import SEEDS, VISIBLE, Outcome

answers = cache(variants)


def outcomes(name):
    """{(who, seed): Outcome} of one exercise."""
    exercise, result = load(name), {}
    for label, make in implementations(exercise):
        obj = make()
        result[label, VISIBLE] = outcome(assess_visible(name, obj))
        for seed in SEEDS:
            observations = [observe(obj, case, exercise.contract) for case in exercise.cases(seed)]
            result[label, str(seed)] = outcome(judge(exercise, seed, observations))
    return result


def outcome(result):
    return Outcome.of(result.status, result.points, result.mistake, result.message)


def implementations(exercise):
    """Yield (label, a function that makes the object)."""
    yield "reference", lambda: exercise.implementation
    for folder in ("right", "held_back"):
        for variant in answers(folder):
            if variant.exercise == exercise.name:
                yield f"{folder}/{variant.name}", variant.make
    count = Counter()
    for mistake, _, new in exercise.mistakes:
        for implementation in new:
            yield f"mistake/{mistake}/{count[mistake]}", lambda item=implementation: item
            count[mistake] += 1
