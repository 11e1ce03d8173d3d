"""The instructor's side of the course: exercises, build, grading. It is never handed out to a class."""


def grade(name, obj, seed=None):
    """Grade `obj` on hidden cases of the exercise `name`; return a Result with points in [0, max_points].

    seed: an integer that makes the hidden cases repeatable; by default a new one is drawn.
    """
    from .grading.grade_object import grade as grade_

    return grade_(name, obj, seed)


__all__ = ["grade"]
