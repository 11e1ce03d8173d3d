"""Reads a lesson's answers from submitted/: what each student wrote for each exercise and each question."""

from dataclasses import dataclass, field

from autograder.gradebook.submitted import read_student_folder
from autograder.releases.release import bare
from autograder.submission.notebook_file import Rejected
from autograder.submission.pieces import code_pieces, text_pieces
from autograder.submission.read import submission_from


@dataclass
class Answer:
    """One student's answer. name: the exercise or question. text: as written. pieces: {piece: its lines}."""

    student: str
    name: str
    text: str
    pieces: dict


@dataclass
class Class:
    """One lesson's answers. students, unread: how many notebooks could be read, and how many could not."""

    lesson: str
    answers: list
    students: int = 0
    unread: int = 0
    pairs: list = field(default_factory=list)


def read_class(lesson, folders):
    """Read [(student, folder)] into a Class; nothing is run, and what cannot be read is only counted."""
    lesson_class = Class(lesson, [])
    for student, folder in folders:
        data = read_student_folder(student, lesson, folder).data
        try:
            submission = submission_from(data or b"")
        except Rejected:
            submission = None
        if submission and submission.lesson.name == lesson:
            lesson_class.answers += answers_in(student, submission)
            lesson_class.students += 1
        else:
            lesson_class.unread += 1
    return lesson_class


def answers_in(student, submission):
    """Yield an Answer for each exercise and each question that the student answered."""
    for name in submission.lesson.exercises:
        text = own_text(submission, name)
        number = submission.cell_written_for(name)
        if not text and number is not None:  # it is not Python, or has another name
            text = next(cell.source for cell in submission.own if cell.number == number)
        if text:
            yield Answer(student, name, text, code_pieces(text))
    for name, text in submission.answers.items():
        if bare(text) != bare(submission.lesson.answers[name]):
            yield Answer(student, name, text, text_pieces(text))


def own_text(submission, name):
    """The student's own statements that a definition needs, without other exercises; "" if unwritten."""
    if not submission.is_written(name):
        return ""
    own, rest = {cell.number for cell in submission.own}, submission.lesson.exercises.keys() - {name}
    lines = [submission.lines[number] for number in submission.needed(name)[0]]
    texts = [x.statement.text for x in lines if x.cell in own and not x.statement.bound & rest]
    return "\n\n".join(text.strip("\n") for text in texts)
