"""Grades one Submitted, in a thread of the grader or on a cluster's worker; imports torch."""

from autograder.grading.graded import GradedSubmission
from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.unsandboxed import PlainWorker

OTHER_LESSON = "This is {0}, but it was handed in as {1}: hand in the right notebook, or move it to {0}."


def grade_submitted(submitted, seed, no_sandbox=False):
    """Return the result. An unreadable notebook, or another lesson's, is rejected."""
    if submitted.reason:
        graded = GradedSubmission.rejected(submitted.reason, seed)
    else:
        graded = grade_notebook(submitted.data, seed, PlainWorker() if no_sandbox else sandbox())
    if graded.lesson not in (None, submitted.lesson):
        graded = GradedSubmission.rejected(OTHER_LESSON.format(graded.lesson, submitted.lesson), seed)
    return graded
