"""`python -m autograder written`: write the page on which a person grades the written answers."""

import base64
import hashlib
import os
import sys
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.gradebook.clean import markdown
from autograder.gradebook.database import Refused

from .answers import questions

FOLDER = Path(__file__).parent
PAGE = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGE.filters["markdown"] = lambda text: Markup(markdown(text))  # it is cleaned: nothing active is left
NAME = "written_answers.html"


def run(root):
    """The exit code: 0 when the page is written, or nothing waits to be graded."""
    try:
        found = questions(root)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    if not found:
        print("No lesson with a written answer was handed in.")
        return 0
    file, new = Path(root) / NAME, Path(root) / f".{NAME}.new"
    new.write_text(page_of(found), encoding="utf-8", errors="replace")
    os.replace(new, file)
    answers = [answer for question in found for answer in question.answers]
    done = sum(answer.points is not None for answer in answers)
    print(f"answers      {file}   {len(answers)}, of which {done} have points")
    print("enter them   .venv/bin/python -m autograder scores FILE   with the file that the page saves")
    return 0


def page_of(found):
    """The only script that may run in it is ours, which is named by its hash."""
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return PAGE.get_template("page.html").render(questions=found, script=Markup(script), digest=digest)
