"""nbgrader's Autograde for results that are there already: one submission, one pass, nothing swallowed."""

import contextlib
import os
import shutil
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory

STAGING, ASIDE = ".autograded.new", ".before"


class Recorder(Autograde):
    """Writes pages beside `autograded`, and scores into the gradebook; `publish` puts the pages in place.

    So a full disk leaves the page and the scores of before; the end of the program at any point leaves these too, or no page.
    """

    def __init__(self, config, handed, whole):
        super().__init__(coursedir=CourseDirectory(config=config), config=config)
        self.wholes = {(handed.student, handed.lesson): whole}
        self.handed, self.final = handed, self.coursedir.autograded_directory
        self.coursedir.student_id, self.coursedir.assignment_id = handed.student, handed.lesson
        self.coursedir.autograded_directory = STAGING
        self.place = Path(self.coursedir.format_path(self.final, handed.student, handed.lesson))
        self.aside, self.withdrawn = Path(self.coursedir.root, STAGING, ASIDE), False
        self.sanitize_preprocessors = self.autograde_preprocessors

    def init_notebooks(self):
        """The one that is known: no pattern is matched with names of folders."""
        self.folder = self._format_source(self.handed.lesson, self.handed.student)
        self.assignments = {self.folder: []}

    def convert_notebooks(self):
        student, lesson = self.handed.student, self.handed.lesson
        self.notebooks = self.assignments[self.folder]
        shutil.rmtree(self._format_dest(lesson, student), ignore_errors=True)
        self.init_assignment(lesson, student)
        for notebook in self.notebooks:
            self.convert_single_notebook(notebook)
        self.set_permissions(lesson, student)

    def convert_single_notebook(self, notebook_filename):
        """There is nothing to sanitize in a notebook of ours: one pass does."""
        self._sanitizing = True
        self._init_preprocessors()
        BaseConverter.convert_single_notebook(self, notebook_filename)

    @contextlib.contextmanager
    def in_step(self):
        """Around the transaction, whose last deed is `withdraw`: what ends well is published, else the page of before comes back."""
        try:
            yield
        except BaseException:
            if self.withdrawn:
                os.replace(self.aside, self.place)
            raise
        self.publish()

    def withdraw(self):
        """The page of before goes before its scores do: whoever is stopped in between finds no page, and grades again."""
        shutil.rmtree(self.aside, ignore_errors=True)
        if self.place.exists():
            os.replace(self.place, self.aside)
            self.withdrawn = True

    def publish(self):
        """The page is where formgrader and feedback look for it."""
        made = Path(self._format_dest(self.handed.lesson, self.handed.student))
        self.place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(made, self.place)
