"""The points of a lesson's exercises, so that no test has to contain them."""

from autograder.releases.store import lessons


def full_marks(lesson="01_masks", without=()):
    """Return the points of all exercises of a lesson, or of all but some."""
    exercises = lessons()[lesson].exercises
    return sum(exercises.values()) - sum(exercises[name] for name in without)
