"""new_lesson: a name such as 09_mine comes in; a lesson goes out that builds, tests and grades as it is."""

import re

from autograder.refused import AuthorError

from .exercise import TEMPLATES

TEMPLATE = "09_new_lesson"
ROW = "| {number} {words} | ? | what one builds there | what one can say then |\n"
NEXT = """Written, to be changed as you like: it builds, tests and grades as it is.
  {source}
  README.md (its row in the map; tools.minutes puts the minutes there)
Next:
  make notebooks
  .venv/bin/python -m tools.minutes
  .venv/bin/python -m autograder new-exercise NAME --part {name}   (for an exercise whose mistakes are named)
docs/contributing.md says what may stand in a lesson."""


def new_lesson(root, name):
    """Write the lesson `name` into `root`, and return what to do next; AuthorError, and nothing is written,
    where that cannot be."""
    there = {path.name[:2]: path.name for path in root.glob("solutions/[0-9]*") if path.is_dir()}
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", name):
        raise AuthorError(f"{name!r} cannot be a lesson's name: two digits, _, and small letters: 09_mine")
    if name[:2] in there:
        raise AuthorError(f"the number {name[:2]} is taken by {there[name[:2]]}: choose another one")
    source = root / "solutions" / name / f"{name}.py"
    text = (TEMPLATES / "lesson.py").read_text(encoding="utf-8").replace(TEMPLATE, name)
    source.parent.mkdir(parents=True)
    source.write_text(text, encoding="utf-8")
    add_row(root / "README.md", name)
    return NEXT.format(source=source.relative_to(root), name=name)


def add_row(readme, name):
    """Add the lesson to the README's map, behind the last row of a lesson."""
    text = readme.read_text(encoding="utf-8")
    rows = list(re.finditer(r"^\| \d\d .*\n", text, re.M))
    row = ROW.format(number=name[:2], words=name[3:].replace("_", " "))
    if rows:
        readme.write_text(text[: rows[-1].end()] + row + text[rows[-1].end() :], encoding="utf-8")
