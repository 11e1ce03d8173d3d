"""new_exercise: a name and a lesson come in; files that build, test and grade go out, and the next steps."""

import keyword
import re
from pathlib import Path

from autograder.exercises import FOLDER, names
from autograder.refused import AuthorError

TEMPLATES = Path(__file__).with_name("templates")
TEMPLATE = "mean_over_tokens"
MARKS = re.compile(r"^# %%.*\"grade_id\": \"test_.*$", re.M)
TESTS = "tests/autograder/exercises/test_exercises.py tests/lessons/test_student_files.py"
NEXT = """Written, to be changed as you like: they build, test and grade as they are.
{files}
Next:
  make notebooks
  .venv/bin/python -m pytest {tests} -k "{name} or answer"
  .venv/bin/python -m tools.mutants {name}
  .venv/bin/python -m tools.minutes
  .venv/bin/python -m tests.release write {name}
docs/contributing.md says what each part is for."""


def new_exercise(root, name, lesson):
    """Write the exercise `name` into a lesson of `root`, and return what to do next; AuthorError, and
    nothing is written, where that cannot be."""
    source = root / "solutions" / lesson / f"{lesson}.py"
    part = part_of(lesson)
    declaration = root / FOLDER.relative_to(FOLDER.parents[1]) / part / f"{name}.py"
    right = root / "tests" / "answers" / "right" / f"{name}.py"
    check_name(name)
    if not source.is_file():
        there = ", ".join(sorted(path.name for path in root.glob("solutions/[0-9]*")))
        raise AuthorError(f"there is no lesson {lesson}: there are {there}; new-lesson makes one")
    if name in names() or declaration.exists() or right.exists():
        raise AuthorError(f"there is an exercise {name} already: choose another name, or change that one")
    declaration.parent.mkdir(exist_ok=True)
    if not declaration.with_name("__init__.py").exists():
        declaration.with_name("__init__.py").write_text(f'"""{lesson}."""\n', encoding="utf-8")
    declaration.write_text(filled("exercise.py", name), encoding="utf-8")
    right.write_text(filled("right.py", name), encoding="utf-8")
    text = source.read_text(encoding="utf-8")
    source.write_text(with_cells(text, filled("cells.py", name)), encoding="utf-8")
    files = "\n".join(f"  {path.relative_to(root)}" for path in (declaration, right, source))
    return NEXT.format(files=files, name=name, tests=TESTS)


def part_of(lesson):
    """The folder of a lesson's exercises: 01_masks has masks."""
    return re.sub(r"^\d+_", "", lesson)


def check_name(name):
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        text = "a function's name has small letters, digits and _; a class is begun by copying a file"
        raise AuthorError(f"{name!r} cannot be an exercise's name: {text}")


def filled(template, name):
    """The text of a template with the exercise's own name in it."""
    return (TEMPLATES / template).read_text(encoding="utf-8").replace(TEMPLATE, name)


def with_cells(text, cells):
    """A lesson's source with the cells behind its last test cell; at the end, where it has none."""
    tests = list(MARKS.finditer(text))
    behind = text.find("\n# %%", tests[-1].end()) if tests else -1
    if behind < 0:
        return f"{text.rstrip()}\n\n{cells}"
    return f"{text[: behind + 1]}{cells}\n{text[behind + 1 :]}"
