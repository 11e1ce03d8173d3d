"""Makes `nbgrader autograde` and formgrader's button grade in the same way as `make grade`.

nbgrader lists the submissions, creates its exporter, and would then run each submission. This exporter grades
the whole list itself and then empties it, so that nbgrader runs none.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from traitlets import Bool

from autograder.notes import texts_of
from autograder.refused import Refused

from .class_run import grade_class
from .threads import cores


class TrustedExporter(NotebookExporter):
    """An exporter that takes points, cards and comments from the grader, never from a submission's file."""

    no_sandbox = Bool(False, help="Run submissions WITHOUT the sandbox, with all your rights.").tag(
        config=True
    )

    def __init__(self, config=None, **kw):
        super().__init__(config=config, **kw)
        if isinstance(self.parent, Autograde):
            self.grade(self.parent)

    def grade(self, converter):
        """Grade the submissions that nbgrader listed, and log what a person should know about them."""
        everybody = converter.coursedir.student_id == "*"
        students = () if everybody else [Path(folder).parent.name for folder in converter.assignments]
        converter.assignments = {}
        if self.no_sandbox:
            converter.log.warning("WITHOUT the sandbox: submissions run with all your rights.")
        try:
            outcomes = self.outcomes(converter, students)
        except Refused as reason:
            converter.log.error("%s", reason)
            raise NbGraderException(str(reason)) from None
        left = []
        for outcome in outcomes:
            matches = outcome.lesson in ("", converter.coursedir.assignment_id)  # "": no submission
            if outcome.state in ("new", "left") and matches and (everybody or outcome.student in students):
                left += texts_of(outcome.notes)[:1] if outcome.state == "left" and outcome.lesson else []
                for note in texts_of(outcome.notes):
                    converter.log.warning("%s, %s: %s", outcome.student, outcome.lesson, note)
        if left:
            raise NbGraderException(left[0])

    def outcomes(self, converter, students):
        """Grade with the converter's settings: a command can name another database or other folders."""
        coursedir, config = converter.coursedir, converter.config.copy()
        for name in coursedir.trait_names(config=True):
            config.CourseDirectory[name] = getattr(coursedir, name)
        config.Autograde.create_student = converter.create_student
        choices = {"lessons": [coursedir.assignment_id], "students": students, "regrade": converter.force}
        with ThreadPoolExecutor(cores()) as executor:
            return grade_class(coursedir.root, executor, no_sandbox=self.no_sandbox, config=config, **choices)
