"""The CSV files of a course folder -> ClassFiles: what they say of a student and a lesson."""

from dataclasses import dataclass, field
from pathlib import Path

from .extensions import FILE as EXTENSIONS
from .extensions import read_extensions
from .groups import Groups, read_groups


@dataclass
class ClassFiles:
    """extensions: {(student, lesson): Extension}. has_extensions: is there an extensions.csv?"""

    extensions: dict = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)
    has_extensions: bool = False

    def excused(self, student, lesson):
        """The Extension that excuses the student from the lesson; None without one."""
        extension = self.extensions.get((student, lesson))
        return extension if extension and extension.excused else None

    def extension(self, student, lesson, due):
        """How much later it may be handed in: of a group, the longest that a member has; None for nothing."""
        lines = [self.extensions.get((member, lesson)) for member in self.groups.of(student, lesson)]
        return max(filter(None, (line.after(due) for line in lines if line)), default=None)

    def extend(self, submission, take_away=False):
        """Enter the extension of an nbgrader's SubmittedAssignment; the caller commits.

        take_away: also where the file names nobody. Otherwise what the gradebook says stays there.
        """
        due = submission.assignment.duedate
        extension = self.extension(submission.student_id, submission.assignment.name, due)
        if extension or (self.has_extensions and (take_away or due is None)):
            submission.extension = extension  # with one, and without a due date, nbgrader's own sum fails


def read_class_files(root):
    """Refused, with a sentence on each wrong line, when a file has one."""
    root = Path(root)
    return ClassFiles(read_extensions(root), read_groups(root), (root / EXTENSIONS).exists())
