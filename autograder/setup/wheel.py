"""Build a wheel that holds only course_utils; an editable install of a clone has autograder, too."""

from setuptools.command.build_py import build_py


class CourseAlone(build_py):
    """Choose the packages of a wheel. An editable install asks the distribution instead: it keeps all."""

    def finalize_options(self):
        super().finalize_options()
        self.packages = [name for name in self.packages if name.split(".")[0] == "course_utils"]
