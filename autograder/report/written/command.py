"""`python -m autograder written`: write the page on which a person grades the written answers."""

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from autograder.gradebook.clean import markdown
from autograder.grading.feedback import environment
from autograder.tables import replace_file

from .answers import questions

FOLDER = Path(__file__).parent
PAGE = environment(FOLDER)
PAGE.filters["markdown"] = lambda text: Markup(markdown(text))  # it is cleaned: nothing active is left
NAME = "written_answers.html"


def run(root):
    """Write the page, and say where it lies."""
    entries = questions(root)
    if not entries:
        print("No lesson with a written answer was handed in.")
        return
    file = Path(root) / NAME
    replace_file(file, page_of(entries))
    answers = [answer for question in entries for answer in question.answers]
    done = sum(answer.points is not None for answer in answers)
    print(f"answers      {file}   {len(answers)}, of which {done} have points")
    print("enter them   .venv/bin/python -m autograder written FILE   with the file that the page saves")


def page_of(entries):
    """The only script that may run in it is ours, which is named by its hash."""
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return PAGE.get_template("page.html").render(questions=entries, script=Markup(script), digest=digest)
