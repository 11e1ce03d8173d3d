"""submitted/ -> the Answers of a lesson: what each student wrote for each exercise and each question."""

from dataclasses import dataclass, field

from autograder.gradebook.submitted import read_student_folder
from autograder.releases.release import bare
from autograder.submission.notebook_file import Rejected
from autograder.submission.read import submission_from

from .normal import code_lines, text_lines

CODE, WRITTEN = "code", "written answer"
SHORT, COMMON, LESSONS, COMPARED = "short", "common", "lessons", "compared"  # what became of an answer


@dataclass
class Answer:
    """name: of the exercise, or of the question. text: as it was written. lines: normal.py's Lines. pieces:
    those of pairs.py, without the lesson's own and the common ones."""

    student: str
    name: str
    kind: str
    text: str
    lines: list
    pieces: set = field(default_factory=set)
    fate: str = COMPARED


@dataclass
class Class:
    """Of one lesson. students, unread: how many notebooks could be read, and could not. fates: {exercise:
    Counter of what became of its answers}. in_groups: pairs that hand in together."""

    lesson: str
    answers: list = field(default_factory=list)
    students: int = 0
    unread: int = 0
    pairs: list = field(default_factory=list)
    fates: dict = field(default_factory=dict)
    in_groups: int = 0


def read_class(lesson, students, progress=lambda done: None):
    """Class of [(student, folder)]; nothing is run, and what cannot be read is counted."""
    whole = Class(lesson)
    for done, (student, folder) in enumerate(students, 1):
        answers = read_student(student, lesson, folder)
        whole.unread += answers is None
        whole.students += answers is not None
        whole.answers += answers or []
        progress(done)
    return whole


def read_student(student, lesson, folder):
    """[Answer]; None where the notebook cannot be read, or is of another lesson."""
    data = read_student_folder(student, lesson, folder).data
    try:
        submission = submission_from(data) if data is not None else None
    except Rejected:
        return None
    if submission is None or submission.lesson.name != lesson:
        return None
    return [*code_answers(student, submission), *written_answers(student, submission)]


def code_answers(student, submission):
    """An Answer for each exercise that was written, with its helpers and without other exercises."""
    for name in submission.lesson.exercises:
        text = own_text(submission, name)
        if text.strip():
            yield Answer(student, name, CODE, text, code_lines(text))
        elif (number := submission.cell_written_for(name)) is not None:  # no Python, or another name
            text = next(cell.source for cell in submission.own if cell.number == number)
            yield Answer(student, name, CODE, text, code_lines(text))


def own_text(submission, name):
    """The student's own statements that a definition needs; "" where it is not written."""
    if not submission.is_written(name):
        return ""
    own, others = {cell.number for cell in submission.own}, submission.lesson.exercises.keys() - {name}
    lines = (submission.lines[number] for number in submission.needed(name)[0])
    return "\n\n".join(
        line.statement.text.strip("\n")
        for line in lines
        if line.cell in own and not line.statement.bound & others
    )


def written_answers(student, submission):
    for name, text in submission.answers.items():
        if bare(text) != bare(submission.lesson.answers[name]):
            yield Answer(student, name, WRITTEN, text, text_lines(text))
