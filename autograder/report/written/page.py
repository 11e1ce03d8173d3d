"""`python -m autograder written`: makes the page on which a person grades a class's written answers."""

import base64
import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from autograder.gradebook.class_files import read_groups
from autograder.gradebook.clean import markdown
from autograder.gradebook.course import open_gradebook
from autograder.gradebook.page import page_folder, page_in, summary_of
from autograder.gradebook.standing import existing_course, scores_of
from autograder.grading.feedback import environment
from autograder.publish.solutions import answers as own_answers
from autograder.releases import store
from autograder.releases.release import bare
from autograder.tables import replace_file

FOLDER = Path(__file__).parent
PAGE = environment(FOLDER)
PAGE.filters["markdown"] = lambda text: Markup(markdown(text))  # safe: markdown() removes active content
NAME = "written_answers.html"
HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|$)")


@dataclass
class Answer:
    """One student's answer. submission: the graded file's fingerprint. points, comment: from a person."""

    student: str
    submission: str
    text: str
    points: float | None = None
    comment: str = ""


@dataclass
class Question:
    """One written answer of a lesson. text: the question. rubric: the lesson's own answer. empty: the number
    of students who wrote nothing."""

    lesson: str
    grade_id: str
    max_points: float
    text: str
    rubric: str
    answers: list = field(default_factory=list)
    empty: int = 0


def run(root):
    """Write the page, and print where it is."""
    entries = questions(root)
    if not entries:
        print("No lesson with a written answer was handed in.")
        return
    file = Path(root) / NAME
    replace_file(file, page_of(entries))
    answers = [answer for question in entries for answer in question.answers]
    n_pointed = sum(answer.points is not None for answer in answers)
    print(f"answers      {file}   {len(answers)}, of which {n_pointed} have points")
    print("enter them   written FILE   with the file that the page saves")


def page_of(entries):
    """Render the page. Its only script is page.js, which its security policy allows by a hash."""
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return PAGE.get_template("page.html").render(questions=entries, script=Markup(script), digest=digest)


def questions(root):
    """[Question] of all lessons that somebody handed in; raises Refused if that fails."""
    coursedir = existing_course(root)
    groups = read_groups(Path(coursedir.root))
    with open_gradebook(coursedir) as gradebook:
        answers = [
            question_of(gradebook, lesson, grade_id, pages)
            for lesson, release in store.lessons().items()
            if release.by_hand
            for pages in [pages_of(coursedir, sorted(scores_of(gradebook, lesson)), lesson, groups)]
            for grade_id in release.by_hand
        ]
    return [question for question in answers if question.answers or question.empty]


def pages_of(coursedir, students, lesson, groups):
    """{student: graded page}, with one student for each group that handed in together."""
    pages, contents = {}, {}
    for student in students:
        page = page_in(page_folder(coursedir, student, lesson) / f"{lesson}.ipynb")
        contents[student] = summary_of(page).get("submission")
        members = set(groups.of(student, lesson)) & pages.keys()
        if not any(contents[member] == contents[student] for member in members):
            pages[student] = page
    return pages


def question_of(gradebook, lesson, grade_id, pages):
    release = store.current(lesson)
    text, rubric = from_its_heading(release.before[grade_id]), own_answers(lesson).get(grade_id, "")
    question = Question(lesson, grade_id, release.by_hand[grade_id], text, rubric)
    for student, page in pages.items():
        answer, memory = text_in(page, grade_id), summary_of(page)
        # the page of a rejected submission holds the released text
        rejected = memory.get("status") == "rejected"
        if answer is None or rejected or bare(answer) == bare(release.answers[grade_id]):
            question.empty += 1
            continue
        place = grade_id, lesson, lesson, student
        points = gradebook.find_grade(*place).manual_score
        comment = gradebook.find_comment(*place).manual_comment or ""
        question.answers.append(Answer(student, memory["submission"], answer, points, comment))
    return question


def from_its_heading(text):
    """The cell before an answer, from its last heading of the highest level on; all of it if it has none.
    Text above that heading belongs to the cells before."""
    lines, in_code, headings = text.splitlines(), False, []
    for number, line in enumerate(lines):
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        level = HEADING.match(line)
        if level and not in_code:
            headings.append((len(level[1]), -number))
    return "\n".join(lines[-min(headings)[1] :]) if headings else text


def text_in(page, grade_id):
    for cell in page.get("cells", []):
        if cell.get("metadata", {}).get("nbgrader", {}).get("grade_id") == grade_id:
            return "".join(cell["source"])
    return None
