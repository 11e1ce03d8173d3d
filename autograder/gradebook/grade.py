"""Submitted -> GradedSubmission: what runs in the executor's processes; it imports torch."""

from autograder.grading.feedback import as_page
from autograder.grading.graded import GradedSubmission
from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.unsandboxed import PlainWorker


def grade_submitted(submitted, seed, no_sandbox=False):
    """The result, with its feedback page."""
    graded = result_of(submitted, seed, no_sandbox)
    graded.feedback_page = as_page(submitted.student, graded)
    return graded


def result_of(submitted, seed, no_sandbox):
    """A notebook of another lesson, and one that cannot be read, is rejected."""
    if submitted.reason:
        return GradedSubmission.rejected(submitted.reason, seed)
    graded = grade_notebook(submitted.data, seed, PlainWorker() if no_sandbox else sandbox())
    if graded.lesson in (None, submitted.lesson):
        return graded
    reason = (
        f"This is {graded.lesson}, but it was handed in as {submitted.lesson}: "
        f"hand in the right notebook, or move it to {graded.lesson}."
    )
    return GradedSubmission.rejected(reason, seed)
