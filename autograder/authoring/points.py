"""How an exercise's points are divided: the course's share for core cases, and what an author may not say."""

from autograder.refused import AuthorError
from course_utils.model.sheet import CORE, PROBES

CORE_SHARE = CORE  # change it here for the whole course, or give core= to one exercise; then `make notebooks`


def check_points(exercise):
    """Refuse a share that is none, and a weight that is none or belongs to no edge case."""
    edges = [name for name, _, edge in exercise.draws if edge] + [PROBES]
    if not is_number(exercise.core) or not 0 <= exercise.core <= 1:
        raise AuthorError(f"core of {exercise.name} is {exercise.core!r}: give a share from 0 to 1")
    for name, weight in exercise.weights.items():
        if name not in edges:
            has = ", ".join(edges)
            raise AuthorError(f"weights of {exercise.name} names {name}, which is no edge case: it has {has}")
        if not is_number(weight) or not 0 < weight < 1000:
            raise AuthorError(f"the weight of {name} in {exercise.name} is {weight!r}: give a number above 0")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)
