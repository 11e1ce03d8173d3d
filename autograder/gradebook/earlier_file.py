"""What the gradebook holds of an earlier file and what may not hold for a new one -> sentences."""

from nbgrader.api import MissingEntry

BY_HAND = "The points of {} were set by hand on an earlier file: check whether they hold for this one."
HAD_A_TIME = (
    "An earlier file was handed in at {:%Y-%m-%d %H:%M:%S} UTC, and this one has no time, so it counts as in "
    "time: write when it was handed in into its timestamp.txt."
)


def note_changes(gradebook, submitted):
    """Note, of a file that was not graded before, what a person gave for an earlier one, and its time."""
    try:
        before = gradebook.find_submission(submitted.lesson, submitted.student)
    except MissingEntry:
        return
    by_hand = [
        grade.name.removeprefix("test_")
        for notebook in before.notebooks
        for grade in notebook.grades
        if grade.manual_score is not None or grade.extra_credit
    ]
    if by_hand:
        submitted.notes.append(BY_HAND.format(", ".join(by_hand)))
    if before.timestamp and submitted.time is None:
        submitted.for_a_person.append(HAD_A_TIME.format(before.timestamp))
