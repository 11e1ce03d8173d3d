"""A name comes in; an exercise or a lesson goes out that builds, tests and grades as it is, to be changed.

In templates/, `mean_over_tokens` and `09_new_lesson` stand for the names.
"""

import keyword
import re
from pathlib import Path

from autograder.exercises import FOLDER, names
from autograder.refused import AuthorError

TEMPLATES = Path(__file__).with_name("templates")
MARKS = re.compile(r"^# %%.*\"grade_id\": \"test_.*$", re.M)
ROWS = re.compile(r"(?:^\| \d\d .*\n)+", re.M)
NO_EXERCISE = "a function's name has small letters, digits and _; a class is begun by copying a file"
AFTER_EXERCISE = """Written, to be changed as you like: they build, test and grade as they are.
{files}
Next:
  make notebooks
  .venv/bin/python -m pytest tests/autograder/exercises/test_exercises.py tests/lessons/test_student_files.py -k "{name} or answer"
  .venv/bin/python -m tools.mutants {name}
  .venv/bin/python -m tools.minutes
  .venv/bin/python -m tests.release write {name}
docs/contributing.md says what each part is for."""  # noqa: E501
AFTER_LESSON = """Written, to be changed as you like: it builds, tests and grades as it is.
  {source}
  README.md (its row in the map; tools.minutes puts the minutes there)
Next:
  make notebooks
  .venv/bin/python -m tools.minutes
  .venv/bin/python -m autograder new-exercise NAME --part {name}   (for an exercise whose mistakes are named)
docs/contributing.md says what may stand in a lesson."""


def new_exercise(root, name, lesson):
    """Write the exercise `name` into a lesson of `root`, and return what to do next; AuthorError, and
    nothing is written, where that cannot be."""
    source = root / "solutions" / lesson / f"{lesson}.py"
    part = root / FOLDER.relative_to(FOLDER.parents[1]) / re.sub(r"^\d+_", "", lesson)
    declaration, right = part / f"{name}.py", root / "tests" / "answers" / "right" / f"{name}.py"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise AuthorError(f"{name!r} cannot be an exercise's name: {NO_EXERCISE}")
    if not source.is_file():
        there = ", ".join(sorted(path.name for path in root.glob("solutions/[0-9]*")))
        raise AuthorError(f"there is no lesson {lesson}: there are {there}; new-lesson makes one")
    if name in names() or declaration.exists() or right.exists():
        raise AuthorError(f"there is an exercise {name} already: choose another name, or change that one")
    part.mkdir(exist_ok=True)
    if not (part / "__init__.py").exists():
        (part / "__init__.py").write_text(f'"""{lesson}."""\n', encoding="utf-8")
    declaration.write_text(filled("exercise.py", "mean_over_tokens", name), encoding="utf-8")
    right.write_text(filled("right.py", "mean_over_tokens", name), encoding="utf-8")
    cells = filled("cells.py", "mean_over_tokens", name)
    source.write_text(with_cells(source.read_text(encoding="utf-8"), cells), encoding="utf-8")
    files = "\n".join(f"  {path.relative_to(root)}" for path in (declaration, right, source))
    return AFTER_EXERCISE.format(files=files, name=name)


def new_lesson(root, name):
    """The same for the lesson `name`, which gets a row in the README's map."""
    there = {path.name[:2]: path.name for path in root.glob("solutions/[0-9]*") if path.is_dir()}
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", name):
        raise AuthorError(f"{name!r} cannot be a lesson's name: two digits, _, and small letters: 09_mine")
    if name[:2] in there:
        raise AuthorError(f"the number {name[:2]} is taken by {there[name[:2]]}: choose another one")
    source, readme = root / "solutions" / name / f"{name}.py", root / "README.md"
    source.parent.mkdir(parents=True)
    source.write_text(filled("lesson.py", "09_new_lesson", name), encoding="utf-8")
    row = f"| {name[:2]} {name[3:].replace('_', ' ')} | ? | what one builds there | what one can say then |\n"
    text = ROWS.sub(lambda rows: rows[0] + row, readme.read_text(encoding="utf-8"), count=1)
    readme.write_text(text, encoding="utf-8")
    return AFTER_LESSON.format(source=source.relative_to(root), name=name)


def filled(template, placeholder, name):
    """The text of a template with the own name in it."""
    return (TEMPLATES / template).read_text(encoding="utf-8").replace(placeholder, name)


def with_cells(text, cells):
    """A lesson's source with the cells behind its last test cell; at the end, where it has none."""
    tests = list(MARKS.finditer(text))
    behind = text.find("\n# %%", tests[-1].end()) if tests else -1
    if behind < 0:
        return f"{text.rstrip()}\n\n{cells}"
    return f"{text[: behind + 1]}{cells}\n{text[behind + 1 :]}"
