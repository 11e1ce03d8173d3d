"""The CSV files of a course folder -> Term: what they say of a student and a lesson."""

from dataclasses import dataclass, field
from pathlib import Path

from .extensions import FILE as EXTENSIONS
from .extensions import read_extensions
from .groups import Groups, read_groups
from .regrades import has_cell, read_decisions


@dataclass
class Term:
    """granted: {(student, lesson): Granted}. has_file: is there an extensions.csv? decisions: {(student,
    lesson): [(exercise, points, reason)]} of what was looked at again."""

    granted: dict = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)
    has_file: bool = False
    decisions: dict = field(default_factory=dict)

    def excused(self, student, lesson):
        """The Granted that excuses the student from the lesson; None without one."""
        granted = self.granted.get((student, lesson))
        return granted if granted and granted.excused else None

    def extension(self, student, lesson, due):
        """How much later it may be handed in: of a group, the longest that a member has; None for nothing."""
        lines = [self.granted.get((member, lesson)) for member in self.groups.of(student, lesson)]
        return max(filter(None, (line.after(due) for line in lines if line)), default=None)

    def decided(self, student, lesson, cells=False):
        """[sentence] of what was decided on the submission, for its page; of a group, on any member's.

        cells: also what nbgrader shows as a comment below the cell of an exercise.
        """
        members = self.groups.of(student, lesson)
        decisions = [one for member in members for one in self.decisions.get((member, lesson), [])]
        return [sentence(*one) for one in decisions if cells or not has_cell(lesson, one[0])]

    def extend(self, submission, take_away=False):
        """Enter the extension of an nbgrader's SubmittedAssignment; the caller commits.

        take_away: also where the file names nobody. Otherwise what the gradebook says stays there.
        """
        due = submission.assignment.duedate
        extension = self.extension(submission.student_id, submission.assignment.name, due)
        if extension or (self.has_file and (take_away or due is None)):
            submission.extension = extension  # with one, and without a due date, nbgrader's own sum fails


def sentence(exercise, points, reason):
    about = f"{exercise}, {points} points" if points else exercise
    return f"{about}: {reason}" if exercise else reason


def read_term(root):
    """Term; Refused, with a sentence on each wrong line, when a file has one."""
    root = Path(root)
    has_file = (root / EXTENSIONS).exists()
    return Term(read_extensions(root), read_groups(root), has_file, read_decisions(root))
