"""A course's folder -> the written answers of a lesson, with what a person needs to grade them."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.gradebook.course import open_gradebook, settings
from autograder.gradebook.database import Refused, exists, shown_url
from autograder.gradebook.page import summary_of_page
from autograder.gradebook.scores import scores_of
from autograder.gradebook.term.groups import read_groups
from autograder.releases import store
from autograder.releases.release import bare
from autograder.report.class_report.collect import NO_GRADEBOOK, page_in
from autograder.setup.sample_class import answers as own_answers

HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|$)")


@dataclass
class Answer:
    """One student's. submission: the fingerprint of what was graded. points, comment: a person's, so far."""

    student: str
    submission: str
    text: str
    points: float | None = None
    comment: str = ""


@dataclass
class Question:
    """One written answer of a lesson. text: the question. rubric: the lesson's own answer. empty: how many
    wrote nothing."""

    lesson: str
    grade_id: str
    max_points: float
    text: str
    rubric: str
    answers: list = field(default_factory=list)
    empty: int = 0


def questions(root):
    """[Question] of all lessons that somebody handed in; Refused, in a sentence, when that fails."""
    coursedir, found = CourseDirectory(config=settings(root)), []
    groups = read_groups(Path(coursedir.root))
    if not exists(coursedir.db_url):
        raise Refused(NO_GRADEBOOK.format(shown_url(coursedir.db_url)))
    with open_gradebook(coursedir) as gradebook:
        for lesson, release in store.lessons().items():
            students = sorted(scores_of(gradebook, lesson)) if release.by_hand else []
            pages = {s: page_in(folder_of(coursedir, s, lesson), lesson) for s in students}
            pages = one_of_each_group(pages, groups, lesson)
            for grade_id, points in release.by_hand.items():
                rubric = own_answers(lesson).get(grade_id, "")
                text = from_its_heading(release.before[grade_id])
                question = Question(lesson, grade_id, points, text, rubric)
                for student, page in pages.items():
                    add_answer(question, gradebook, student, page, release.answers[grade_id])
                found.append(question)
    return [question for question in found if question.answers or question.empty]


def from_its_heading(text):
    """The cell before an answer, from its last heading of the highest level on: what stands above that
    belongs to the cells before. All of it where there is no heading."""
    lines, in_code, headings = text.splitlines(), False, []
    for number, line in enumerate(lines):
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        level = HEADING.match(line)
        if level and not in_code:
            headings.append((len(level[1]), -number))
    return "\n".join(lines[-min(headings)[1] :]) if headings else text


def one_of_each_group(pages, groups, lesson):
    """{student: page} without those that another member of the group, who is named before, has too."""
    found = {}
    for student, page in pages.items():
        content = summary_of_page(page).get("submission")
        others = (found.get(member) for member in groups.of(student, lesson))
        if not any(other and summary_of_page(other).get("submission") == content for other in others):
            found[student] = page
    return found


def folder_of(coursedir, student, lesson):
    return coursedir.format_path(coursedir.autograded_directory, student, lesson)


def add_answer(question, gradebook, student, page, given):
    """Unless there is none: what the page of a rejected submission holds is the released text."""
    text, memory = text_in(page, question.grade_id), summary_of_page(page)
    if text is None or memory.get("status") == "rejected" or bare(text) == bare(given):
        question.empty += 1
        return
    place = (question.grade_id, question.lesson, question.lesson, student)
    points, comment = gradebook.find_grade(*place).manual_score, gradebook.find_comment(*place).manual_comment
    question.answers.append(Answer(student, memory["submission"], text, points, comment or ""))


def text_in(page, grade_id):
    cells = page.get("cells", [])
    marked = ((cell, cell.get("metadata", {}).get("nbgrader", {})) for cell in cells)
    return next(
        ("".join(cell["source"]) for cell, marks in marked if marks.get("grade_id") == grade_id), None
    )
