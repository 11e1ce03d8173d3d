"""`python -m autograder written`: write the page on which a person grades the written answers."""

import base64
import hashlib
import sys
from pathlib import Path

from markupsafe import Markup

from autograder.gradebook.clean import markdown
from autograder.grading.feedback import environment
from autograder.refused import Refused
from autograder.tables import replace_file

from .answers import questions

FOLDER = Path(__file__).parent
PAGE = environment(FOLDER)
PAGE.filters["markdown"] = lambda text: Markup(markdown(text))  # it is cleaned: nothing active is left
NAME = "written_answers.html"


def run(root):
    """The exit code: 0 when the page is written, or nothing waits to be graded."""
    try:
        entries = questions(root)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    if not entries:
        print("No lesson with a written answer was handed in.")
        return 0
    file = Path(root) / NAME
    replace_file(file, page_of(entries))
    answers = [answer for question in entries for answer in question.answers]
    done = sum(answer.points is not None for answer in answers)
    print(f"answers      {file}   {len(answers)}, of which {done} have points")
    print("enter them   .venv/bin/python -m autograder written FILE   with the file that the page saves")
    return 0


def page_of(entries):
    """The only script that may run in it is ours, which is named by its hash."""
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return PAGE.get_template("page.html").render(questions=entries, script=Markup(script), digest=digest)
