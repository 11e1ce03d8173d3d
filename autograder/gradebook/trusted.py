"""The trusted path through nbgrader's own Autograde: formgrader's button, `nbgrader autograde` and `make grade` alike.

nbgrader makes its exporter after it has listed the submissions and before it opens or copies any of them: that is
where the files behind the list are taken out of its hands.
"""

import os
from pathlib import Path

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde, autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets import Bool, default

from autograder.sandbox.host.warm_process import SandboxUnavailable

from .course import enter
from .database import Refused
from .rebuild import rebuild
from .recorder import Recorder
from .submitted import TIMESTAMP, hand_in, small_files, time_in


class TrustedExporter(NotebookExporter):
    """Stands where nbgrader opens a submission: gives it the released notebook with the student's text and our results."""

    no_sandbox = Bool(False, help="Run submissions WITHOUT the sandbox, with all your rights.").tag(
        config=True
    )

    def __init__(self, config=None, **kw):
        super().__init__(config=config, **kw)
        self.wholes = getattr(self.parent, "wholes", {})
        if isinstance(self.parent, Recorder):
            files_out_of_hands(self.parent)
        elif isinstance(self.parent, Autograde):
            make_ready(self.parent, self.no_sandbox)
            files_out_of_hands(self.parent)

    @default("optimistic_validation")
    def _validate_once(self):
        return True

    def from_filename(self, filename, resources=None, **kw):
        """First the submission (sanitizing), then what was made of it (autograding)."""
        place = resources["nbgrader"]
        key = place["student"], place["assignment"]
        notebook = (
            self.first_look(key, Path(filename).parent)
            if self.parent._sanitizing
            else nbformat.read(filename, as_version=4)
        )
        resources["whole"] = self.wholes[key] if self.parent._sanitizing else self.wholes.pop(key)
        resources["metadata"] = {"name": place["notebook"], "path": str(Path(filename).parent)}
        return self.from_notebook_node(notebook, resources=resources, **kw)

    def first_look(self, key, folder):
        """Grade, unless the result is there already, and say in the log what a person should know."""
        student, lesson = key
        if key not in self.wholes:
            from .whole import grade_handed_in  # it imports torch: not for results that are there already

            self.wholes[key] = grade_handed_in(hand_in(student, lesson, folder), no_sandbox=self.no_sandbox)
        whole = self.wholes[key]
        for note in dict.fromkeys([*whole["notes"], *whole["waits"]]):
            self.log.warning("%s, %s: %s", student, lesson, note)
        if whole["again"]:
            raise NbGraderException(whole["notes"][0])
        put_small_files(self.parent, folder, student, lesson)
        forget_time(self.parent, folder, student, lesson)
        return rebuild(lesson, whole)


def make_ready(converter, no_sandbox):
    """Can this be graded at all? Said before nbgrader begins, in one sentence."""
    from autograder.sandbox.host.supervisor import sandbox

    try:
        enter(converter.coursedir.assignment_id, converter.coursedir)
        if no_sandbox:
            converter.log.warning("WITHOUT the sandbox: submissions run with all your rights.")
        else:
            sandbox().ready()
    except (Refused, SandboxUnavailable) as reason:
        converter.log.error("%s", reason)
        raise NbGraderException(str(reason)) from None


def files_out_of_hands(converter):
    """One notebook for each submission, whatever lies there: it is not nbgrader that reads it."""
    lesson = converter.coursedir.assignment_id
    converter.coursedir = NotebooksAlone.of(converter.coursedir, converter)
    converter.assignments = {
        folder: [os.path.join(folder, f"{lesson}.ipynb")] for folder in converter.assignments
    }


class NotebooksAlone(CourseDirectory):
    """The same course, from which nbgrader copies no file but notebooks: a link beside one could lead anywhere."""

    @classmethod
    def of(cls, coursedir, parent):
        known = {name: getattr(coursedir, name) for name in coursedir.trait_names(config=True)}
        return cls(parent=parent, **{**known, "ignore": [*coursedir.ignore, "*", ".*"]})

    def get_existing_timestamp(self, dest_path):
        return time_in(small_files(dest_path).get(TIMESTAMP, b""))


def put_small_files(converter, folder, student, lesson):
    """nbgrader's own notes on when it was handed in, and on what its feedback is called, go with it."""
    target = Path(converter._format_dest(lesson, student))
    target.mkdir(parents=True, exist_ok=True)
    for name, data in small_files(folder).items():
        (target / name).write_bytes(data)


def forget_time(converter, folder, student, lesson):
    """nbgrader enters a new time, and keeps the one of before where there is none any more."""
    if time_in(small_files(folder).get(TIMESTAMP, b"")) is None:
        with autograde.Gradebook(converter.coursedir.db_url, converter.coursedir.course_id) as gradebook:
            gradebook.update_or_create_submission(lesson, student, timestamp=None)
