"""grade one object, or one notebook."""
import difflib

from course_utils.assess import assess
from course_utils.check import is_stand_in
from course_utils.observe.probe import observe
from course_utils.result import Result

from .exercise import new_seed
from .exercises import load, names


def grade(name, obj, seed=None):
    """Assess `obj` on hidden cases drawn from `seed`; see autograder.grade."""
    if name not in names():
        near = difflib.get_close_matches(str(name), names(), 1, 0.4)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        return Result(str(name), False, f"There is no exercise called {name!r}.{meant}", "unknown_exercise")
    exercise = load(name)
    seed = new_seed() if seed is None else seed
    if is_stand_in(obj):
        return Result(name, False, "This is the course's stand-in, not an answer.", "stand_in", 0.0, exercise.points)
    cases = exercise.cases(seed)
    return judge(exercise, seed, [observe(obj, case, exercise.contract) for case in cases])


def judge(exercise, seed, seen):
    """Observations of the seed's cases -> a Result; the known mistakes are only worked out when something is wrong."""
    result = assess(exercise.sheet(seed, with_mistakes=False), seen)
    if result.status == "wrong":
        result = assess(exercise.sheet(seed), seen)
    return result
