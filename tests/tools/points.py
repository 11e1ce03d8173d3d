"""What the exercises of a lesson are worth, so that no test has to know it."""

from autograder.releases.store import lessons


def full_marks(lesson="01_masks", without=()):
    """The points of all exercises of a lesson, or of all but some."""
    exercises = lessons()[lesson].exercises
    return sum(exercises.values()) - sum(exercises[name] for name in without)
