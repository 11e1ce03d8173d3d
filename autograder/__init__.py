"""The instructor's side: exercises, publishing, building, grading. Never part of what a class receives."""


def grade(name, obj, seed=None):
    """Assess `obj` on fresh hidden cases of the exercise `name`: a Result, points in [0, max_points].

    seed: a whole number that makes the hidden cases repeatable; by default one is drawn.
    """
    from .grading.grade_object import grade as grade_

    return grade_(name, obj, seed)


__all__ = ["grade"]
