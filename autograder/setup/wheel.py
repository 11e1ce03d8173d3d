"""A clone in, a wheel out that holds course_utils alone; an editable install has autograder too."""

from setuptools.command.build_py import build_py


class CourseAlone(build_py):
    """What a wheel is made of. An editable install asks the distribution: it keeps all packages."""

    def finalize_options(self):
        super().finalize_options()
        self.packages = [name for name in self.packages if name.split(".")[0] == "course_utils"]
