"""`nbgrader autograde` and formgrader's button: nbgrader's Autograde with the course's grader in it.

nbgrader commits rows of its own for a submission, then asks its exporter for the graded notebook, and writes
that. The exporter grades, records all scores in one commit, and only then returns the page: a submission
without a whole page is one that was not graded.
"""

import glob
import os
from pathlib import Path

from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import rmtree
from traitlets import Bool

from autograder.refused import LessonRefused, Refused
from autograder.releases import store
from autograder.sandbox.host.warm_process import SandboxUnavailable

from .class_files import read_class_files
from .course import open_gradebook, seed_of
from .earlier_file import note_changes
from .feedback_pages import write_feedback_page
from .lessons import enter
from .page import is_whole, page_of, summary_in
from .record import late_plugin_of, record
from .submitted import TIMESTAMP, read_student_folder, small_files, time_in

NOT_OURS = "{} is no lesson of this course, so the course's grader does not know it."


class TrustedExporter(NotebookExporter):
    """nbgrader asks it for the graded notebook of a submission, and gets the released one with our results.

    Trusted: points, cards and comments in it come from this process and never from the submission's file, of
    which it takes only the text of the answers.
    """

    no_sandbox = Bool(False, help="Run submissions WITHOUT the sandbox, with all your rights.").tag(
        config=True
    )

    def __init__(self, config=None, **kw):
        super().__init__(config=config, **kw)
        if isinstance(self.parent, Autograde):
            self.prepare(self.parent)

    def prepare(self, converter):
        """Check the lesson and the sandbox, when nbgrader has listed the submissions and opened none yet."""
        lesson = converter.coursedir.assignment_id
        try:
            enter_lesson(lesson, converter.coursedir)
            self.files = read_class_files(converter.coursedir.root)
            if self.no_sandbox:
                converter.log.warning("WITHOUT the sandbox: submissions run with all your rights.")
            else:
                from autograder.sandbox.host import supervisor

                supervisor.sandbox().ready()
        except (Refused, SandboxUnavailable) as reason:
            converter.log.error("%s", reason)
            raise NbGraderException(str(reason)) from None
        converter.coursedir = CopiesNotebooksOnly.like(converter.coursedir, converter)
        # one notebook for each submission, under its lesson's name: our own reader opens it, not nbgrader's
        converter.assignments = {
            folder: [os.path.join(folder, f"{lesson}.ipynb")] for folder in converter.assignments
        }
        self.graded_before = fingerprints(converter.coursedir, lesson)

    def from_filename(self, filename, resources=None, **kw):
        """nbgrader asks twice: for the submission, which is graded here, and for the page made of it."""
        place, coursedir = resources["nbgrader"], self.parent.coursedir
        student, lesson = place["student"], place["assignment"]
        autograded = coursedir.format_path(coursedir.autograded_directory, student, lesson)
        if Path(filename).parent == Path(autograded):
            return super().from_filename(filename, resources=resources, **kw)
        page = self.grade(read_student_folder(student, lesson, Path(filename).parent), Path(autograded))
        resources["metadata"] = {"name": place["notebook"], "path": str(Path(filename).parent)}
        return self.from_notebook_node(page, resources=resources, **kw)

    def grade(self, submitted, autograded):
        """Grade a submission and record it -> its page; the log says what a person should know."""
        from .grade import grade_submitted  # it imports torch

        graded = grade_submitted(submitted, seed_of(self.parent.coursedir.root), self.no_sandbox)
        same_file = self.graded_before.get(submitted.student) == submitted.fingerprint
        if not same_file:
            with open_gradebook(self.parent.coursedir) as gradebook:
                note_changes(gradebook, submitted)
        for note in dict.fromkeys([*submitted.for_a_person, *submitted.notes, *graded.notes, *graded.waits]):
            self.log.warning("%s, %s: %s", submitted.student, submitted.lesson, note)
        if graded.retry:
            raise NbGraderException(graded.notes[0])
        for name, data in submitted.small_files.items():
            autograded.mkdir(parents=True, exist_ok=True)
            (autograded / name).write_bytes(data)
        with open_gradebook(self.parent.coursedir) as gradebook:
            record(gradebook, graded, submitted, late_plugin_of(self.config), self.files, same_file)
        write_feedback_page(self.parent.coursedir.root, submitted, graded)
        return page_of(graded, submitted)


def enter_lesson(lesson, coursedir):
    """The lesson's current release is in the gradebook; Refused when that cannot be."""
    if lesson not in store.lessons():
        raise LessonRefused(NOT_OURS.format(lesson))
    if store.refusal(lesson):
        raise LessonRefused(store.refusal(lesson))
    with open_gradebook(coursedir) as gradebook:
        enter(gradebook, store.current(lesson), is_current=True)
        gradebook.db.commit()


def fingerprints(coursedir, lesson):
    """{student: the fingerprint of what was graded last}, of pages that nbgrader will replace or skip. A
    folder without a whole page goes: nbgrader, which would skip it, was stopped while it made it."""
    place = coursedir.directory_structure.format(
        nbgrader_step=coursedir.autograded_directory, student_id=coursedir.student_id, assignment_id=lesson
    )
    fingerprints = {}
    for folder in map(Path(coursedir.root).joinpath, glob.glob(place, root_dir=coursedir.root)):
        page = folder / f"{lesson}.ipynb"
        if is_whole(page):
            fingerprints[folder.parent.name] = summary_in(page).get("submission")
        else:
            rmtree(folder)
    return fingerprints


class CopiesNotebooksOnly(CourseDirectory):
    """The course's folders; of a submission nbgrader copies only notebooks, as a link beside one could lead
    anywhere."""

    @classmethod
    def like(cls, coursedir, parent):
        settings = {name: getattr(coursedir, name) for name in coursedir.trait_names(config=True)}
        return cls(parent=parent, **{**settings, "ignore": [*coursedir.ignore, "*", ".*"]})

    def get_existing_timestamp(self, dest_path):
        return time_in(small_files(dest_path).get(TIMESTAMP, b""))
